/**
 * How things move: separation in the plane; upright capsules that fall, walk and push each other in space.
 *
 * @module hurtbox/motion
 */

/** Bodies in space: upright capsules under gravity, on a static map. */
export { type Bodies, type BodyWorld, type MoveOptions, moveBodies } from './bodies.ts'
export { ground } from './ground.ts'
/** By speed, without walls. */
export { type MovePlaneOptions, move } from './move.ts'
export { type PushOptions, pushBodies } from './push.ts'
/** Separation in the plane. */
export { type ResidualOverlap, residualOverlap, type SeparationOptions, separate } from './separate.ts'
export type { SeparationWorld } from './separation/room.ts'
export {
  SEPARATION_CROWD,
  SEPARATION_DEFAULTS,
  SEPARATION_PAIRWISE,
  type SeparationSettings,
} from './separation/settings.ts'
export { SEPARATION_TUNING, tunedSeparation } from './separation/tuning.ts'
export { brake, face, jump, steer } from './walk.ts'
