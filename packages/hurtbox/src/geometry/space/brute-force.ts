/**
 * Every pair, one by one: what the grid must agree with, to the last bit and in the same order.
 *
 * Too slow for a crowd and too simple to be wrong.
 */

import type { Circles, Meets } from './circles.ts'
import { type PairList, reservePairs } from './pair-list.ts'
import { nearestImage, type Topology, wrap } from './topology.ts'

/** Tests every pair, in the place of the grid: `{ broadPhase: bruteForce }`. */
export function bruteForce(circles: Circles, meets: Meets, pairs: PairList, { width, height }: Topology): void {
  const { count, x, y, radius, layer } = circles
  pairs.count = 0
  pairs.checks = 0
  for (let a = 0; a < count; a++) {
    const met = layer[a] < meets.length ? meets[layer[a]] : 0
    if (met === 0) continue
    for (let b = a + 1; b < count; b++) {
      if (layer[b] > 31 || ((met >>> layer[b]) & 1) === 0) continue
      const dx = nearestImage(wrap(x[a], width), wrap(x[b], width), width)
      const dy = nearestImage(wrap(y[a], height), wrap(y[b], height), height)
      const reach = radius[a] + radius[b]
      pairs.checks++
      if (dx * dx + dy * dy > reach * reach) continue
      reservePairs(pairs, pairs.count + 1)
      pairs.a[pairs.count] = a
      pairs.b[pairs.count++] = b
    }
  }
}
