/** Run by allocation.test.ts in a process of its own: prints how many bytes of heap a call of each kind leaves behind. */

import {
  ANYTHING,
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
} from '../../src/space/index.ts'
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
const all = meetsOf('all')
const teams = meetsOf('teams')
const bullets = meetsOf('bullets')
const torus = { topology: { kind: 'torus', width: 190, height: 70 } } as const

const kinds: Record<string, (call: number) => void> = {
  'findPairs, spread': () => findPairs(finder, spread, all, pairs),
  'findPairs, mixed': () => findPairs(finder, mixed, teams, pairs),
  'findPairs, runaways': () => findPairs(finder, runaways, bullets, pairs),
  'findPairs, torus': () => findPairs(finder, mixed, teams, pairs, torus),
  findStaticPairs: () => findStaticPairs(map, spread, all, pairs),
  buildIndex: () => buildIndex(index, mixed),
  overlapCircle: (call) => overlapCircle(index, call, 10, 30, answer),
  overlapBox: (call) => overlapBox(index, call, 10, call + 40, 30, answer),
  nearest: (call) => nearest(index, call, 10, 5, answer),
  raycast: (call) => raycast(index, call, 10, 100, 50, answer, ANYTHING, 1),
  sweepCircle: (call) => sweepCircle(index, call, 10, 5, 100, 50, answer),
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
