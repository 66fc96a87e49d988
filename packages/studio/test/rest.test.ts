/** Pages at rest draw no frames. */

import { createRest, endRest, isResting } from '@hurtbox/view/stage'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** A page's clock, frames and listeners, moved by hand. */
let now = 0
let requests: ((nowMs: number) => void)[] = []
let frames = 0
const touches = new Map<string, () => void>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.resetModules()
  now = 0
  frames = 0
  requests = []
  touches.clear()
  vi.stubGlobal('performance', { now: () => now })
  vi.stubGlobal('requestAnimationFrame', (callback: (nowMs: number) => void) => requests.push(callback))
  vi.stubGlobal('addEventListener', (kind: string, listener: () => void) => touches.set(kind, listener))
  vi.stubGlobal('removeEventListener', (kind: string) => touches.delete(kind))
})
afterEach(() => {
  // What was put up last goes first: the other way round, the clock that stands still would stay for the files of this worker that follow.
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function pass(ms: number): void {
  for (const until = now + ms; now < until; ) {
    now += 10
    vi.advanceTimersByTime(10)
    const asked = requests
    requests = []
    if (asked.length > 0) frames++
    for (const callback of asked) callback(now)
  }
}

test('[SL6] while all that is on a page rests it asks for ten frames a second, and for all again at once when it is touched', async () => {
  const { onEachFrame } = await import('../src/ui/loop.ts')
  let rests = false
  const end = onEachFrame(() => rests)
  pass(1000)
  expect(frames).toBe(100)
  rests = true
  pass(1000)
  frames = 0
  pass(1000)
  expect(frames).toBeLessThanOrEqual(10)
  touches.get('pointerdown')!()
  rests = false
  frames = 0
  pass(100)
  expect(frames).toBe(10)
  rests = true
  pass(100)
  frames = 0
  onEachFrame(() => false)
  pass(100)
  expect(frames).toBe(10)
  end()
})

test('[SL6] a page without anything to draw asks for none', async () => {
  const { onEachFrame } = await import('../src/ui/loop.ts')
  onEachFrame(() => true)()
  pass(1000)
  frames = 0
  pass(1000)
  expect(frames).toBe(0)
})

test('[SL6] a picture rests a second after the last change of what it shows', () => {
  const rest = createRest()
  const layers = {}
  expect(isResting(rest, 0, [1, layers])).toBe(false)
  expect(isResting(rest, 900, [1, layers])).toBe(false)
  expect(isResting(rest, 1001, [1, layers])).toBe(true)
  expect(isResting(rest, 1100, [1, {}])).toBe(false)
  expect(isResting(rest, 3000, [2, layers])).toBe(false)
  expect(isResting(rest, 4100, [2, layers])).toBe(true)
  endRest(rest, 4200)
  expect(isResting(rest, 4300, [2, layers])).toBe(false)
  expect(isResting(rest, 6000, [2, layers, 3])).toBe(false)
})
