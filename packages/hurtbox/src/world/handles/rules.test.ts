/** Handles in rules: what they write is live at once, and undone with the rule. */

import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support.ts'
import {
  advance,
  createSession,
  defineGame,
  despawn,
  each,
  emit,
  eventsOf,
  exists,
  insert,
  listEvents,
  moveTo,
  playerOf,
  players,
  push,
  type RuleThing,
  restore,
  rows,
  type Session,
  snapshot,
  spawn,
  step,
  thing,
  why,
} from '../../index.ts'
import { stun } from '../../kits/combat/damage.ts'
import { hurt, protect, spawnFrom } from '../../kits/combat/index.ts'
import {
  type Arena,
  type ArenaThing,
  arena,
  type D,
  declaration,
  type KnightRule,
  rule,
  stateOf,
  twoWorlds,
} from './fixtures/arena.ts'

/** A knight (1) that meets two slimes (2, 3), a rock (4), an order and a player of the knight. */
function meeting(decide: KnightRule['decide'], more: Partial<KnightRule> = {}): Arena {
  const world = arena({ hits: rule(decide, more) })
  step(world, { controls: [{ control: 'join', seat: 0, team: 1 }] })
  const knight = spawn(world, 'knight', { radius: 5, hp: 50, armour: [0.1, 0.2, 0.3] })
  for (const hp of [10, 20]) spawn(world, 'slime', { radius: 5, hp, combo: 250, ammo: 65_000, coins: 5, slots: [1, 2] })
  spawn(world, 'rock', { hp: 3 })
  insert(world, 'orders', { weight: 2, steps: [1, 2] })
  for (const player of players(world)) player.thing = knight
  world.globals.wave = 7
  return world
}

type Writer = (knight: RuleThing<D>, slime: RuleThing<D>, world: Parameters<KnightRule['decide']>[2]['world']) => void

/** Everything that a rule can write, one at a time. */
const WRITES: Readonly<Record<string, Writer>> = {
  'an f64 column': (_knight, slime) => void (slime.hp -= 3),
  'a u8 column': (_knight, slime) => void (slime.combo += 3),
  'a u16 column': (_knight, slime) => void (slime.ammo += 600),
  'a u32 column': (_knight, slime) => void (slime.coins -= 6),
  'a timer': (_knight, slime) => void (slime.readyAt = 9),
  'an id': (knight, slime) => void (slime.owner = knight.id),
  'the same column twice': (_knight, slime) => {
    slime.hp = 1
    slime.hp = 2
  },
  'a wide column of f64': (knight) => {
    knight.armour.set(0, 0.5)
    knight.armour.set(2, 0.75)
    knight.armour.set(2, 1)
  },
  'a wide column of u8': (_knight, slime) => slime.slots.set(1, 77),
  'a thing found by its id': (_knight, _slime, world) => void (thing(world, 4)!.hp = 99),
  'things of a loop': (_knight, _slime, world) => {
    for (const any of each(world)) any.hp += 1
  },
  globals: (_knight, _slime, world) => {
    world.globals.wave++
    world.globals.wind = 0.5
    world.globals.level = 300
    world.globals.size += 5
  },
  "a player's columns": (knight, _slime, world) => {
    const player = playerOf(world, knight)!
    player.score += 10
    player.team = 3
    player.marks.set(1, 6)
  },
  "a player's thing": (_knight, slime, world) => {
    for (const player of players(world)) player.thing = slime
  },
  "a row of the game's own": (_knight, slime, world) => {
    for (const order of rows(world, 'orders')) {
      order.about = slime.id
      order.weight *= 2
      order.steps.set(0, 9)
    }
  },
  'a spawned thing': (knight, slime, world) => {
    const spark = spawn(world, 'rock', { hp: 1, x: slime.x, owner: knight, armour: [1, 2, 3] })
    spark.hp += 5
    spark.armour.set(0, 8)
    push(spark, 1, 1)
  },
  'more things than fit': (_knight, _slime, world) => {
    for (let i = 0; i < 12; i++) spawn(world, 'rock', { hp: i }).hp++
  },
  'rows of own tables, more than fit': (_knight, slime, world) => {
    for (let i = 0; i < 6; i++) insert(world, 'orders', { about: slime, weight: i })
  },
  'a thing that leaves': (knight, slime) => {
    despawn(slime)
    despawn(knight)
  },
  'a row that leaves': (_knight, _slime, world) => {
    for (const order of rows(world, 'orders')) despawn(order)
  },
  'a spawned thing that leaves again': (_knight, _slime, world) => despawn(spawn(world, 'rock')),
  moves: (knight, slime) => {
    push(slime, 1, 2)
    moveTo(knight, 3, 4)
  },
  events: (knight, slime, world) => {
    for (let i = 0; i < 6; i++) emit(world, 'cut', { victim: slime, by: knight, depth: i })
    emit(world, 'mark', { at: [1, 2] })
  },
}

describe('handles in rules', () => {
  test.each(Object.entries(WRITES))(
    '[TH9] %s: written in a rule that refuses, it is undone; accepted, it stands',
    (_, write) => {
      const outcomes = [true, false].map((refuses) => {
        let asked = 0
        const world = meeting(
          (knight, slime, hit) => {
            asked++
            write(knight, slime, hit.world)
            return refuses ? 'refused' : undefined
          },
          { once: 5 },
        )
        const before = stateOf(world)
        step(world)
        expect(asked).toBeGreaterThan(0)
        const { cut, mark } = world.events
        return {
          isSame: JSON.stringify(stateOf(world)) === JSON.stringify(before),
          events: [cut.count, cut.refused, mark.count],
          hits: world.tables.hits.count,
        }
      })
      expect(outcomes[0]).toEqual({ isSame: true, events: [0, 0, 0], hits: 0 })
      const isChanged = !outcomes[1].isSame || outcomes[1].events[0] > 0
      expect(isChanged).toBe(true)
    },
  )

  test.each(Object.entries(WRITES))(
    '[TH9] %s: when a later contact throws, it is undone with the whole phase',
    (_, write) => {
      let accepted = 0
      const world = meeting(
        (knight, slime, hit) => {
          if (knight.x > 100) throw new Error('bug in a rule')
          write(knight, slime, hit.world)
          accepted++
        },
        { once: 5 },
      )
      spawn(world, 'knight', { x: 500, radius: 5 })
      spawn(world, 'slime', { x: 500, radius: 5 })
      const before = stateOf(world)
      expect(() => step(world)).toThrow('bug in a rule')
      expect(accepted).toBeGreaterThan(0)
      expect(stateOf(world)).toEqual(before)
      expect(listEvents(world)).toEqual([])
      expect([...each(world)].map(({ id, leaving }) => id - leaving)).toEqual([1, 2, 3, 4, 5, 6])
    },
  )

  test('[TH10] what a rule writes is live at once: for itself, for the next contact, for gates and columns', () => {
    const seen: number[] = []
    const world = meeting(
      (knight, slime, hit) => {
        knight.coins += slime.hp
        seen.push(knight.coins, hit.world.tables.things.coins[0], thing(hit.world, knight.id)!.coins)
      },
      { gates: [{ name: 'rich', refuses: (knight) => knight.coins >= 30 }] },
    )
    step(world)
    step(world)
    expect(seen).toEqual([10, 10, 10, 30, 30, 30])
  })

  test('[TH10] in a rule a thing is one object too, and what is asked for is undone like what is given', () => {
    let isSame: boolean[] = []
    const world = meeting((knight, slime, hit) => {
      const [first] = each(hit.world, 'knight')
      isSame = [
        thing(hit.world, knight.id) === knight,
        first === knight,
        playerOf(hit.world, knight)!.thing === knight,
        thing(hit.world, slime.id) === slime,
      ]
      expect([knight.layer, slime.layer, knight.armour.width]).toEqual(['knight', 'slime', 3])
    })
    step(world)
    expect(isSame).toEqual([true, true, true, true])
  })

  test('[TH11] ids given to what a refused rule spawned are given again', () => {
    const given: number[] = []
    let turn = 0
    const kept: ArenaThing[] = []
    const world = meeting((_knight, _slime, hit) => {
      const spark = spawn(hit.world, 'rock', { hp: ++turn })
      given.push(spark.id)
      kept.push(spark)
      expect([spark.hp, exists(spark)]).toEqual([turn, true])
      return turn === 1 ? 'no' : undefined
    })
    step(world)
    expect(given).toEqual([5, 5])
    expect([thing(world, 5)!.hp, world.tables.things.count]).toEqual([2, 5])
    // The row of the first was undone, so its handle stays dead. The second was given to a rule that is over.
    expectRefusal(() => kept[0].hp, /has left the world/)
    expectRefusal(() => kept[1].hp, /was given to a rule/)
    expect([exists(kept[0]), exists(kept[1])]).toEqual([false, true])
  })

  test("[TH12] a rule's handle is refused when its phase is over, also by functions", () => {
    let kept: ArenaThing | undefined
    let armour: ArenaThing['armour'] | undefined
    const world = meeting((_knight, slime) => {
      kept = slime as ArenaThing
      armour = slime.armour
    })
    step(world)
    const uses: (() => unknown)[] = [
      () => kept!.hp,
      () => void (kept!.hp = 1),
      () => kept!.ammo,
      () => kept!.combo,
      () => kept!.layer,
      () => armour!.get(0),
      () => armour!.set(0, 1),
      () => despawn(kept!),
      () => push(kept!, 1, 1),
      () => moveTo(kept!, 1, 1),
      () => hurt(kept as never, 1),
    ]
    for (const use of uses) expectRefusal(use, /was given to a rule, and the rules are no longer deciding/, world)
    expect([kept!.id, thing(world, kept!.id)!.hp]).toEqual([3, 20])
  })

  test('[TH12] in a later phase of rules a kept handle is its thing again, wherever its row is, until it has left', () => {
    let kept: RuleThing<D> | undefined
    let read: unknown[] = []
    const world = meeting((_knight, slime) => {
      if (slime.id === 3) kept ??= slime
      if (kept !== undefined) read.push(attempt(() => [kept!.id, kept!.hp]))
    })
    const readInStep = () => {
      read = []
      step(world)
      return read
    }
    step(world)
    thing(world, 3)!.hp = 31
    const before = snapshot(world)
    expect(readInStep(), 'asked for slime 2 and for slime 3').toEqual([
      [3, 31],
      [3, 31],
    ])
    despawn(thing(world, 2)!)
    step(world)
    expect(readInStep(), 'its row has moved up').toEqual([[3, 31]])
    restore(world, before)
    expect(readInStep(), 'its row has moved back').toEqual([
      [3, 31],
      [3, 31],
    ])
    despawn(thing(world, 3)!)
    step(world)
    expect(readInStep()).toEqual([expect.stringMatching(/has left the world/)])
  })

  test('[TH13] a thing of a phase is refused by functions in a rule, since they could not be undone', () => {
    const acts: ((outside: ArenaThing) => unknown)[] = [
      (outside) => despawn(outside),
      (outside) => push(outside, 1, 1),
      (outside) => moveTo(outside, 1, 1),
      (outside) => hurt(outside as never, 1),
      (outside) => protect(outside as never, 1),
      (outside) => stun(outside as never, 1),
      (outside) => spawnFrom(outside, 'rock'),
    ]
    for (const act of acts) {
      let outside: ArenaThing | undefined
      const world = meeting(() => void act(outside!))
      outside = thing(world, 4)!
      const before = stateOf(world)
      expectRefusal(() => step(world), /was obtained outside the rule, so the rule could not be undone/)
      expect(stateOf(world)).toEqual(before)
    }
  })

  test('[TH13] assigned to directly, a thing of a phase is written at once and not undone', () => {
    let outside: ArenaThing | undefined
    const world = meeting((_knight, slime) => {
      outside!.hp = 77
      slime.hp = 77
      return 'no'
    })
    outside = thing(world, 4)!
    step(world)
    expect([outside.hp, thing(world, 2)!.hp]).toEqual([77, 10])
  })

  test('[TH13] a thing of another world is refused in a rule as well, and the phase is undone', () => {
    const acts: ((
      foreign: ArenaThing,
      slime: RuleThing<D>,
      world: Parameters<KnightRule['decide']>[2]['world'],
    ) => void)[] = [
      (foreign, _slime, world) => void spawn(world, 'rock', { owner: foreign }),
      (foreign, _slime, world) => void insert(world, 'orders', { about: foreign }),
      (foreign, _slime, world) => emit(world, 'cut', { victim: foreign, by: 0, depth: 0 }),
      (foreign, _slime, world) => {
        for (const player of players(world)) player.thing = foreign
      },
    ]
    for (const act of acts) {
      const [, other] = twoWorlds()
      const foreign = spawn(other, 'rock')
      const world = meeting((_knight, slime, hit) => {
        slime.hp = 1
        act(foreign, slime, hit.world)
      })
      const before = stateOf(world)
      expectRefusal(() => step(world), /of another world cannot be stored here/)
      expect(stateOf(world)).toEqual(before)
      expect(listEvents(world)).toEqual([])
    }
  })

  test('[TH6] loops in rules leave out what is spawned meanwhile and what an earlier contact despawned', () => {
    const seen: number[][] = []
    const world = meeting((_knight, slime, hit) => {
      const met: number[] = []
      for (const rock of each(hit.world, 'rock')) {
        met.push(rock.id)
        if (seen.length === 0) despawn(rock)
        spawn(hit.world, 'rock')
      }
      seen.push(met)
      for (const event of eventsOf(hit.world, 'cut')) met.push(-event.victim)
      emit(hit.world, 'cut', { victim: slime, by: 0, depth: 0 })
    })
    step(world)
    expect(seen).toEqual([[4], [5, -2]])
  })

  test('[TH14] why lists what an accepted rule changed, from what it was to what it is, and where things move', () => {
    const game = defineGame(declaration, {
      setup(world) {
        spawn(world, 'knight', { radius: 5, hp: 50 })
        spawn(world, 'slime', { radius: 5, hp: 10, x: 1 })
        insert(world, 'orders', { weight: 2 })
      },
      phases: {
        hits: rule(
          (knight, slime, { world }) => {
            slime.hp -= 4
            slime.hp -= 3
            slime.combo = 2
            slime.coins = 0
            knight.armour.set(1, 0.5)
            world.globals.wave = 3
            for (const order of rows(world, 'orders')) order.weight = 1 / 3
            push(slime, 1.5, 0)
            moveTo(knight, 7, 8)
            spawn(world, 'rock', { hp: 9 })
            despawn(slime)
            return world.clock === 1 ? 'enough' : undefined
          },
          { gates: ['owner'] },
        ),
      },
    })
    const session = createSession(game)
    advance(session)
    expect(why(session as Session, 0, 2, 1)).toEqual([
      {
        phase: 'hits',
        rule: 'strike',
        first: 1,
        second: 2,
        verdict: 'accepted',
        text: 'strike: 1 and 2: accepted',
        changes: [
          'hp of things id 2: 10 → 3',
          'combo of things id 2: 0 → 2',
          'armour[1] of things id 1: 0 → 0.5',
          'globals.wave: 0 → 3',
          'weight of orders id 1: 2 → 0.333',
          'things id 3 is added',
          'leaving of things id 2: 0 → 1',
          '2 is pushed by (1.5, 0)',
          '1 moves to (7, 8)',
        ],
      },
    ])
  })

  test('[TH14] of a refused rule why lists no changes, and of one that adds more rows than fit those that are there', () => {
    const game = defineGame(declaration, {
      setup(world) {
        spawn(world, 'knight', { radius: 5 })
        spawn(world, 'slime', { radius: 5 })
      },
      phases: {
        hits: rule((_knight, slime, { world }) => {
          slime.hp = 4
          if (world.clock === 0) return 'a ghost'
          for (let i = 0; i < 6; i++) insert(world, 'orders')
        }),
      },
    })
    const session = createSession(game)
    advance(session)
    advance(session)
    expect(why(session as Session, 0, 1, 2)[0]).toMatchObject({
      verdict: 'a ghost',
      text: 'strike: 1 and 2: refused by the rule: "a ghost"',
      changes: [],
    })
    expect(why(session as Session, 1, 1, 2)[0].changes).toEqual([
      'hp of things id 2: 0 → 4',
      ...[1, 2, 3, 4].map((id) => `orders id ${id} is added`),
    ])
  })
})

/** What `act` gives, or the words of what it throws. */
function attempt(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return (error as Error).message
  }
}
