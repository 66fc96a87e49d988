/**
 * Exact tests for the libraries that only index boxes or points: their users have to write these, so the adapters bring them.
 * They are fast versions of the oracle's tests and part of the timed work.
 */

import type { Circles } from '../scenes/circles.ts'
import type { Rays, Swings } from '../scenes/queries.ts'

/** The things of a box that a ray crosses are tested piece by piece, so that a hit near the start ends the search. */
export const RAY_PIECE_PX = 50

/** Distance to where the ray enters the circle, 0 if it starts inside, Infinity if it misses. */
export function enterCircle(circles: Circles, thing: number, rays: Rays, ray: number): number {
  const toX = circles.x[thing] - rays.x[ray]
  const toY = circles.y[thing] - rays.y[ray]
  const radius = circles.radius[thing]
  const outside = toX * toX + toY * toY - radius * radius
  if (outside <= 0) return 0
  const along = toX * rays.dx[ray] + toY * rays.dy[ray]
  const inside = along * along - outside
  return along < 0 || inside < 0 ? Number.POSITIVE_INFINITY : along - Math.sqrt(inside)
}

/** The box swept by a swing as a convex polygon of four or six corners, counter-clockwise, into `out`; returns their number. */
export function sweptHull(swings: Swings, swing: number, outX: Float64Array, outY: Float64Array): number {
  const { halfLength, halfWidth } = swings
  const faceX = swings.faceX[swing]
  const faceY = swings.faceY[swing]
  const moveX = swings.moveX[swing]
  const moveY = swings.moveY[swing]
  let corners = 0
  for (let corner = 0; corner < 4; corner++) {
    const length = corner === 0 || corner === 3 ? halfLength : -halfLength
    const width = corner < 2 ? halfWidth : -halfWidth
    const cornerX = swings.x[swing] + length * faceX - width * faceY
    const cornerY = swings.y[swing] + length * faceY + width * faceX
    // A corner stays on the hull at the start if the edge after it or before it faces backwards, at the end if it faces forwards.
    const before = edgeFacing(corner + 3, faceX, faceY, moveX, moveY)
    const after = edgeFacing(corner, faceX, faceY, moveX, moveY)
    if (before < 0 || after < 0) {
      if (before >= 0 && after < 0) {
        outX[corners] = cornerX + moveX
        outY[corners++] = cornerY + moveY
      }
      outX[corners] = cornerX
      outY[corners++] = cornerY
      if (before < 0 && after >= 0) {
        outX[corners] = cornerX + moveX
        outY[corners++] = cornerY + moveY
      }
    } else {
      outX[corners] = cornerX + moveX
      outY[corners++] = cornerY + moveY
    }
  }
  return corners
}

/** Does the convex polygon (counter-clockwise) come within `radius` of the point? */
export function polygonNear(
  cornerX: Float64Array,
  cornerY: Float64Array,
  corners: number,
  x: number,
  y: number,
  radius: number,
): boolean {
  let inside = true
  for (let i = 0, j = corners - 1; i < corners; j = i++) {
    const edgeX = cornerX[i] - cornerX[j]
    const edgeY = cornerY[i] - cornerY[j]
    const toX = x - cornerX[j]
    const toY = y - cornerY[j]
    if (edgeX * toY - edgeY * toX >= 0) continue
    inside = false
    const lengthSquared = edgeX * edgeX + edgeY * edgeY
    const along = lengthSquared === 0 ? 0 : (toX * edgeX + toY * edgeY) / lengthSquared
    const clamped = Math.max(0, Math.min(1, along))
    const offX = toX - clamped * edgeX
    const offY = toY - clamped * edgeY
    if (offX * offX + offY * offY <= radius * radius) return true
  }
  return inside
}

/**
 * Whether the edge from `corner` to the next one faces the movement: positive is forwards. Edge 0 (front left to back left) faces
 * left, edge 1 backwards, edge 2 right, edge 3 forwards.
 */
function edgeFacing(corner: number, faceX: number, faceY: number, moveX: number, moveY: number): number {
  const forwards = moveX * faceX + moveY * faceY
  const left = moveY * faceX - moveX * faceY
  const edge = corner & 3
  return edge === 0 ? left : edge === 1 ? -forwards : edge === 2 ? -left : forwards
}
