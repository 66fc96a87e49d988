import { expect, test } from 'vitest'
import { measuredBy } from '../../../test/heap.ts'

test('[PF11] a tick of bodies on a map makes no objects', () => {
  const measured = measuredBy(new URL('fixtures/heap-child.ts', import.meta.url))
  expect(measured.groundedPerTick, 'the scene is busy').toBeGreaterThan(50)
  // One object per body would be 8,000.
  expect(measured.bytesPerTick).toBeLessThan(1500)
})
