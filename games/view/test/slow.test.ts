/** When a view is told to leave its decoration out. */

import { expect, test } from 'vitest'
import { createSlowness, noteDrawn } from '../../../packages/view/src/stage/slow.ts'
import { beginEffects, burst, createEffects } from '../effects.ts'

/** Draws for so many seconds, each frame taking `share` of its time; how often `isSlow` has changed. */
function drawFor(
  slowness: ReturnType<typeof createSlowness>,
  from: number,
  seconds: number,
  share: (isSlow: boolean) => number,
) {
  let changes = 0
  for (let now = from; now < from + seconds * 1000; now += 20) {
    const { isSlow } = slowness
    noteDrawn(slowness, now, 20 * share(isSlow))
    if (slowness.isSlow !== isSlow) changes++
  }
  return changes
}

test('[SL5] a view that takes too long is told so, and gets its decoration back when it has time', () => {
  const slowness = createSlowness()
  drawFor(slowness, 0, 10, () => 0.2)
  expect(slowness.isSlow).toBe(false)
  drawFor(slowness, 10_000, 1.1, () => 0.9)
  drawFor(slowness, 11_100, 2, () => 0.2)
  expect(slowness.isSlow).toBe(false)
  drawFor(slowness, 20_000, 5, () => 0.5)
  expect(slowness.isSlow).toBe(true)
  drawFor(slowness, 25_000, 10, () => 0.1)
  expect(slowness.isSlow).toBe(false)
})

test('[SL5] a view that is slow with decoration and fast without it does not go to and fro', () => {
  const slowness = createSlowness()
  drawFor(slowness, 0, 180, (isSlow) => (isSlow ? 0.15 : 0.5))
  expect(drawFor(slowness, 180_000, 60, (isSlow) => (isSlow ? 0.15 : 0.5))).toBeLessThanOrEqual(4)
})

test('[SL5] a page that rests is not slow', () => {
  const slowness = createSlowness()
  for (let now = 0; now < 60_000; now += 5000) noteDrawn(slowness, now, 4000)
  expect(slowness.isSlow).toBe(false)
})

test('[SL5] a slow machine gets a quarter of the particles', () => {
  const context = { translate() {} } as unknown as CanvasRenderingContext2D
  const made = [false, true].map((isSlow) => {
    const effects = createEffects(4000)
    beginEffects(effects, context, { jumped: false, elapsedMs: 16, isSlow })
    for (let i = 0; i < 20; i++) burst(effects, 0, 0, 100, 10, 2, 500, '#ffffff')
    return effects.lifeMs.filter((lifeMs) => lifeMs > 0).length
  })
  expect(made[0]).toBe(2000)
  expect(made[1]).toBeGreaterThan(400)
  expect(made[1]).toBeLessThan(600)
})
