import { expect, test } from 'vitest'
import { skirmish } from '../../scenes/skirmish.ts'
import {
  collide,
  collisionsOf,
  createWorld,
  declareGame,
  defineGame,
  defineLayers,
  defineStatics,
  hashWorld,
  roleOf,
  rule,
  spawn,
  step,
} from '../../src/index.ts'

test('[CO28] the boxes and contacts of every collide phase can be looked at, each world its own', () => {
  const world = createWorld(skirmish, { seed: 7 })
  const other = createWorld(skirmish, { seed: 7 })
  let contacts = 0
  for (let tick = 0; tick < 600; tick++) {
    const controls = tick === 0 ? [{ control: 'join' as const, seat: 0 }] : []
    step(world, { controls })
    step(other, { controls })
    for (const collision of collisionsOf(world)) contacts += collision.contacts.count
  }
  const collisions = collisionsOf(world)
  expect(collisions.length).toBe(1)
  expect(collisions[0].boxes.count).toBeGreaterThan(40)
  expect(contacts).toBeGreaterThan(0)
  expect(collisionsOf(other)[0]).not.toBe(collisions[0])
  expect(hashWorld(world)).toBe(hashWorld(other))
})

test('[CO31] a box is what the rules of its phase make of its layer', () => {
  const declaration = declareGame({
    id: 'roles',
    rulesVersion: 1,
    tickRate: 60,
    seats: { min: 0, max: 1 },
    layers: { blade: ['body'], body: ['body', 'wall'], wall: [] },
    tables: { things: { capacity: 4 } },
  })
  const ignore = { decide: () => 'ignored' } as const
  const cut = rule(declaration, { name: 'cut', attacker: 'blade', victim: 'body', ...ignore })
  const bump = rule(declaration, { name: 'bump', attacker: 'body', victim: 'wall', ...ignore })
  const map = defineStatics(defineLayers(declaration.layers), [{ layer: 'wall', minX: -1, minY: -1, maxX: 1, maxY: 1 }])
  const game = defineGame(declaration, {
    phases: () => ({ cuts: collide([cut, bump], { statics: map }), bumps: collide([bump], { statics: map }) }),
  })
  const world = createWorld(game)
  for (const layer of [0, 1]) spawn(world.tables.things, { layer, radius: 2 })
  step(world)
  const roles = collisionsOf(world).map((collision) =>
    Array.from({ length: collision.boxes.count }, (_, box) => roleOf(collision, box)),
  )
  expect(roles).toEqual([
    ['hit', 'hurt', 'push'],
    // Here nothing hurts a body: it only bumps.
    ['hit', 'hit', 'push'],
  ])
})
