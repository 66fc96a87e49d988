/**
 * When does a moving volume first touch another?
 *
 * The distance of two convex volumes, one of them moving along a straight line without turning, is a convex function of
 * time. Newton's method, started before the impact, therefore never steps past it: each step goes to where the present
 * tangent says they touch, which is never too late. So nothing tunnels at any speed, a volume whose distance no longer
 * shrinks is a sure miss, and one distance function serves all pairs. A square hit takes two or three steps; a graze, where
 * the tangent becomes flat, a quarter of the gap is left after each.
 *
 * Tolerance: at the reported time the surfaces are within 4e-15 of (distance at the start + way + sizes) of touching, some
 * twenty roundings of a double.
 */

import { createPair, layOut, type Pair } from './pair.ts'
import { type Pose, pose, type Vector } from './pose.ts'
import { type ContactGeometry, measure, writeNormal, writePoint } from './separation.ts'
import { BOX, sphere, type Volume } from './volume.ts'

/** Where a moving volume or a ray first meets a volume. */
export type Impact = ContactGeometry & {
  /** Part of the way travelled until then, 0 to 1. */
  time: number
}

export function createImpact(): Impact {
  const n = Number.NaN
  return { time: n, normalX: n, normalY: n, normalZ: n, x: n, y: n, z: n }
}

/** Scratch, written by `layOut`. */
const scratch: Pair = createPair()

const TOLERANCE = 4e-15

/** A graze needs about 25. */
const MAX_STEPS = 64

/**
 * Moves a along `way` and says whether it meets b; if so, `out` tells when, the normal from a to b and the place. For two
 * moving volumes pass their relative motion, that of a minus that of b. Volumes that overlap at the start meet at time 0.
 * Without `touching`, grazing, ending in touch or leaving from touch is no impact.
 */
export function sweep(
  a: Volume,
  poseA: Pose,
  way: Vector,
  b: Volume,
  poseB: Pose,
  out: Impact,
  touching = true,
): boolean {
  const pair = scratch
  layOut(pair, a, poseA, b, poseB)

  // The way of the first core, in the frame of the second.
  let wx = pair.swapped ? -way.x : way.x
  let wy = pair.swapped ? -way.y : way.y
  let wz = pair.swapped ? -way.z : way.z
  if (pair.secondCore === BOX) {
    const frame = pair.swapped ? poseA : poseB
    const x = wx * frame.xx + wy * frame.xy + wz * frame.xz
    const y = wx * frame.yx + wy * frame.yy + wz * frame.yz
    wz = wx * frame.zx + wy * frame.zy + wz * frame.zz
    wx = x
    wy = y
  }
  const { cx, cy, cz, reach } = pair
  const wayLength = Math.sqrt(wx * wx + wy * wy + wz * wz)
  const size = Math.sqrt(cx * cx + cy * cy + cz * cz) + wayLength + reach
  const tolerance = TOLERANCE * size
  if (staysAway(pair, wx, wy, wz, tolerance)) return false

  const radius = pair.firstRadius + pair.secondRadius
  // Without `touching` we look for the time at which they are in each other by a little more than can be mistaken.
  const goal = touching ? 0 : -2 * tolerance
  let time = 0
  for (let step = 0; step < MAX_STEPS; step++) {
    pair.cx = cx + wx * time
    pair.cy = cy + wy * time
    pair.cz = cz + wz * time
    measure(pair)
    const gap = pair.distance - radius - goal
    const closing = pair.nx * wx + pair.ny * wy + pair.nz * wz
    if (gap <= tolerance) {
      writeNormal(pair, poseA, poseB, out)
      writePoint(pair, a, poseA, b, poseB, out)
      if (pair.swapped) {
        // The point was found from where a started.
        out.x += way.x * time
        out.y += way.y * time
        out.z += way.z * time
      }
      out.time = time
      return true
    }
    if (closing <= 0 || time === 1) return false
    time += gap / closing
    // The tangent says later than the end, so that is sure, but for an impact right at the end.
    if (time > 1) time = 1
  }
  return false
}

/**
 * Follows the line from `origin` along `way` and says whether it meets the volume; if so, `out` tells when, the normal of the
 * surface there (outwards) and the place. A ray that starts inside meets it at time 0.
 */
export function raycast(
  volume: Volume,
  volumePose: Pose,
  origin: Vector,
  way: Vector,
  out: Impact,
  touching = true,
): boolean {
  rayPose.x = origin.x
  rayPose.y = origin.y
  rayPose.z = origin.z
  if (!sweep(rayTip, rayPose, way, volume, volumePose, out, touching)) return false
  out.normalX = -out.normalX
  out.normalY = -out.normalY
  out.normalZ = -out.normalZ
  return true
}

const rayTip = sphere(0)
/** Scratch: its place is written before it is read. */
const rayPose: Pose = pose(0, 0, 0)

/** Whether the bounding spheres never come near each other on the way: most sweeps end here. */
function staysAway(pair: Pair, wx: number, wy: number, wz: number, tolerance: number): boolean {
  const { cx, cy, cz } = pair
  const reach = pair.reach + tolerance
  const along = cx * wx + cy * wy + cz * wz
  const waySquared = wx * wx + wy * wy + wz * wz
  const time = waySquared > 0 ? Math.min(Math.max(-along / waySquared, 0), 1) : 0
  const x = cx + wx * time
  const y = cy + wy * time
  const z = cz + wz * time
  return x * x + y * y + z * z > reach * reach
}
