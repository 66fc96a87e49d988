import { expect, test } from 'vitest'
import { measuredBy } from '../../../test/heap.ts'

test('[AT8] a tick of attached things makes no objects', () => {
  const measured = measuredBy(new URL('fixtures/heap-child.ts', import.meta.url))
  expect(measured.held, 'the scene is busy').toBeGreaterThan(60)
  expect(Math.min(measured.taken, measured.thrown), 'the scene is busy').toBeGreaterThan(50_000)
  // One object per thing that is held would be 2,000 at least.
  expect(measured.bytesPerTick).toBeLessThan(700)
})
