/**
 * N runners in a side view, each a box that is moved against a static map of tiles and slopes: what a controller of characters does.
 *
 * Every library's runner stops a little differently, so the answer is held by what no runner may do: be in a wall, or be lost. How far
 * they got goes with the time: who stands still is fast.
 */

import type { Exactness } from '../oracles/compare.ts'
import { depthInWalls, towerScene } from '../scenes/tower.ts'
import type { Workload } from './workload.ts'

const TICKS_BEFORE_TIMING = 120
/** What controllers keep away from walls, and are off by in single precision. */
const TOLERATED_PX = 0.5

export const runners: Workload = {
  name: 'runners',
  title: 'N runners on a map of 200 × 200 tiles with slopes, one tick',
  sizes: [1000],
  quickSizes: [1000],
  prepare: (contender, n) => {
    const scene = towerScene(n)
    const tower = contender.runners?.(scene)
    if (tower === undefined) return undefined
    const x = new Float64Array(n)
    const y = new Float64Array(n)
    return {
      check() {
        for (let tick = 0; tick < TICKS_BEFORE_TIMING; tick++) tower.tick()
        tower.read(x, y)
        return checkPlaces()
      },
      step: () => tower.tick(),
      facts() {
        const before = x.slice()
        let walked = 0
        for (let tick = 0; tick < TICKS_BEFORE_TIMING; tick++) {
          tower.tick()
          tower.read(x, y)
          for (let runner = 0; runner < n; runner++) {
            walked += Math.abs(x[runner] - before[runner])
            before[runner] = x[runner]
          }
        }
        return { pxPerTick: walked / n / TICKS_BEFORE_TIMING }
      },
    }

    function checkPlaces(): Exactness {
      let wrong = 0
      let worstGapPx = 0
      for (let runner = 0; runner < n; runner++) {
        const isThere = x[runner] > 0 && x[runner] < scene.walls.side && y[runner] > 0 && y[runner] < scene.walls.side
        const depth = isThere ? depthInWalls(scene.walls, x[runner], y[runner]) : Number.POSITIVE_INFINITY
        if (depth > TOLERATED_PX) wrong++
        worstGapPx = Math.max(worstGapPx, depth)
      }
      return { expected: n, missing: wrong, extra: 0, worstGapPx: Math.max(0, worstGapPx) }
    }
  },
}
