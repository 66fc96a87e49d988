import { expect, test } from 'vitest'
import { measuredBy } from './heap.ts'

const child = new URL('heap-child.ts', import.meta.url)

test('[DT6] 10,000 busy ticks leave nothing on the heap, and a tick in steady state allocates nothing', () => {
  const measured = measuredBy(child)
  expect(measured.hitsPerTick, 'the scene is busy').toBeGreaterThan(20)
  // What is left is V8's own bookkeeping; a leak of one number per tick would be 160 kB.
  expect(measured.growthBytes).toBeLessThan(64_000)
  // One object per hit would be 3,000. What there is are doubles that a rule hands to a call that V8 did not inline (12 bytes each).
  expect(measured.steadyBytesPerTick).toBeLessThan(500)
})

test('[DT6] a key, which sorts everything that is to be decided, makes no objects', () => {
  // An object for every case that is decided made it 2,400.
  expect(measuredBy(child, 'sorted').steadyBytesPerTick).toBeLessThan(600)
})

test('[DT6] things as objects cost no memory in steady state: loops, rules, events, and things that come and go', () => {
  const measured = measuredBy(child, 'handles')
  expect(measured.hitsPerTick, 'the scene is busy').toBeGreaterThan(5)
  expect(measured.score, 'things come and go').toBeGreaterThan(100)
  // What there is are the objects of new things, about 500 bytes for each that uses a wide column and meets a rule.
  expect(measured.steadyBytesPerTick).toBeLessThan(1000)
})
