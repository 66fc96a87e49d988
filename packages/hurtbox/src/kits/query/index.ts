/**
 * Queries: which things are near or in a shape, what a ray meets, who sees whom, for rules, phases and bots.
 *
 * @module hurtbox/query
 */

export type { Filter } from '../../geometry/space/query.ts'
export type { Topology } from '../../geometry/space/topology.ts'
export { canSee, createMapIndex, type MapIndex, raycastMap, sweepMap, wallsWithin } from './map-index.ts'
export {
  canSeeInSpace,
  createSpaceMapIndex,
  raycastMapInSpace,
  type SpaceMapIndex,
  sweepMapInSpace,
} from './space-map.ts'
export {
  createFilter,
  createSpatialIndex,
  found,
  nearest,
  nearestOf,
  raycast,
  rebuild,
  type SpatialIndex,
  sweepCircle,
  type ThingFilter,
  within,
} from './spatial-index.ts'
export { withinShape } from './within-shape.ts'
