import { expect, test } from 'vitest'
import { measuredBy } from '../../../test/heap.ts'

test('[AB39] a tick full of abilities allocates nothing', () => {
  const measured = measuredBy(new URL('fixtures/heap-child.ts', import.meta.url))
  expect(measured.strikesPerTick, 'the scene is busy').toBeGreaterThan(2)
  // What there is are doubles handed to calls that V8 did not inline, 16 bytes each; one object per box would be 2,000.
  expect(measured.bytesPerTick).toBeLessThan(900)
})
