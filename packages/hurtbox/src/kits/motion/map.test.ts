/** The static map for what moves: one declaration for hits, bodies, separation, queries and `why`. */

import { expect, test } from 'vitest'
import { staticsOf } from '../../host/tools/index.ts'
import {
  advance,
  createSession,
  createWorld,
  declareGame,
  defineBlocks,
  defineGame,
  defineStatics,
  restore,
  snapshot,
  spawn,
  step,
  type World,
  why,
} from '../../index.ts'
import { canSeeInSpace, createFilter, createSpaceMapIndex, raycastMapInSpace, sweepMapInSpace } from '../query/index.ts'
import { ground, moveBodies, separate } from './index.ts'

const declaration = declareGame({
  id: 'halls',
  tickRate: 60,
  layers: { body: ['wall', 'gate', 'floor'], ghost: ['floor'], wall: [], gate: [], floor: [] },
  things: { z: 'f64', vz: 'f64', halfLength: 'f64', invMass: 'f64', grounded: 'u8' },
  globals: { gateOpen: 'u8' },
})
const statics = defineBlocks(declaration, [
  { layer: 'floor', ...ground(0) },
  { layer: 'wall', minX: 5, minY: -50, minZ: 0, maxX: 6, maxY: 50, maxZ: 4 },
  { layer: 'gate', minX: -6, minY: -50, minZ: 0, maxX: -5, maxY: 50, maxZ: 4, door: 'gateOpen' },
  { layer: 'wall', from: [0, 8, 0], to: [0, 8, 5], radius: 1 },
])
const BODY = { z: 1.5, radius: 0.5, halfLength: 1, invMass: 1, grounded: 1 }
const move = moveBodies({ statics, gravity: () => 10 })
const halls = (setup: (world: World<typeof declaration>) => void) =>
  defineGame(declaration, { setup, phases: { move } })

test('[SM9] bodies are stopped by the pieces that their layer meets, and pass doors while they are open', () => {
  const world = createWorld(halls(() => {}))
  const [body, ghost] = (['body', 'ghost'] as const).map((layer) => spawn(world, layer, { ...BODY, vx: 300 }))
  const left = spawn(world, 'body', { ...BODY, y: 20, vx: -300 })
  const pillar = spawn(world, 'body', { ...BODY, vy: 600 })
  for (let i = 0; i < 3; i++) step(world)
  expect([body.x, left.x, pillar.y].map((at) => Math.round(at * 1e6) / 1e6)).toEqual([4.5, -4.5, 6.5])
  expect([ghost.x > 14, ghost.z, body.z].map((at) => (at === true ? at : Math.round(Number(at) * 1e6) / 1e6))).toEqual([
    true,
    1.5,
    1.5,
  ])
  const shut = snapshot(world)
  world.globals.gateOpen = 1
  left.vx = -300
  step(world)
  expect(left.x).toBeLessThan(-9)
  restore(world, shut)
  left.vx = -300
  step(world)
  expect(left.x).toBeCloseTo(-4.5, 6)
})

test('[SM9] `why` answers about a wall where bodies move and things are separated', () => {
  const session = createSession(
    halls((world) => {
      world.globals.gateOpen = 1
      spawn(world, 'body', { ...BODY, x: 4, vx: 300 })
      spawn(world, 'ghost', { ...BODY, x: 5.5 })
      spawn(world, 'body', { ...BODY, x: -5.5 })
      spawn(world, 'body', { ...BODY, x: 5.2, y: 30 })
      spawn(world, 'body', { ...BODY, x: 5.5, y: -60 })
      spawn(world, 'body', { ...BODY, x: 8 })
    }),
  )
  advance(session)
  const told = (a: number, wall: number) =>
    why(session, 0, a, { wall }).map(({ phase, verdict, text }) => `${phase}, ${verdict}: ${text}`)
  expect(told(1, 1)).toEqual([
    'move, stopped: stopped by the wall: what goes against (-1, 0) is taken from move and speed',
  ])
  expect(told(1, 0)).toEqual([
    'move, stopped: stopped by the wall: what goes against (0, 0, 1) is taken from move and speed',
  ])
  expect(told(2, 1)).toEqual(['move, layers: layers do not meet: 2 is ghost, the wall is wall'])
  expect(told(3, 2)).toEqual(['move, open: wall 2 is a door, and open'])
  expect(told(4, 1)).toEqual(['move, pushed: moved out of the wall: it was 0.7 deep in it, the way out is (-1, 0)'])
  expect(told(1, 3)).toEqual(['move, apart: apart: 7.326 were missing'])
  expect([told(5, 1), told(6, 1)].flat()).toEqual([
    'move, apart: apart: 9.5 were missing',
    'move, apart: apart: 1.5 were missing',
  ])
  expect(told(1, 9)).toEqual(['move, gone: the map of this phase has no wall 9: it has 4, counted from 0'])

  const flat = declareGame({
    id: 'flat',
    tickRate: 60,
    layers: { unit: ['wall'], wall: [] },
    things: { invMass: 'f64' },
  })
  const walls = defineStatics(flat, [{ layer: 'wall', minX: 0, minY: -50, maxX: 10, maxY: 50 }])
  const crowd = createSession(
    defineGame(flat, {
      setup(world) {
        spawn(world, 'unit', { x: -3, radius: 5, invMass: 1 })
        spawn(world, 'unit', { x: -17.4, y: 40, radius: 5, invMass: 1 })
      },
      phases: { room: separate({ statics: walls }) },
    }),
  )
  advance(crowd)
  expect(why(crowd, 0, 2, { wall: 0 })).toMatchObject([
    { phase: 'room', verdict: 'apart', text: 'they do not overlap: 12.4 apart' },
  ])
  expect(why(crowd, 0, 1, { wall: 0 }).map(({ phase, text }) => `${phase}: ${text}`)).toEqual([
    'room: moved out of the wall: it was 2 deep in it, the way out is (-1, 0)',
  ])
  expect([...staticsOf(crowd.world as never)]).toEqual([['room', walls]])
})

test('[SM9] separation leaves things alone whose layer does not meet the wall', () => {
  const flat = declareGame({
    id: 'flat',
    tickRate: 60,
    layers: { unit: ['wall'], ghost: [], wall: [] },
    things: { invMass: 'f64' },
  })
  const walls = defineStatics(flat, [{ layer: 'wall', minX: 0, minY: -50, maxX: 10, maxY: 50 }])
  for (const yielding of [false, true]) {
    const settings = () => ({ yielding })
    const world = createWorld(defineGame(flat, { phases: { room: separate({ statics: walls, settings }) } }))
    const unit = spawn(world, 'unit', { x: -3, radius: 5, invMass: 1 })
    const ghost = spawn(world, 'ghost', { x: -3, y: 30, radius: 5, invMass: 1 })
    step(world)
    expect([unit.x, ghost.x]).toEqual([-5, -3])
  }
})

test('[QU16] rays, balls and sight in space meet the first piece, by layer, and not an open door', () => {
  const world = createWorld(halls(() => {}))
  const map = createSpaceMapIndex(world, statics)
  const eye = { x: 0, y: 0, z: 1 }
  expect(canSeeInSpace(map, eye, { x: 10, y: 0, z: 1 })).toBe(false)
  expect(canSeeInSpace(map, eye, { x: 10, y: 0, z: 9 }), 'over the wall').toBe(true)
  expect(canSeeInSpace(map, eye, { x: 10, y: 0, z: 1 }, createFilter(world, { layers: ['gate'] }))).toBe(true)
  expect(canSeeInSpace(map, eye, { x: -10, y: 0, z: 1 })).toBe(false)
  world.globals.gateOpen = 1
  expect(canSeeInSpace(map, eye, { x: -10, y: 0, z: 1 })).toBe(true)
  expect(raycastMapInSpace(map, eye, { x: 0, y: 14, z: 0 })).toBe(true)
  expect([map.wall.place, map.wall.time, map.wall.normalY]).toEqual([3, expect.closeTo(0.5, 8), -1])
  expect(sweepMapInSpace(map, { ...eye, radius: 0.5 }, { x: 0, y: 0, z: -1 })).toBe(true)
  expect([map.wall.place, map.wall.time, map.wall.normalZ]).toEqual([0, expect.closeTo(0.5, 7), 1])
  expect(sweepMapInSpace(map, { ...eye, radius: 1 }, { x: 0, y: 0, z: 1 }), 'touches the floor at the start').toBe(true)
  expect([map.wall.place, map.wall.time]).toEqual([0, 0])
  expect(raycastMapInSpace(map, eye, { x: 4, y: 0, z: 0 })).toBe(false)
  expect(() => raycastMapInSpace(map, { ...eye, z: Number.NaN }, eye)).toThrow(/z must be/)
})
