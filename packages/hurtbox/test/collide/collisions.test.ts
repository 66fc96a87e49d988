import { expect, test } from 'vitest'
import { skirmish } from '../../scenes/skirmish.ts'
import { collisionsOf, createWorld, hashWorld, step } from '../../src/index.ts'

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
