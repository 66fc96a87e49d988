/**
 * How far two volumes are apart, or how deep they are in each other, in which direction, and where.
 *
 * The distance of two swollen cores is the distance of the cores less the radii; only when the cores themselves meet is
 * there no direction between nearest points, and the separating axes give the shortest way out instead.
 */

import { findBestAxis } from './axes.ts'
import { findNearest } from './nearest.ts'
import { createPair, layOut, type Pair } from './pair.ts'
import type { Pose } from './pose.ts'
import { BOX, type PlacedVolume, POINT, type Volume } from './volume.ts'

/** A direction from a to b and a place between them. */
export type ContactGeometry = {
  /** Unit vector from a towards b. (1, 0, 0) when the two are spheres on the same spot. */
  normalX: number
  normalY: number
  normalZ: number
  /** World place: one that both volumes hold or, if they are apart, the middle of the gap. */
  x: number
  y: number
  z: number
}

export type Separation = ContactGeometry & {
  /** Gap between the surfaces; negative: how far b must move along the normal until they only touch, the shortest way out. */
  distance: number
}

export function createSeparation(): Separation {
  const n = Number.NaN
  return { distance: n, normalX: n, normalY: n, normalZ: n, x: n, y: n, z: n }
}

/** Scratch, written by `layOut`. */
const scratch: Pair = createPair()

/** Writes distance, normal from the first to the second and contact point into `out`, and returns it. */
export function separation(first: PlacedVolume, second: PlacedVolume, out: Separation): Separation {
  const { volume: a, pose: poseA } = first
  const { volume: b, pose: poseB } = second
  layOut(scratch, a, poseA, b, poseB)
  measure(scratch)
  out.distance = scratch.distance - scratch.firstRadius - scratch.secondRadius
  writeNormal(scratch, poseA, poseB, out)
  writePoint(scratch, a, poseA, b, poseB, out)
  return out
}

/**
 * Cores nearer than this, in parts of the size of the pair, count as meeting. The direction between points so close is
 * mostly rounding. At this threshold that costs as little as calling the distance zero does.
 */
const MEETING = 1e-11

/** Writes distance (of the cores), normal and nearest point of a laid out pair. */
export function measure(pair: Pair): void {
  findNearest(pair)
  const { gx, gy, gz } = pair
  const distance = Math.sqrt(gx * gx + gy * gy + gz * gz)
  // Two centres are as exact as their coordinates, however close.
  const meeting = pair.secondCore === POINT ? 0 : MEETING * pair.reach
  if (distance > meeting) {
    pair.distance = distance
    pair.nx = -gx / distance
    pair.ny = -gy / distance
    pair.nz = -gz / distance
    pair.tied = false
  } else {
    findBestAxis(pair, false)
  }
}

/** Turns the normal of a measured pair into the world, from a to b. */
export function writeNormal(pair: Pair, poseA: Pose, poseB: Pose, out: ContactGeometry): void {
  let { nx: x, ny: y, nz: z } = pair
  if (pair.secondCore === BOX) {
    const frame = pair.swapped ? poseA : poseB
    const { nx, ny, nz } = pair
    x = nx * frame.xx + ny * frame.yx + nz * frame.zx
    y = nx * frame.xy + ny * frame.yy + nz * frame.zy
    z = nx * frame.xz + ny * frame.yz + nz * frame.zz
  }
  // Of two ways out that are equally short, the one along +x (or else +y, or +z), whichever volume was named first.
  const flip = pair.tied ? x < 0 || (x === 0 && (y < 0 || (y === 0 && z < 0))) : pair.swapped
  out.normalX = flip ? -x : x
  out.normalY = flip ? -y : y
  out.normalZ = flip ? -z : z
}

/** Turns the contact point of a measured pair into the world. */
export function writePoint(pair: Pair, a: Volume, poseA: Pose, b: Volume, poseB: Pose, out: ContactGeometry): void {
  const { distance, firstRadius, secondRadius } = pair
  if (distance > 0) {
    // On the line through the nearest points the first volume ends at its radius and the second begins at the distance less
    // its radius: the middle of what they share there, or of the gap. (One may reach right through the other.)
    const from = Math.max(-firstRadius, distance - secondRadius)
    const to = Math.min(firstRadius, distance + secondRadius)
    const middle = 0.5 * (from + to)
    pair.px += middle * pair.nx
    pair.py += middle * pair.ny
    pair.pz += middle * pair.nz
  }
  const second = pair.swapped ? a : b
  const frame = pair.swapped ? poseA : poseB
  const { xx, xy, xz, yx, yy, yz, zx, zy, zz } = frame
  let { px: x, py: y, pz: z } = pair
  if (pair.secondCore === BOX) {
    x = pair.px * xx + pair.py * yx + pair.pz * zx
    y = pair.px * xy + pair.py * yy + pair.pz * zy
    z = pair.px * xz + pair.py * yz + pair.pz * zz
  }
  const { offsetX, offsetY, offsetZ } = second
  out.x = frame.x + (offsetX * xx + offsetY * yx + offsetZ * zx + x)
  out.y = frame.y + (offsetX * xy + offsetY * yy + offsetZ * zy + y)
  out.z = frame.z + (offsetX * xz + offsetY * yz + offsetZ * zz + z)
}
