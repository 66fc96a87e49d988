/** The shortest way for a circle out of a piece of a map, for phases that keep things out of walls. */

import { pose } from '../../geometry/shapes/pose.ts'
import { convexSeparation, createSeparation } from '../../geometry/shapes/separation.ts'
import { circle, type Shape } from '../../geometry/shapes/shape.ts'
import type { Rectangles } from '../../geometry/space/statics.ts'
import type { CircleLike } from './boxes.ts'
import type { Piece } from './statics.ts'

/** Writes the way into `out`; returns whether the circle is in the piece at all. */
export function leaveRectangle(
  { minX, minY, maxX, maxY }: Rectangles,
  place: number,
  { x, y, radius }: CircleLike,
  out: { x: number; y: number },
): boolean {
  const nearestX = Math.min(Math.max(x, minX[place]), maxX[place])
  const nearestY = Math.min(Math.max(y, minY[place]), maxY[place])
  const dx = x - nearestX
  const dy = y - nearestY
  const squared = dx * dx + dy * dy
  out.x = 0
  out.y = 0
  if (squared >= radius * radius) return false
  if (squared > 0) {
    const distance = Math.sqrt(squared)
    const part = (radius - distance) / distance
    out.x = dx * part
    out.y = dy * part
    return true
  }
  // The centre is inside: out through the nearest side, left and right before up and down.
  const [left, right] = [x - minX[place] + radius, maxX[place] - x + radius]
  const [up, down] = [y - minY[place] + radius, maxY[place] - y + radius]
  const shortest = Math.min(left, right, up, down)
  if (shortest === left) out.x = -left
  else if (shortest === right) out.x = right
  else if (shortest === up) out.y = -up
  else out.y = down
  return true
}

/** Scratch: each is written before it is read. */
const placedPiece = { shape: circle(0) as Shape, pose: pose({ x: 0, y: 0 }) }
const placedCircle = { shape: circle(0) as Shape, pose: pose({ x: 0, y: 0 }) }
const apart = createSeparation()

export function leaveShape({ shape, x, y }: Piece, body: CircleLike, out: { x: number; y: number }): boolean {
  placedPiece.shape = shape as Shape
  placedPiece.pose.x = x
  placedPiece.pose.y = y
  // The circle as a point: the distance of its centre is all that is asked.
  placedCircle.pose.x = body.x
  placedCircle.pose.y = body.y
  const { distance, normalX, normalY } = convexSeparation(placedPiece, placedCircle, apart)
  const depth = body.radius - distance
  out.x = depth > 0 ? depth * normalX : 0
  out.y = depth > 0 ? depth * normalY : 0
  return depth > 0
}
