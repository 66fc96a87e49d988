/** Allocates like a server under load, much of which lives for a moment. Prints the size of the heap for new objects: `node … limited|free`. */

import { getHeapSpaceStatistics } from 'node:v8'
import { limitYoungHeap } from '../src/young-heap.ts'

const isLimited = process.argv[2] === 'limited'
let kept: object[] = []
for (let round = 0; round < 300; round++) {
  for (let i = 0; i < 20_000; i++) kept.push({ round, i })
  if (kept.length > 40_000) kept = []
  if (isLimited) limitYoungHeap()
}
const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
process.stdout.write(String(young?.space_size))
