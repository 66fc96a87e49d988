import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, each, listEvents, moveTo, playerAt, step, syncTest } from 'hurtbox'
import { playScene, requireInSync, startScene } from 'hurtbox/tools'
import module from '../game/index.ts'
import { game } from '../game/rules.ts'

test('one swing hurts a slime once', () => {
  const world = createWorld(game, { seed: 1 })
  step(world, { controls: [{ control: 'join', seat: 0 }] })
  const knight = playerAt(world, 0)!.thing!
  // The slime that came first, put in front of the knight.
  const [slime] = each(world, 'slime')
  moveTo(slime, knight.x + 40, knight.y)
  let hurts = 0
  for (let tick = 0; tick < 60; tick++) {
    step(world, { players: [{ seat: 0, attack: tick === 0 ? 1 : 0 }] })
    hurts += listEvents(world).filter((event) => event.kind === 'damage' && event.victim === slime.id).length
  }
  assert.equal(hurts, 1)
})

test('every scene can be rolled back anywhere', () => {
  for (const scene of module.scenes ?? []) {
    const session = startScene(scene)
    playScene(scene, session, 600)
    requireInSync(syncTest(session, 8))
  }
})
