import { describe, expect, test } from 'vitest'
import {
  addCircle,
  addMovingCircle,
  addShape,
  addVolume,
  type Boxes,
  type CollideOptions,
  collide,
  commit,
  createCollision,
  createWorld,
  decide,
  declareGame,
  defineGame,
  defineStatics,
  detect,
  emit,
  listEvents,
  order,
  pose,
  ROLE,
  restore,
  rule,
  snapshot,
  snapshotFromBytes,
  spawn,
  step,
  type World,
  wayOut,
} from '../src/index.ts'
import * as shapes from '../src/shapes/index.ts'
import * as volumes from '../src/volumes/index.ts'
import { bytesOf, expectRefusal } from './support.ts'

/** A table of everything the small games below need. Each test lists the rules it is about. */
const declaration = declareGame({
  id: 'cases',
  rulesVersion: 1,
  tickRate: 60,
  seats: { min: 0, max: 1 },
  layers: {
    player: ['enemy', 'bullet'],
    enemy: ['bullet'],
    bullet: [],
    fighter: ['fighter'],
    ship: ['rock'],
    rock: [],
    ball: ['ball'],
  },
  tables: {
    things: {
      capacity: 64,
      columns: { hp: 'f64', hittableFrom: 'timer', mass: 'f64', hold: 'f64', room: 'f64', order: 'u32' },
    },
    hits: { capacity: 16, columns: {} },
    shards: { capacity: 4, columns: { of: 'id' } },
  },
  events: { hurt: { victim: 'id', attacker: 'id', hpAfter: 'f64' } },
  eventCapacity: 8,
})

type Case = World<typeof declaration>
const LAYER = { player: 0, enemy: 1, bullet: 2, fighter: 3, ship: 4, rock: 5, ball: 6 }

function start(phase: (world: Case) => void): Case {
  return createWorld(defineGame(declaration, { phases: () => ({ phase }) }))
}

const bite = rule(declaration, {
  name: 'enemy-bites-player',
  attacker: 'enemy',
  victim: 'player',
  gates: ['dead', 'attacker-dead', 'invulnerable'],
  decide(view, { attacker, victim }, outcome) {
    const { things } = view.tables
    outcome.add(things.hp, victim, -5)
    outcome.put(things.hittableFrom, victim, view.clock + 60)
    const dx = things.x[victim] - things.x[attacker]
    const dy = things.y[victim] - things.y[attacker]
    const distance = Math.sqrt(dx * dx + dy * dy)
    outcome.push(victim, (100 * dx) / distance, (100 * dy) / distance)
    emit(view.events.hurt, { victim: things.id[victim], attacker: things.id[attacker], hpAfter: things.hp[victim] - 5 })
    return 'hit'
  },
})

function shoot(victim: 'player' | 'enemy', damage: number) {
  return rule(declaration, {
    name: `bullet-hits-${victim}`,
    attacker: 'bullet',
    victim,
    gates: ['owner', 'team', 'dead'],
    decide(view, contact, outcome) {
      const { things } = view.tables
      outcome.add(things.hp, contact.victim, -Math.min(damage, things.hp[contact.victim]))
      outcome.despawn(contact.attacker)
      emit(view.events.hurt, {
        victim: things.id[contact.victim],
        attacker: things.id[contact.attacker],
        hpAfter: things.hp[contact.victim],
      })
      return 'hit'
    },
  })
}

const takes = { things: ['hp', 'hittableFrom', 'hold', 'room'] } as const

describe('the hard cases of the seeds', () => {
  test('[CO1] five enemies touch one player: one event, 95 hp, 100 px', () => {
    const world = start(collide([bite], { takes }))
    const { things } = world.tables
    spawn(things, { layer: LAYER.player, radius: 12, hp: 100 })
    for (let i = 0; i < 5; i++) spawn(things, { layer: LAYER.enemy, x: -5 - i, y: i, radius: 8, hp: 10 })
    step(world)
    expect(world.events.hurt.count).toBe(1)
    expect(things.hp[0]).toBe(95)
    expect(Math.sqrt(things.x[0] * things.x[0] + things.y[0] * things.y[0])).toBeCloseTo(100, 9)
    expect(listEvents(world)).toEqual([{ tick: 0, kind: 'hurt', n: 0, victim: 1, attacker: 2, hpAfter: 95 }])
  })

  test('[CO1] i-frames set in tick 0 for 60 ticks: hittable again in tick 60', () => {
    const world = start(collide([bite], { takes }))
    const { things } = world.tables
    spawn(things, { layer: LAYER.player, radius: 12, hp: 100 })
    spawn(things, { layer: LAYER.enemy, x: -1, radius: 500, hp: 10 })
    const hitTicks = []
    for (let tick = 0; tick < 125; tick++) {
      step(world)
      if (world.events.hurt.count > 0) hitTicks.push(tick)
    }
    expect(hitTicks).toEqual([0, 60, 120])
  })

  test('[CO2] 40 hp and three bullets of 30: dead after two, the third flies on', () => {
    const world = start(collide([shoot('player', 30)], { takes }))
    const { things } = world.tables
    spawn(things, { layer: LAYER.player, radius: 24, hp: 40 })
    for (let i = 0; i < 3; i++) spawn(things, { layer: LAYER.bullet, x: 10 + i, radius: 5 })
    step(world)
    expect(things.hp[0]).toBe(0)
    expect([...things.id.subarray(0, things.count)]).toEqual([1, 4])
    expect(listEvents(world).map((event) => event.hpAfter)).toEqual([40, 10])
  })

  test('[CO3] two bullets that kill only together kill', () => {
    const world = start(collide([shoot('player', 30)], { takes }))
    const { things } = world.tables
    spawn(things, { layer: LAYER.player, radius: 24, hp: 60 })
    for (let i = 0; i < 2; i++) spawn(things, { layer: LAYER.bullet, x: i, radius: 5 })
    step(world)
    expect(things.hp[0]).toBe(0)
    expect(things.count).toBe(1)
  })

  test('[CO4] two fighters with 10 hp strike each other in one tick: both die', () => {
    const strike = rule(declaration, {
      name: 'strike',
      attacker: 'fighter',
      victim: 'fighter',
      mutual: true,
      gates: ['dead'],
      decide(view, { victim }, outcome) {
        outcome.add(view.tables.things.hp, victim, -10)
        return 'hit'
      },
    })
    const world = start(collide([strike], { takes }))
    const { things } = world.tables
    for (let i = 0; i < 2; i++) spawn(things, { layer: LAYER.fighter, x: i, radius: 1, hp: 10 })
    step(world)
    expect([things.hp[0], things.hp[1]]).toEqual([0, 0])
  })

  test('[CO5] three rocks of 13 t and a hold of 30 t: two eaten, one left, nothing lost', () => {
    const eat = rule(declaration, {
      name: 'ship-eats-rock',
      attacker: 'ship',
      victim: 'rock',
      decide(view, { attacker, victim }, outcome) {
        const { things } = view.tables
        const { mass } = things
        if (things.hold[attacker] + mass[victim] > things.room[attacker]) return 'hold is full'
        outcome.add(things.hold, attacker, mass[victim])
        outcome.despawn(victim)
        return 'hit'
      },
    })
    const world = start(collide([eat], { takes }))
    const { things } = world.tables
    spawn(things, { layer: LAYER.ship, radius: 10, room: 30 })
    for (let i = 0; i < 3; i++) spawn(things, { layer: LAYER.rock, x: i, radius: 5, mass: 13 })
    step(world)
    expect(things.hold[0]).toBe(26)
    expect(things.count).toBe(2)
    expect(things.mass[1]).toBe(13)
  })

  test('[CO6] an enemy shot in this tick no longer bites, because rules run in listed order', () => {
    const play = (rules: Parameters<typeof collide<typeof declaration>>[0]) => {
      const world = start(collide(rules, { takes }))
      const { things } = world.tables
      spawn(things, { layer: LAYER.player, radius: 12, hp: 100 })
      spawn(things, { layer: LAYER.enemy, x: 10, radius: 8, hp: 10 })
      spawn(things, { layer: LAYER.bullet, x: 12, radius: 3 })
      step(world)
      return things.hp[0]
    }
    expect(play([shoot('enemy', 10), bite])).toBe(100)
    expect(play([bite, shoot('enemy', 10)])).toBe(95)
    // In one group the order is by things: the player is the oldest, so its contact comes first.
    expect(play([[shoot('enemy', 10), bite]])).toBe(95)
  })

  test('[CO7] three bodies in mutual contact: motions add, momentum is kept', () => {
    const bounce = rule(declaration, {
      name: 'bounce',
      attacker: 'ball',
      victim: 'ball',
      decide(view, { attacker: a, victim: b }, outcome) {
        const { x, y, vx, vy, mass } = view.tables.things
        const dx = x[b] - x[a]
        const dy = y[b] - y[a]
        const squared = dx * dx + dy * dy
        const closing = (vx[a] - vx[b]) * dx + (vy[a] - vy[b]) * dy
        if (closing <= 0) return 'parting'
        const impulse = (2 * closing) / ((1 / mass[a] + 1 / mass[b]) * squared)
        outcome.add(vx, a, (-impulse * dx) / mass[a])
        outcome.add(vy, a, (-impulse * dy) / mass[a])
        outcome.add(vx, b, (impulse * dx) / mass[b])
        outcome.add(vy, b, (impulse * dy) / mass[b])
        return 'hit'
      },
    })
    const world = start(collide([bounce]))
    const { things } = world.tables
    spawn(things, { layer: LAYER.ball, x: 0, y: 0, vx: 3, vy: 1, radius: 1, mass: 10 })
    spawn(things, { layer: LAYER.ball, x: 1.5, y: 0, vx: -2, vy: 0.5, radius: 1, mass: 30 })
    spawn(things, { layer: LAYER.ball, x: 0.7, y: 1.2, vx: 0.25, vy: -4, radius: 1, mass: 70 })
    const momentum = () => {
      let [px, py] = [0, 0]
      for (let row = 0; row < things.count; row++) {
        px += things.vx[row] * things.mass[row]
        py += things.vy[row] * things.mass[row]
      }
      return [px, py]
    }
    const before = momentum()
    const velocityBefore = things.vx[0]
    step(world)
    expect(things.vx[0]).not.toBe(velocityBefore)
    const after = momentum()
    expect(after[0]).toBeCloseTo(before[0], 9)
    expect(after[1]).toBeCloseTo(before[1], 9)
  })
})

describe('transactions', () => {
  test('[CO8] where things are is frozen: a push in one contact does not spare the next', () => {
    const shove = rule(declaration, {
      name: 'shove',
      attacker: 'ball',
      victim: 'ball',
      decide(view, { victim }, outcome) {
        expect(view.tables.things.x[victim]).toBe(victim)
        outcome.push(victim, 1000, 0)
        return 'hit'
      },
    })
    const world = start(collide([shove]))
    const { things } = world.tables
    for (let i = 0; i < 3; i++) spawn(things, { layer: LAYER.ball, x: i, radius: 5 })
    step(world)
    // Ball 2 was pushed by both others, although the first push alone would have carried it away.
    expect([...things.x.subarray(0, 3)]).toEqual([0, 1001, 2002])
  })

  test('[CO9] a refused outcome leaves nothing behind', () => {
    const half = rule(declaration, {
      name: 'half-hearted',
      attacker: 'ball',
      victim: 'ball',
      decide(view, { attacker, victim }, outcome) {
        const { things } = view.tables
        outcome.add(things.hp, victim, -50)
        outcome.push(victim, 9, 9)
        outcome.despawn(attacker)
        outcome.spawn(view.tables.shards, { of: things.id[victim] })
        outcome.remember()
        for (let i = 0; i < 3; i++) emit(view.events.hurt, { victim: 1, attacker: 2, hpAfter: 3 })
        return 'changed my mind'
      },
    })
    const world = start(collide([half], { takes }))
    const { things } = world.tables
    for (let i = 0; i < 3; i++) spawn(things, { layer: LAYER.ball, x: i, radius: 5, hp: 60 })
    const before = bytesOf(world)
    step(world)
    const after = bytesOf(world)
    // Only tick and clock have moved.
    expect(after.slice(8)).toEqual(before.slice(8))
    expect([world.events.hurt.count, world.events.hurt.refused]).toEqual([0, 0])
  })

  test('[TK4] a rule that throws leaves the world as it was before the phase', () => {
    let contacts = 0
    const explode = rule(declaration, {
      name: 'explode',
      attacker: 'ball',
      victim: 'ball',
      decide(view, { victim }, outcome) {
        if (++contacts === 3) throw new Error('bug in a rule')
        outcome.add(view.tables.things.hp, victim, -50)
        emit(view.events.hurt, { victim: 1, attacker: 2, hpAfter: 3 })
        return 'hit'
      },
    })
    const world = start(collide([explode], { takes }))
    for (let i = 0; i < 3; i++) spawn(world.tables.things, { layer: LAYER.ball, x: i, radius: 5, hp: 60 })
    // The block itself: a snapshot of a broken world is refused.
    const before = world.memory.bytes.slice()
    expect(() => step(world)).toThrow('bug in a rule')
    expect(world.memory.bytes).toEqual(before)
    expect(() => snapshot(world)).toThrow(/between two steps/)
    expect(world.events.hurt.count).toBe(0)
    expect(() => step(world)).toThrow(/Restore a snapshot/)
  })

  test('[CO10] a bullet used up by one victim hits no other', () => {
    const world = start(collide([shoot('enemy', 10)], { takes }))
    const { things } = world.tables
    for (let i = 0; i < 3; i++) spawn(things, { layer: LAYER.enemy, x: i, radius: 5, hp: 100 })
    spawn(things, { layer: LAYER.bullet, x: 1, radius: 5 })
    step(world)
    expect([...things.hp.subarray(0, 3)]).toEqual([90, 100, 100])
  })

  test('[CO18] spawns come after the changes, in order of emission; a full table refuses and counts', () => {
    const shatter = rule(declaration, {
      name: 'shatter',
      attacker: 'ball',
      victim: 'ball',
      decide(view, { attacker, victim }, outcome) {
        const { things } = view.tables
        outcome.spawn(view.tables.shards, { of: things.id[attacker] * 10 + things.id[victim] })
        return 'hit'
      },
    })
    const world = start(collide([shatter]))
    for (let i = 0; i < 4; i++) spawn(world.tables.things, { layer: LAYER.ball, x: i, radius: 5 })
    step(world)
    const { shards } = world.tables
    expect([...shards.of.subarray(0, shards.count)]).toEqual([12, 13, 14, 23])
    expect(shards.refused).toBe(2)
  })
})

describe('order', () => {
  /** Writes down who met whom. */
  function witness(mutual = false, touching = false) {
    const seen: string[] = []
    const watch = rule(declaration, {
      name: 'witness',
      attacker: 'ball',
      victim: 'ball',
      mutual,
      touching,
      perBox: true,
      decide(view, { attacker, victim, attackerBox, victimBox }) {
        const { id } = view.tables.things
        seen.push(`${id[attacker]}>${id[victim]} ${attackerBox}.${victimBox}`)
        return 'seen'
      },
    })
    return { seen, watch }
  }

  test('[CO12] contacts are decided by owners, older first, then by boxes', () => {
    const { seen, watch } = witness()
    const world = start(
      collide([watch], {
        pose(_world, row, boxes) {
          const { x, y } = _world.tables.things
          // Two boxes each; the first of thing 1 reaches further than the second.
          addCircle(boxes, row, ROLE.hurt, LAYER.ball, x[row], y[row], 10)
          addCircle(boxes, row, ROLE.hurt, LAYER.ball, x[row] + 1, y[row], 10)
        },
      }),
    )
    for (let i = 0; i < 3; i++) spawn(world.tables.things, { layer: LAYER.ball, x: i })
    step(world)
    expect(seen).toEqual([
      ...['1>2 0.2', '1>2 0.3', '1>2 1.2', '1>2 1.3'],
      ...['1>3 0.4', '1>3 0.5', '1>3 1.4', '1>3 1.5'],
      ...['2>3 2.4', '2>3 2.5', '2>3 3.4', '2>3 3.5'],
    ])
  })

  test('[CO12] an order key comes first, ties stay canonical', () => {
    const { seen, watch } = witness()
    const world = start(
      collide([watch], {
        orderKey: (view, { attacker, victim }) =>
          -(view.tables.things.order[attacker] + view.tables.things.order[victim]),
      }),
    )
    const orders = [1, 1, 5, 1]
    for (let i = 0; i < 4; i++) spawn(world.tables.things, { layer: LAYER.ball, x: i, radius: 9, order: orders[i] })
    step(world)
    expect(seen.map((line) => line.split(' ')[0])).toEqual(['1>3', '2>3', '3>4', '1>2', '1>4', '2>4'])
  })

  test('[CO14] touching counts only for rules that say so', () => {
    for (const touching of [false, true]) {
      const { seen, watch } = witness(false, touching)
      const world = start(collide([watch]))
      spawn(world.tables.things, { layer: LAYER.ball, x: 0, radius: 3 })
      spawn(world.tables.things, { layer: LAYER.ball, x: 3, y: 4, radius: 2 })
      step(world)
      expect(seen).toHaveLength(touching ? 1 : 0)
    }
  })

  test('[CO11] several boxes of one attack are one hit, unless the rule says otherwise', () => {
    for (const perBox of [false, true]) {
      const strike = rule(declaration, {
        name: 'strike',
        attacker: 'bullet',
        victim: 'enemy',
        perBox,
        decide(view, { victim }, outcome) {
          outcome.add(view.tables.things.hp, victim, -1)
          return 'hit'
        },
      })
      const world = start(
        collide([strike], {
          takes,
          pose(posed, row, boxes) {
            for (let box = 0; box < 3; box++) {
              addCircle(boxes, row, ROLE.hurt, posed.tables.things.layer[row], posed.tables.things.x[row], 0, 10)
            }
          },
        }),
      )
      const { things } = world.tables
      spawn(things, { layer: LAYER.enemy, hp: 100 })
      spawn(things, { layer: LAYER.bullet })
      spawn(things, { layer: LAYER.bullet })
      step(world)
      // Two attackers, three boxes each against three boxes.
      expect(100 - things.hp[0]).toBe(perBox ? 18 : 2)
    }
  })

  test('[CO13] with a priority table changes are written by priority, target, emission', () => {
    const cut = rule(declaration, {
      name: 'cut',
      attacker: 'ball',
      victim: 'ball',
      decide(view, { attacker, victim }, outcome) {
        const { order: target } = view.tables.things
        outcome.priority('late')
        outcome.put(target, attacker, 100 + victim)
        outcome.priority('early')
        outcome.put(target, attacker, 200 + victim)
        return 'hit'
      },
    })
    const world = start(collide([cut], { priorities: ['early', 'late'] }))
    for (let i = 0; i < 3; i++) spawn(world.tables.things, { layer: LAYER.ball, x: i, radius: 5 })
    step(world)
    // Late wins over early, and among the late ones the last emitted.
    expect([...world.tables.things.order.subarray(0, 3)]).toEqual([102, 102, 0])
  })
})

describe('gates', () => {
  test('[CO15] owner and team refuse by relation; nobody is on team 0', () => {
    const hits = (bullet: { owner?: number; team?: number }, enemy: { owner?: number; team?: number }) => {
      const world = start(collide([shoot('enemy', 10)], { takes }))
      const { things } = world.tables
      spawn(things, { layer: LAYER.enemy, radius: 5, hp: 10, ...enemy })
      spawn(things, { layer: LAYER.bullet, radius: 5, ...bullet })
      step(world)
      return things.hp[0] < 10
    }
    expect(hits({}, {})).toBe(true)
    expect(hits({ owner: 1 }, {})).toBe(false)
    expect(hits({ owner: 7 }, { owner: 7 })).toBe(false)
    expect(hits({}, { owner: 2 })).toBe(false)
    expect(hits({ team: 2 }, { team: 2 })).toBe(false)
    expect(hits({ team: 1 }, { team: 2 })).toBe(true)
  })

  test('[CO16] the ledger: once, or again when its time has come; entries go with attack and victim', () => {
    const saw = (interval: number) =>
      rule(declaration, {
        name: 'saw',
        attacker: 'bullet',
        victim: 'enemy',
        gates: ['already-hit'],
        decide(view, { victim }, outcome) {
          outcome.add(view.tables.things.hp, victim, -1)
          if (interval === 0) outcome.remember()
          else outcome.remember(view.clock + interval)
          return 'hit'
        },
      })
    const hitsIn10Ticks = (interval: number) => {
      const world = start(collide([saw(interval)], { takes }))
      const { things, hits } = world.tables
      spawn(things, { layer: LAYER.enemy, radius: 5, hp: 100 })
      spawn(things, { layer: LAYER.enemy, radius: 5, hp: 100 })
      spawn(things, { layer: LAYER.bullet, radius: 5 })
      for (let tick = 0; tick < 10; tick++) step(world)
      // At the end of a tick there is one entry per victim, unless the interval is over by then.
      expect(hits.count).toBe(interval === 1 ? 0 : 2)
      things.leaving[2] = 1
      step(world)
      expect(hits.count).toBe(0)
      return [100 - things.hp[0], 100 - things.hp[1]]
    }
    expect(hitsIn10Ticks(0)).toEqual([1, 1])
    expect(hitsIn10Ticks(4)).toEqual([3, 3])
    expect(hitsIn10Ticks(1)).toEqual([10, 10])
  })

  test('[CO16] an entry whose time is now forbids nothing', () => {
    const saw = rule(declaration, {
      name: 'saw',
      attacker: 'bullet',
      victim: 'enemy',
      gates: ['already-hit'],
      perBox: true,
      decide(view, { victim }, outcome) {
        outcome.add(view.tables.things.hp, victim, -1)
        outcome.remember(view.clock)
        return 'hit'
      },
    })
    const world = start(
      collide([saw], {
        takes,
        pose(posed, row, boxes) {
          for (let box = 0; box < 2; box++) addCircle(boxes, row, ROLE.hurt, posed.tables.things.layer[row], 0, 0, 1)
        },
      }),
    )
    spawn(world.tables.things, { layer: LAYER.enemy, hp: 100 })
    spawn(world.tables.things, { layer: LAYER.bullet })
    step(world)
    expect(world.tables.things.hp[0]).toBe(96)
  })

  test('[CO16] the attack can be something else than the attacking thing', () => {
    const swing = rule(declaration, {
      name: 'swing',
      attacker: 'bullet',
      victim: 'enemy',
      gates: ['already-hit'],
      attack: (view, { attacker }) => view.tables.things.order[attacker],
      decide(view, { victim }, outcome) {
        outcome.add(view.tables.things.hp, victim, -1)
        outcome.remember()
        return 'hit'
      },
    })
    const world = start(collide([swing], { takes }))
    const { things } = world.tables
    spawn(things, { layer: LAYER.enemy, radius: 5, hp: 100 })
    // Two blades of one swing, and one of another.
    for (const order of [40, 40, 41]) spawn(things, { layer: LAYER.bullet, radius: 5, order })
    step(world)
    step(world)
    expect(things.hp[0]).toBe(98)
  })
})

describe('stages', () => {
  test('[CO17] only commit writes to the world', () => {
    const world = start(() => {})
    const { things } = world.tables
    spawn(things, { layer: LAYER.player, radius: 24, hp: 40 })
    for (let i = 0; i < 3; i++) spawn(things, { layer: LAYER.bullet, x: i, radius: 5 })
    const collision = createCollision(world, [shoot('player', 30)], { takes })
    const before = bytesOf(world)

    pose(collision)
    expect(collision.boxes.count).toBe(4)
    detect(collision)
    expect(collision.contacts.count).toBe(3)
    order(collision)
    expect(collision.cases.count).toBe(3)
    decide(collision)
    expect(bytesOf(world)).toEqual(before)
    commit(collision)
    expect(things.hp[0]).toBe(0)
    expect([...things.leaving.subarray(0, 4)]).toEqual([0, 1, 1, 0])
  })

  test('[CO22] a phase looks only for pairs of layers that one of its rules is about', () => {
    const world = start(() => {})
    const { things } = world.tables
    spawn(things, { layer: LAYER.player, radius: 24, hp: 40 })
    spawn(things, { layer: LAYER.enemy, radius: 24, hp: 40 })
    spawn(things, { layer: LAYER.bullet, radius: 5 })
    const pairsFor = (...rules: Parameters<typeof createCollision<typeof declaration>>[1]) => {
      const collision = createCollision(world, rules)
      pose(collision)
      detect(collision)
      const { contacts } = collision
      return Array.from({ length: contacts.count }, (_, i) => [contacts.a[i], contacts.b[i]])
    }
    expect(pairsFor(bite)).toEqual([[0, 1]])
    expect(pairsFor(shoot('enemy', 1), bite)).toEqual([
      [0, 1],
      [1, 2],
    ])
    expect(pairsFor([shoot('enemy', 1), shoot('player', 1)])).toEqual([
      [0, 2],
      [1, 2],
    ])
  })
})

describe('shapes on their way', () => {
  const declaration = declareGame({
    id: 'ways',
    rulesVersion: 1,
    tickRate: 60,
    seats: { min: 0, max: 1 },
    layers: { target: ['bullet'], bullet: [] },
    tables: { things: { capacity: 16, columns: { z: 'f64' } } },
  })
  type Ways = World<typeof declaration>

  /** Steps once with the given poses; gives "id met id at time" in the order decided. */
  function meetings(
    things: readonly { layer: number; x: number; y?: number; z?: number; radius?: number }[],
    pose: NonNullable<CollideOptions<typeof declaration>['pose']>,
    touching = true,
  ): string[] {
    const seen: string[] = []
    const watch = rule(declaration, {
      name: 'watch',
      attacker: 'bullet',
      victim: 'target',
      touching,
      decide(view, { attacker, victim, time }, outcome) {
        const { id } = view.tables.things
        seen.push(`${id[attacker]} met ${id[victim]} at ${time}`)
        outcome.despawn(attacker)
        return 'hit'
      },
    })
    const phase = collide([watch], { pose, orderKey: (_view, { time }) => time })
    const world = createWorld(defineGame(declaration, { phases: () => ({ phase }) }))
    for (const values of things) spawn(world.tables.things, values)
    step(world)
    return seen
  }

  test.each([1, 1e3, 1e9])('[CO19] a bullet that flew %d widths meets what it passed; the earliest wins', (speed) => {
    const flight = 100 * speed
    const seen = meetings(
      [
        { layer: 0, x: 0.75 * flight, radius: 1 },
        { layer: 0, x: 0.25 * flight, radius: 1 },
        { layer: 0, x: 0.25 * flight, y: 5, radius: 1 },
        { layer: 1, x: flight },
      ],
      ({ tables: { things } }, row, boxes) => {
        if (things.layer[row] === 1) addMovingCircle(boxes, row, ROLE.hit, 1, things.x[row], 0, 1, flight, 0)
        else addCircle(boxes, row, ROLE.hurt, 0, things.x[row], things.y[row], things.radius[row])
      },
    )
    expect(seen).toEqual([`4 met 2 at ${(0.25 * flight - 2) / flight}`])
  })

  test('[CO19] both on their way: what counts is the way between them', () => {
    const pose = (wayX: number) => (world: Ways, row: number, boxes: Parameters<typeof addCircle>[0]) => {
      const { things } = world.tables
      addMovingCircle(boxes, row, ROLE.hit, things.layer[row], things.x[row], 0, 1, row === 0 ? 10 : wayX, 0)
    }
    // Side by side at the same speed they never meet; head on they do.
    expect(
      meetings(
        [
          { layer: 0, x: 10 },
          { layer: 1, x: 14 },
        ],
        pose(10),
      ),
    ).toEqual([])
    expect(
      meetings(
        [
          { layer: 0, x: 10 },
          { layer: 1, x: 4 },
        ],
        pose(-10),
      ),
    ).toEqual(['2 met 1 at 0.6'])
  })

  test('[CO26] posed by layer, things of other layers are their circles, before and after what is posed otherwise', () => {
    const circles = [
      { layer: 0, x: 3, radius: 0.5 },
      { layer: 1, x: 0, radius: 1 },
      { layer: 0, x: -3, radius: 0.5 },
      { layer: 0, x: 0, y: 3, radius: 0.5 },
    ]
    const plank = (world: Ways, row: number, boxes: Boxes) => {
      const { x, y, layer } = world.tables.things
      addShape(boxes, row, ROLE.hit, layer[row], shapes.box(5, 0.5), x[row], y[row])
    }
    expect(meetings(circles, { bullet: plank })).toEqual(['2 met 1 at 1'])
    expect(meetings(circles.slice(1), { bullet: plank })).toEqual(['1 met 2 at 1'])
    expect(meetings([circles[1], circles[3]], { bullet: plank })).toEqual([])
    expect(meetings(circles, {})).toEqual([])
    expect(meetings([{ ...circles[0], x: 1.2 }, circles[1]], {})).toEqual(['2 met 1 at 1'])
    const world = createWorld(defineGame(declaration, { phases: () => ({}) }))
    for (const values of circles) spawn(world.tables.things, values)
    world.tables.things.leaving[2] = 1
    const collision = createCollision(world, [], {})
    pose(collision)
    expect([...collision.boxes.owner.subarray(0, collision.boxes.count)]).toEqual([0, 1, 3])
    expectRefusal(() => meetings(circles, { bulet: plank } as never), /layer "bulet"/)
  })

  test('[CO20] an oriented box, an arc and a swept capsule meet by their true shape', () => {
    const blade = shapes.box(5, 0.5)
    const standing = (shape: shapes.Shape, facingX: number, facingY: number) =>
      meetings(
        [
          { layer: 0, x: 3, y: 3, radius: 0.5 },
          { layer: 1, x: 0 },
        ],
        (world, row, boxes) => {
          const { x, y, radius, layer } = world.tables.things
          if (layer[row] === 1) addShape(boxes, row, ROLE.hit, 1, shape, x[row], y[row], facingX, facingY)
          else addCircle(boxes, row, ROLE.hurt, 0, x[row], y[row], radius[row])
        },
      )
    expect(standing(blade, 1, 0)).toEqual([])
    expect(standing(blade, Math.SQRT1_2, Math.SQRT1_2)).toEqual(['2 met 1 at 1'])
    expect(standing(shapes.arc(5, 1), 1, 0)).toEqual([])
    expect(standing(shapes.arc(5, 1), Math.SQRT1_2, Math.SQRT1_2)).toEqual(['2 met 1 at 1'])
    const swept = meetings(
      [
        { layer: 0, x: 50, radius: 1 },
        { layer: 1, x: 100 },
      ],
      (world, row, boxes) => {
        const { x, layer } = world.tables.things
        if (layer[row] === 1) addShape(boxes, row, ROLE.hit, 1, shapes.capsule(0, -3, 0, 3, 1), x[row], 0, 1, 0, 100, 0)
        else addCircle(boxes, row, ROLE.hurt, 0, x[row], 0, 1)
      },
    )
    expect(swept).toEqual(['2 met 1 at 0.48'])
  })

  test('[CO20] volumes meet by height too, and phases do not mix plane and space', () => {
    const character = volumes.capsule(0.5, 2)
    const punch = volumes.box(0.5, 0.75, 1)
    const at = (z: number) =>
      meetings(
        [
          { layer: 0, x: 0.9, z },
          { layer: 1, x: 0 },
        ],
        (world, row, boxes) => {
          const { x, y, z: height, layer } = world.tables.things
          addVolume(boxes, row, ROLE.hit, layer[row], layer[row] === 1 ? punch : character, x[row], y[row], height[row])
        },
      )
    // The round lower end of the capsule: 0.45 from the edge of the punch, then 0.57.
    expect([at(0).length, at(3.2).length, at(3.4).length]).toEqual([1, 1, 0])
    expect(() =>
      meetings(
        [
          { layer: 0, x: 0 },
          { layer: 1, x: 0 },
        ],
        (_world, row, boxes) => {
          if (row === 0) addVolume(boxes, row, ROLE.hit, 0, punch, 0, 0, 0)
          else addShape(boxes, row, ROLE.hit, 1, shapes.box(1, 1), 0, 0)
        },
      ),
    ).toThrow(/not both/)
  })

  test('[CO14] an oriented box that only touches counts only for rules that say so', () => {
    for (const touching of [false, true]) {
      const seen = meetings(
        [
          { layer: 0, x: 3, radius: 1 },
          { layer: 1, x: 0 },
        ],
        (world, row, boxes) => {
          const { x, layer } = world.tables.things
          if (layer[row] === 1) addShape(boxes, row, ROLE.hit, 1, shapes.box(2, 1), x[row], 0)
          else addCircle(boxes, row, ROLE.hurt, 0, x[row], 0, 1)
        },
        touching,
      )
      expect(seen).toHaveLength(touching ? 1 : 0)
    }
  })
})

describe('topology', () => {
  const declaration = declareGame({
    id: 'torus',
    rulesVersion: 1,
    tickRate: 60,
    seats: { min: 0, max: 1 },
    layers: { a: ['b'], b: [] },
    tables: { things: { capacity: 4, columns: {} } },
  })

  test.each(['circle', 'moving', 'shape', 'volume'])(
    '[CO21] on a torus a %s meets what is near across the seam',
    (sort) => {
      const met = (topology: 'open' | 'torus', bx: number, touching = true) => {
        let count = 0
        const watch = rule(declaration, {
          name: 'watch',
          attacker: 'a',
          victim: 'b',
          touching,
          decide: () => {
            count++
            return 'hit'
          },
        })
        const phase = collide([watch], {
          topology: topology === 'open' ? { kind: 'open' } : { kind: 'torus', width: 100, height: 80 },
          pose({ tables: { things } }, row, boxes) {
            const [layer, x, y] = [things.layer[row], things.x[row], things.y[row]]
            if (sort === 'circle') addCircle(boxes, row, ROLE.hurt, layer, x, y, 2)
            if (sort === 'moving') addMovingCircle(boxes, row, ROLE.hurt, layer, x, y, 2, layer === 0 ? 1 : 0, 0)
            if (sort === 'shape') addShape(boxes, row, ROLE.hurt, layer, shapes.box(2, 2), x, y)
            if (sort === 'volume') addVolume(boxes, row, ROLE.hurt, layer, volumes.sphere(2), x, y, 0)
          },
        })
        const world = createWorld(defineGame(declaration, { phases: () => ({ phase }) }))
        spawn(world.tables.things, { layer: 0, x: 1, y: 40 })
        spawn(world.tables.things, { layer: 1, x: bx, y: 40 })
        step(world)
        return count
      }
      expect([met('torus', 98), met('open', 98)]).toEqual([1, 0])
      expect([met('torus', 90), met('torus', 4), met('torus', 8)]).toEqual([0, 1, 0])
      // Exactly touching across the seam.
      if (sort === 'circle') expect([met('torus', 97), met('torus', 97, false)]).toEqual([1, 0])
    },
  )
})

describe('the static map', () => {
  const declaration = declareGame({
    id: 'walls',
    rulesVersion: 1,
    tickRate: 60,
    seats: { min: 0, max: 1 },
    layers: { ball: ['wall', 'ball'], wall: [], moss: ['ball'] },
    tables: { things: { capacity: 64, columns: { touched: 'u32' } } },
  })
  const layers = defineGame(declaration, { phases: () => ({}) }).layers
  const statics = defineStatics(layers, [
    { layer: 'wall', minX: 100, minY: -1000, maxX: 110, maxY: 1000 },
    { layer: 'moss', minX: 0, minY: 50, maxX: 100, maxY: 60 },
    { layer: 'wall', minX: -10, minY: -10, maxX: -5, maxY: 10 },
  ])
  type Walls = World<typeof declaration>

  function play(
    balls: readonly { x: number; y?: number; vx?: number; radius?: number }[],
    options: { moving?: boolean; touching?: boolean; victim?: 'wall' | 'moss' } = {},
  ) {
    const { moving = false, touching = true, victim = 'wall' } = options
    const seen: string[] = []
    const bump = rule(declaration, {
      name: 'bump',
      attacker: 'ball',
      victim,
      touching,
      gates: ['team', 'owner'],
      decide(view, { attacker, victim: nobody, static: place, time }, outcome) {
        const { id, x, y, radius } = view.tables.things
        seen.push(`${id[attacker]} met ${place} at ${time}`)
        expect(nobody).toBe(-1)
        const out = { x: 0, y: 0 }
        if (wayOut(statics, place, x[attacker], y[attacker], radius[attacker], out))
          outcome.push(attacker, out.x, out.y)
        return 'hit'
      },
    })
    const meet = rule(declaration, {
      name: 'meet',
      attacker: 'ball',
      victim: 'ball',
      decide() {
        seen.push('balls')
        return 'no'
      },
    })
    const pose = ({ tables: { things } }: Walls, row: number, boxes: Parameters<typeof addCircle>[0]) => {
      addMovingCircle(boxes, row, ROLE.push, 0, things.x[row], things.y[row], things.radius[row], things.vx[row], 0)
    }
    const phase = collide([bump, meet], { statics, ...(moving && { pose }) })
    const world = createWorld(defineGame(declaration, { phases: () => ({ phase }) }))
    for (const ball of balls) spawn(world.tables.things, { layer: 0, radius: 4, ...ball })
    step(world)
    return {
      seen,
      x: [...world.tables.things.x.subarray(0, balls.length)],
      y: [...world.tables.things.y.subarray(0, balls.length)],
    }
  }

  test('[CO23] a thing meets the statics it overlaps, by box, then by their place in the map', () => {
    const { seen, x } = play([{ x: 97 }, { x: 50, y: 20 }, { x: -8, y: 0 }, { x: 112 }, { x: 1e9 }])
    expect(seen).toEqual(['1 met 0 at 1', '3 met 2 at 1', '4 met 0 at 1'])
    // Out by the shortest way; one that stands in the middle of a wall goes to the nearest side.
    expect(x).toEqual([96, 50, -14, 114, 1e9])
  })

  test('[CO23] layers decide, touching counts where the rule says so, and balls still meet balls', () => {
    expect(play([{ x: 50, y: 47 }], { victim: 'moss' }).seen).toEqual(['1 met 1 at 1'])
    expect(play([{ x: 50, y: 47 }]).seen).toEqual([])
    expect(play([{ x: 96 }]).seen).toEqual(['1 met 0 at 1'])
    expect(play([{ x: 96 }], { touching: false }).seen).toEqual([])
    expect(play([{ x: 97 }, { x: 98 }]).seen).toEqual(['1 met 0 at 1', '2 met 0 at 1', 'balls'])
  })

  test('[CO23] nothing flies through a wall, at any speed', () => {
    for (const vx of [50, 1e3, 1e6]) {
      const { seen } = play([{ x: 60 + vx, vx, radius: 1 }], { moving: true })
      expect(seen).toHaveLength(1)
      expect(Number(seen[0].split(' ')[4])).toBeCloseTo(39 / vx, 9)
    }
    expect(play([{ x: 80, vx: 10, radius: 1 }], { moving: true }).seen).toEqual([])
  })

  test('[CO23] a rule with the static as attacker, and a bad map, are refused', () => {
    const wrong = rule(declaration, { name: 'wrong', attacker: 'wall', victim: 'ball', decide: () => 'hit' })
    const world = createWorld(defineGame(declaration, { phases: () => ({}) }))
    expect(() => createCollision(world, [wrong], { statics })).toThrow(/Let the thing be the attacker/)
    const map = (change: object) => () =>
      defineStatics(layers, [{ layer: 'wall', minX: 0, minY: 0, maxX: 1, maxY: 1, ...change }])
    expect(map({ layer: 'lava' })).toThrow(/no layer "lava"/)
    expect(map({ maxX: -1 })).toThrow(/rectangle 0 must have min below max/)
    expect(map({ minY: Number.NaN })).toThrow(/rectangle 0 minY/)
  })
})

describe('what a review found', () => {
  const boxes3 = (layerOf: (row: number) => number) => ({
    pose(_world: Case, row: number, boxes: Parameters<typeof addCircle>[0]) {
      for (let box = 0; box < 2; box++) addCircle(boxes, row, ROLE.hurt, layerOf(row), 0, 0, 1)
    },
  })

  test('[CO12] an order key reads what stands, not what an earlier or rolled-back tick left behind', () => {
    const bleed = rule(declaration, {
      name: 'bleed',
      attacker: 'bullet',
      victim: 'enemy',
      decide(view, { attacker, victim }, outcome) {
        outcome.add(view.tables.things.hp, victim, -3)
        outcome.despawn(attacker)
        return 'hit'
      },
    })
    const phase = collide([bleed], { takes, orderKey: (view, { victim }) => -view.tables.things.hp[victim] })
    const world = start(phase)
    const { things } = world.tables
    for (const hp of [10, 12, 11]) spawn(things, { layer: LAYER.enemy, radius: 5, hp })
    for (let i = 0; i < 8; i++) spawn(things, { layer: LAYER.bullet, radius: 0.5, x: i < 3 ? 0 : 50 })
    const before = snapshot(world)
    step(world)
    const once = bytesOf(world)
    step(world)
    restore(world, before)
    step(world)
    expect(bytesOf(world)).toEqual(once)
    // The strongest was asked first, and then again, until it was not the strongest any more.
    expect([...things.hp.subarray(0, 3)]).toEqual([10, 3, 11])
  })

  test('[CO11] one hit, also where other contacts stand between the boxes of an attack', () => {
    const bite = (name: string, mutual: boolean) =>
      rule(declaration, {
        name,
        attacker: 'fighter',
        victim: 'fighter',
        mutual,
        decide(view, { victim }, outcome) {
          outcome.add(view.tables.things.hp, victim, -1)
          return 'hit'
        },
      })
    const losses = (rules: Parameters<typeof collide<typeof declaration>>[0], options = {}) => {
      const world = start(collide(rules, { takes, ...boxes3(() => LAYER.fighter), ...options }))
      for (let i = 0; i < 2; i++) spawn(world.tables.things, { layer: LAYER.fighter, hp: 100 })
      step(world)
      return 200 - world.tables.things.hp[0] - world.tables.things.hp[1]
    }
    expect(losses([bite('trade', true)])).toBe(2)
    expect(losses([[bite('one', false), bite('two', false)]])).toBe(2)
    expect(
      losses([bite('keyed', false)], { orderKey: (_view: unknown, c: { attackerBox: number }) => -c.attackerBox }),
    ).toBe(1)
  })

  test("[TK4] a row that cannot be is refused while the rule speaks, and the values are the rule's own copy", () => {
    const scratch = { of: 0 }
    const drop = (bad: boolean) =>
      rule(declaration, {
        name: 'drop',
        attacker: 'bullet',
        victim: 'enemy',
        decide(view, { victim }, outcome) {
          outcome.add(view.tables.things.hp, victim, -1)
          scratch.of = bad ? -1 : view.tables.things.id[victim]
          outcome.spawn(view.tables.shards, scratch)
          return 'hit'
        },
      })
    for (const bad of [true, false]) {
      const world = start(collide([drop(bad)], { takes }))
      for (let i = 0; i < 3; i++) spawn(world.tables.things, { layer: LAYER.enemy, radius: 5, hp: 9 })
      spawn(world.tables.things, { layer: LAYER.bullet, radius: 5 })
      const before = bytesOf(world)
      if (bad) {
        expect(() => step(world)).toThrow(/shards\.of/)
        restore(world, snapshotFromBytes(world.memory.layout, before))
        expect(bytesOf(world)).toEqual(before)
      } else {
        step(world)
        expect([...world.tables.shards.of.subarray(0, 3)]).toEqual([1, 2, 3])
      }
    }
  })

  test('[CO16] ids of swings and of things do not mix, and a full ledger refuses the hit', () => {
    const by = (name: string, attack: (() => number) | undefined) =>
      rule(declaration, {
        name,
        attacker: 'bullet',
        victim: 'enemy',
        gates: ['already-hit'],
        ...(attack && { attack }),
        decide(view, { victim }, outcome) {
          outcome.add(view.tables.things.hp, victim, -1)
          outcome.remember()
          return 'hit'
        },
      })
    const world = start(collide([by('thing', undefined), by('swing', () => 2)], { takes }))
    spawn(world.tables.things, { layer: LAYER.enemy, radius: 5, hp: 100 })
    spawn(world.tables.things, { layer: LAYER.bullet, radius: 5 })
    step(world)
    step(world)
    expect(world.tables.things.hp[0]).toBe(98)
    let swing = 10
    const many = start(collide([by('swings', () => swing)], { takes }))
    spawn(many.tables.things, { layer: LAYER.enemy, radius: 5, hp: 100 })
    spawn(many.tables.things, { layer: LAYER.bullet, radius: 5 })
    for (; swing < 40; swing++) step(many)
    // The table holds 16; what cannot be remembered does not hit.
    expect([many.tables.things.hp[0], many.tables.hits.refused]).toEqual([84, 0])
    expect(() => step(start(collide([by('wrong', () => -1)], { takes })))).not.toThrow()
  })

  test('[CO24] whole numbers stop at their ends, and a change outside a column is refused', () => {
    const count = (amount: number, index?: number) => {
      const tally = rule(declaration, {
        name: 'tally',
        attacker: 'bullet',
        victim: 'enemy',
        decide(view, { victim }, outcome) {
          outcome.add(view.tables.things.order, index ?? victim, amount)
          return 'hit'
        },
      })
      const world = start(collide([tally]))
      spawn(world.tables.things, { layer: LAYER.enemy, radius: 5, order: 10 })
      spawn(world.tables.things, { layer: LAYER.bullet, radius: 5 })
      step(world)
      return world.tables.things.order[0]
    }
    expect([count(-30), count(5), count(1e12)]).toEqual([0, 15, 0xffffffff])
    expect(() => count(1, 64)).toThrow(/things\.order cannot be changed/)
    expect(() => count(Number.NaN)).toThrow(/things\.order cannot be changed/)
  })

  test('[CO15] columns that gates look at are taken from, also when the phase forgot to say so', () => {
    const world = start(collide([bite]))
    const { things } = world.tables
    spawn(things, { layer: LAYER.player, radius: 12, hp: 100 })
    for (let i = 0; i < 5; i++) spawn(things, { layer: LAYER.enemy, x: -5 - i, y: i, radius: 8, hp: 10 })
    step(world)
    expect([things.hp[0], world.events.hurt.count]).toEqual([95, 1])
  })

  test('[CO25] a rule that can never work is refused when the world is made', () => {
    const make = (change: object) => () => {
      const wrong = { name: 'wrong', attacker: 'bullet', victim: 'enemy', decide: () => 'hit', ...change }
      start(collide([wrong as never]))
    }
    expect(make({ attacker: 'bulet' })).toThrow(/no layer "bulet". Known: bullet/)
    expect(make({ victim: 'rock' })).toThrow(/never meet/)
    expect(make({ gates: ['alive'] })).toThrow(/gate "alive"/)
    expect(make({ mutual: true })).toThrow(/mutual between the layers/)
    expect(make({ decide: undefined })).toThrow(/needs a function decide/)
    expect(() => start(collide(bite as never))).toThrow(/list of rules/)
  })

  test('[CO19] on a torus a box on its way meets what it passed across the seam', () => {
    for (const end of [56, 70, 90]) {
      let met = 0
      const watch = rule(declaration, {
        name: 'watch',
        attacker: 'bullet',
        victim: 'enemy',
        decide: () => {
          met++
          return 'seen'
        },
      })
      const world = start(
        collide([watch], {
          topology: { kind: 'torus', width: 100, height: 100 },
          pose({ tables: { things } }, row, boxes) {
            if (things.layer[row] === LAYER.bullet)
              addMovingCircle(boxes, row, ROLE.hit, LAYER.bullet, end, 0, 1, end, 0)
            else addCircle(boxes, row, ROLE.hurt, LAYER.enemy, 5, 0, 1)
          },
        }),
      )
      spawn(world.tables.things, { layer: LAYER.enemy })
      spawn(world.tables.things, { layer: LAYER.bullet })
      step(world)
      expect(met, `from 0 to ${end}`).toBe(1)
    }
  })
})
