import { describe, expect, test } from 'vitest'
import { bytesOf, expectRefusal, worldWith } from '../../../test/support.ts'
import {
  advance,
  collide,
  createSession,
  createWorld,
  declareGame,
  defineGame,
  each,
  eventsOf,
  exists,
  listEvents,
  type Phase,
  type Rule,
  rememberHits,
  restore,
  type Session,
  snapshot,
  spawn,
  step,
  type Thing,
  type World,
  why,
} from '../../index.ts'
import { slow, stun } from './damage.ts'
import {
  defineCombat,
  endShields,
  expire,
  hurt,
  type KnockbackMode,
  knockback,
  pierce,
  protect,
  recordDamage,
  shield,
  spawnFrom,
} from './index.ts'

const combat = defineCombat({ damageTypes: ['blunt', 'fire'], recent: 4 })

const status = { shieldUntil: 'timer', stunnedUntil: 'timer', slowedUntil: 'timer', slowFactor: 'f64' } as const
const declaration = declareGame({
  id: 'ring',
  tickRate: 60,
  layers: { fist: ['head'], head: ['flame'], flame: [] },
  capacity: 32,
  things: { ...combat.columns, ...status, damage: 'f64' },
  hits: rememberHits(64),
  arrays: combat.arrays,
  globals: combat.globals,
  events: combat.events,
})

interface Ring extends World<typeof declaration> {}
interface RingThing extends Thing<typeof declaration> {}
type Punch = Rule<typeof declaration, 'fist', 'head'>

const punch: Punch = {
  between: ['fist', 'head'],
  gates: ['dead', 'invulnerable'],
  once: true,
  decide(fist, head) {
    hurt(head, fist.damage, fist, combat.type.blunt)
    pierce(fist)
  },
}

const hits = collide(declaration, {
  punch,
  burn: {
    between: ['flame', 'head'],
    gates: ['dead'],
    once: 10,
    decide(flame, head) {
      hurt(head, 3, flame, combat.type.fire)
    },
  },
})
const game = defineGame(declaration, { phases: { expire, hits, recordDamage } })

type Values = { layer: 'fist' | 'head' | 'flame' } & Parameters<typeof spawn<typeof declaration, 'head'>>[2]

function ring(...things: readonly Values[]): [Ring, RingThing[]] {
  const world = createWorld(game)
  return [world, fill(world, things)]
}

/** A ring in which nothing happens but one rule. */
function ringOf(decide: Punch['decide'], things: readonly Values[], more: Partial<Punch> = {}): [Ring, RingThing[]] {
  const world = ringWith(collide(declaration, { rule: { between: ['fist', 'head'], ...more, decide } }))
  return [world, fill(world, things)]
}

function ringWith(phase: Phase<typeof declaration>): Ring {
  return worldWith(declaration, phase)
}

function fill(world: Ring, things: readonly Values[]): RingThing[] {
  return things.map(({ layer, ...values }) => spawn(world, layer, values))
}

const head = { layer: 'head', radius: 5, hp: 100, maxHp: 100 } as const
const flame = { layer: 'flame', radius: 5 } as const
const fist = (damage: number) => ({ layer: 'fist', radius: 5, damage, owner: 9 }) as const

describe('damage', () => {
  test('[CB1] health has a floor of 0 and death happens once', () => {
    const [world, [victim]] = ring({ ...head, hp: 50 }, fist(30), fist(30), fist(30))
    step(world)
    expect(victim.hp).toBe(0)
    const events = listEvents(world)
    const damage = events.filter((event) => event.kind === 'damage')
    expect(damage.map(({ taken, hpAfter }) => [taken, hpAfter])).toEqual([
      [30, 20],
      [20, 0],
    ])
    expect(events.filter(({ kind }) => kind === 'kill')).toEqual([
      { tick: 0, kind: 'kill', n: 0, victim: 1, attacker: 9, source: 3, type: 0 },
    ])
    step(world)
    expect(listEvents(world)).toEqual([])
  })

  test('[CB2] a shield absorbs first, the overflow passes on, and the event has what was asked, absorbed, taken', () => {
    const [world, [victim]] = ring({ ...head, shield: 25 }, fist(40))
    step(world)
    expect([victim.hp, victim.shield]).toEqual([85, 0])
    expect(listEvents(world)[0]).toMatchObject({ asked: 40, absorbed: 25, taken: 15, hpAfter: 85 })
  })

  test('[CB2] several hits of one tick share one shield', () => {
    const [world, [victim]] = ring({ ...head, shield: 25 }, fist(20), fist(20))
    step(world)
    expect([victim.hp, victim.shield]).toEqual([85, 0])
  })

  test('[CB2] [CB3] with armour and a shield, the shield absorbs what armour lets through, and no hit heals', () => {
    const after = (armour: number, amount: number, damage: number) => {
      const [world, [victim]] = ring({ ...head, hp: 50, shield: amount, armour: [armour, 0] }, fist(damage))
      step(world)
      const [{ asked, absorbed, taken }] = eventsOf(world, 'damage')
      expect([asked, absorbed >= 0, taken >= 0]).toEqual([damage, true, true])
      return [victim.hp, victim.shield]
    }
    // 40 become 20, of which the shield takes 12.
    expect(after(0.5, 12, 40)).toEqual([42, 0])
    expect(after(0.5, 30, 40)).toEqual([50, 10])
    expect(after(0.5, 20, 40)).toEqual([50, 0])
    expect([after(1, 5, 40), after(1.5, 5, 40), after(1.5, 0, 40)]).toEqual([
      [50, 5],
      [50, 5],
      [50, 0],
    ])
    expect(after(-0.5, 10, 20), 'a weakness').toEqual([30, 0])
  })

  test('[CB2] a shield that absorbs nothing is not among the changes of a hit', () => {
    for (const amount of [0, 5]) {
      const setup = (world: Ring) => void fill(world, [{ ...head, shield: amount }, fist(20)])
      const session = createSession(defineGame(declaration, { setup, phases: { hits } }))
      advance(session)
      const { changes } = why(session as Session, 0, 1, 2)[0]
      expect(changes.filter((change) => change.startsWith('shield'))).toEqual(
        amount === 0 ? [] : ['shield of things id 1: 5 → 0'],
      )
    }
  })

  test('[CB3] armour blocks its part, by damage type', () => {
    const [world, [victim]] = ring({ ...head, armour: [0.25, 1] }, fist(40), flame)
    step(world)
    expect(victim.hp).toBe(70)
    const [blunt, fire] = listEvents(world).filter((event) => event.kind === 'damage')
    expect([blunt.asked, blunt.taken, fire.asked, fire.taken]).toEqual([40, 30, 3, 0])
  })

  test('[CB4] in a phase hurt does the same sums and emits the same event', () => {
    const values = { ...head, shield: 10, armour: [0.5, 0] }
    const [byRule, [first]] = ring(values, fist(60))
    const [byPhase, [second, source]] = ring(values, fist(60))
    step(byRule)
    hurt(second, 60, source, combat.type.blunt)
    expect([second.hp, second.shield]).toEqual([first.hp, first.shield])
    expect({ ...listEvents(byPhase)[0], tick: 0 }).toEqual(listEvents(byRule)[0])
    expect(hurt(second, 1e9)).toBe(80)
    expect(hurt(second, 5)).toBe(0)
    expect(listEvents(byPhase).map(({ kind }) => kind)).toEqual(['damage', 'damage', 'kill'])
  })

  test('[CB4] the attacker of an event is the owner of what did it, or that itself; 0 without one', () => {
    const [world, [victim, owned, free]] = ring(head, fist(1), flame)
    hurt(victim, 1, owned)
    hurt(victim, 1, free)
    hurt(victim, 1)
    const events = listEvents(world).filter((event) => event.kind === 'damage')
    expect(events.map(({ attacker, source }) => [attacker, source])).toEqual([
      [9, 2],
      [3, 3],
      [0, 0],
    ])
  })

  test('[CB4] a shield with a time ends by itself; stun and slow last and are never shortened, in rules and phases', () => {
    const act = (victim: RingThing) => {
      shield(victim, 10, 3)
      stun(victim, 5)
      stun(victim, 2)
      slow(victim, 4, 0.25)
      slow(victim, 1, 0.75)
    }
    const [byRule, [first]] = ringOf((_fist, victim) => act(victim), [head, fist(1)])
    step(byRule)
    const [, [second]] = ring(head)
    act(second)
    for (const { shield: amount, shieldUntil, stunnedUntil, slowedUntil, slowFactor } of [first, second]) {
      expect([amount, shieldUntil, stunnedUntil, slowedUntil, slowFactor]).toEqual([10, 3, 6, 5, 0.75])
    }
    const world = ringWith(endShields)
    const [shielded, forever] = fill(world, [head, head])
    shield(shielded, 10, 3)
    shield(forever, 10)
    const amounts = Array.from({ length: 5 }, () => {
      step(world)
      return [shielded.shield, forever.shield]
    })
    expect(amounts).toEqual([
      [10, 10],
      [10, 10],
      [10, 10],
      [0, 10],
      [0, 10],
    ])
  })

  test('[CB5] protection stops hits until its time and is never shortened', () => {
    const [world] = ringOf(
      (attacker, victim) => {
        protect(victim, attacker.damage)
        hurt(victim, 1)
      },
      [head, fist(3)],
      { gates: ['invulnerable'] },
    )
    const hitTicks: number[] = []
    for (let tick = 0; tick < 8; tick++) {
      step(world)
      if (world.events.damage.count > 0) hitTicks.push(tick)
    }
    expect(hitTicks).toEqual([0, 3, 6])
  })

  test('[CB5] a shorter protection never ends a longer one early, also within one hit, and for ever is for ever', () => {
    const guard = (...ticks: readonly number[]) => {
      const [world, [victim]] = ringOf(
        (_fist, each) => {
          for (const count of ticks) protect(each, count)
        },
        [{ ...head, invulnerableUntil: 20 }, fist(1)],
      )
      for (let tick = 0; tick < 3; tick++) step(world)
      return victim.invulnerableUntil
    }
    expect([guard(9), guard(50), guard(50, 3), guard(Number.POSITIVE_INFINITY)]).toEqual([20, 52, 52, 0xffffffff])
  })

  test('[CB1] several hits of one tick see what the earlier ones left', () => {
    const [world, [victim]] = ringOf(
      (attacker, each) => void hurt(each, 5, attacker),
      [{ ...head, hp: 12 }, ...Array.from({ length: 5 }, () => fist(1))],
    )
    step(world)
    expect([victim.hp, world.events.damage.count, world.events.kill.count]).toEqual([0, 3, 1])
  })

  test('[CB1] [CB2] a rule that hurts twice takes twice, shares one shield and kills once', () => {
    const after = (values: object) => {
      const [world, [victim]] = ringOf(
        (_fist, each) => {
          hurt(each, 10, undefined, combat.type.blunt)
          hurt(each, 5, undefined, combat.type.fire)
        },
        [{ ...head, ...values }, fist(1)],
        { gates: ['dead'] },
      )
      step(world)
      return [victim.hp, victim.shield, world.events.damage.count, world.events.kill.count]
    }
    expect(after({ hp: 30 })).toEqual([15, 0, 2, 0])
    expect(after({ hp: 30, shield: 8 })).toEqual([23, 0, 2, 0])
    expect(after({ hp: 4 })).toEqual([0, 0, 1, 1])
  })

  test('[CB9] the ring of recent damage is bounded, in the state, and rolled back', () => {
    const [world] = ring({ ...head, hp: 1000 })
    const recent = () => {
      const { recentTick, recentVictim, recentSource, recentType, recentTaken } = world.arrays
      return [recentTick, recentVictim, recentSource, recentType, recentTaken].map((column) => [...column])
    }
    const start = snapshot(world)
    for (let i = 0; i < 6; i++) {
      fill(world, [fist(i + 1)])
      step(world)
    }
    // The newest stands at (count − 1) modulo 4.
    expect(recent()).toEqual([
      [4, 5, 2, 3],
      [1, 1, 1, 1],
      [6, 7, 4, 5],
      [0, 0, 0, 0],
      [5, 6, 3, 4],
    ])
    expect(world.globals.recentCount).toBe(6)
    restore(world, start)
    expect([world.globals.recentCount, ...recent().flat()]).toEqual(new Array(21).fill(0))
  })
})

describe('knockback', () => {
  const knocked = (mode: KnockbackMode, victim: object = {}, from: readonly [number, number] = [-3, -4]) => {
    const shove = (each: Parameters<typeof knockback>[0]) => knockback(each, { x: from[0], y: from[1] }, 10, mode)
    const [world, [byRule]] = ringOf((_fist, each) => shove(each), [{ ...head, ...victim }, fist(1)])
    step(world)
    const [, [byPhase]] = ring({ ...head, ...victim })
    shove(byPhase)
    const results = [byRule, byPhase].map(({ x, y, vx, vy }) => [x, y, vx, vy])
    expect(results[1], 'in a phase').toEqual(results[0])
    return results[0]
  }

  test('[CB6] displaces, changes the velocity, or gives an impulse by mass', () => {
    expect(knocked('displace')).toEqual([6, 8, 0, 0])
    expect(knocked('velocity')).toEqual([0, 0, 6, 8])
    expect(knocked('impulse', { invMass: 0.5 })).toEqual([0, 0, 3, 4])
    expect(knocked('impulse')).toEqual([0, 0, 0, 0])
  })

  test('[CB7] is reduced by knockbackResistance, and goes along +x for identical points', () => {
    expect(knocked('displace', { knockbackResistance: 0.5 })).toEqual([3, 4, 0, 0])
    expect(knocked('displace', { knockbackResistance: 1 })).toEqual([0, 0, 0, 0])
    expect(knocked('displace', {}, [0, 0])).toEqual([10, 0, 0, 0])
    expect(knocked('impulse', { invMass: 2 }, [0, 0])).toEqual([0, 0, 20, 0])
  })
})

describe('projectiles and hazards', () => {
  test('[CB8] a projectile ends by itself, passes through as many as it may, and hits each victim once', () => {
    const [world, heads] = ring(head, head, head, { ...fist(10), pierceLeft: 1, endsAt: 5 }, { ...fist(1), endsAt: 3 })
    step(world)
    // The piercing fist hit two heads and is used up; the other hit one.
    expect(heads.slice(0, 3).map(({ hp }) => hp)).toEqual([89, 90, 100])
    expect(heads.map(exists)).toEqual([true, true, true, false, false])

    // It stays on its victim for several ticks and hits once.
    const [slowly, [victim, piercing]] = ring(head, { ...fist(10), pierceLeft: 3 })
    for (let tick = 0; tick < 4; tick++) step(slowly)
    expect([victim.hp, exists(piercing)]).toEqual([90, true])

    const [lonely] = ring({ ...fist(1), endsAt: 3 })
    const counts = [0, 1, 2, 3, 4].map(() => {
      step(lonely)
      return lonely.tables.things.count
    })
    expect(counts).toEqual([1, 1, 1, 0, 0])
  })

  test('[CB11] what is sent starts at the place of its sender, with its owner and team; a full table takes none', () => {
    const [world, [, sender]] = ring({ ...head, x: 3, y: 4, team: 2 }, { ...head, x: 7, y: 8, team: 5, owner: 1 })
    const { things } = world.tables
    const sent = spawnFrom(sender, 'fist', { kind: 9, radius: 0.5 })
    const { id, kind, layer, owner, team, x, y, radius, hp } = sent
    expect([id, kind, layer, owner, team, x, y, radius, hp]).toEqual([3, 9, 'fist', 2, 5, 7, 8, 0.5, 0])
    const elsewhere = spawnFrom(sender, 'fist', { x: 1, team: 0 })
    expect([elsewhere.x, elsewhere.y, elsewhere.team, elsewhere.owner]).toEqual([1, 8, 0, 2])
    while (things.count < things.capacity) spawn(world, 'flame')
    const lost = spawnFrom(sender, 'fist')
    expect([lost.id, exists(lost), things.refused]).toEqual([0, false, 1])
    // In a rule it is part of the transaction.
    const [refusing] = ringOf(
      (attacker) => {
        spawnFrom(attacker, 'flame')
        return 'no'
      },
      [head, fist(1)],
    )
    step(refusing)
    expect(refusing.tables.things.count).toBe(2)
  })

  test('[CB10] a hazard hurts again after its interval, each victim by itself', () => {
    const [world, [first]] = ring(head, flame)
    let second: RingThing | undefined
    for (let tick = 0; tick < 21; tick++) {
      if (tick === 5) [second] = fill(world, [head])
      step(world)
    }
    expect([first.hp, second?.hp]).toEqual([91, 94])
  })

  test('[CB1] the dead are not hurt again, even by a rule without that gate', () => {
    const [world, [victim]] = ringOf(
      (_fist, each) => void expect(hurt(each, 5)).toBe(0),
      [{ ...head, hp: 0, shield: 3 }, fist(1)],
    )
    step(world)
    expect([victim.hp, victim.shield]).toEqual([0, 3])
    expect(listEvents(world)).toEqual([])
  })

  test('[CB1] a refused hit leaves no event and no change', () => {
    const [world] = ringOf(
      (attacker, victim) => {
        hurt(victim, 500, attacker)
        protect(victim, 5)
        shield(victim, 9, 9)
        stun(victim, 5)
        slow(victim, 5)
        knockback(victim, { x: 1, y: 1 }, 50)
        knockback(victim, { x: 1, y: 1 }, 50, 'velocity')
        pierce(attacker)
        return 'no'
      },
      [head, fist(1)],
    )
    const before = bytesOf(world).slice(8)
    step(world)
    expect(bytesOf(world).slice(8)).toEqual(before)
    expect(listEvents(world)).toEqual([])
  })

  test('[CB3] a bad definition is refused by name', () => {
    expectRefusal(() => defineCombat({ damageTypes: ['a', 'a'] as never }), /named twice/)
    expectRefusal(() => defineCombat({ damageTypes: [] as never }), /number of damage types/)
    expectRefusal(() => defineCombat({ damageTypes: ['a'], recent: 0 }), /recent/)
  })
})

describe('to the last field', () => {
  const field = () => createWorld(defineGame(declaration, { phases: { record: recordDamage } }))

  test('[CB12] events and the ring have the type of the damage, which is the first one unless another is given', () => {
    const world = field()
    const head = spawn(world, 'head', { hp: 30, maxHp: 30 })
    const fist = spawn(world, 'fist', { owner: 9 })
    const hurts = [
      () => hurt(head, 5),
      () => hurt(head, 5, fist, combat.type.fire),
      () => hurt(head, 99, fist, combat.type.fire),
    ]
    for (const [n, strike] of hurts.entries()) {
      const { damage, kill } = world.events
      strike()
      const type = n === 0 ? combat.type.blunt : combat.type.fire
      expect(damage.type[damage.count - 1], `hurt ${n}`).toBe(type)
      expect(kill.count, `hurt ${n}`).toBe(n === 2 ? 1 : 0)
    }
    expect([world.events.kill.type[0], world.events.kill.attacker[0], world.events.kill.source[0]]).toEqual([
      combat.type.fire,
      9,
      fist.id,
    ])
  })

  test('[CB12] the ring of the latest hurts has tick, victim, source, type and loss', () => {
    const strike = (world: Ring) => {
      const [head, fist] = each(world)
      hurt(head, 3, fist, combat.type.fire)
    }
    const world = createWorld(defineGame(declaration, { phases: { strike, record: recordDamage } }))
    const head = spawn(world, 'head', { hp: 30, maxHp: 30 })
    const fist = spawn(world, 'fist')
    step(world)
    step(world)
    const { recentTick, recentVictim, recentSource, recentType, recentTaken } = world.arrays
    expect([recentTick[1], recentVictim[1], recentSource[1], recentType[1], recentTaken[1]]).toEqual([
      1,
      head.id,
      fist.id,
      combat.type.fire,
      3,
    ])
    expect(world.globals.recentCount).toBe(2)
  })

  test('[CB12] a thing with a part of a health point left lives', () => {
    const world = field()
    const head = spawn(world, 'head', { hp: 2, maxHp: 2 })
    hurt(head, 1.5)
    expect([head.hp, world.events.kill.count]).toEqual([0.5, 0])
    hurt(head, 0.5)
    expect([head.hp, world.events.kill.count]).toEqual([0, 1])
  })

  test('[CB12] slowed without a factor is half as fast; what resists all is not moved at all, not even by a hair', () => {
    const world = field()
    const head = spawn(world, 'head', { hp: 9, knockbackResistance: 1, x: 3, y: 4 })
    slow(head, 5)
    expect((head as { slowFactor?: number }).slowFactor ?? 0.5).toBe(0.5)
    knockback(head, { x: 0, y: 0 }, 1e300)
    knockback(head, { x: 0, y: 0 }, Number.MAX_VALUE, 'velocity')
    expect([head.x, head.y, head.vx, head.vy]).toEqual([3, 4, 0, 0])
    head.knockbackResistance = 0
    // From where it stands itself: along x, and not along y.
    knockback(head, { x: 3, y: 4 }, 10, 'velocity')
    expect([head.vx, head.vy]).toEqual([10, 0])
  })

  test('[CB12] without room nothing is sent out and nothing else changes', () => {
    const world = field()
    const heads = Array.from({ length: 32 }, (_, n) => spawn(world, 'head', { hp: 1, x: n, owner: 0 }))
    expect(exists(spawnFrom(heads[5], 'fist', { damage: 3 }))).toBe(false)
    const last = heads[31]
    expect([last.owner, last.x, last.damage]).toEqual([0, 31, 0])
  })
})
