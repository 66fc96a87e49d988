import { createWorld, declareGame, defineGame, spawn, step } from 'hurtbox'
import { separate } from 'hurtbox/motion'
import { type AnyWorld, collisionsOf } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import { listContacts } from '../../../packages/studio/src/draw/overlay.ts'
import { packOverlay } from '../../../packages/studio/src/sim/overlay.ts'

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
