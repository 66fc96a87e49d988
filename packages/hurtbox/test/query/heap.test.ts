import { expect, test } from 'vitest'
import { measuredBy } from '../heap.ts'

test('[QU18] a query of things, of shapes or of the map makes no objects', () => {
  const measured = measuredBy(new URL('heap-child.ts', import.meta.url)) as Record<string, number>
  expect(Object.keys(measured).length).toBe(19)
  // Nothing for most; for a ray along the map up to some forty doubles of 16 bytes that V8 hands on by the heap.
  for (const [name, bytes] of Object.entries(measured)) expect(bytes, name).toBeLessThan(1000)
  // Three seconds of work, and minutes on a machine that is busy enough.
}, 300_000)
