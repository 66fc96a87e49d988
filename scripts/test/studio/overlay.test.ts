import { collide, createWorld, declareGame, defineBlocks, defineGame, defineStatics, spawn, step } from 'hurtbox'
import { ground, moveBodies, separate } from 'hurtbox/motion'
import { type AnyWorld, collisionsOf } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import { listContacts } from '../../../packages/studio/src/draw/overlay.ts'
import { packOverlay } from '../../../packages/studio/src/sim/overlay.ts'
import { BOX } from '../../../packages/studio/src/sim/protocol.ts'

test("[SP17] the studio's contacts have the pushes of the tick: the pair, where they touch, in which direction, how deep", () => {
  const declaration = declareGame({ id: 'shove', tickRate: 30, layers: { unit: [] }, things: { invMass: 'f64' } })
  const game = defineGame(declaration, { phases: { room: separate() } })
  const world = createWorld(game)
  const a = spawn(world, 'unit', { radius: 25, invMass: 1 / 100 })
  const b = spawn(world, 'unit', { x: 30, radius: 20, invMass: 1 / 50 })
  const shown = () => {
    const any = world as unknown as AnyWorld
    return listContacts(packOverlay(any, [...collisionsOf(any).values()], any.tables.things.id))
  }
  // Before the first tick nothing was pushed.
  expect(shown()).toEqual([])
  step(world)
  expect(shown()).toEqual([
    { a: a.id, b: b.id, x: a.x + 25, y: 0, z: 0, normalX: 1, normalY: 0, depth: 15, isPush: true },
  ])
  step(world)
  expect(shown(), 'they are apart').toEqual([])
})

test('[SM7] every wall is packed once, near or not, with its shape; an open door as what cannot be met now', () => {
  const declaration = declareGame({
    id: 'map',
    tickRate: 30,
    layers: { ball: ['wall'], wall: [] },
    globals: { open: 'u8' },
  })
  const statics = defineStatics(declaration, [
    { layer: 'wall', minX: 10, minY: 0, maxX: 30, maxY: 40 },
    { layer: 'wall', x: 5000, y: 7, radius: 9 },
    { layer: 'wall', minX: 900, minY: 0, maxX: 910, maxY: 80, door: 'open' },
  ])
  const rules = { 'ball meets wall': { between: ['ball', 'wall'], decide: () => {} } } as const
  const phases = { near: collide(declaration, rules, { statics }), again: collide(declaration, rules, { statics }) }
  const world = createWorld(defineGame(declaration, { phases }))
  const walls = () => {
    const any = world as unknown as AnyWorld
    const { boxes, shapes } = packOverlay(any, [...collisionsOf(any).values()], any.tables.things.id)
    const packed = []
    for (let at = 0; at < boxes.length; at += BOX.fields) {
      const shape = shapes[boxes[at + BOX.shape]] as { kind: string } | undefined
      if (shape !== undefined) packed.push([shape.kind, boxes[at + BOX.x], boxes[at + BOX.y], boxes[at + BOX.state]])
    }
    return packed
  }
  step(world)
  const wanted = [
    ['box', 20, 20, 0],
    ['circle', 5000, 7, 0],
    ['box', 905, 40, 0],
  ]
  expect(walls(), 'without a thing').toEqual(wanted)
  spawn(world, 'ball', { radius: 3, y: -500 })
  world.globals.open = 1
  step(world)
  wanted[2][3] = 1
  expect(walls(), 'with a thing far away').toEqual(wanted)
})

test('[SM9] the map of a phase that moves bodies is packed too', () => {
  const declaration = declareGame({
    id: 'hall',
    tickRate: 30,
    layers: { body: ['floor'], floor: [] },
    things: { z: 'f64', vz: 'f64', halfLength: 'f64', invMass: 'f64', grounded: 'u8' },
  })
  const block = { layer: 'floor', minX: 10, minY: 0, minZ: 0, maxX: 30, maxY: 40, maxZ: 6 }
  const statics = defineBlocks(declaration, [block, { layer: 'floor', ...ground(0) }])
  const phases = { move: moveBodies({ statics, gravity: () => 10 }) }
  const world = createWorld(defineGame(declaration, { phases })) as unknown as AnyWorld
  const { boxes, shapes } = packOverlay(world, [], world.tables.things.id)
  expect(boxes.length / BOX.fields).toBe(2)
  expect([BOX.x, BOX.y, BOX.z].map((field) => boxes[field])).toEqual([20, 20, 3])
  expect(shapes[boxes[BOX.shape]]).toMatchObject({ kind: 'box', halfX: 10, halfY: 20, halfZ: 3 })
})
