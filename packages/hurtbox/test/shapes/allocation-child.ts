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
} from '../../src/geometry/shapes/index.ts'
import { type PairCase, pairCase } from './cases.ts'

const ROUNDS = 100
const cases = Array.from({ length: 256 }, (_, seed) => pairCase(seed))
const whip = arc(3, 2)
const apart = createSeparation()
const impact = createImpact()
const bound = { x: 0.5, y: 0.5, radius: 0.5 }

/** What is asked, kept as a game keeps it. */
const [{ a: first, b: second }] = cases
const arcA = { shape: whip, pose: first.pose }
const arcB = { shape: whip, pose: second.pose }
const moving = { shape: first.shape, pose: first.pose, dx: 3.5, dy: -2.5 }
const point = { x: 0.5, y: 1.5 }
const ray = { x: 0.5, y: 1.5, dx: 5.5, dy: 1.5 }

const queries: Record<string, (pair: PairCase) => unknown> = {
  overlaps: ({ a, b }) => overlaps(a, b, true),
  'overlaps of an arc': ({ a, b }) => {
    arcA.pose = a.pose
    return overlaps(arcA, b, true)
  },
  'overlaps of arcs': ({ a, b }) => {
    arcA.pose = a.pose
    arcB.pose = b.pose
    return overlaps(arcA, arcB, false)
  },
  containsPoint: ({ a }) => containsPoint(a, point),
  separation: ({ a, b }) => separation(a, b, apart),
  sweep: ({ a, b }) => {
    moving.shape = a.shape
    moving.pose = a.pose
    return sweep(moving, b, impact)
  },
  raycast: ({ b }) => raycast(b, ray, impact),
  boundingCircle: ({ a }) => boundingCircle(a, bound),
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
