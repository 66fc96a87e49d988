import { describe, expect, test } from 'vitest'
import { createTrace } from '../../src/collide/explain.ts'
import {
  defineCombat,
  expire,
  hurt,
  hurtNow,
  type KnockbackMode,
  knockback,
  listRecentDamage,
  pierce,
  protect,
  recordDamage,
  release,
} from '../../src/combat/index.ts'
import {
  collide,
  createWorld,
  declareGame,
  defineGame,
  FOREVER,
  listEvents,
  type Phase,
  restore,
  rule,
  snapshot,
  spawn,
  step,
  type World,
} from '../../src/index.ts'
import { bytesOf, expectRefusal, worldWith } from '../support.ts'

const combat = defineCombat({ damageTypes: ['blunt', 'fire'], recent: 4 })

const declaration = declareGame({
  id: 'ring',
  rulesVersion: 1,
  tickRate: 60,
  seats: { min: 0, max: 1 },
  layers: { fist: ['head'], head: ['flame'], flame: [] },
  tables: {
    things: { capacity: 32, columns: { ...combat.columns, damage: 'f64', vz: 'f64' } },
    hits: { capacity: 64, columns: {} },
  },
  arrays: combat.arrays,
  globals: combat.globals,
  events: combat.events,
})
const LAYER = { fist: 0, head: 1, flame: 2 }

const punch = rule(declaration, {
  name: 'punch',
  attacker: 'fist',
  victim: 'head',
  gates: ['dead', 'invulnerable', 'already-hit'],
  decide(view, { attacker, victim }, outcome) {
    const { things } = view.tables
    hurt(view, outcome, victim, things.damage[attacker], combat.type.blunt, things.owner[attacker], things.id[attacker])
    pierce(view, outcome, attacker)
    return 'hit'
  },
})

const burn = rule(declaration, {
  name: 'burn',
  attacker: 'flame',
  victim: 'head',
  gates: ['dead', 'already-hit'],
  decide(view, { attacker, victim }, outcome) {
    const id = view.tables.things.id[attacker]
    hurt(view, outcome, victim, 3, combat.type.fire, id, id)
    outcome.remember(view.clock + 10)
    return 'hit'
  },
})

const takes = { things: combat.takes }
const game = defineGame(declaration, {
  phases: () => ({ expire, hits: collide([punch, burn], { takes }), recordDamage }),
})

type Ring = World<typeof declaration>
type Thing = Parameters<typeof spawn<Ring['tables']['things']>>[1]

function ring(...things: readonly Thing[]): Ring {
  return filled(createWorld(game), things)
}

/** A ring in which nothing happens but one phase. */
function ringOf(phase: Phase<typeof declaration>, ...things: readonly Thing[]): Ring {
  return filled(worldWith(declaration, phase), things)
}

function filled(world: Ring, things: readonly Thing[]): Ring {
  for (const values of things) spawn(world.tables.things, values)
  return world
}

const head = { layer: LAYER.head, radius: 5, hp: 100, maxHp: 100 }
const fist = (damage: number) => ({ layer: LAYER.fist, radius: 5, damage, owner: 9 })

describe('damage', () => {
  test('[CB1] health has a floor of 0 and death happens once', () => {
    const world = ring({ ...head, hp: 50 }, fist(30), fist(30), fist(30))
    step(world)
    expect(world.tables.things.hp[0]).toBe(0)
    const events = listEvents(world)
    expect(events.filter(({ kind }) => kind === 'damage').map(({ taken, hpAfter }) => [taken, hpAfter])).toEqual([
      [30, 20],
      [20, 0],
    ])
    expect(events.filter(({ kind }) => kind === 'kill')).toEqual([
      { tick: 0, kind: 'kill', n: 0, victim: 1, attacker: 9, source: 3, type: 0 },
    ])
    step(world)
    expect(listEvents(world)).toEqual([])
  })

  test('[CB2] a shield absorbs first, the overflow passes on, and the event says what was asked, absorbed, taken', () => {
    const world = ring({ ...head, shield: 25 }, fist(40))
    step(world)
    expect([world.tables.things.hp[0], world.tables.things.shield[0]]).toEqual([85, 0])
    expect(listEvents(world)[0]).toMatchObject({ asked: 40, absorbed: 25, taken: 15, hpAfter: 85 })
  })

  test('[CB2] several hits of one tick share one shield', () => {
    const world = ring({ ...head, shield: 25 }, fist(20), fist(20))
    step(world)
    expect([world.tables.things.hp[0], world.tables.things.shield[0]]).toEqual([85, 0])
  })

  test('[CB2] a shield that absorbs nothing is not among the changes of a hit', () => {
    for (const shield of [0, 5]) {
      const world = ring({ ...head, shield }, fist(20))
      world.trace = createTrace(1, 2)
      step(world)
      const mentions = world.trace.entries[0].changes.filter((change) => change.startsWith('shield'))
      expect(mentions).toEqual(shield === 0 ? [] : ['shield of things id 1 loses 5'])
    }
  })

  test('[CB3] armour keeps off its part, by damage type', () => {
    const world = ring({ ...head, armour: [0.25, 1] }, fist(40), { layer: LAYER.flame, radius: 5 })
    step(world)
    expect(world.tables.things.hp[0]).toBe(70)
    const [blunt, fire] = listEvents(world)
    expect([blunt.asked, blunt.taken, fire.asked, fire.taken]).toEqual([40, 30, 3, 0])
  })

  test('[CB4] hurtNow does the same sums and tells the same event', () => {
    const [byRule, byPhase] = [
      ring({ ...head, shield: 10, armour: [0.5, 0] }, fist(60)),
      ring({ ...head, shield: 10, armour: [0.5, 0] }),
    ]
    step(byRule)
    hurtNow(byPhase, 0, 60, combat.type.blunt, 9, 2)
    expect(byPhase.tables.things.hp[0]).toBe(byRule.tables.things.hp[0])
    expect({ ...listEvents(byPhase)[0], tick: 0 }).toEqual(listEvents(byRule)[0])
    expect(hurtNow(byPhase, 0, 1e9, 0, 0, 0)).toBe(80)
    expect(hurtNow(byPhase, 0, 5, 0, 0, 0)).toBe(0)
  })

  test('[CB5] protection stops hits until its time and is never shortened', () => {
    const guard = rule(declaration, {
      name: 'guard',
      attacker: 'fist',
      victim: 'head',
      gates: ['invulnerable'],
      decide(view, { attacker, victim }, outcome) {
        protect(view, outcome, victim, view.tables.things.damage[attacker])
        hurt(view, outcome, victim, 1, 0, 0, 0)
        return 'hit'
      },
    })
    const world = ringOf(collide([guard], { takes }), head, fist(3))
    const hitTicks: number[] = []
    for (let tick = 0; tick < 8; tick++) {
      step(world)
      if (world.events.damage.count > 0) hitTicks.push(tick)
    }
    expect(hitTicks).toEqual([0, 3, 6])
  })

  test('[CB5] a shorter protection never ends a longer one early, also within one hit, and ever is ever', () => {
    const guard = (...ticks: readonly number[]) => {
      const rule5 = rule(declaration, {
        name: 'guard',
        attacker: 'fist',
        victim: 'head',
        decide(view, { victim }, outcome) {
          for (const each of ticks) protect(view, outcome, victim, each)
          return 'hit'
        },
      })
      const world = ringOf(collide([rule5], { takes }), { ...head, hittableFrom: 20 }, fist(1))
      for (let tick = 0; tick < 3; tick++) step(world)
      return world.tables.things.hittableFrom[0]
    }
    expect([guard(9), guard(50), guard(50, 3), guard(FOREVER)]).toEqual([20, 52, 52, FOREVER])
  })

  test('[CO32] a phase that forgets what hits take from is refused by name, not played with wrong sums', () => {
    const bite = rule(declaration, {
      name: 'bite',
      attacker: 'fist',
      victim: 'head',
      decide(view, { attacker, victim }, outcome) {
        const { id } = view.tables.things
        hurt(view, outcome, victim, 5, combat.type.blunt, id[attacker], id[attacker])
        return 'hit'
      },
    })
    const fists = Array.from({ length: 5 }, () => fist(1))
    const forgetful = ringOf(collide([bite]), { ...head, hp: 12 }, ...fists)
    expect(() => step(forgetful)).toThrow(
      'a rule asks what is left of things.hp: list it in collide(rules, { takes: { … } }).',
    )
    const world = ringOf(collide([bite], { takes }), { ...head, hp: 12 }, ...fists)
    step(world)
    expect([world.tables.things.hp[0], world.events.damage.count, world.events.kill.count]).toEqual([0, 3, 1])
  })

  test('[CB1] [CB2] a rule that hurts twice takes twice, shares one shield and kills once', () => {
    const double = rule(declaration, {
      name: 'double',
      attacker: 'fist',
      victim: 'head',
      gates: ['dead'],
      decide(view, { victim }, outcome) {
        hurt(view, outcome, victim, 10, combat.type.blunt, 0, 0)
        hurt(view, outcome, victim, 5, combat.type.fire, 0, 0)
        return 'hit'
      },
    })
    const after = (values: object) => {
      const world = ringOf(collide([double], { takes }), { ...head, ...values }, fist(1))
      step(world)
      const { hp, shield } = world.tables.things
      return [hp[0], shield[0], world.events.damage.count, world.events.kill.count]
    }
    expect(after({ hp: 30 })).toEqual([15, 0, 2, 0])
    expect(after({ hp: 30, shield: 8 })).toEqual([23, 0, 2, 0])
    expect(after({ hp: 4 })).toEqual([0, 0, 1, 1])
  })

  test('[CB9] the ring of recent damage is bounded, in the state, and rolled back', () => {
    const world = ring({ ...head, hp: 1000 })
    const start = snapshot(world)
    for (let i = 0; i < 6; i++) {
      spawn(world.tables.things, fist(i + 1))
      step(world)
    }
    expect(listRecentDamage(world)).toEqual(
      [3, 4, 5, 6].map((taken, i) => ({ tick: 2 + i, victim: 1, source: 4 + i, type: 0, taken })),
    )
    expect(world.globals.recentCount).toBe(6)
    restore(world, start)
    expect(listRecentDamage(world)).toEqual([])
  })
})

describe('knockback', () => {
  function knocked(mode: KnockbackMode, victim: object = {}, from: readonly [number, number] = [-3, -4], lift = 0) {
    const shove = rule(declaration, {
      name: 'shove',
      attacker: 'fist',
      victim: 'head',
      decide(view, contact, outcome) {
        knockback(view, outcome, contact.victim, from[0], from[1], 10, mode, lift)
        return 'hit'
      },
    })
    const world = ringOf(collide([shove]), { ...head, ...victim }, fist(1))
    step(world)
    const { x, y, vx, vy, vz } = world.tables.things
    return [x[0], y[0], vx[0], vy[0], vz[0]]
  }

  test('[CB6] displaces, changes the velocity, or gives an impulse by mass', () => {
    expect(knocked('displace')).toEqual([6, 8, 0, 0, 0])
    expect(knocked('velocity')).toEqual([0, 0, 6, 8, 0])
    expect(knocked('impulse', { invMass: 0.5 })).toEqual([0, 0, 3, 4, 0])
    expect(knocked('impulse')).toEqual([0, 0, 0, 0, 0])
    expect(knocked('velocity', {}, [-3, -4], 5)).toEqual([0, 0, 6, 8, 5])
  })

  test('[CB7] is withstood by steadiness, and goes along +x for identical points', () => {
    expect(knocked('displace', { steadiness: 0.5 })).toEqual([3, 4, 0, 0, 0])
    expect(knocked('displace', { steadiness: 1 })).toEqual([0, 0, 0, 0, 0])
    expect(knocked('displace', {}, [0, 0])).toEqual([10, 0, 0, 0, 0])
    expect(knocked('impulse', { invMass: 2 }, [0, 0])).toEqual([0, 0, 20, 0, 0])
  })
})

describe('projectiles and hazards', () => {
  test('[CB8] a projectile ends by itself, passes through as many as it may, and hits nobody twice', () => {
    const world = ring(
      { ...head },
      { ...head },
      { ...head },
      { ...fist(10), pierceLeft: 1, endsAt: 5 },
      { ...fist(1), endsAt: 3 },
    )
    const { things } = world.tables
    step(world)
    // The piercing fist hit two heads and is spent; the other hit one.
    expect([...things.hp.subarray(0, 3)]).toEqual([89, 90, 100])
    expect(things.count).toBe(3)

    // It stays on its victim for several ticks and hits once.
    const slow = ring({ ...head }, { ...fist(10), pierceLeft: 3 })
    for (let tick = 0; tick < 4; tick++) step(slow)
    expect([slow.tables.things.hp[0], slow.tables.things.count]).toEqual([90, 2])

    const lonely = ring({ ...fist(1), endsAt: 3 })
    const counts = [0, 1, 2, 3, 4].map(() => {
      step(lonely)
      return lonely.tables.things.count
    })
    expect(counts).toEqual([1, 1, 1, 0, 0])
  })

  test('[CB11] what is sent off starts where its sender stands, its property and of its team; a full table takes none', () => {
    const world = ring({ ...head, x: 3, y: 4, team: 2 }, { ...head, x: 7, y: 8, team: 5, owner: 1 })
    const { things } = world.tables
    expect(release(things, 1, 9, LAYER.fist, 0.5)).toBe(2)
    const { id, kind, layer, owner, team, x, y, radius, hp } = things
    expect([id, kind, layer, owner, team, x, y, radius, hp].map((column) => column[2])).toEqual([
      3,
      9,
      LAYER.fist,
      2,
      5,
      7,
      8,
      0.5,
      0,
    ])
    while (things.count < things.capacity) spawn(things)
    expect(release(things, 1, 9, LAYER.fist, 0.5)).toBe(-1)
    expect(things.refused).toBe(1)
  })

  test('[CB10] a hazard hurts again after its interval, each victim by itself', () => {
    const world = ring({ ...head }, { layer: LAYER.flame, radius: 5 })
    for (let tick = 0; tick < 21; tick++) {
      if (tick === 5) spawn(world.tables.things, head)
      step(world)
    }
    expect([world.tables.things.hp[0], world.tables.things.hp[2]]).toEqual([91, 94])
  })

  test('[CB1] the dead are not hurt again, even by a rule without that gate', () => {
    const kick = rule(declaration, {
      name: 'kick',
      attacker: 'fist',
      victim: 'head',
      decide(view, { victim }, outcome) {
        expect(hurt(view, outcome, victim, 5, 0, 0, 0)).toBe(0)
        return 'hit'
      },
    })
    const world = ringOf(collide([kick], { takes }), { ...head, hp: 0, shield: 3 }, fist(1))
    step(world)
    expect([world.tables.things.hp[0], world.tables.things.shield[0]]).toEqual([0, 3])
    expect(listEvents(world)).toEqual([])
  })

  test('[CB1] nothing of a refused hit is told', () => {
    const half = rule(declaration, {
      name: 'half',
      attacker: 'fist',
      victim: 'head',
      decide(view, { victim }, outcome) {
        hurt(view, outcome, victim, 500, 0, 0, 0)
        return 'no'
      },
    })
    const world = ringOf(collide([half], { takes }), head, fist(1))
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
