/**
 * Swept arcs in closed form: the least distance between the centre of a circle and a band of an arc on its way.
 *
 * Seen from the arc, the centre moves along a straight line the other way. So this is the distance of a segment to a band: 0 if it
 * starts inside or crosses the outline, else the least distance to a piece of the outline: two sides and two rims. None of the
 * libraries has arcs; this is also what their users would have to write.
 */

import type { Circles } from '../scenes/circles.ts'
import type { Swings } from '../scenes/queries.ts'
import { addCouple, type Couples, createCouples } from './compare.ts'
import { lookFrom, seen } from './queries.ts'

/** A band of an arc: from `inner` to `outer` around the apex, `angle` wide around the facing. */
export const ARC = { inner: 16, outer: 24, angle: 2 } as const

const COS = Math.cos(ARC.angle / 2)
const SIN = Math.sin(ARC.angle / 2)

export function arcVictims(circles: Circles, swings: Swings): Couples {
  const found = createCouples(circles.count)
  for (let swing = 0; swing < swings.count; swing++) {
    const path = Math.abs(swings.moveX[swing]) + Math.abs(swings.moveY[swing])
    for (let thing = 0; thing < circles.count; thing++) {
      // Surely too far; saves nearly all of the time.
      if (Math.abs(circles.x[thing] - swings.x[swing]) > ARC.outer + path + circles.radius[thing]) continue
      if (arcDistance(circles, swings, swing, thing) <= circles.radius[thing]) addCouple(found, swing, thing)
    }
  }
  return found
}

export function arcGapPx(circles: Circles, swings: Swings, swing: number, thing: number): number {
  return Math.abs(arcDistance(circles, swings, swing, thing) - circles.radius[thing])
}

export function arcDistance(circles: Circles, swings: Swings, swing: number, thing: number): number {
  lookFrom(circles, swings, swing, thing)
  const { fromX, fromY, moveX: wayX, moveY: wayY } = seen
  if (isInBand(fromX, fromY)) return 0
  return Math.min(
    toSide(fromX, fromY, wayX, wayY, SIN),
    toSide(fromX, fromY, wayX, wayY, -SIN),
    toRim(fromX, fromY, wayX, wayY, ARC.inner),
    toRim(fromX, fromY, wayX, wayY, ARC.outer),
  )
}

/** Whether a direction lies in the opening. */
function isAhead(x: number, y: number): boolean {
  return x >= COS * Math.sqrt(x * x + y * y)
}

function isInBand(x: number, y: number): boolean {
  const squared = x * x + y * y
  return squared >= ARC.inner * ARC.inner && squared <= ARC.outer * ARC.outer && isAhead(x, y)
}

/** From the segment to the side of the band on the left (`sine` > 0) or on the right. */
function toSide(x: number, y: number, wayX: number, wayY: number, sine: number): number {
  const [startX, startY] = [ARC.inner * COS, ARC.inner * sine]
  const [sideX, sideY] = [(ARC.outer - ARC.inner) * COS, (ARC.outer - ARC.inner) * sine]
  const cross = wayX * sideY - wayY * sideX
  if (cross !== 0) {
    const along = ((startX - x) * sideY - (startY - y) * sideX) / cross
    const aside = ((startX - x) * wayY - (startY - y) * wayX) / cross
    if (along >= 0 && along <= 1 && aside >= 0 && aside <= 1) return 0
  }
  return Math.min(
    toSegment(x - startX, y - startY, sideX, sideY),
    toSegment(x + wayX - startX, y + wayY - startY, sideX, sideY),
    toSegment(startX - x, startY - y, wayX, wayY),
    toSegment(startX + sideX - x, startY + sideY - y, wayX, wayY),
  )
}

/** From the segment to a rim, but for the ends of the rim, which belong to the sides. */
function toRim(x: number, y: number, wayX: number, wayY: number, rim: number): number {
  const squared = wayX * wayX + wayY * wayY
  let least = Math.min(pointToRim(x, y, rim), pointToRim(x + wayX, y + wayY, rim))
  if (squared === 0) return least
  const middle = -(x * wayX + y * wayY) / squared
  if (middle > 0 && middle < 1) least = Math.min(least, pointToRim(x + wayX * middle, y + wayY * middle, rim))
  // Where it crosses the whole circle of the rim.
  const aside = (x * wayY - y * wayX) ** 2 / squared
  if (aside > rim * rim) return least
  const reach = Math.sqrt((rim * rim - aside) / squared)
  for (const time of [middle - reach, middle + reach]) {
    if (time >= 0 && time <= 1 && isAhead(x + wayX * time, y + wayY * time)) return 0
  }
  return least
}

function pointToRim(x: number, y: number, rim: number): number {
  return isAhead(x, y) ? Math.abs(Math.sqrt(x * x + y * y) - rim) : Number.POSITIVE_INFINITY
}

/** From the point (x, y) to the segment from the origin to (endX, endY). */
function toSegment(x: number, y: number, endX: number, endY: number): number {
  const squared = endX * endX + endY * endY
  const along = squared === 0 ? 0 : Math.min(1, Math.max(0, (x * endX + y * endY) / squared))
  const [dx, dy] = [x - along * endX, y - along * endY]
  return Math.sqrt(dx * dx + dy * dy)
}
