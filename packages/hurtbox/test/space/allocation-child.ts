/** Run by allocation.test.ts in a process of its own: prints how many bytes of heap a call of each kind leaves behind. */

import {
  buildIndex,
  buildStaticMap,
  createAnswer,
  createIndex,
  createPairFinder,
  createPairList,
  findPairs,
  findStaticPairs,
  nearest,
  overlapBox,
  overlapCircle,
  raycast,
  sweepCircle,
} from '../../src/geometry/space/index.ts'
import { heapUsed } from '../heap.ts'
import { meetsOf, randomScene } from './scenes.ts'

const CALLS = 1000
/** Bytes per call that need no further round. */
const ENOUGH = 200

const finder = createPairFinder()
const pairs = createPairList()
const index = createIndex()
const answer = createAnswer()
const spread = randomScene(1, 250, 'spread')
const mixed = randomScene(2, 250, 'spread', 'boss', 'teams')
const runaways = randomScene(3, 250, 'outliers', 'similar', 'bullets')
const map = buildStaticMap({
  count: 50,
  minX: randomScene(4, 50).x,
  minY: randomScene(4, 50).y,
  maxX: randomScene(4, 50).x.map((x) => x + 20),
  maxY: randomScene(4, 50).y.map((y) => y + 20),
  layer: new Uint8Array(50),
})
const withAll = { meets: meetsOf('all') }
const withTeams = { meets: meetsOf('teams') }
const withBullets = { meets: meetsOf('bullets') }
const torus = { meets: meetsOf('teams'), topology: { kind: 'torus', width: 190, height: 70 } } as const

const kinds: Record<string, (call: number) => void> = {
  'findPairs, spread': () => findPairs(finder, spread, pairs, withAll),
  'findPairs, mixed': () => findPairs(finder, mixed, pairs, withTeams),
  'findPairs, runaways': () => findPairs(finder, runaways, pairs, withBullets),
  'findPairs, torus': () => findPairs(finder, mixed, pairs, torus),
  findStaticPairs: () => findStaticPairs(map, spread, pairs, withAll),
  buildIndex: () => buildIndex(index, mixed),
  overlapCircle: (call) => overlapCircle(index, { x: call, y: 10, radius: 30 }, answer),
  overlapBox: (call) => overlapBox(index, { minX: call, minY: 10, maxX: call + 40, maxY: 30 }, answer),
  nearest: (call) => nearest(index, { x: call, y: 10, limit: 5 }, answer),
  raycast: (call) => raycast(index, { x: call, y: 10, dx: 100, dy: 50, limit: 1 }, answer),
  sweepCircle: (call) => sweepCircle(index, { x: call, y: 10, radius: 5, dx: 100, dy: 50 }, answer),
}

const bytesPerCall: Record<string, number> = {}
for (const [kind, call] of Object.entries(kinds)) {
  // The compiler takes its time on a busy machine: the round in which it is done counts.
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 25 && least > ENOUGH; round++) {
    const before = heapUsed()
    for (let i = 0; i < CALLS; i++) call(i % 100)
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / CALLS)
  }
  bytesPerCall[kind] = least
}
console.log(JSON.stringify(bytesPerCall))
