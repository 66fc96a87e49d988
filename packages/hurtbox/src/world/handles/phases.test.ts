import { inspect } from 'node:util'
/** Handles in phases: one object per living thing, kept from tick to tick. */

import { describe, expect, test } from 'vitest'
import { bytesOf, expectRefusal, worldWith } from '../../../test/support.ts'
import {
  addCircle,
  collide,
  declareGame,
  despawn,
  each,
  emit,
  eventsOf,
  exists,
  insert,
  listEvents,
  moveTo,
  playerAt,
  playerOf,
  players,
  push,
  restore,
  rows,
  snapshot,
  spawn,
  step,
  thing,
} from '../../index.ts'
import { hurt } from '../../kits/combat/index.ts'
import { type Arena, type ArenaThing, arena, declaration, stateOf, twoWorlds } from './fixtures/arena.ts'

const LEFT = /this thing has left the world/
const ids = (things: Iterable<{ readonly id: number }>) => [...things].map(({ id }) => id)

function joined(world: Arena, ...seats: readonly number[]): void {
  step(world, { controls: seats.map((seat) => ({ control: 'join', seat })) })
}

describe('handles in phases', () => {
  test('[TH1] a thing has every column of its game as a property, and both are the same value', () => {
    const world = arena()
    const slime = spawn(world, 'slime', { x: 3, hp: 5, armour: [1, 2, 3], ammo: 7 })
    const { things } = world.tables
    expect([slime.id, slime.layer, slime.leaving, slime.x, slime.hp, slime.ammo]).toEqual([1, 'slime', 0, 3, 5, 7])
    things.hp[0] = 12
    expect(slime.hp).toBe(12)
    slime.hp -= 0.5
    slime.combo = 3
    slime.coins = 70_000
    slime.readyAt = 9
    slime.ammo++
    slime.armour.set(2, 0.25)
    slime.slots.set(1, 8)
    expect([things.hp[0], things.combo[0], things.coins[0], things.readyAt[0], things.ammo[0]]).toEqual([
      11.5, 3, 70_000, 9, 8,
    ])
    expect([...things.armour.subarray(0, 3), ...things.slots.subarray(0, 2)]).toEqual([1, 2, 0.25, 0, 8])
    expect([slime.armour.get(2), slime.armour.width, slime.slots.get(1)]).toEqual([0.25, 3, 8])
    for (const { name } of things.columns) expect(name in slime, name).toBe(true)
  })

  test('[TH1] what has no place is refused: the layer, a wide column as a whole, a value beyond its width', () => {
    const world = arena()
    const slime = spawn(world, 'slime') as Omit<ArenaThing, 'layer' | 'armour'> & { layer: string; armour: unknown }
    expectRefusal(() => void (slime.layer = 'rock'), /the layer of a thing does not change/, world)
    expectRefusal(() => void (slime.armour = [1]), /written by thing\.column\.set\(i, value\)/, world)
    const { slots } = slime
    for (const bad of [-1, 2, Number.NaN, '0' as never, undefined as never]) {
      expectRefusal(() => slots.get(bad), /holds 2 values a row/, world)
      expectRefusal(() => slots.set(bad, 1), /holds 2 values a row/, world)
    }
    expectRefusal(() => slots.get(0.5), /holds 2 values a row/, world)
  })

  test('[TH1] a column may have any name, also that of an inner part of the engine', () => {
    const names = [
      'row',
      'pool',
      'block',
      'f64',
      'u32',
      'u16',
      'u8',
      'wides',
      'controls',
      'journal',
      'value',
      'world',
    ] as const
    const columns = Object.fromEntries(names.map((name) => [name, 'u8'])) as Record<(typeof names)[number], 'u8'>
    const odd = declareGame({ id: 'odd', tickRate: 60, layers: { a: ['a'] }, things: columns, globals: { size: 'u8' } })
    const phase = collide(odd, {
      meet: {
        between: ['a', 'a'],
        decide(first, second) {
          for (const [i, name] of names.entries()) second[name] = first[name] + i
        },
      },
    })
    const world = worldWith(odd, phase)
    const things = [0, 1].map(() => spawn(world, 'a', { radius: 1, pool: 40 }))
    for (const name of names) things[0][name] += 100
    step(world)
    expect(names.map((name) => things[1][name])).toEqual(names.map((name, i) => (name === 'pool' ? 140 : 100) + i))
  })

  test('[TH2] a thing is one object for as long as it lives, whatever gave it', () => {
    const world = arena({ hold: () => {} }, { onJoin: (inner, player) => void (player.thing = spawn(inner, 'knight')) })
    joined(world, 0)
    const slime = spawn(world, 'slime')
    const knight = thing(world, 1)!
    for (let tick = 0; tick < 3; tick++) {
      const [player] = players(world)
      // Compared by hand: a test that fails would print the whole world behind a thing.
      const isSame = [
        thing(world, 2) === slime,
        [...each(world)][0] === knight,
        [...each(world)][1] === slime,
        [...each(world, 'slime')][0] === slime,
        player.thing === knight,
        playerAt(world, 0) === player,
        playerOf(world, knight) === player,
        playerOf(world, knight.id) === player,
      ]
      expect(isSame).toEqual(new Array(8).fill(true))
      step(world)
    }
    const order = insert(world, 'orders', { weight: 2 })
    expect([...rows(world, 'orders')][0] === order).toBe(true)
  })

  test('[TH2] handles follow their rows when older things leave', () => {
    const world = arena()
    const things = Array.from({ length: 12 }, (_, i) => spawn(world, 'slime', { hp: i + 1, armour: [i, i, i] }))
    // Only some have a handle before; each of them must still be itself.
    for (const gone of [0, 3, 4, 11]) despawn(things[gone])
    step(world)
    const left = things.filter((_, i) => ![0, 3, 4, 11].includes(i))
    expect(left.map(({ id, hp }) => hp - id)).toEqual(new Array(8).fill(0))
    expect(left.map(({ armour }) => armour.get(1))).toEqual([1, 2, 5, 6, 7, 8, 9, 10])
    left[2].hp = 99
    expect(world.tables.things.hp[2]).toBe(99)
    const added = spawn(world, 'slime', { hp: 50 })
    const now = [...each(world)]
    expect([...left, added].map((each, i) => each === now[i])).toEqual(new Array(9).fill(true))
  })

  test('[TH3] a handle kept after its thing has left throws on every use, and does nothing', () => {
    const world = arena()
    const gone = spawn(world, 'slime', { hp: 5 })
    const { armour } = gone
    const younger = spawn(world, 'slime', { hp: 7, x: 1, armour: [4] })
    despawn(gone)
    expect([gone.hp, gone.leaving, exists(gone)]).toEqual([5, 1, false])
    step(world)
    const uses: (() => unknown)[] = [
      () => gone.hp,
      () => gone.combo,
      () => gone.ammo,
      () => gone.coins,
      () => gone.readyAt,
      () => gone.layer,
      () => gone.leaving,
      () => gone.armour.get(0),
      () => gone.armour.set(0, 1),
      () => armour.get(0),
      () => armour.set(0, 1),
      () => void (gone.hp = 1),
      () => void (gone.combo = 1),
      () => void (gone.ammo = 1),
      () => void (gone.coins = 1),
      () => despawn(gone),
      () => push(gone, 1, 1),
      () => moveTo(gone, 1, 1),
      () => hurt(gone as never, 1),
    ]
    for (const use of uses) expect(expectRefusal(use, LEFT, world).code).toBe('stale-id')
    expect([gone.id, exists(gone), thing(world, gone.id)]).toEqual([1, false, undefined])
    // What stands in its row now is untouched.
    expect([younger.hp, younger.x, younger.leaving, younger.armour.get(0)]).toEqual([7, 1, 0, 4])
  })

  test('[TH3] the same for rows of own tables and for players', () => {
    const world = arena()
    joined(world, 0, 1)
    const [first, second] = [...players(world)]
    second.score = 4
    const order = insert(world, 'orders', { weight: 3 })
    insert(world, 'orders', { weight: 5 })
    despawn(order)
    step(world, { controls: [{ control: 'leave', seat: 0 }] })
    for (const use of [() => first.score, () => first.thing, () => first.walk, () => first.marks.get(0)])
      expectRefusal(use, LEFT)
    expectRefusal(() => void (first.thing = undefined), LEFT, world)
    expectRefusal(() => order.weight, LEFT)
    expectRefusal(() => despawn(order), LEFT, world)
    expect([second.score, [...rows(world, 'orders')].map(({ weight }) => weight)]).toEqual([4, [5]])
  })

  test('[TH4] restore finds a handle again by its id; one that has left stays dead', () => {
    const world = arena()
    const [a, b, c] = [1, 2, 3].map((hp) => spawn(world, 'slime', { hp, armour: [hp] }))
    const { armour } = c
    const start = snapshot(world)
    despawn(a)
    step(world)
    c.hp = 30
    const late = spawn(world, 'slime', { hp: 4 })
    const later = snapshot(world)
    restore(world, start)
    // c stands in the third row again, late is not there yet, and a is there but its old handle is not.
    expect([b.hp, c.hp, armour.get(0)]).toEqual([2, 3, 3])
    expectRefusal(() => a.hp, LEFT)
    expectRefusal(() => late.hp, LEFT)
    const again = thing(world, 1)!
    expect([again === a, again.hp, exists(again), exists(a), thing(world, 4)]).toEqual([
      false,
      1,
      true,
      false,
      undefined,
    ])
    restore(world, later)
    expect([b.hp, c.hp, c === thing(world, 3), thing(world, 4)?.hp]).toEqual([2, 30, true, 4])
    expectRefusal(() => again.hp, LEFT)
    c.hp++
    expect(world.tables.things.hp[1]).toBe(31)
  })

  test('[TH4] a handle marked as leaving lives on when the mark is rolled back', () => {
    const world = arena()
    const slime = spawn(world, 'slime', { hp: 5 })
    const start = snapshot(world)
    despawn(slime)
    restore(world, start)
    step(world)
    expect([exists(slime), slime.hp]).toEqual([true, 5])
  })

  test('[TH17] a thing prints as its values, in JSON and in the console, and not as the memory behind it', () => {
    const world = arena()
    const slime = spawn(world, 'slime', { x: 3, hp: 7, armour: [0.5] })
    const printed = JSON.parse(JSON.stringify(slime))
    expect(printed).toMatchObject({ id: slime.id, layer: 'slime', x: 3, hp: 7, armour: [0.5, 0, 0] })
    expect(Object.keys(printed)).toEqual(world.tables.things.columns.map(({ name }) => name))
    expect(inspect(slime)).toMatch(/hp: 7/)
    expect(inspect(slime)).not.toMatch(/Float64Array/)
  })

  test('[TH5] things of two worlds of one game do not mix', () => {
    const [one, other] = twoWorlds()
    const mine = spawn(one, 'slime', { hp: 1 })
    const yours = spawn(other, 'slime', { hp: 2 })
    mine.hp = 10
    expect([mine.hp, yours.hp, mine === (yours as unknown)]).toEqual([10, 2, false])
    despawn(yours)
    step(other)
    expect([mine.hp, exists(mine), exists(yours)]).toEqual([10, true, false])
    restore(other, snapshot(one))
    expect(thing(other, 1)!.hp).toBe(10)
    thing(other, 1)!.hp = 11
    expect(mine.hp).toBe(10)
  })

  test('[TH5] a thing of another world is refused wherever its id would be stored, and nothing changes', () => {
    const [one, other] = twoWorlds()
    joined(one, 0)
    const foreign = spawn(other, 'slime', { hp: 2 })
    const player = playerAt(one, 0)!
    const refused = /of another world cannot be stored here/
    expectRefusal(() => spawn(one, 'slime', { owner: foreign }), refused, one)
    expectRefusal(() => insert(one, 'orders', { about: foreign, weight: 2 }), refused, one)
    expectRefusal(() => void (player.thing = foreign), refused, one)
    expectRefusal(() => emit(one, 'cut', { victim: foreign, by: 0, depth: 1 }), refused, one)
    const own = spawn(one, 'slime', { owner: spawn(one, 'knight') })
    player.thing = own
    emit(one, 'cut', { victim: own, by: own.owner, depth: 1 })
    expect([own.owner, player.thing?.id, one.tables.players.thing[0]]).toEqual([1, 2, 2])
    expect(listEvents(one).at(-1)).toMatchObject({ victim: 2, by: 1 })
    player.thing = undefined
    expect([player.thing, one.tables.players.thing[0]]).toEqual([undefined, 0])
  })

  test('[TH6] a loop meets what was there when it began, oldest first, without what is leaving', () => {
    const world = arena()
    for (const layer of ['slime', 'rock', 'slime', 'slime'] as const) spawn(world, layer)
    const seen: number[] = []
    for (const slime of each(world, 'slime')) {
      seen.push(slime.id)
      spawn(world, 'slime')
      // The next one goes before the loop gets there.
      const next = thing(world, slime.id + 2)
      if (slime.id === 1 && next) despawn(next)
    }
    expect(seen).toEqual([1, 4])
    expect(ids(each(world))).toEqual([1, 2, 4, 5, 6])
    expect(ids(each(world, 'rock'))).toEqual([2])
    expect(ids(each(world, 'knight'))).toEqual([])
    expectRefusal(() => each(world, 'slim' as never), /no layer "slim". Known: slime/)
    step(world)
    expect(ids(each(world))).toEqual([1, 2, 4, 5, 6])
  })

  test('[TH6] a thing that despawns itself in its own loop is met once, and its neighbours are met', () => {
    const world = arena({
      reap(inner) {
        for (const slime of each(inner, 'slime')) if (slime.hp <= 0) despawn(slime)
      },
    })
    for (const hp of [0, 1, 0, 0, 2]) spawn(world, 'slime', { hp })
    step(world)
    expect(ids(each(world))).toEqual([2, 5])
  })

  test('[TH6] loops nest, end early and start again', () => {
    const world = arena()
    for (let i = 0; i < 4; i++) spawn(world, i % 2 === 0 ? 'slime' : 'rock')
    const pairs: string[] = []
    for (const a of each(world)) for (const b of each(world, 'slime')) pairs.push(`${a.id}${b.id}`)
    expect(pairs).toEqual(['11', '13', '21', '23', '31', '33', '41', '43'])
    const firsts: number[] = []
    for (let turn = 0; turn < 3; turn++) {
      for (const a of each(world)) {
        firsts.push(a.id)
        for (const b of each(world, 'rock')) {
          firsts.push(b.id)
          break
        }
        if (a.id === 2) break
      }
    }
    expect(firsts).toEqual([1, 2, 2, 2, 1, 2, 2, 2, 1, 2, 2, 2])
    expect(() => {
      for (const a of each(world)) throw new Error(`stopped at ${a.id}`)
    }).toThrow('stopped at 1')
    expect(ids(each(world))).toEqual([1, 2, 3, 4])
    const [first, second] = each(world)
    expect([first.id, second.id, ...ids(each(world, 'slime'))]).toEqual([1, 2, 1, 3])
  })

  test('[TH6] a loop over events can be nested, left and started again', () => {
    const world = arena()
    for (let depth = 1; depth <= 3; depth++) emit(world, 'cut', { victim: depth, by: 0, depth })
    const depths = () => {
      const seen: string[] = []
      for (const a of eventsOf(world, 'cut')) {
        for (const b of eventsOf(world, 'cut')) {
          seen.push(`${a.depth}${b.depth}`)
          if (b.depth === 2) break
        }
      }
      return seen
    }
    expect(depths()).toEqual(['11', '12', '21', '22', '31', '32'])
    const kept = eventsOf(world, 'cut')
    for (const _ of kept);
    for (const _ of kept);
    expect(depths()).toEqual(['11', '12', '21', '22', '31', '32'])
    emit(world, 'mark', { at: [3, 4] })
    for (const { at } of eventsOf(world, 'mark')) expect([at.get(0), at.get(1)]).toEqual([3, 4])
    expect([...eventsOf(world, 'mark')]).toHaveLength(1)
    expectRefusal(() => eventsOf(world, 'ct' as never), /no event "ct". Known: cut/)
  })

  test('[TH7] a full table: spawn gives a thing that is not there; what is written to it is lost, and counted', () => {
    const world = arena()
    for (let i = 0; i < 12; i++) spawn(world, 'slime', { hp: 1 })
    const before = stateOf(world)
    const lost = spawn(world, 'slime', { hp: 9, x: 4 })
    expect([lost.id, exists(lost), lost.hp, lost.x, lost.armour.get(1)]).toEqual([0, false, 0, 0, 0])
    lost.hp = 50
    lost.combo = 3
    lost.ammo = 4
    lost.armour.set(1, 7)
    lost.slots.set(0, 7)
    push(lost, 1, 1)
    moveTo(lost, 1, 1)
    despawn(lost)
    // Only the counter of refusals moved, and the next one starts empty.
    const after = stateOf(world)
    expect(after.slice(1)).toEqual(before.slice(1))
    expect([world.tables.things.refused, world.tables.things.count]).toEqual([1, 12])
    const next = spawn(world, 'slime')
    expect([next.hp, next.combo, next.ammo, next.armour.get(1), next.slots.get(0), next.leaving]).toEqual([
      0, 0, 0, 0, 0, 0,
    ])
    step(world)
    expect(ids(each(world))).toHaveLength(12)
    const note = insert(world, 'orders', { about: lost })
    expect(note.about).toBe(0)
    for (let i = 0; i < 4; i++) insert(world, 'orders')
    expect([insert(world, 'orders').id, world.tables.orders.refused]).toEqual([0, 2])
  })

  test('[TH7] writing to nothing changes no state, in a world that was given its memory too', () => {
    const world = arena()
    for (let i = 0; i < 12; i++) spawn(world, 'slime', { hp: i })
    spawn(world, 'slime')
    const before = bytesOf(world)
    const lost = spawn(world, 'slime')
    for (const { name, width } of world.tables.things.columns) {
      if (['id', 'layer'].includes(name)) continue
      if (width > 1) (lost as never as Record<string, { set(i: number, v: number): void }>)[name].set(width - 1, 255)
      else (lost as never as Record<string, number>)[name] = 255
    }
    const after = bytesOf(world)
    expect(after.filter((byte, i) => byte !== before[i])).toHaveLength(1)
  })

  test('[TH8] a player has its thing, its input and its columns, and is found from either side', () => {
    const log: unknown[] = []
    const world = arena(
      {
        walk(inner) {
          for (const { thing: knight, walk } of players(inner)) if (knight !== undefined) knight.x += walk
        },
      },
      {
        onJoin(inner, player) {
          player.thing = spawn(inner, 'knight', { hp: 10, team: player.team })
          log.push(player.seat, player.team)
        },
      },
    )
    step(world, {
      controls: [
        { control: 'join', seat: 2, team: 1 },
        { control: 'join', seat: 0 },
      ],
      players: [{ seat: 2, walk: 1 }],
    })
    step(world)
    const knight = thing(world, 1)!
    expect([knight.x, knight.team, log]).toEqual([2, 1, [2, 1, 0, 0]])
    expect([...players(world)].map(({ seat }) => seat)).toEqual([2, 0])
    const player = playerOf(world, knight)!
    player.score += 3
    player.marks.set(1, 9)
    expect([player.seat, player.walk, world.tables.players.score[0], player.marks.get(1)]).toEqual([2, 1, 3, 9])
    expect([playerOf(world, 0), playerOf(world, 99), playerOf(world, spawn(world, 'rock'))]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    // One that leaves in this tick is lost to its player already.
    despawn(knight)
    expect(player.thing).toBeUndefined()
    step(world)
    expect(player.thing).toBeUndefined()
    player.thing = spawn(world, 'knight', { hp: 3 })
    expect(player.thing?.hp).toBe(3)
  })

  test('[TH16] the thing that a poser gets is for that call only', () => {
    const kept: ArenaThing[] = []
    const seen: number[] = []
    const hits = collide(
      declaration,
      { strike: { between: ['knight', 'slime'], decide: () => {} } },
      {
        pose(posed, boxes) {
          kept.push(posed)
          seen.push(posed.id, posed.hp, posed.armour.get(0))
          addCircle(boxes, posed)
        },
      },
    )
    const world = arena({ hits })
    const knight = spawn(world, 'knight', { radius: 5, hp: 3, armour: [7] })
    spawn(world, 'slime', { radius: 5, hp: 4, armour: [8] })
    step(world)
    step(world)
    expect(seen).toEqual([1, 3, 7, 2, 4, 8, 1, 3, 7, 2, 4, 8])
    for (const use of [
      () => kept[0].hp,
      () => kept[0].ammo,
      () => kept[1].armour.get(0),
      () => despawn(kept[0]),
      () => push(kept[0], 1, 1),
    ]) {
      expectRefusal(use, /given to a poser, for that call only/, world)
    }
    expect([exists(kept[0]), kept.includes(knight)]).toEqual([false, false])
  })
})
