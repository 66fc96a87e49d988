/** Questions asked of a static map of 10,000 rectangles, which is entered once, and the nearest of 10,000 circles. */

import { type Contender, createMatches, createRayHits } from '../contender.ts'
import { addCouple, compare, createCouples } from '../oracles/compare.ts'
import { firstWall, nearestCentres, wallDistance } from '../oracles/walls.ts'
import { moveBouncing, spreadScene } from '../scenes/circles.ts'
import { randomRays, randomRegions } from '../scenes/queries.ts'
import { scatteredWalls } from '../scenes/walls.ts'
import type { Task, Workload } from './workload.ts'

const MAP = 10_000
const CHECK_EVERY = 20
const NEAREST = 8

export const sight: Workload = {
  name: 'sight',
  title: 'N rays of 200 px over a static map of 10,000 rectangles, the first wall on each',
  sizes: [10_000],
  quickSizes: [10_000],
  prepare(contender: Contender, n: number): Task | undefined {
    const walls = scatteredWalls(MAP)
    const map = contender.walls?.(walls)
    if (map === undefined) return undefined
    const rays = randomRays(n, walls.side)
    const out = createRayHits(n)
    return {
      check() {
        map.rays(rays, out)
        const expected = createCouples(walls.count)
        const actual = createCouples(walls.count)
        for (let ray = 0; ray < n; ray += CHECK_EVERY) {
          const first = firstWall(walls, rays, ray)
          // A ray that starts in a wall means different things to different libraries.
          if (first.distance === 0) continue
          if (first.wall !== -1) addCouple(expected, ray, first.wall)
          if (out.thing[ray] !== -1) addCouple(actual, ray, out.thing[ray])
        }
        return compare(expected, actual, (ray, wall) =>
          Math.abs(Math.min(wallDistance(walls, rays, ray, wall), rays.length) - firstWall(walls, rays, ray).distance),
        )
      },
      step: () => map.rays(rays, out),
    }
  },
}

export const nearest: Workload = {
  name: 'nearest',
  title: 'the 8 nearest of 10,000 circles, by their centres, for N places',
  sizes: [10_000],
  quickSizes: [10_000],
  prepare(contender: Contender, n: number): Task | undefined {
    const { circles } = spreadScene(MAP)
    const index = contender.queries?.(circles)
    if (!index?.nearest) return undefined
    const places = randomRegions(n, circles.width)
    const out = createMatches(n)
    const moveOn = () => {
      moveBouncing(circles)
      index.update()
    }
    return {
      check() {
        moveOn()
        index.nearest?.(places, NEAREST, out)
        const expected = createCouples(circles.count)
        const actual = createCouples(circles.count)
        for (let place = 0; place < n; place += CHECK_EVERY) {
          for (const thing of nearestCentres(circles, places.x[place], places.y[place], NEAREST)) {
            addCouple(expected, place, thing)
          }
          for (let i = out.start[place]; i < out.start[place + 1]; i++) addCouple(actual, place, out.things[i])
        }
        // Equally near ones may be exchanged: then the difference of their distances is 0.
        return compare(expected, actual, (place, thing) => {
          const [x, y] = [places.x[place], places.y[place]]
          const farthest = nearestCentres(circles, x, y, NEAREST).at(-1)!
          return Math.abs(
            Math.hypot(circles.x[thing] - x, circles.y[thing] - y) -
              Math.hypot(circles.x[farthest] - x, circles.y[farthest] - y),
          )
        })
      },
      beforeTurn: moveOn,
      step: () => index.nearest?.(places, NEAREST, out),
    }
  },
}
