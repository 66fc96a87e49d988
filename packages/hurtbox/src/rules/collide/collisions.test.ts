import { expect, test } from 'vitest'
import { skirmish } from '../../../scenes/skirmish.ts'
import { collisionsOf, roleOf } from '../../host/tools/index.ts'
import { collide, createWorld, declareGame, defineGame, defineStatics, hashWorld, spawn, step } from '../../index.ts'

test('[CO28] the boxes and contacts of every collide phase can be looked at by its name, each world its own', () => {
  const world = createWorld(skirmish, { seed: 7 })
  const other = createWorld(skirmish, { seed: 7 })
  let contacts = 0
  for (let tick = 0; tick < 600; tick++) {
    const controls = tick === 0 ? [{ control: 'join' as const, seat: 0 }] : []
    step(world, { controls })
    step(other, { controls })
    for (const collision of collisionsOf(world).values()) contacts += collision.contacts.count
  }
  const collisions = collisionsOf(world)
  expect([...collisions.keys()]).toEqual(['hits'])
  expect(collisions.get('hits')!.boxes.count).toBeGreaterThan(40)
  expect(contacts).toBeGreaterThan(0)
  expect(collisionsOf(other).get('hits')).not.toBe(collisions.get('hits'))
  expect(hashWorld(world)).toBe(hashWorld(other))
})

test('[CO31] a box is what the rules of its phase make of its layer', () => {
  const declaration = declareGame({
    id: 'roles',
    tickRate: 60,
    layers: { blade: ['body'], body: ['body', 'wall'], wall: [] },
    capacity: 4,
  })
  const ignore = () => 'ignored'
  const statics = defineStatics(declaration, [{ layer: 'wall', minX: -1, minY: -1, maxX: 1, maxY: 1 }])
  const game = defineGame(declaration, {
    phases: {
      cuts: collide(
        declaration,
        { cut: { between: ['blade', 'body'], decide: ignore }, bump: { between: ['body', 'wall'], decide: ignore } },
        { statics },
      ),
      bumps: collide(declaration, { bump: { between: ['body', 'wall'], decide: ignore } }, { statics }),
    },
  })
  const world = createWorld(game)
  spawn(world, 'blade', { radius: 2 })
  spawn(world, 'body', { radius: 2 })
  step(world)
  const roles = [...collisionsOf(world).values()].map((collision) =>
    Array.from({ length: collision.boxes.count }, (_, box) => roleOf(collision, box)),
  )
  expect(roles).toEqual([
    ['hit', 'hurt', 'push'],
    // Here nothing hurts a body: it only bumps.
    ['hit', 'hit', 'push'],
  ])
})
