/** `world.entropy` in matches without a room: dice that follow from the seed. */

import { expect, test } from 'vitest'
import { purposeOf, unitAt } from '../../geometry/math/random.ts'
import {
  advance,
  createSession,
  createWorld,
  declareGame,
  defineGame,
  hashWorld,
  restore,
  type Session,
  seek,
  snapshot,
  step,
  syncTest,
} from '../../index.ts'
import { ENTROPY } from '../../state/layout.ts'
import { loadReplay, saveReplay, verifyReplay } from './index.ts'

const LOOT = purposeOf('loot')
const declaration = declareGame({ id: 'loot', tickRate: 60, globals: { rolls: 'f64' } })
/** The recipe of docs/server.md: six dice, one a tick, as digits of a number. */
const loot = defineGame(declaration, {
  phases: {
    roll(world) {
      if (world.clock >= 6) return
      world.globals.rolls =
        10 * world.globals.rolls + 1 + Math.floor(6 * unitAt(world.entropy, world.clock, 0, 0, LOOT))
    },
  },
})

function played(seed: number): Session {
  const session: Session = createSession(loot, { seed })
  for (let tick = 0; tick < 40; tick++) advance(session)
  return session
}

test('[EN1] without a room entropy follows from the seed: other dice for another seed, the same for the same', () => {
  const rolls = (seed: number) => played(seed).world.globals.rolls
  const all = Array.from({ length: 20 }, (_, seed) => rolls(seed))
  expect(new Set(all).size).toBe(20)
  expect(Array.from({ length: 20 }, (_, seed) => rolls(seed))).toEqual(all)
  // The recipe mixes the clock in; a game that does not is given other bits in every tick all the same.
  const world = createWorld(loot, { seed: 3 })
  const bits = new Set<number>()
  for (let tick = 0; tick < 100; tick++) {
    bits.add(world.entropy)
    step(world)
  }
  expect(bits.size).toBe(100)
})

test('[EN2] it is derived and not stored: a restored world, a sync test and a replay roll the same', () => {
  const world = createWorld(loot, { seed: 9 })
  expect(world.entropy).not.toBe(0)
  expect(world.memory.header[ENTROPY]).toBe(0)
  step(world)
  const state = snapshot(world)
  for (let tick = 0; tick < 5; tick++) step(world)
  const copy = createWorld(loot, { seed: 1 })
  restore(copy, state)
  for (let tick = 0; tick < 5; tick++) step(copy)
  expect(copy.globals.rolls).toBe(world.globals.rolls)

  const session = played(9)
  const end = hashWorld(session.world)
  seek(session, 3)
  seek(session, 40)
  expect(hashWorld(session.world)).toBe(end)
  expect(verifyReplay(loot, loadReplay(loot, saveReplay(session)))).toMatchObject({ ok: true })
  expect(syncTest(session, 4).mismatch).toBeUndefined()
})

test('[EN3] bits that were drawn stand until the next draw, whatever the seed', () => {
  const world = createWorld(loot, { seed: 9 })
  step(world, { controls: [{ control: 'entropy', bits: 77 }] })
  step(world)
  expect(world.entropy).toBe(77)
  step(world, { controls: [{ control: 'entropy', bits: 78 }] })
  expect(world.entropy).toBe(78)
})
