/** Measuring two boxes in space where they meet. */

import { instant } from '../../geometry/math/advance.ts'
import { pose } from '../../geometry/volumes/pose.ts'
import { createSeparation, separation } from '../../geometry/volumes/separation.ts'
import { createImpact, sweep } from '../../geometry/volumes/sweep.ts'
import { placeNow, sweepTurning, type TurningVolume } from '../../geometry/volumes/turning.ts'
import type { Boxes } from '../collide/boxes.ts'
import { MOVING, STANDING, TURNING } from '../collide/turns.ts'
import { pair, placePair } from '../collide/volume-boxes.ts'
import type { Contact } from './contact.ts'
import { met } from './met.ts'

/** Scratch: each is written before it is read. */
const impact = createImpact()
const apart = createSeparation()
const { a: movingA, b: movingB } = pair
const centre = pose({ x: 0, y: 0, z: 0 })

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
  const way = placePair(boxes, first, second)
  if (meet(way) && impact.time > 0) {
    // What does not turn was measured with the second at rest.
    const shift = way === MOVING ? impact.time : 0
    out.depth = 0
    out.normalX = 0 - impact.normalX
    out.normalY = 0 - impact.normalY
    out.normalZ = 0 - impact.normalZ
    out.x = impact.x + shift * out.secondX
    out.y = impact.y + shift * out.secondY
    out.z = impact.z + shift * out.secondZ
  } else {
    impact.time = 0
    separation(movingA, movingB, apart)
    out.depth = Math.max(0, -apart.distance)
    out.normalX = 0 - apart.normalX
    out.normalY = 0 - apart.normalY
    out.normalZ = 0 - apart.normalZ
    out.x = apart.x
    out.y = apart.y
    out.z = apart.z
  }
  if (way !== TURNING) return
  // Turning adds to the motion of the surfaces.
  instant.time = impact.time
  placeNow(movingA as TurningVolume, centre)
  out.firstX -= movingA.turn * (out.y - centre.y)
  out.firstY += movingA.turn * (out.x - centre.x)
  placeNow(movingB as TurningVolume, centre)
  out.secondX -= movingB.turn * (out.y - centre.y)
  out.secondY += movingB.turn * (out.x - centre.x)
}

function meet(way: number): boolean {
  if (way === STANDING) return false
  return way === TURNING ? sweepTurning(movingA, movingB, impact) : sweep(movingA, movingB, impact)
}

/** As in the plane. */
export function approachInSpace(boxes: Boxes, a: number, b: number, isPush = false): boolean {
  const way = placePair(boxes, a, b)
  const { distance, normalX, normalY, normalZ, x, y } = separation(movingA, movingB, apart)
  let closing = normalX * movingA.dx + normalY * movingA.dy + normalZ * movingA.dz
  if (way === TURNING) {
    closing -= normalX * movingB.dx + normalY * movingB.dy + normalZ * movingB.dz
    closing += movingA.turn * (normalY * (x - movingA.pose.x) - normalX * (y - movingA.pose.y))
    closing -= movingB.turn * (normalY * (x - movingB.pose.x) - normalX * (y - movingB.pose.y))
  }
  met.time = 0
  if (distance < -TOUCH) return !isPush || closing > 0
  if (way === STANDING) return false
  if (distance <= 0) return closing > 0
  const isMet = meet(way)
  met.time = impact.time
  return isMet
}
