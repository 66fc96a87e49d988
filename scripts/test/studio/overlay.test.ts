import { collide, createWorld, declareGame, defineGame, defineStatics, spawn, step } from 'hurtbox'
import { separate } from 'hurtbox/motion'
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
