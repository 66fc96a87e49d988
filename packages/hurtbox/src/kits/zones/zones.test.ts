import { describe, expect, test } from 'vitest'
import { randomOf } from '../../../test/random.ts'
import { box, circle } from '../../geometry/shapes/index.ts'
import { box as block, sphere } from '../../geometry/volumes/index.ts'
import {
  addCircle,
  addVolume,
  advance,
  collide,
  createSession,
  createWorld,
  declareGame,
  defineGame,
  despawn,
  each,
  listEvents,
  spawn,
  step,
  sweepBox,
  syncTest,
  type Thing,
  thing,
  why,
} from '../../index.ts'
import { defineCombat } from '../combat/index.ts'
import { defineStatus, runStatus, strengthOf } from '../status/index.ts'
import { defineZones, hurtZone, isBroken, mendZone, poseZones, poseZonesInSpace } from './index.ts'

const combat = defineCombat({ damageTypes: ['blow', 'fire'] })
const status = defineStatus({ stun: { stuns: true, ticks: 30 } })
const zones = defineZones(
  {
    head: { shape: circle(10, { offsetY: -40 }), damage: 2, inflicts: 'stun' },
    shield: { shape: box(6, 30, { offsetX: 25 }), damage: 0, breaksAt: 50, broken: 'gone' },
    plate: { shape: box(20, 20), armour: { blow: 0.75, fire: 0.25 }, breaksAt: 30, broken: { damage: 1.5 } },
    core: { shape: circle(28) },
  },
  { damageTypes: combat.typeNames, status },
)
const declaration = declareGame({
  id: 'boss',
  tickRate: 60,
  layers: { boss: ['bolt'], bolt: [] },
  capacity: 64,
  things: {
    ...combat.columns,
    ...status.columns,
    ...zones.columns,
    facingX: 'f64',
    facingY: 'f64',
    damage: 'f64',
    type: 'u8',
  },
  tables: { ...status.tables },
  events: { ...combat.events, ...status.events, ...zones.events },
})
type Boss = Thing<typeof declaration, 'boss'>

const rules = (refusal?: string) =>
  collide(
    declaration,
    {
      'bolt hits boss': {
        between: ['bolt', 'boss'],
        gates: ['dead', zones.gate],
        decide(bolt, boss, hit) {
          hurtZone(zones, boss, hit.secondBox, { amount: bolt.damage, by: bolt, type: bolt.type })
          despawn(bolt)
          return refusal
        },
      },
    },
    {
      pose: {
        boss: poseZones(zones),
        bolt: (bolt, boxes) => {
          addCircle(boxes, bolt)
          sweepBox(boxes, bolt.vx, bolt.vy)
        },
      },
    },
  )
const game = defineGame(declaration, { phases: { status: runStatus(status), hits: rules() } })

/** A boss, and what its health is after bolts that appear at these places. */
function shootAt(places: readonly (readonly [x: number, y: number, damage: number, type?: number])[], facingX = 1) {
  const world = createWorld(game)
  const boss = spawn(world, 'boss', { hp: 1000, facingX })
  const events: string[] = []
  const lost = places.map(([x, y, damage, type = 0]) => {
    const before = boss.hp
    spawn(world, 'bolt', { x, y, radius: 1, damage, type })
    step(world)
    for (const event of listEvents(world)) if (event.kind === 'zoneBroken') events.push(zones.names[event.zone])
    return before - boss.hp
  })
  return { world, boss, lost, events }
}

describe('hit zones', () => {
  test('[HZ1] damage, blocking, breaking and health are those of a list of zones, in random fights', () => {
    let [broken, mended] = [0, 0]
    for (let seed = 1; seed <= 100; seed++) {
      const random = randomOf(seed)
      const world = createWorld(game)
      const boss = spawn(world, 'boss', { hp: 4000, armour: [0.5, 0] })
      let hp = 4000
      const aimed = [0, 0, 0, 0]
      const limits = [0, 50, 30, 0]
      const factors = [
        [2, 2],
        [0, 0],
        [0.25, 0.75],
        [1, 1],
      ]
      for (let hit = 0; hit < 60; hit++) {
        const zone = Math.floor(random() * 4)
        const type = Math.floor(random() * 2)
        const amount = Math.floor(random() * 16)
        const isOff = limits[zone] > 0 && aimed[zone] >= limits[zone]
        const factor = isOff ? (zone === 1 ? 1 : 1.5) : factors[zone][type]
        const loss = Math.min(hp, amount * factor * (type === 0 ? 0.5 : 1))
        expect(hurtZone(zones, boss, zone, { amount, type })).toBe(loss)
        hp -= loss
        aimed[zone] = limits[zone] === 0 ? 0 : Math.min(limits[zone], aimed[zone] + amount)
        expect([boss.hp, ...[0, 1, 2, 3].map((place) => boss.zoneDamage.get(place))]).toEqual([hp, ...aimed])
        expect(zones.names.map((name) => isBroken(zones, boss, name))).toEqual(
          limits.map((limit, place) => limit > 0 && aimed[place] >= limit),
        )
        if (!isOff && limits[zone] > 0 && aimed[zone] >= limits[zone]) broken++
        if (random() > 0.05) continue
        mended++
        const all = random() < 0.5
        mendZone(zones, boss, all ? undefined : zones.names[zone])
        if (all) aimed.fill(0)
        else aimed[zone] = 0
      }
    }
    expect(broken).toBeGreaterThan(100)
    expect(mended).toBeGreaterThan(100)
  })

  test('[HZ2] the box that was met is the zone: the first in order where several are, turned as the thing faces', () => {
    // In the head, in plate and core, in the core alone; with a shield that is behind when it faces the other way.
    expect(shootAt([[0, -45, 10]]).lost).toEqual([20])
    expect(shootAt([[0, 0, 10]]).lost).toEqual([2.5])
    expect(shootAt([[0, 25, 10]]).lost).toEqual([10])
    expect(shootAt([[25, 0, 10]]).lost).toEqual([0])
    expect(shootAt([[25, 0, 10]], -1).lost).toEqual([10])
    expect(shootAt([[-25, 0, 10]], -1).lost).toEqual([0])
  })

  test('[HZ3] what flies meets the zone that is first on its way', () => {
    const through = (hasShield: boolean) => {
      const world = createWorld(game)
      const boss = spawn(world, 'boss', { hp: 100, facingX: 1 })
      if (!hasShield) hurtZone(zones, boss, 1, { amount: 50 })
      const before = boss.hp
      spawn(world, 'bolt', { x: 0, vx: -200, radius: 1, damage: 10 })
      step(world)
      return before - boss.hp
    }
    expect(through(true)).toBe(0)
    // Then the core, whose circle is further out than the plate.
    expect(through(false)).toBe(10)
  })

  test('[HZ4] a part that is gone is no box to hit any more, a broken one is hit as it says; it is told once', () => {
    const { lost, events, boss } = shootAt([
      [27, 0, 30],
      [27, 0, 30],
      [27, 0, 10],
      [0, 0, 40],
      [0, 0, 10],
    ])
    expect(lost).toEqual([0, 0, 10, 10, 15])
    expect(events).toEqual(['shield', 'plate'])
    mendZone(zones, boss)
    expect([isBroken(zones, boss, 'shield'), isBroken(zones, boss, 'plate')]).toEqual([false, false])
  })

  test('[HZ5] a zone inflicts its effect; a box that is no zone is hurt as ever; the dead stay as they are', () => {
    const { boss, world } = shootAt([[0, -45, 10]])
    expect(strengthOf(status, boss, 'stun')).toBe(1)
    expect(hurtZone(zones, boss, 7, { amount: 5 })).toBe(5)
    boss.hp = 0
    expect([hurtZone(zones, boss, 1, { amount: 99 }), boss.zoneDamage.get(1)]).toEqual([0, 0])
    step(world)
  })

  test('[HZ6] why names the zone and why a part that is gone was passed by; a refused hit leaves no mark', () => {
    const story = (refusal?: string) => {
      const session = createSession(
        defineGame(declaration, {
          phases: { hits: rules(refusal) },
          setup(world) {
            const boss = spawn(world, 'boss', { hp: 100, facingX: 1 })
            hurtZone(zones, boss, 1, { amount: 50 })
            spawn(world, 'bolt', { x: 27, radius: 1, damage: 10 })
            spawn(world, 'bolt', { y: 0, radius: 1, damage: 10 })
          },
        }),
      )
      advance(session)
      return session
    }
    const session = story()
    expect(why(session, 0, 2, 1).map(({ verdict, text }) => [verdict, text])).toEqual([
      ['part is gone', 'bolt hits boss: 2 and 1: refused by the gate "part is gone" (shield, gone)'],
      ['accepted', 'bolt hits boss: 2 and 1: accepted (core)'],
    ])
    const [plate] = why(session, 0, 3, 1)
    expect(plate.text).toContain('accepted (plate)')
    expect(plate.changes).toContain('zoneDamage[2] of things id 1: 0 → 10')
    const refused = story('no')
    const boss = thing(refused.world, 1) as Boss
    expect([boss.hp, boss.zoneDamage.get(2), refused.world.tables.things.count]).toEqual([100, 0, 3])
  })

  test('[HZ7] in space zones are volumes', () => {
    const golem = defineZones({
      head: { shape: sphere(1, { offsetZ: 4 }), damage: 3 },
      body: { shape: block(2, 2, 3) },
    })
    const cave = declareGame({
      id: 'cave',
      tickRate: 60,
      layers: { golem: ['stone'], stone: [] },
      things: { ...combat.columns, ...golem.columns, z: 'f64' },
      events: { ...combat.events, ...golem.events },
    })
    const hits = collide(
      cave,
      {
        hit: {
          between: ['stone', 'golem'],
          decide: (stone, golemThing, { secondBox }) =>
            void hurtZone(golem, golemThing, secondBox, { amount: 2, by: stone }),
        },
      },
      { pose: { golem: poseZonesInSpace(golem), stone: (stone, boxes) => addVolume(boxes, sphere(0.2), stone) } },
    )
    const lossAt = (z: number) => {
      const world = createWorld(defineGame(cave, { phases: { hits } }))
      const one = spawn(world, 'golem', { hp: 50 })
      spawn(world, 'stone', { z, radius: 0.2 })
      step(world)
      return 50 - one.hp
    }
    expect([lossAt(4.5), lossAt(0), lossAt(9)]).toEqual([6, 2, 0])
  })

  test('[HZ8] what makes no sense is refused where it is defined; zones come first among the boxes', () => {
    const shape = circle(5)
    expect(() => defineZones({ head: { shape, damage: -1 } })).toThrow(/damage of head/)
    expect(() => defineZones({ head: { shape, breaksAt: Number.NaN } })).toThrow(/breaksAt of head/)
    expect(() => defineZones({ head: { shape, broken: 'gone' } })).toThrow(/needs breaksAt/)
    expect(() => defineZones({ head: { shape, armour: { ice: 1 } } }, { damageTypes: ['fire' as 'ice'] })).toThrow(
      /ice/,
    )
    expect(() => defineZones({ head: { shape, armour: { fire: 2 } } }, { damageTypes: ['fire'] })).toThrow(
      /armour of head/,
    )
    expect(() => defineZones({ head: { shape, inflicts: 'stan' as 'stun' } }, { status })).toThrow(/stan/)
    const { boss } = shootAt([])
    expect(() => isBroken(zones, boss, 'hed' as 'head')).toThrow(/hed/)
    const late = collide(
      declaration,
      { hit: { between: ['bolt', 'boss'], decide: () => {} } },
      {
        pose: {
          boss(thing, boxes) {
            addCircle(boxes, thing)
            poseZones(zones)(thing, boxes)
          },
        },
      },
    )
    const world = createWorld(defineGame(declaration, { phases: { late } }))
    spawn(world, 'boss')
    expect(() => step(world)).toThrow(/first boxes/)
  })

  test('[HZ9] rolled back on every tick, parts break with the same bits', () => {
    const fight = defineGame(declaration, {
      phases: {
        status: runStatus(status),
        aim(world) {
          const angle = world.clock % 8
          spawn(world, 'bolt', { x: 20 - angle * 5, y: -45 + angle * 11, radius: 2, damage: 6, type: angle % 2 })
          for (const boss of each(world, 'boss')) if (world.clock % 40 === 0) mendZone(zones, boss)
        },
        hits: rules(),
      },
      setup: (world) => void spawn(world, 'boss', { hp: 5000, facingX: 1 }),
    })
    const session = createSession(fight)
    for (let tick = 0; tick < 120; tick++) advance(session)
    for (const depth of [1, 8]) expect(syncTest(session, depth).mismatch).toBeUndefined()
    expect(thing(session.world, 1)!.hp).toBeLessThan(5000)
  })
})
