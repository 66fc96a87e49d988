/**
 * Queries: which things are near, what a ray meets, for rules, phases and bots.
 *
 * @module hurtbox/query
 */

export type { Filter } from '../space/query.ts'
export type { Topology } from '../space/topology.ts'
export {
  createFilter,
  createSpatialIndex,
  found,
  nearest,
  nearestOf,
  raycast,
  raycastAll,
  rebuild,
  type SpatialIndex,
  sweepCircle,
  type ThingFilter,
  within,
  withinBox,
} from './spatial-index.ts'
