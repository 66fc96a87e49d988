/**
 * Separating axes: how far two cores are apart, or in each other, along the best direction.
 *
 * Seen from one core, the places where the other would overlap it are a solid with flat faces. Its faces belong to the axes
 * of the boxes and to the cross products of their edges: three for a point and a box, six for a segment and a box, fifteen
 * for two boxes. Where the cores overlap, the nearest of those faces is the shortest way out, so the depth is exact. Where
 * they are apart, the result is only a lower bound of their distance.
 *
 * In the frame of the second box, the cross product with one of its edges is an axis of the first with two numbers exchanged
 * and one dropped: it is exact. Both cores are projected in full, so edges that are almost parallel give a useless axis at
 * worst, never a wrong answer; the usual shortcut formulas need a tolerance there.
 */

import type { Pair } from './pair.ts'
import { BOX, SEGMENT } from './volume.ts'

/** Scratch: up to fifteen directions, not of unit length. The first three, the axes of the second box, never change. */
const axes = new Float64Array(45)
axes[0] = axes[4] = axes[8] = 1

/** Scratch: the edges of the first core, from their middle to their end. Written before each use. */
const edges = new Float64Array(9)

/**
 * Writes the best axis (n, towards the second core) and the distance of the cores along it, negative if they overlap. With
 * `stopWhenApart` the first axis that shows the volumes apart will do.
 */
export function findBestAxis(pair: Pair, stopWhenApart: boolean): void {
  if (pair.secondCore !== BOX) {
    findCrossingAxis(pair)
    return
  }
  const count = writeAxes(pair)
  const { cx, cy, cz } = pair
  const enough = stopWhenApart ? pair.firstRadius + pair.secondRadius : Number.POSITIVE_INFINITY
  let best = Number.NEGATIVE_INFINITY
  for (let axis = 0; axis < 3 * count; axis += 3) {
    const x = axes[axis]
    const y = axes[axis + 1]
    const z = axes[axis + 2]
    const lengthSquared = x * x + y * y + z * z
    if (lengthSquared === 0) continue // Parallel edges have no cross product; the axes of the boxes cover them.
    const along = cx * x + cy * y + cz * z
    const extent = extentAlong(pair, x, y, z)
    const length = Math.sqrt(lengthSquared)
    const distance = (Math.abs(along) - extent) / length
    if (distance <= best) continue
    best = distance
    const towardsSecond = along > 0 ? -1 / length : 1 / length
    pair.nx = x * towardsSecond
    pair.ny = y * towardsSecond
    pair.nz = z * towardsSecond
    pair.tied = along === 0
    if (distance > enough) break
  }
  pair.distance = best
}

/**
 * Whether the first core comes into the second, a box, on its way, and by which axis (n) and when. The way of a point through
 * that solid with flat faces, clipped between each pair of its faces: exact, whatever the speed. At time 0 there is no axis.
 */
export function findEntry(pair: Pair, touching: boolean): boolean {
  const count = writeAxes(pair)
  const { cx, cy, cz, wx, wy, wz } = pair
  let enter = 0
  let leave = 1
  for (let axis = 0; axis < 3 * count; axis += 3) {
    const x = axes[axis]
    const y = axes[axis + 1]
    const z = axes[axis + 2]
    const extent = extentAlong(pair, x, y, z)
    const along = cx * x + cy * y + cz * z
    const speed = wx * x + wy * y + wz * z
    if (speed === 0) {
      const apart = Math.abs(along) - extent
      // Not for the cross product of parallel edges, which is nothing and measures nothing.
      if (touching ? apart > 0 : apart >= 0 && (x !== 0 || y !== 0 || z !== 0)) return false
      continue
    }
    const near = speed > 0 ? -extent : extent
    const from = (near - along) / speed
    const to = (-near - along) / speed
    if (from > enter) {
      enter = from
      const towardsSecond = (speed > 0 ? 1 : -1) / Math.sqrt(x * x + y * y + z * z)
      pair.nx = x * towardsSecond
      pair.ny = y * towardsSecond
      pair.nz = z * towardsSecond
    }
    if (to < leave) leave = to
    if (touching ? enter > leave : enter >= leave) return false
  }
  pair.time = enter
  return true
}

/** Half the room that both cores together take up along (x, y, z). */
function extentAlong(pair: Pair, x: number, y: number, z: number): number {
  return (
    pair.vx * Math.abs(x) +
    pair.vy * Math.abs(y) +
    pair.vz * Math.abs(z) +
    Math.abs(edges[0] * x + edges[1] * y + edges[2] * z) +
    Math.abs(edges[3] * x + edges[4] * y + edges[5] * z) +
    Math.abs(edges[6] * x + edges[7] * y + edges[8] * z)
  )
}

/** Fills `axes` and `edges` for a second core that is a box. Returns the number of axes. */
function writeAxes(pair: Pair): number {
  edges.fill(0)
  if (pair.firstCore === BOX) {
    const { firstHalf, firstAxes } = pair
    for (let i = 0; i < 9; i += 3) {
      const x = firstAxes[i]
      const y = firstAxes[i + 1]
      const z = firstAxes[i + 2]
      const half = firstHalf[i / 3]
      edges[i] = half * x
      edges[i + 1] = half * y
      edges[i + 2] = half * z
      axes[9 + i] = x
      axes[10 + i] = y
      axes[11 + i] = z
      writeCrossProducts(18 + 3 * i, firstAxes, i)
    }
    return 15
  }
  if (pair.firstCore === SEGMENT) {
    edges[0] = pair.ux
    edges[1] = pair.uy
    edges[2] = pair.uz
    writeCrossProducts(9, edges, 0)
    return 6
  }
  return 3
}

/** The cross products of the three edges of the second box with the vector that starts at `from`. */
function writeCrossProducts(to: number, vectors: Float64Array, from: number): void {
  const x = vectors[from]
  const y = vectors[from + 1]
  const z = vectors[from + 2]
  axes[to] = 0
  axes[to + 1] = -z
  axes[to + 2] = y
  axes[to + 3] = z
  axes[to + 4] = 0
  axes[to + 5] = -x
  axes[to + 6] = -y
  axes[to + 7] = x
  axes[to + 8] = 0
}

/** Points and segments have no inside. Where they meet, the way out is across both; +x if that leaves a choice. */
function findCrossingAxis(pair: Pair): void {
  let x = 1
  let y = 0
  let z = 0
  let extent = 0
  if (pair.secondCore === SEGMENT) {
    const { ux, uy, uz, vx, vy, vz } = pair
    const vv = vx * vx + vy * vy + vz * vz
    let lengthSquared = 0
    if (pair.firstCore === SEGMENT) {
      x = uy * vz - uz * vy
      y = uz * vx - ux * vz
      z = ux * vy - uy * vx
      lengthSquared = x * x + y * y + z * z
      // Almost parallel segments have a cross product that is mostly rounding.
      if (lengthSquared <= 1e-16 * vv * (ux * ux + uy * uy + uz * uz)) lengthSquared = 0
    }
    if (lengthSquared === 0) {
      // The part of +x that is across the segment; of +y, if the segment lies along x.
      const alongX = vy * vy + vz * vz > 1e-2 * vv
      const share = (alongX ? vx : vy) / vv
      x = (alongX ? 1 : 0) - share * vx
      y = (alongX ? 0 : 1) - share * vy
      z = -share * vz
      lengthSquared = x * x + y * y + z * z
    }
    const length = Math.sqrt(lengthSquared)
    x /= length
    y /= length
    z /= length
    extent = Math.abs(vx * x + vy * y + vz * z)
    if (pair.firstCore === SEGMENT) extent += Math.abs(ux * x + uy * y + uz * z)
  }
  const along = pair.cx * x + pair.cy * y + pair.cz * z
  const towardsSecond = along > 0 ? -1 : 1
  pair.nx = x * towardsSecond
  pair.ny = y * towardsSecond
  pair.nz = z * towardsSecond
  pair.tied = along === 0
  pair.distance = Math.abs(along) - extent
}
