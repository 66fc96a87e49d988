/**
 * What distances and sweeps of melee arcs and bands share.
 *
 * An arc need not be convex, so it has no Minkowski difference of its own. But its outline has four pieces at most, and each
 * has a closed form: the outer rim is met as its whole disc is, the two sides are segments, and the inner rim of a band
 * is met, from inside, by a corner. The nearest (`arc-separation.ts`) or the earliest piece (`arc-sweep.ts`) is the answer, so nothing
 * ends at a tolerance and nothing tunnels.
 *
 * What the pieces are asked about is the ring of B relative to the apex, as in `arc.ts`. Two arcs are asked with the sides of
 * each against the other, and then rim against rim.
 */

import { from, sideOfOpening } from './arc.ts'
import { mergeRings, placeRing, scratch } from './difference.ts'
import type { Pose } from './pose.ts'
import type { ContactGeometry, Separation } from './separation.ts'
import type { Shape } from './shape.ts'
import type { Impact } from './sweep.ts'

const { ringA, ringB, difference } = scratch

/** Scratch: the best answer so far, and one piece's. Normals point from the arc to the other shape. */
const n = Number.NaN
type Found = Separation & Impact
export const best: Found = { time: n, distance: n, normalX: n, normalY: n, x: n, y: n }
export const piece: Found = { time: n, distance: n, normalX: n, normalY: n, x: n, y: n }
/** The apex of the arc that is asked about, in the world; of two arcs, the apex of B relative to that of A. */
export const apex = { x: n, y: n }
export const between = { x: n, y: n }

/** Writes normal and place of the best answer; of a swapped pair, as seen from the other shape. */
export function writeBest(isSwapped: boolean, out: ContactGeometry): void {
  out.normalX = isSwapped ? 0 - best.normalX : best.normalX
  out.normalY = isSwapped ? 0 - best.normalY : best.normalY
  out.x = best.x
  out.y = best.y
}

/** Makes the answer of one piece the best one. */
export function takePiece(): void {
  best.time = piece.time
  best.distance = piece.distance
  best.normalX = piece.normalX
  best.normalY = piece.normalY
  best.x = piece.x
  best.y = piece.y
}

/** Places the ring of an arc's apex and gives the ring of B relative to it, in `difference`. */
export function lookFromApex(arc: Shape, poseArc: Pose, edgesB: number, poseB: Pose): number {
  const edges = mergeRings(placeRing(ringA, arc, poseArc), edgesB, poseArc, poseB)
  apex.x = poseArc.x + ringA[0]
  apex.y = poseArc.y + ringA[1]
  return edges
}

/** Notes the apexes of two arcs. */
export function placeApexes(a: Shape, poseA: Pose, b: Shape, poseB: Pose): void {
  lookFromApex(a, poseA, placeRing(ringB, b, poseB), poseB)
  between.x = difference[0]
  between.y = difference[1]
}

/** Whether `from`, turned round if `sign` is -1, lies in the opening of an arc. */
export function faces(arc: Shape, pose: Pose, sign: number): boolean {
  from.x *= sign
  from.y *= sign
  const isFaced = sideOfOpening(arc, pose) >= 0
  from.x *= sign
  from.y *= sign
  return isFaced
}
