import { expect, test } from 'vitest'
import { measuredBy } from '../../../test/heap.ts'

test('[HZ10] a tick of hit zones makes no objects', () => {
  const measured = measuredBy(new URL('fixtures/heap-child.ts', import.meta.url))
  expect(measured.hits, 'the scene is busy').toBeGreaterThan(100_000)
  // One object per hit would be 3,200.
  expect(measured.bytesPerTick).toBeLessThan(2500)
})
