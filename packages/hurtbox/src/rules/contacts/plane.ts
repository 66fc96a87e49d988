/** Measuring two boxes in the plane where they meet. */

import { instant } from '../../geometry/math/advance.ts'
import { arcSweep, TOUCH } from '../../geometry/shapes/arc-sweep.ts'
import { separation, sweep } from '../../geometry/shapes/measure.ts'
import { createSeparation, type Separation } from '../../geometry/shapes/separation.ts'
import { createImpact } from '../../geometry/shapes/sweep.ts'
import { placeNow, sweepTurning, type TurningShape } from '../../geometry/shapes/turning.ts'
import type { Boxes } from '../collide/boxes.ts'
import { pair, placePair } from '../collide/shape-boxes.ts'
import { MOVING, STANDING, TURNING } from '../collide/turns.ts'
import type { Contact } from './contact.ts'
import { met } from './met.ts'

/** Scratch: each is written before it is read. */
const impact = createImpact()
const apart = createSeparation()
const { a: movingA, b: movingB } = pair
const centre = { x: Number.NaN, y: Number.NaN, facingX: Number.NaN, facingY: Number.NaN }
const surface = { x: Number.NaN, y: Number.NaN }

/**
 * Where two boxes meet on their way, or where they are if neither moves relative to the other. `travels` as in
 * `approachInPlane`: a contact is measured by the same function that found it.
 */
export function measureInPlane(boxes: Boxes, first: number, second: number, travels: boolean, out: Contact): void {
  const way = placePair(boxes, first, second)
  if (way === STANDING && !boxes.isPlain) {
    movingA.pose.x += boxes.sweepX[first]
    movingA.pose.y += boxes.sweepY[first]
    movingB.pose.x += boxes.sweepX[second]
    movingB.pose.y += boxes.sweepY[second]
  }
  const isMet = travels ? approach(way) : way !== STANDING && meet(way)
  if (!isMet || impact.time === 0) writeSeparation(out)
  else writeImpact(out, way)
  out.z = 0
  out.normalZ = 0
  out.firstX = boxes.isPlain ? 0 : boxes.sweepX[first]
  out.firstY = boxes.isPlain ? 0 : boxes.sweepY[first]
  out.firstZ = 0
  out.secondX = boxes.isPlain ? 0 : boxes.sweepX[second]
  out.secondY = boxes.isPlain ? 0 : boxes.sweepY[second]
  out.secondZ = 0
  if (way !== TURNING) return
  addTurn(movingA, out)
  out.firstX += surface.x
  out.firstY += surface.y
  addTurn(movingB, out)
  out.secondX += surface.x
  out.secondY += surface.y
}

function meet(way: number): boolean {
  return way === TURNING ? sweepTurning(movingA, movingB, impact) : sweep(movingA, movingB, impact)
}

function writeImpact(out: Contact, way: number): void {
  out.depth = 0
  out.normalX = 0 - impact.normalX
  out.normalY = 0 - impact.normalY
  out.x = impact.x
  out.y = impact.y
  if (way !== MOVING) return
  // A pair that moves without turning was measured with the second at rest.
  out.x += impact.time * movingB.dx
  out.y += impact.time * movingB.dy
}

function writeSeparation(out: Contact): void {
  const { distance, normalX, normalY, x, y }: Separation = separation(movingA, movingB, apart)
  impact.time = 0
  out.depth = Math.max(0, -distance)
  out.normalX = 0 - normalX
  out.normalY = 0 - normalY
  out.x = x
  out.y = y
}

/** What turning adds to the motion of a shape at the place of the contact. */
function addTurn(moving: TurningShape, at: { readonly x: number; readonly y: number }): void {
  surface.x = 0
  surface.y = 0
  if (moving.turn === 0) return
  instant.time = impact.time
  placeNow(moving, centre)
  surface.x = -moving.turn * (at.y - centre.y)
  surface.y = moving.turn * (at.x - centre.x)
}

/**
 * When two boxes meet for a thing that travels: -1 for never. Boxes that overlap by less than `TOUCH` at the start only touch, as
 * after a bounce: they meet if they close in on each other, and not if they part. A push out of an
 * overlap does not count as meeting it.
 */
export function approachInPlane(boxes: Boxes, a: number, b: number, isPush = false): boolean {
  const isMet = approach(placePair(boxes, a, b), isPush)
  met.time = impact.time
  return isMet
}

function approach(way: number, isPush = false): boolean {
  const start = separation(movingA, movingB, apart).distance
  impact.time = 0
  if (start < -TOUCH) return !isPush || apart.normalX * movingA.dx + apart.normalY * movingA.dy > 0
  if (way === STANDING) return false
  if (way === TURNING) return sweepTurning(movingA, movingB, impact, true)
  if (movingA.shape.kind === 'arc' || movingB.shape.kind === 'arc') {
    arcWay.dx = movingA.dx
    arcWay.dy = movingA.dy
    return arcSweep(movingA.shape, movingA.pose, movingB.shape, movingB.pose, arcWay)
  }
  if (start <= 0) return apart.normalX * movingA.dx + apart.normalY * movingA.dy > 0
  return sweep(movingA, movingB, impact)
}

const arcWay = { dx: Number.NaN, dy: Number.NaN, touching: true, out: impact }
