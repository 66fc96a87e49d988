/**
 * Do two volumes overlap?
 *
 * The most frequent query, so it computes no more than the verdict: bounding spheres first, then the squared distance of the
 * cores against the squared sum of the radii, and no root. Touching is a matter of the game, so it is an argument and not a
 * tolerance.
 */

import { findBestAxis } from './axes.ts'
import { findNearest } from './nearest.ts'
import { createPair, layOutCentres, layOutCores, type Pair } from './pair.ts'
import { pose, type Vector } from './pose.ts'
import { BOX, type PlacedVolume, POINT, sphere } from './volume.ts'

/** Scratch, written by `layOut`. */
const scratch: Pair = createPair()

/** Whether two volumes overlap; if they only touch, the answer is `touching`. */
export function overlaps(first: PlacedVolume, second: PlacedVolume, touching: boolean): boolean {
  const { volume: a, pose: poseA } = first
  const { volume: b, pose: poseB } = second
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

/** Whether a point lies in the volume, its surface included unless `touching` is false. */
export function containsPoint(target: PlacedVolume, point: Vector, touching = true): boolean {
  placedPoint.pose.x = point.x
  placedPoint.pose.y = point.y
  placedPoint.pose.z = point.z
  return overlaps(target, placedPoint, touching)
}

/** Scratch: its place is written before it is read. */
const placedPoint: PlacedVolume = { volume: sphere(0), pose: pose({ x: 0, y: 0, z: 0 }) }

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
