import { expect, test } from 'vitest'
import { measuredBy } from '../../../test/heap.ts'

test('[SF11] a tick of status effects makes no objects', () => {
  const measured = measuredBy(new URL('fixtures/heap-child.ts', import.meta.url))
  expect(measured.running, 'the scene is busy').toBeGreaterThan(200)
  expect(measured.hurts, 'the scene is busy').toBeGreaterThan(1000)
  // A hundred speeds handed back are numbers on the heap, 2,400 bytes. One object per effect would be 10,000 more.
  expect(measured.bytesPerTick).toBeLessThan(4000)
})
