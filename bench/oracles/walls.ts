/** What a ray meets first among rectangles, and which centres are nearest, by asking all of them. */

import type { Circles } from '../scenes/circles.ts'
import type { Rays } from '../scenes/queries.ts'
import type { Walls } from '../scenes/walls.ts'

/** Distance along a ray to a rectangle, by its slabs; infinity when it is not met. */
export function wallDistance(walls: Walls, rays: Rays, ray: number, wall: number): number {
  const slab = (from: number, along: number, min: number, max: number): [number, number] => {
    if (along === 0) return from < min || from > max ? [1, 0] : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
    const [one, other] = [(min - from) / along, (max - from) / along]
    return one < other ? [one, other] : [other, one]
  }
  const [inX, outX] = slab(rays.x[ray], rays.dx[ray], walls.minX[wall], walls.maxX[wall])
  const [inY, outY] = slab(rays.y[ray], rays.dy[ray], walls.minY[wall], walls.maxY[wall])
  const enter = Math.max(0, inX, inY)
  return enter <= Math.min(rays.length, outX, outY) ? enter : Number.POSITIVE_INFINITY
}

export function firstWall(walls: Walls, rays: Rays, ray: number): { wall: number; distance: number } {
  let [first, distance] = [-1, rays.length]
  for (let wall = 0; wall < walls.count; wall++) {
    const away = wallDistance(walls, rays, ray, wall)
    if (away < distance || (away === distance && first === -1 && away < Number.POSITIVE_INFINITY)) {
      first = wall
      distance = away
    }
  }
  return { wall: first, distance }
}

export function nearestCentres({ count, x, y }: Circles, atX: number, atY: number, limit: number): number[] {
  const squared = (i: number) => (x[i] - atX) * (x[i] - atX) + (y[i] - atY) * (y[i] - atY)
  return Array.from({ length: count }, (_, i) => i)
    .sort((a, b) => squared(a) - squared(b) || a - b)
    .slice(0, limit)
}
