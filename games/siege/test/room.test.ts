/**
 * The seed's collision cases, in the game: units where they overlap, one tick of the whole game, and where they are then.
 * The solver itself is proven beside the engine (SP1 to SP10).
 */

import { createWorld, each, step } from 'hurtbox'
import { residualOverlap } from 'hurtbox/motion'
import { describe, expect, test } from 'vitest'
import { LAND, SIDE } from '../rules/content/map.ts'
import { KIND } from '../rules/content/units.ts'
import { declaration, type SiegeThing, type SiegeWorld } from '../rules/declaration.ts'
import { siege } from '../rules/index.ts'
import { ROOM } from '../rules/room.ts'
import { addMinion, addStanding, arena, builtOf, championOf, distanceOf, field, run, type Tuning } from './support.ts'

/** Two champions of one side, side by side around the middle of the map. */
function pair(distance: number, tuning: Tuning = {}): SiegeWorld {
  const at = { side: SIDE.blue, name: 'warrior', y: 0 }
  return arena(
    [
      { ...at, x: -distance / 2 },
      { ...at, x: distance / 2 },
    ],
    { tuning },
  )
}

function apart(world: SiegeWorld): number {
  return distanceOf(championOf(world, 0), championOf(world, 1))
}

describe('the settings of the seed', () => {
  test('[SG1] have its names and defaults', () => {
    const { tuning } = field()
    expect(tuning).toMatchObject({
      separationStrength: 1,
      maxSeparationDistance: 50,
      spatialGridCellSize: 100,
      useSpatialGrid: 1,
      passes: 1,
    })
  })

  test('[SG1] radii and masses are those of its tables', () => {
    const world = arena([{ side: SIDE.blue, name: 'elara', x: 0, y: 0 }])
    const body = ({ radius, invMass }: SiegeThing) => [radius, invMass]
    expect(body(championOf(world, 0))).toEqual([25, 1 / 100])
    expect(body(addMinion(world, SIDE.blue, 500, 300))).toEqual([20, 1 / 50])
    expect(body(addMinion(world, SIDE.blue, 500, 400, KIND.caster))).toEqual([20, 1 / 30])
    expect(body(builtOf(world, 0))).toEqual([50, 0])
    expect(body(builtOf(world, 12))).toEqual([75, 0])
  })

  test('[SG2] can change in the middle of a match', () => {
    const world = pair(30)
    run(world, 1, { controls: [{ control: 'tune', name: 'separationStrength', value: 0.5 }] })
    expect(apart(world)).toBeCloseTo(40, 9)
    run(world, 1, { controls: [{ control: 'tune', name: 'maxSeparationDistance', value: 2 }] })
    expect(apart(world)).toBeCloseTo(42, 9)
    run(world, 1, { controls: [{ control: 'tune', name: 'separationStrength', value: 1 }] })
    expect(apart(world)).toBeCloseTo(44, 9)
    // Three passes of 2 each, but no unit is moved by more than 2 in a tick.
    run(world, 1, { controls: [{ control: 'tune', name: 'passes', value: 3 }] })
    expect(apart(world)).toBeCloseTo(48, 9)
    run(world, 1, { controls: [{ control: 'tune', name: 'maxSeparationDistance', value: 50 }] })
    expect(apart(world)).toBeCloseTo(50, 9)
  })
})

test("[SG55] the tick is the seed's: entities, collisions, fog, waves, the dead", () => {
  const phases = field().memory.phases.map(({ name }) => name)
  const places = ['walk', 'attack', 'hits', 'collisions', 'fog', 'waves', 'removeDead'].map((name) =>
    phases.indexOf(name),
  )
  expect(places[0]).toBeGreaterThan(0)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

describe('pushing', () => {
  test('[SG3] champions at 30 of 50 are at 50 after a tick, each moved by half; at exactly 50 nothing moves', () => {
    const world = pair(30)
    run(world, 1)
    expect(apart(world)).toBeCloseTo(50, 9)
    expect(championOf(world, 0).x).toBeCloseTo(-25, 9)
    const touching = pair(50)
    run(touching, 1)
    expect(championOf(touching, 0).x).toBe(-25)
    expect(championOf(touching, 1).x).toBe(25)
  })

  test.each([
    { kind: KIND.melee, share: 50 / 150 },
    { kind: KIND.caster, share: 30 / 130 },
  ])('[SG3] a champion moves its share when it overlaps a minion of kind $kind', ({ kind, share }) => {
    const world = arena([{ side: SIDE.blue, name: 'warrior', x: 0, y: 0 }])
    const minion = addStanding(world, SIDE.blue, 30, 0, kind)
    run(world, 1)
    expect(championOf(world, 0).x).toBeCloseTo(-15 * share, 9)
    expect(minion.x).toBeCloseTo(30 + 15 * (1 - share), 9)
  })

  test('[SG4] a tower does not move; a champion inside is at least 74.9 away after a tick', () => {
    const world = arena([{ side: SIDE.blue, name: 'warrior', x: 0, y: 0 }])
    const champion = Object.assign(championOf(world, 0), { x: -330, y: 330 })
    const tower = builtOf(world, 3)
    expect([tower.x, tower.y]).toEqual([-350, 350])
    run(world, 1)
    expect(distanceOf(tower, champion)).toBeGreaterThanOrEqual(74.9)
    expect([tower.x, tower.y]).toEqual([-350, 350])
  })

  test('[SG4] the cap holds: from the centre of a tower a champion comes 50 far in a tick, all the way in two', () => {
    const world = arena([{ side: SIDE.blue, name: 'warrior', x: -350, y: 350 }])
    run(world, 1)
    expect(distanceOf(builtOf(world, 3), championOf(world, 0))).toBeCloseTo(50, 9)
    run(world, 1)
    expect(distanceOf(builtOf(world, 3), championOf(world, 0))).toBeCloseTo(75, 9)
  })

  test('[SG5] three champions in a triangle are within 95 % of apart after a tick', () => {
    const at = { side: SIDE.blue, name: 'gorath' }
    const world = arena([
      { ...at, x: 0, y: 0 },
      { ...at, x: 30, y: 0 },
      { ...at, x: 15, y: 26 },
    ])
    run(world, 1)
    const champions = [0, 1, 2].map((seat) => championOf(world, seat))
    for (const [a, b] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ]) {
      expect(distanceOf(champions[a], champions[b]), `${a} and ${b}`).toBeGreaterThanOrEqual(0.95 * 50)
    }
  })

  test('[SG6] the dead take no room, and neither do shots, missiles and bursts', () => {
    const world = pair(30)
    championOf(world, 1).hp = 0
    run(world, 1)
    expect(apart(world)).toBe(30)

    const shooting = arena([{ side: SIDE.blue, name: 'magnus', x: 0, y: 0 }])
    const aim = { x: 500, y: 0 }
    run(shooting, 1, { players: [{ seat: 0, first: 1, second: 1, aim }] })
    expect(shooting.tables.things.count).toBeGreaterThan(19)
    expect(championOf(shooting, 0).x).toBe(0)
  })

  test('[SG7] five champions spawn on one point and separate, differently by seed, equally with the same seed', () => {
    const places = (seed: number) => {
      const world = createWorld(siege, { seed })
      step(world, { controls: [0, 1, 2, 3, 4].map((seat) => ({ control: 'join', seat, team: SIDE.blue })) })
      for (let i = 0; i < 60; i++) step(world)
      expect(residualOverlap(world, ROOM).deepest).toBeLessThan(0.5)
      return [0, 1, 2, 3, 4].map((seat) => championOf(world, seat).x)
    }
    expect(places(3)).toEqual(places(3))
    expect(places(3)).not.toEqual(places(4))
  })

  test('[SG8] no unit is pushed off the map', () => {
    const world = field()
    for (let i = 0; i < 40; i++) addStanding(world, SIDE.blue, 1570, 1570)
    run(world, 120)
    for (const { x, y, radius } of each(world)) {
      expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThanOrEqual(1608 - radius)
    }
  })

  test('[SG9] at 125 ticks a second the same push takes the same tick', () => {
    expect(declaration.tickRate).toBe(30)
    const at = { side: SIDE.blue, name: 'warrior', y: 0 }
    const world = arena(
      [
        { ...at, x: -15 },
        { ...at, x: 15 },
      ],
      { tickRate: 125 },
    )
    expect(world.tuning.firstWave).toBe(600 * 125)
    run(world, 1)
    expect(apart(world)).toBeCloseTo(50, 9)
  })

  test.each([30, 125])('[SG9] at %i ticks a second a second is a second: walks, flights and healing', (tickRate) => {
    const world = arena([{ side: SIDE.blue, name: 'magnus', x: -300, y: 400 }], {
      tickRate,
      tuning: { regeneration: 4 },
    })
    const magnus = championOf(world, 0)
    magnus.hp = 100
    // The firebolt flies 500 in the half of a second that is walked here at 330.
    const inputs = { players: [{ seat: 0, order: 'move' as const, go: { x: 1000, y: 400 } }] }
    run(world, 1, { players: [{ ...inputs.players[0], first: 1, aim: { x: 1000, y: 400 } }] })
    const start = { x: magnus.x, hp: magnus.hp, bolt: [...each(world, 'blow')][0].x }
    for (let tick = 0; tick < tickRate / 2; tick++) step(world, inputs)
    const ticks = Math.ceil(tickRate / 2) / tickRate
    expect(magnus.x - start.x).toBeCloseTo(330 * ticks, 2)
    expect([...each(world, 'blow')][0].x - start.bolt).toBeCloseTo(1000 * ticks, 6)
    expect(magnus.hp - start.hp).toBeCloseTo(2.5 * 4 * ticks, 6)
  })
})

/** The scenes of the document's visual checks, in the same order; each plays what its test asserts. */
describe('what shows in the game', () => {
  test('[SG10] champions that walk into each other do not pass through, and both arrive', () => {
    const world = arena([
      { side: SIDE.blue, name: 'warrior', x: -300, y: 0 },
      { side: SIDE.blue, name: 'warrior', x: 300, y: 0 },
    ])
    let nearest = Number.POSITIVE_INFINITY
    const players = [
      { seat: 0, order: 'move' as const, go: { x: 300, y: 0 } },
      { seat: 1, order: 'move' as const, go: { x: -300, y: 0 } },
    ]
    for (let tick = 0; tick < 90; tick++) {
      step(world, { players })
      nearest = Math.min(nearest, apart(world))
    }
    expect(nearest).toBeGreaterThanOrEqual(0.95 * 50)
    // Within 4 of its goal a unit is there.
    expect(Math.abs(championOf(world, 0).x - 300)).toBeLessThan(4)
    expect(Math.abs(championOf(world, 1).x + 300)).toBeLessThan(4)
  })

  test('[SG11] thirty minions on one spot spread until none overlaps another by more than 1', () => {
    const world = field()
    const minions = Array.from({ length: 30 }, () => addStanding(world, SIDE.blue, 300, 300))
    run(world, 90)
    const { deepest } = residualOverlap(world, ROOM)
    expect(deepest).toBeLessThan(1)
    const reach = Math.max(...minions.map(({ x }) => Math.abs(x - 300)))
    // Thirty circles of 20 fill a disc of some 120.
    expect(reach).toBeGreaterThan(80)
    expect(reach).toBeLessThan(260)
  })

  test.each([
    { kind: KIND.melee, ratio: 2 },
    { kind: KIND.caster, ratio: 100 / 30 },
  ])('[SG12] a champion pushes a minion of kind $kind $ratio times as far as the reverse', ({ kind, ratio }) => {
    const pushed = (distance: number) => {
      const world = arena([{ side: SIDE.blue, name: 'gorath', x: 0, y: 0 }])
      const minion = addStanding(world, SIDE.blue, distance, 0, kind)
      run(world, 1)
      return { champion: -championOf(world, 0).x, minion: minion.x - distance }
    }
    for (const distance of [5, 20, 40]) {
      const { champion, minion } = pushed(distance)
      expect(minion / champion).toBeCloseTo(ratio, 9)
    }
  })
})

describe('the water', () => {
  test('[SM11] keeps units out and ends missiles at the shore', () => {
    const at = { side: SIDE.blue, name: 'elara', x: LAND - 10, y: 300 }
    const world = arena([at])
    step(world)
    const champion = championOf(world, 0)
    expect(champion.x, 'pushed out by its radius').toBeCloseTo(LAND - champion.radius, 9)
    champion.x = LAND - 120
    const still = { seat: 0, order: 'hold' as const }
    run(world, 1, { players: [{ ...still, first: 1, aim: { x: LAND + 500, y: 300 } }] })
    const missiles = () => [...each(world, 'blow')].map(({ kind, x }) => [kind, x < LAND])
    expect(missiles()).toEqual([[KIND.missile, true]])
    run(world, 2, { players: [still] })
    expect(missiles(), 'gone at the shore, long before its range').toEqual([])
  })
})
