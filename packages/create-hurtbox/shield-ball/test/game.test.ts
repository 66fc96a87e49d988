import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, each, step, syncTest } from 'hurtbox'
import { playScene, requireInSync, startScene } from 'hurtbox/tools'
import { scenes } from '../game/index.ts'
import { game } from '../game/rules.ts'

test('a ball comes to the middle and flies', () => {
  const world = createWorld(game, { seed: 1 })
  for (let tick = 0; tick < 30; tick++) step(world)
  const [ball] = each(world, 'ball')
  assert.ok(Math.abs(ball.vx) + Math.abs(ball.vy) > 0)
})

test('every scene can be rolled back anywhere', () => {
  for (const scene of scenes) {
    const session = startScene(scene)
    playScene(scene, session, 300)
    requireInSync(syncTest(session, 8))
  }
})
