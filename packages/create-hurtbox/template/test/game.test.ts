import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, listEvents, playScene, requireInSync, startScene, step, syncTest } from 'hurtbox'
import { scenes } from '../game/index.ts'
import { game } from '../game/rules.ts'

test('one swing hurts a slime once', () => {
  const world = createWorld(game, { seed: 1 })
  const { things } = world.tables
  step(world, { controls: [{ control: 'join', seat: 0 }] })
  // The slime that came first, put in front of the knight.
  const slime = 1
  things.x[slime] = things.x[0] + 40
  things.y[slime] = things.y[0]
  let hurts = 0
  for (let tick = 0; tick < 60; tick++) {
    step(world, { players: [{ seat: 0, attack: tick === 0 ? 1 : 0 }] })
    hurts += listEvents(world).filter((event) => event.kind === 'damage' && event.victim === things.id[slime]).length
  }
  assert.equal(hurts, 1)
})

test('every scene can be rolled back anywhere', () => {
  for (const scene of scenes) {
    const session = startScene(scene)
    playScene(scene, session, 600)
    requireInSync(syncTest(session, 8))
  }
})
