/** Measuring two boxes in space where they meet. */

import type { Boxes } from '../collide/boxes.ts'
import { pair, placePair } from '../collide/volume-boxes.ts'
import { createSeparation, separation } from '../volumes/separation.ts'
import { createImpact, sweep } from '../volumes/sweep.ts'
import type { Contact } from './contact.ts'

/** Scratch: each is written before it is read. */
const impact = createImpact()
const apart = createSeparation()
const { a: movingA, b: placedB } = pair

/** Overlaps shallower than this are touching, as in the plane. */
const TOUCH = 1e-6

/** Where two boxes meet on their way, or where they are if neither moves relative to the other. */
export function measureInSpace(boxes: Boxes, first: number, second: number, _travels: boolean, out: Contact): void {
  out.firstX = boxes.sweepX[first]
  out.firstY = boxes.sweepY[first]
  out.firstZ = boxes.sweepZ[first]
  out.secondX = boxes.sweepX[second]
  out.secondY = boxes.sweepY[second]
  out.secondZ = boxes.sweepZ[second]
  const isStanding = setWay(boxes, first, second)
  placePair(boxes, first, second, isStanding)
  if (!isStanding && sweep(movingA, placedB, impact) && impact.time > 0) {
    const { time } = impact
    out.depth = 0
    out.normalX = 0 - impact.normalX
    out.normalY = 0 - impact.normalY
    out.normalZ = 0 - impact.normalZ
    // Found with the second at rest.
    out.x = impact.x + time * out.secondX
    out.y = impact.y + time * out.secondY
    out.z = impact.z + time * out.secondZ
    return
  }
  separation(movingA, placedB, apart)
  out.depth = Math.max(0, -apart.distance)
  out.normalX = 0 - apart.normalX
  out.normalY = 0 - apart.normalY
  out.normalZ = 0 - apart.normalZ
  out.x = apart.x
  out.y = apart.y
  out.z = apart.z
}

/** As in the plane. */
export function approachInSpace(boxes: Boxes, a: number, b: number, isPush = false): number {
  const isStanding = setWay(boxes, a, b)
  placePair(boxes, a, b, isStanding)
  const { distance, normalX, normalY, normalZ } = separation(movingA, placedB, apart)
  const isClosing = normalX * movingA.dx + normalY * movingA.dy + normalZ * movingA.dz > 0
  if (distance < -TOUCH) return isPush && !isClosing ? -1 : 0
  if (isStanding) return -1
  if (distance <= 0) return isClosing ? 0 : -1
  return sweep(movingA, placedB, impact) ? impact.time : -1
}

/** Writes how the first moves relative to the second; returns whether it does not. */
function setWay(boxes: Boxes, a: number, b: number): boolean {
  movingA.dx = boxes.sweepX[a] - boxes.sweepX[b]
  movingA.dy = boxes.sweepY[a] - boxes.sweepY[b]
  movingA.dz = boxes.sweepZ[a] - boxes.sweepZ[b]
  return movingA.dx === 0 && movingA.dy === 0 && movingA.dz === 0
}
