/**
 * The nearest points of two cores.
 *
 * No general algorithm (GJK) is used: with three sorts of core the answer has a closed form, which is exact to rounding,
 * has no iteration that could fail to end, and costs less. The one idea is that in the frame of a box the squared distance
 * from a point is a sum over three axes, so along a segment it is a smooth convex curve made of parabolas, and its slope a
 * rising broken line with at most six corners. The lowest point is where that line crosses zero.
 *
 * Each function writes the gap (g) between the nearest points and the nearest point of the first core (p) into the pair.
 */

import { createPair, type Pair } from './pair.ts'
import { BOX, POINT, SEGMENT } from './volume.ts'

/** Scratch: an edge of one box against the other. Written before each use. */
const edgePair: Pair = createPair()
/** Scratch: the same two boxes with their roles exchanged. Written before each use. */
const mirrorPair: Pair = createPair()

/** Squared sine below which two segments count as parallel: an angle that moves no point by more than rounding. */
const PARALLEL = 1e-30

export function findNearest(pair: Pair): void {
  if (pair.secondCore === BOX) {
    if (pair.firstCore === POINT) nearestPointBox(pair)
    else if (pair.firstCore === SEGMENT) nearestSegmentBox(pair)
    else nearestBoxBox(pair)
  } else if (pair.secondCore === SEGMENT) {
    if (pair.firstCore === POINT) nearestPointSegment(pair)
    else nearestSegmentSegment(pair)
  } else {
    pair.px = pair.gx = pair.cx
    pair.py = pair.gy = pair.cy
    pair.pz = pair.gz = pair.cz
  }
}

function nearestPointSegment(pair: Pair): void {
  const { cx, cy, cz, vx, vy, vz } = pair
  const t = Math.max(-1, Math.min(1, (cx * vx + cy * vy + cz * vz) / (vx * vx + vy * vy + vz * vz)))
  pair.px = cx
  pair.py = cy
  pair.pz = cz
  pair.gx = cx - t * vx
  pair.gy = cy - t * vy
  pair.gz = cz - t * vz
}

function nearestSegmentSegment(pair: Pair): void {
  const { cx, cy, cz, ux, uy, uz, vx, vy, vz } = pair
  const uu = ux * ux + uy * uy + uz * uz
  const vv = vx * vx + vy * vy + vz * vz
  const uv = ux * vx + uy * vy + uz * vz
  const uc = ux * cx + uy * cy + uz * cz
  const vc = vx * cx + vy * cy + vz * cz
  // u × v: its length says how far the two are from parallel without the cancellation in uu·vv − uv².
  const wx = uy * vz - uz * vy
  const wy = uz * vx - ux * vz
  const wz = ux * vy - uy * vx
  const ww = wx * wx + wy * wy + wz * wz

  let s: number
  if (ww > PARALLEL * uu * vv) {
    // Where the two lines are nearest: s = −(u × v)·(c × v) / |u × v|².
    s = -(wx * (cy * vz - cz * vy) + wy * (cz * vx - cx * vz) + wz * (cx * vy - cy * vx)) / ww
    s = Math.max(-1, Math.min(1, s))
  } else {
    // Side by side: any place of the common stretch is as near as any other; its middle is the least surprising.
    s = 0.5 * (Math.max(-1, Math.min(1, (vv - vc) / uv)) + Math.max(-1, Math.min(1, (-vv - vc) / uv)))
  }
  let t = (vc + s * uv) / vv
  if (t > 1 || t < -1) {
    t = t > 0 ? 1 : -1
    s = Math.max(-1, Math.min(1, (t * uv - uc) / uu))
  }
  pair.px = cx + s * ux
  pair.py = cy + s * uy
  pair.pz = cz + s * uz
  pair.gx = pair.px - t * vx
  pair.gy = pair.py - t * vy
  pair.gz = pair.pz - t * vz
}

function nearestPointBox(pair: Pair): void {
  const { cx, cy, cz } = pair
  pair.px = cx
  pair.py = cy
  pair.pz = cz
  // How far each coordinate is beyond [-v, v]: what is left of it after clamping.
  pair.gx = cx - Math.max(-pair.vx, Math.min(pair.vx, cx))
  pair.gy = cy - Math.max(-pair.vy, Math.min(pair.vy, cy))
  pair.gz = cz - Math.max(-pair.vz, Math.min(pair.vz, cz))
}

/** The nearest place of the segment is c + s·u with s in [-1, 1]; the middle of them, where there are many. */
function nearestSegmentBox(pair: Pair): void {
  const { cx, cy, cz, ux, uy, uz, vx, vy, vz } = pair
  let s = 0
  if (ux === 0 && uy === 0 && uz !== 0) {
    // Both upright, as characters and their melee boxes are: only the heights decide. The same answer as below, sooner.
    s = 0.5 * (Math.max(-1, Math.min(1, (vz - cz) / uz)) + Math.max(-1, Math.min(1, (-vz - cz) / uz)))
  } else {
    // Over the two ends and the six planes of the box, narrow the stretch in which the slope changes its sign.
    let low = -1
    let high = 1
    let lowSlope = 0
    let highSlope = 0
    // Where the slope is exactly zero: a stretch inside the box, or one parallel to a face.
    let flatFrom = 2
    let flatTo = -2
    for (let corner = 0; corner < 8; corner++) {
      if (corner === 0) s = -1
      else if (corner === 1) s = 1
      else if (corner === 2) s = (-vx - cx) / ux
      else if (corner === 3) s = (vx - cx) / ux
      else if (corner === 4) s = (-vy - cy) / uy
      else if (corner === 5) s = (vy - cy) / uy
      else if (corner === 6) s = (-vz - cz) / uz
      else s = (vz - cz) / uz
      // Not the planes outside the stretch, nor the infinite or undefined ones of an axis the segment does not move along.
      if (corner > 1 && !(s > low && s < high)) continue

      // Half the slope of the squared distance: the way along each axis times how far the point there is beyond the box.
      const x = cx + s * ux
      const y = cy + s * uy
      const z = cz + s * uz
      const slope =
        ux * (x - Math.max(-vx, Math.min(vx, x))) +
        uy * (y - Math.max(-vy, Math.min(vy, y))) +
        uz * (z - Math.max(-vz, Math.min(vz, z)))
      if (slope === 0) {
        if (s < flatFrom) flatFrom = s
        if (s > flatTo) flatTo = s
      } else if (slope < 0) {
        low = s
        lowSlope = slope
        if (s === 1) break
      } else {
        high = s
        highSlope = slope
        if (s === -1) break
      }
    }
    s = flatFrom <= flatTo ? 0.5 * (flatFrom + flatTo) : low + ((high - low) * lowSlope) / (lowSlope - highSlope)
  }
  const x = cx + s * ux
  const y = cy + s * uy
  const z = cz + s * uz
  pair.px = x
  pair.py = y
  pair.pz = z
  pair.gx = x - Math.max(-vx, Math.min(vx, x))
  pair.gy = y - Math.max(-vy, Math.min(vy, y))
  pair.gz = z - Math.max(-vz, Math.min(vz, z))
}

/**
 * The nearest points of two boxes lie on an edge of one of them (a corner is the end of an edge), or their insides meet.
 * In the second case the gap is zero and the point is the middle of those found where edges of one run through the other.
 */
function nearestBoxBox(pair: Pair): void {
  const { firstAxes, firstHalf, cx, cy, cz } = pair
  const mirrorAxes = mirrorPair.firstAxes
  for (let axis = 0; axis < 3; axis++) {
    mirrorAxes[3 * axis] = firstAxes[axis]
    mirrorAxes[3 * axis + 1] = firstAxes[3 + axis]
    mirrorAxes[3 * axis + 2] = firstAxes[6 + axis]
  }
  mirrorPair.firstHalf[0] = pair.vx
  mirrorPair.firstHalf[1] = pair.vy
  mirrorPair.firstHalf[2] = pair.vz
  mirrorPair.vx = firstHalf[0]
  mirrorPair.vy = firstHalf[1]
  mirrorPair.vz = firstHalf[2]
  mirrorPair.cx = -(cx * firstAxes[0] + cy * firstAxes[1] + cz * firstAxes[2])
  mirrorPair.cy = -(cx * firstAxes[3] + cy * firstAxes[4] + cz * firstAxes[5])
  mirrorPair.cz = -(cx * firstAxes[6] + cy * firstAxes[7] + cz * firstAxes[8])

  nearestEdge(pair)
  nearestEdge(mirrorPair)
  const mine = pair.gx * pair.gx + pair.gy * pair.gy + pair.gz * pair.gz
  const { gx, gy, gz } = mirrorPair
  const theirs = gx * gx + gy * gy + gz * gz
  if (mine < theirs) return
  // Back from the frame of the first box. What is the first there is the second here: the gap points the other way, and the
  // nearest point of our first core is the far end of that gap.
  const qx = mirrorPair.px - gx
  const qy = mirrorPair.py - gy
  const qz = mirrorPair.pz - gz
  const backX = cx + qx * firstAxes[0] + qy * firstAxes[3] + qz * firstAxes[6]
  const backY = cy + qx * firstAxes[1] + qy * firstAxes[4] + qz * firstAxes[7]
  const backZ = cz + qx * firstAxes[2] + qy * firstAxes[5] + qz * firstAxes[8]
  if (mine === 0) {
    pair.px = 0.5 * (pair.px + backX)
    pair.py = 0.5 * (pair.py + backY)
    pair.pz = 0.5 * (pair.pz + backZ)
    return
  }
  pair.gx = -(gx * firstAxes[0] + gy * firstAxes[3] + gz * firstAxes[6])
  pair.gy = -(gx * firstAxes[1] + gy * firstAxes[4] + gz * firstAxes[7])
  pair.gz = -(gx * firstAxes[2] + gy * firstAxes[5] + gz * firstAxes[8])
  pair.px = backX
  pair.py = backY
  pair.pz = backZ
}

/** Over the twelve edges of the first box, the one nearest to the second. */
function nearestEdge(pair: Pair): void {
  const { firstAxes, firstHalf, cx, cy, cz } = pair
  let best = Number.POSITIVE_INFINITY
  let inside = 0
  let sumX = 0
  let sumY = 0
  let sumZ = 0
  edgePair.vx = pair.vx
  edgePair.vy = pair.vy
  edgePair.vz = pair.vz
  for (let along = 0; along < 3; along++) {
    const half = firstHalf[along]
    edgePair.ux = half * firstAxes[3 * along]
    edgePair.uy = half * firstAxes[3 * along + 1]
    edgePair.uz = half * firstAxes[3 * along + 2]
    const other = along === 2 ? 0 : along + 1
    const third = along === 0 ? 2 : along - 1
    for (let corner = 0; corner < 4; corner++) {
      const i = (corner & 1) === 0 ? firstHalf[other] : -firstHalf[other]
      const j = (corner & 2) === 0 ? firstHalf[third] : -firstHalf[third]
      const x = cx + i * firstAxes[3 * other] + j * firstAxes[3 * third]
      const y = cy + i * firstAxes[3 * other + 1] + j * firstAxes[3 * third + 1]
      const z = cz + i * firstAxes[3 * other + 2] + j * firstAxes[3 * third + 2]
      // No point of the edge is nearer than the bounding box of the edge is.
      const leastX = Math.max(0, Math.abs(x) - Math.abs(edgePair.ux) - pair.vx)
      const leastY = Math.max(0, Math.abs(y) - Math.abs(edgePair.uy) - pair.vy)
      const leastZ = Math.max(0, Math.abs(z) - Math.abs(edgePair.uz) - pair.vz)
      if (leastX * leastX + leastY * leastY + leastZ * leastZ > best) continue
      edgePair.cx = x
      edgePair.cy = y
      edgePair.cz = z
      nearestSegmentBox(edgePair)
      const { gx, gy, gz } = edgePair
      const squared = gx * gx + gy * gy + gz * gz
      if (squared === 0) {
        inside++
        sumX += edgePair.px
        sumY += edgePair.py
        sumZ += edgePair.pz
      }
      if (squared >= best) continue
      best = squared
      pair.gx = gx
      pair.gy = gy
      pair.gz = gz
      pair.px = edgePair.px
      pair.py = edgePair.py
      pair.pz = edgePair.pz
    }
  }
  if (inside === 0) return
  pair.px = sumX / inside
  pair.py = sumY / inside
  pair.pz = sumZ / inside
}
