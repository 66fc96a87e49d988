import { describe, expect, test } from 'vitest'
import { measuredBy } from '../../../test/heap.ts'

describe('allocation', () => {
  const measured: Record<string, number> = measuredBy(new URL('fixtures/allocation-child.ts', import.meta.url))

  // A list of 250 circles or of the pairs they make would be thousands of bytes. What remains are single numbers of code
  // that runs once per call, which the compiler puts on the heap until it thinks the code worth optimising.
  test.each(Object.entries(measured))('[BP22] %s leaves next to nothing on the heap', (_, bytes) => {
    expect(bytes).toBeLessThan(512)
  })
})
