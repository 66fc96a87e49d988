/**
 * Do two volumes overlap?
 *
 * The question asked most, so it computes no more than the verdict: bounding spheres first, then the squared distance of the
 * cores against the squared sum of the radii, and no root. Touching is a matter of the game, so it is an argument and not a
 * tolerance.
 */

import { findBestAxis } from './axes.ts'
import { findNearest } from './nearest.ts'
import { createPair, layOutCentres, layOutCores, type Pair } from './pair.ts'
import { type Pose, pose, type Vector } from './pose.ts'
import { BOX, POINT, sphere, type Volume } from './volume.ts'

/** Scratch, written by `layOut`. */
const scratch: Pair = createPair()

/** Whether a and b share room. With `touching`, a shared point of their surfaces is enough. */
export function overlaps(a: Volume, poseA: Pose, b: Volume, poseB: Pose, touching: boolean): boolean {
  const pair = scratch
  layOutCentres(pair, a, poseA, b, poseB)
  const { cx, cy, cz, reach } = pair
  const squared = cx * cx + cy * cy + cz * cz
  if (squared > reach * reach) return false
  // Two spheres are their own bounding spheres.
  if (a.core === POINT && b.core === POINT) return touching || squared < reach * reach

  layOutCores(pair, a, poseA, b, poseB)
  return coresOverlap(pair, touching)
}

/** Whether the point lies in the volume, its surface included unless `touching` is false. */
export function containsPoint(volume: Volume, volumePose: Pose, point: Vector, touching = true): boolean {
  pointPose.x = point.x
  pointPose.y = point.y
  pointPose.z = point.z
  return overlaps(volume, volumePose, aPoint, pointPose, touching)
}

const aPoint = sphere(0)
/** Scratch: its place is written before it is read. */
const pointPose: Pose = pose(0, 0, 0)

function coresOverlap(pair: Pair, touching: boolean): boolean {
  const radius = pair.firstRadius + pair.secondRadius
  if (pair.firstCore === BOX || (pair.secondCore === BOX && radius === 0)) {
    // Axes settle two boxes sooner than nearest points do. And without a radius they have to: a blade through a sheet of paper
    // has nearest points that are a rounding apart.
    findBestAxis(pair, true)
    if (pair.distance > radius) return false
    if (pair.distance < 0) return true
    if (radius === 0) return touching
  }
  findNearest(pair)
  const { gx, gy, gz } = pair
  const squared = gx * gx + gy * gy + gz * gz
  return touching ? squared <= radius * radius : squared < radius * radius
}
