/**
 * Run by steady.test.ts in a process of its own: bytes that each query leaves on the heap per call, as JSON.
 */

import {
  arc,
  boundingCircle,
  containsPoint,
  createImpact,
  createSeparation,
  overlaps,
  raycast,
  separation,
  sweep,
} from '../../src/shapes/index.ts'
import { type PairCase, pairCase } from './cases.ts'

const ROUNDS = 100
const cases = Array.from({ length: 256 }, (_, seed) => pairCase(seed))
const whip = arc(3, 2)
const apart = createSeparation()
const impact = createImpact()
const bound = { x: 0.5, y: 0.5, radius: 0.5 }

const queries: Record<string, (pair: PairCase) => unknown> = {
  overlaps: ({ a, b }) => overlaps(a.shape, a.pose, b.shape, b.pose, true),
  'overlaps of an arc': ({ a, b }) => overlaps(whip, a.pose, b.shape, b.pose, true),
  'overlaps of arcs': ({ a, b }) => overlaps(whip, a.pose, whip, b.pose, false),
  containsPoint: ({ a }) => containsPoint(a.shape, a.pose, 0.5, 1.5),
  separation: ({ a, b }) => separation(a.shape, a.pose, b.shape, b.pose, apart),
  sweep: ({ a, b }) => sweep(a.shape, a.pose, 3.5, -2.5, b.shape, b.pose, impact),
  raycast: ({ b }) => raycast(b.shape, b.pose, 0.5, 1.5, 5.5, 1.5, impact),
  boundingCircle: ({ a }) => boundingCircle(a.shape, a.pose, bound),
}

const bytesPerCall: Record<string, number> = {}
for (const [name, query] of Object.entries(queries)) {
  // One loop function per query, so that one query's types do not slow down the next.
  const run = new Function(
    'query',
    'cases',
    'rounds',
    'for (let r = 0; r < rounds; r++) for (const pair of cases) query(pair)',
  )
  // Until a query is optimised, V8 boxes its every fraction, and on a busy machine that takes a while. A collection hides
  // what was allocated, and the compiler allocates beside us. So: run until it was quiet three times in a row, or give up.
  let bytes = Number.POSITIVE_INFINITY
  for (let attempt = 0, quiet = 0; attempt < 200 && quiet < 3; attempt++) {
    const before = process.memoryUsage().heapUsed
    run(query, cases, ROUNDS)
    bytes = (process.memoryUsage().heapUsed - before) / (ROUNDS * cases.length)
    quiet = bytes >= 0 && bytes < 1 ? quiet + 1 : 0
  }
  bytesPerCall[name] = bytes
}
console.log(JSON.stringify(bytesPerCall))
