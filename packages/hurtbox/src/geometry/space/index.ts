/**
 * Which circles are near which: the broad phase and spatial queries. Works without a world.
 *
 * @module hurtbox/space
 */

export { bruteForce } from './brute-force.ts'
export { type Circles, type Meets, NO_LAYER } from './circles.ts'
export { type BroadPhase, createPairFinder, findPairs, type PairFinder, type PairOptions } from './find-pairs.ts'
export { type NearestQuery, nearest } from './nearest.ts'
export { overlapBox, overlapCircle } from './overlap.ts'
export { createPairList, type PairList } from './pair-list.ts'
export {
  type Answer,
  buildIndex,
  type CircleIndex,
  createAnswer,
  createIndex,
  type Filter,
  type IndexOptions,
  type Traits,
} from './query.ts'
export { buildStaticMap, findStaticPairs, type Rectangles, type StaticMap } from './statics.ts'
export { type RayQuery, raycast, sweepCircle } from './sweep.ts'
export { OPEN, type Topology } from './topology.ts'
export { torus } from './torus.ts'
