import { expect, test } from 'vitest'
import { measuredBy } from '../../../test/heap.ts'

test('[GE9] a tick of things that travel, bounce and turn makes no objects', () => {
  const measured = measuredBy(new URL('fixtures/heap-child.ts', import.meta.url))
  expect(measured.bouncesPerTick, 'the scene is busy').toBeGreaterThan(1)
  // What there is (150) are a few doubles that V8 hands on by the heap, 16 bytes each; the measuring itself is 20 of it. Speeds that went
  // through accessors made it 200, times and angles as arguments 570, ways kept as objects and sorted lists 4,000.
  expect(measured.bytesPerTick).toBeLessThan(200)
})
