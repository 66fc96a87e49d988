/** Which circles are near which: the broad phase and the questions games ask of space. Knows nothing of worlds. */

export { type Circles, type Meets, NO_LAYER } from './circles.ts'
export { createPairFinder, findPairs, type PairFinder, type PairOptions } from './find-pairs.ts'
export { createPairList, type PairList } from './pair-list.ts'
export { OPEN, type Topology } from './topology.ts'
