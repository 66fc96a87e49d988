import { expect, test } from 'vitest'
import { measuredBy } from '../../../test/heap.ts'

// Bytes a call of those that hand doubles on by the heap, 16 bytes each, and a quarter more. All others make nothing.
const DOUBLES: Readonly<Record<string, number>> = {
  cone: 290,
  nearestOf: 122,
  sweepCircle: 22,
  canSee: 900,
  raycastMap: 180,
  sweepMap: 420,
  raycastMapOnTorus: 500,
  wallsWithinOnTorus: 60,
  raycastMapInSpace: 355,
}

test('[QU18] a query of things, of shapes or of the map makes no objects', () => {
  const measured = measuredBy(new URL('fixtures/heap-child.ts', import.meta.url)) as Record<string, number>
  expect(Object.keys(measured).length).toBe(17)
  for (const [name, bytes] of Object.entries(measured)) expect(bytes, name).toBeLessThan(DOUBLES[name] ?? 16)
  // Three seconds of work, and minutes on a machine that is busy enough.
}, 300_000)
