import { createHand, readHand, wantsPause } from '@hurtbox/view/hand'
import { createWorld, step } from 'hurtbox'
import { afterEach, expect, test, vi } from 'vitest'
import { jetRaiders as game } from '../../../games/jet-raiders/rules/index.ts'
import { view } from '../../../games/jet-raiders/view/index.ts'

afterEach(() => vi.unstubAllGlobals())

const world = createWorld(game, { seed: 1 })
step(world, { controls: [{ control: 'join', seat: 0 }] })
const silent = { down: new Set<string>(), takePresses: () => 0, close() {} }

/** Puts a gamepad with the standard mapping into the browser's list, after one that has none. */
function plug(axes: readonly number[], pressed: readonly number[]): void {
  const buttons = Array.from({ length: 17 }, (_, i) => ({ pressed: pressed.includes(i) }))
  const pads = [null, { mapping: '', axes: [1, 1, 1, 1], buttons: [] }, { mapping: 'standard', axes, buttons }]
  vi.stubGlobal('navigator', { getGamepads: () => pads })
}

test('[ST20] a gamepad plays: sticks beyond their dead zone, buttons held, presses counted once', () => {
  const hand = createHand(silent)
  const read = () => readHand(hand, game, view.controls as never, world, 0) as Record<string, unknown>
  plug([0.6, -0.9, 0, 0], [0, 1])
  expect(read()).toMatchObject({ turn: 0.6, thrust: 0.9, shoot: true, slot: 1 })
  // Still held: fires on, but that was one press.
  expect(read()).toMatchObject({ shoot: true, slot: 0 })
  plug([0.1, 0.1, 0, 0], [])
  expect(read()).toMatchObject({ turn: 0, thrust: 0, shoot: false, slot: 0 })
  plug([0, 0, 0, 0], [8, 9])
  read()
  expect([wantsPause(hand.pads), wantsPause(hand.pads)]).toEqual([true, false])
  vi.stubGlobal('navigator', { getGamepads: () => [] })
  expect(read()).toMatchObject({ turn: 0, shoot: false })
})
