/**
 * Two posed volumes, laid out for measuring.
 *
 * Three cores make nine pairs; laying them out in one way leaves six. The simpler core comes first (point, segment, box).
 * The second core stands at the origin, and if it is a box, it is not turned: all lengths are in its frame, where a box is
 * three clamps. Otherwise the frame has the axes of the world.
 *
 * Two cores of the same sort are ordered by where their centres are, so that (a, b) and (b, a) are the same computation
 * and give the same bits. Only the normal changes its sign.
 *
 * A `Pair` is scratch: `layOut` writes every field that the measures of that pair read. The modules here keep one
 * each as a constant, so that asking allocates nothing; no value survives from one question to the next.
 */

import type { Pose } from './pose.ts'
import { BOX, type Core, POINT, SEGMENT, type Volume } from './volume.ts'

export type Pair = {
  firstCore: Core
  secondCore: Core
  /** True if the caller's b is the first here. */
  swapped: boolean
  firstRadius: number
  secondRadius: number
  /** Bounding radii together: the scale against which rounding is judged, and the reach of the pair. */
  reach: number
  /** Centre of the first, seen from the centre of the second. */
  cx: number
  cy: number
  cz: number
  /** First, if a segment: from its centre to its end. */
  ux: number
  uy: number
  uz: number
  /** First, if a box: its half extents and its three axes, three numbers each. */
  readonly firstHalf: Float64Array
  readonly firstAxes: Float64Array
  /** Second, if a segment: from its centre to its end. If a box: its half extents. */
  vx: number
  vy: number
  vz: number
  /** The way of the first in a sweep. */
  wx: number
  wy: number
  wz: number

  // Written by the measures.

  /** From the nearest point of the second core to the nearest point of the first, which is (px, py, pz). */
  gx: number
  gy: number
  gz: number
  px: number
  py: number
  pz: number
  /** Unit vector from the first to the second. */
  nx: number
  ny: number
  nz: number
  /** True if the opposite normal is as good. */
  tied: boolean
  /** Of the cores along the normal; negative: how deep they are in each other. */
  distance: number
  /** When they meet, as a part of the way. */
  time: number
}

/** NaN, because a field that starts as a whole number would change its machine type later and deoptimize all code that reads it. */
const UNSET = Number.NaN

export function createPair(): Pair {
  return {
    firstCore: POINT,
    secondCore: POINT,
    swapped: false,
    firstRadius: UNSET,
    secondRadius: UNSET,
    reach: UNSET,
    cx: UNSET,
    cy: UNSET,
    cz: UNSET,
    ux: UNSET,
    uy: UNSET,
    uz: UNSET,
    firstHalf: new Float64Array(3),
    firstAxes: new Float64Array(9),
    vx: UNSET,
    vy: UNSET,
    vz: UNSET,
    wx: UNSET,
    wy: UNSET,
    wz: UNSET,
    gx: UNSET,
    gy: UNSET,
    gz: UNSET,
    px: UNSET,
    py: UNSET,
    pz: UNSET,
    nx: UNSET,
    ny: UNSET,
    nz: UNSET,
    tied: false,
    distance: UNSET,
    time: UNSET,
  }
}

export function layOut(pair: Pair, a: Volume, poseA: Pose, b: Volume, poseB: Pose): void {
  layOutCentres(pair, a, poseA, b, poseB)
  layOutCores(pair, a, poseA, b, poseB)
}

/** Enough for spheres, and to see that two volumes are too far apart to need more. */
export function layOutCentres(pair: Pair, a: Volume, poseA: Pose, b: Volume, poseB: Pose): void {
  pair.firstCore = a.core
  pair.secondCore = b.core
  pair.swapped = false
  pair.firstRadius = a.radius
  pair.secondRadius = b.radius
  pair.reach = a.boundRadius + b.boundRadius
  const armAX = a.offsetX * poseA.xx + a.offsetY * poseA.yx + a.offsetZ * poseA.zx
  const armAY = a.offsetX * poseA.xy + a.offsetY * poseA.yy + a.offsetZ * poseA.zy
  const armAZ = a.offsetX * poseA.xz + a.offsetY * poseA.yz + a.offsetZ * poseA.zz
  const armBX = b.offsetX * poseB.xx + b.offsetY * poseB.yx + b.offsetZ * poseB.zx
  const armBY = b.offsetX * poseB.xy + b.offsetY * poseB.yy + b.offsetZ * poseB.zy
  const armBZ = b.offsetX * poseB.xz + b.offsetY * poseB.yz + b.offsetZ * poseB.zz
  // Places first, then arms: far from the origin the difference of two places is exact, a rounded centre is not.
  pair.cx = poseA.x - poseB.x + (armAX - armBX)
  pair.cy = poseA.y - poseB.y + (armAY - armBY)
  pair.cz = poseA.z - poseB.z + (armAZ - armBZ)
}

/** The rest, after `layOutCentres`. */
export function layOutCores(pair: Pair, a: Volume, poseA: Pose, b: Volume, poseB: Pose): void {
  if (isInOrder(pair)) {
    layOutInOrder(pair, a, poseA, b, poseB)
    return
  }
  pair.firstCore = b.core
  pair.secondCore = a.core
  pair.swapped = true
  pair.firstRadius = b.radius
  pair.secondRadius = a.radius
  pair.cx = -pair.cx
  pair.cy = -pair.cy
  pair.cz = -pair.cz
  layOutInOrder(pair, b, poseB, a, poseA)
}

/** Simpler core first; of two alike, the one with the lower centre (by x, then y, then z). */
function isInOrder(pair: Pair): boolean {
  if (pair.firstCore !== pair.secondCore) return pair.firstCore < pair.secondCore
  if (pair.cx !== 0) return pair.cx < 0
  return pair.cy !== 0 ? pair.cy < 0 : pair.cz <= 0
}

function layOutInOrder(pair: Pair, first: Volume, firstPose: Pose, second: Volume, secondPose: Pose): void {
  if (second.core !== BOX) {
    if (first.core === SEGMENT) setFirstSegment(pair, first, firstPose)
    if (second.core === SEGMENT) {
      pair.vx = second.halfX * secondPose.xx + second.halfY * secondPose.yx + second.halfZ * secondPose.zx
      pair.vy = second.halfX * secondPose.xy + second.halfY * secondPose.yy + second.halfZ * secondPose.zy
      pair.vz = second.halfX * secondPose.xz + second.halfY * secondPose.yz + second.halfZ * secondPose.zz
    }
    return
  }
  pair.vx = second.halfX
  pair.vy = second.halfY
  pair.vz = second.halfZ
  const { xx, xy, xz, yx, yy, yz, zx, zy, zz } = secondPose
  const { cx, cy, cz } = pair
  pair.cx = cx * xx + cy * xy + cz * xz
  pair.cy = cx * yx + cy * yy + cz * yz
  pair.cz = cx * zx + cy * zy + cz * zz
  if (first.core === SEGMENT) {
    setFirstSegment(pair, first, firstPose)
    const { ux, uy, uz } = pair
    pair.ux = ux * xx + uy * xy + uz * xz
    pair.uy = ux * yx + uy * yy + uz * yz
    pair.uz = ux * zx + uy * zy + uz * zz
  } else if (first.core === BOX) {
    const { firstHalf, firstAxes } = pair
    firstHalf[0] = first.halfX
    firstHalf[1] = first.halfY
    firstHalf[2] = first.halfZ
    firstAxes[0] = firstPose.xx * xx + firstPose.xy * xy + firstPose.xz * xz
    firstAxes[1] = firstPose.xx * yx + firstPose.xy * yy + firstPose.xz * yz
    firstAxes[2] = firstPose.xx * zx + firstPose.xy * zy + firstPose.xz * zz
    firstAxes[3] = firstPose.yx * xx + firstPose.yy * xy + firstPose.yz * xz
    firstAxes[4] = firstPose.yx * yx + firstPose.yy * yy + firstPose.yz * yz
    firstAxes[5] = firstPose.yx * zx + firstPose.yy * zy + firstPose.yz * zz
    firstAxes[6] = firstPose.zx * xx + firstPose.zy * xy + firstPose.zz * xz
    firstAxes[7] = firstPose.zx * yx + firstPose.zy * yy + firstPose.zz * yz
    firstAxes[8] = firstPose.zx * zx + firstPose.zy * zy + firstPose.zz * zz
  }
}

function setFirstSegment(pair: Pair, first: Volume, pose: Pose): void {
  pair.ux = first.halfX * pose.xx + first.halfY * pose.yx + first.halfZ * pose.zx
  pair.uy = first.halfX * pose.xy + first.halfY * pose.yy + first.halfZ * pose.zy
  pair.uz = first.halfX * pose.xz + first.halfY * pose.yz + first.halfZ * pose.zz
}
