import { expect, test } from 'vitest'
import { measuredBy } from '../heap.ts'

test('[GE9] a tick of things that travel, bounce and turn makes no objects', () => {
  const measured = measuredBy(new URL('heap-child.ts', import.meta.url))
  expect(measured.bouncesPerTick, 'the scene is busy').toBeGreaterThan(1)
  // What there is (570) are doubles that V8 hands on by the heap, 16 bytes each: properties that rules read, angles. Ways kept as objects and
  // sorted lists made it 4,000, doubles as arguments 1,370.
  expect(measured.bytesPerTick).toBeLessThan(700)
})
