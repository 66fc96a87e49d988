/**
 * Volumes in space (z is height): what they are, whether they overlap, how far apart they are, when a moving one hits.
 *
 * @module hurtbox/volumes
 */

/** Verdicts. */
export { containsPoint, overlaps } from './overlap.ts'
/** Where a volume is and how it is turned; checked where it is set. */
export { type Pose, pose, type SpaceFrame, setPose, setPoseAxes, type Vector } from './pose.ts'
/** Distance or depth, direction and place of two volumes. */
export { type ContactGeometry, createSeparation, type Separation, separation } from './separation.ts'
/** Time of impact of moving volumes and of rays. */
export { createImpact, type Impact, type MovingVolume, type Ray, raycast, sweep } from './sweep.ts'
/** The same for volumes that also turn about their vertical axis. */
export { sweepTurning, type TurningVolume } from './turning.ts'
/** Definitions: immutable content, validated here and nowhere else. And what a broad phase may use in place of a volume. */
export {
  type BoundingSphere,
  type BoxOptions,
  box,
  type CapsuleOptions,
  capsule,
  type PlacedVolume,
  sphere,
  type Volume,
  type VolumeKind,
  type VolumeOffset,
} from './volume.ts'
