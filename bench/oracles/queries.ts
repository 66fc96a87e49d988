/** Regions, rays and swings answered by asking every circle. `step` asks every step-th question only, where all would take too long. */

import type { Circles } from '../scenes/circles.ts'
import type { Rays, Regions, Swings } from '../scenes/queries.ts'
import { addCouple, type Couples, createCouples } from './compare.ts'

export function regionMembers(circles: Circles, regions: Regions, step = 1): Couples {
  const found = createCouples(circles.count)
  for (let region = 0; region < regions.count; region += step) {
    for (let thing = 0; thing < circles.count; thing++) {
      const dx = circles.x[thing] - regions.x[region]
      const dy = circles.y[thing] - regions.y[region]
      const reach = circles.radius[thing] + regions.radius[region]
      if (dx * dx + dy * dy <= reach * reach) addCouple(found, region, thing)
    }
  }
  return found
}

export function regionGapPx(circles: Circles, regions: Regions, region: number, thing: number): number {
  const distance = Math.hypot(circles.x[thing] - regions.x[region], circles.y[thing] - regions.y[region])
  return Math.abs(distance - circles.radius[thing] - regions.radius[region])
}

/** First circle on a ray and how far away it is; thing -1 if there is none. */
export type FirstHit = { readonly thing: number; readonly distance: number }

export function firstOnRay(circles: Circles, rays: Rays, ray: number): FirstHit {
  let first = -1
  let nearest = rays.length
  for (let thing = 0; thing < circles.count; thing++) {
    const distance = rayDistance(circles, rays, ray, thing)
    if (distance <= nearest && (distance < nearest || first === -1)) {
      nearest = distance
      first = thing
    }
  }
  return { thing: first, distance: nearest }
}

/** Distance (px) from the ray's start to where it enters the circle; 0 if it starts inside, Infinity if it misses. */
export function rayDistance(circles: Circles, rays: Rays, ray: number, thing: number): number {
  const toX = circles.x[thing] - rays.x[ray]
  const toY = circles.y[thing] - rays.y[ray]
  const radius = circles.radius[thing]
  const along = toX * rays.dx[ray] + toY * rays.dy[ray]
  const outside = toX * toX + toY * toY - radius * radius
  if (outside <= 0) return 0
  if (along < 0) return Number.POSITIVE_INFINITY
  const inside = along * along - outside
  return inside < 0 ? Number.POSITIVE_INFINITY : along - Math.sqrt(inside)
}

/** How far (px) the answer "`reported` comes first" (-1: nothing) is from being right. */
export function rayGapPx(circles: Circles, rays: Rays, ray: number, reported: number): number {
  const first = firstOnRay(circles, rays, ray)
  const entered = reported === -1 ? Number.POSITIVE_INFINITY : rayDistance(circles, rays, ray, reported)
  if (first.thing !== -1 && entered <= rays.length) return Math.abs(entered - first.distance)
  // One of the two is a miss: a line that passes just beside the circle, or ends just before it.
  const thing = entered <= rays.length ? reported : first.thing === -1 ? reported : first.thing
  const aside = Math.abs(
    (circles.x[thing] - rays.x[ray]) * rays.dy[ray] - (circles.y[thing] - rays.y[ray]) * rays.dx[ray],
  )
  const short = Math.abs(rayDistance(circles, rays, ray, thing) - rays.length)
  return Math.min(Math.abs(aside - circles.radius[thing]), short)
}

export function swingVictims(circles: Circles, swings: Swings): Couples {
  const found = createCouples(circles.count)
  const reach = swings.halfLength + swings.halfWidth
  for (let swing = 0; swing < swings.count; swing++) {
    const path = Math.abs(swings.moveX[swing]) + Math.abs(swings.moveY[swing])
    for (let thing = 0; thing < circles.count; thing++) {
      // Surely too far; saves nearly all of the time.
      if (Math.abs(circles.x[thing] - swings.x[swing]) > reach + path + circles.radius[thing]) continue
      if (swingDistance(circles, swings, swing, thing) <= circles.radius[thing]) addCouple(found, swing, thing)
    }
  }
  return found
}

export function swingGapPx(circles: Circles, swings: Swings, swing: number, thing: number): number {
  return Math.abs(swingDistance(circles, swings, swing, thing) - circles.radius[thing])
}

/** Scratch: where a circle is as an attack sees it, ahead and aside, and how it comes along. */
export const seen = { fromX: Number.NaN, fromY: Number.NaN, moveX: Number.NaN, moveY: Number.NaN }

/** Writes `seen`. */
export function lookFrom(circles: Circles, swings: Swings, swing: number, thing: number): void {
  const faceX = swings.faceX[swing]
  const faceY = swings.faceY[swing]
  const offX = circles.x[thing] - swings.x[swing]
  const offY = circles.y[thing] - swings.y[swing]
  seen.fromX = offX * faceX + offY * faceY
  seen.fromY = offY * faceX - offX * faceY
  seen.moveX = -(swings.moveX[swing] * faceX + swings.moveY[swing] * faceY)
  seen.moveY = -(swings.moveY[swing] * faceX - swings.moveX[swing] * faceY)
}

/**
 * Least distance (px) between the circle's centre and the box on its way.
 *
 * Seen from the box, the centre moves along a straight line the other way, so this is the distance between a segment and an
 * axis-aligned box: the least of the distances of the segment's ends to the box and of the box's corners to the segment, unless
 * they cross.
 */
export function swingDistance(circles: Circles, swings: Swings, swing: number, thing: number): number {
  const { halfLength, halfWidth } = swings
  lookFrom(circles, swings, swing, thing)
  const { fromX, fromY, moveX, moveY } = seen
  if (crossesBox(fromX, fromY, moveX, moveY, halfLength, halfWidth)) return 0
  let least = Math.min(
    distanceToBox(fromX, fromY, halfLength, halfWidth),
    distanceToBox(fromX + moveX, fromY + moveY, halfLength, halfWidth),
  )
  for (const cornerX of [-halfLength, halfLength]) {
    for (const cornerY of [-halfWidth, halfWidth]) {
      least = Math.min(least, distanceToSegment(cornerX - fromX, cornerY - fromY, moveX, moveY))
    }
  }
  return least
}

function distanceToBox(x: number, y: number, halfLength: number, halfWidth: number): number {
  return Math.hypot(Math.max(Math.abs(x) - halfLength, 0), Math.max(Math.abs(y) - halfWidth, 0))
}

/** From the point (x, y) to the segment from the origin to (endX, endY). */
function distanceToSegment(x: number, y: number, endX: number, endY: number): number {
  const lengthSquared = endX * endX + endY * endY
  const along = lengthSquared === 0 ? 0 : Math.min(1, Math.max(0, (x * endX + y * endY) / lengthSquared))
  return Math.hypot(x - along * endX, y - along * endY)
}

/** Slab test: is some part of the segment inside the box? */
function crossesBox(
  x: number,
  y: number,
  moveX: number,
  moveY: number,
  halfLength: number,
  halfWidth: number,
): boolean {
  let enter = 0
  let leave = 1
  for (const [start, move, half] of [
    [x, moveX, halfLength],
    [y, moveY, halfWidth],
  ] as const) {
    if (move === 0) {
      if (Math.abs(start) > half) return false
      continue
    }
    const a = (-half - start) / move
    const b = (half - start) / move
    enter = Math.max(enter, Math.min(a, b))
    leave = Math.min(leave, Math.max(a, b))
  }
  return enter <= leave
}
