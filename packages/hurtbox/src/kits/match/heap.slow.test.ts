import { expect, test } from 'vitest'
import { measuredBy } from '../../../test/heap.ts'

test('[MF12] a tick of rounds, points, returns and waves makes no objects', () => {
  const measured = measuredBy(new URL('fixtures/heap-child.ts', import.meta.url))
  expect(measured.rounds, 'the scene is busy').toBeGreaterThan(50)
  expect(measured.returns, 'the scene is busy').toBeGreaterThan(1000)
  // One object per thing would be 8,000.
  expect(measured.bytesPerTick).toBeLessThan(1500)
})
