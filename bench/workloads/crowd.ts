/**
 * N things walk to one point and are kept from overlapping. Speed without quality means nothing here, so two figures of what is
 * left of the overlap go with every time: how deep (mean penetration over the smaller radius) and how much (pairs deeper than
 * 10 % per thing). Lower is better in both.
 */

import type { Exactness } from '../oracles/compare.ts'
import { pairsByCell } from '../oracles/pairs.ts'
import { createCircles } from '../scenes/circles.ts'
import { type CrowdScene, crowdScene } from '../scenes/crowd.ts'
import type { Workload } from './workload.ts'

const TICKS_BEFORE_TIMING = 200

export const crowd: Workload = {
  name: 'crowd',
  title: 'N things steer to one point and are kept apart, after 200 ticks',
  sizes: [1000, 5000, 10_000],
  quickSizes: [],
  prepare: (contender, n) => {
    const scene = crowdScene(n)
    const crowd = contender.crowd?.(scene)
    if (!crowd) return undefined
    const x = new Float64Array(n)
    const y = new Float64Array(n)
    return {
      check: () => {
        for (let tick = 0; tick < TICKS_BEFORE_TIMING; tick++) crowd.tick()
        crowd.read(x, y)
        return checkPlaces(scene, x, y)
      },
      step: () => crowd.tick(),
      facts: () => residualOverlap(scene, x, y),
    }
  },
}

/** There is no one right crowd; wrong is a place that is not a number, and a pillar that was moved. */
function checkPlaces(scene: CrowdScene, x: Float64Array, y: Float64Array): Exactness {
  let lost = 0
  let worstGapPx = 0
  for (let thing = 0; thing < scene.count; thing++) {
    const moved = Math.hypot(x[thing] - scene.x[thing], y[thing] - scene.y[thing])
    if (!Number.isFinite(moved)) {
      lost++
      worstGapPx = Number.POSITIVE_INFINITY
    } else if (scene.mass[thing] === 0 && moved > 0.001) {
      lost++
      worstGapPx = Math.max(worstGapPx, moved)
    }
  }
  return { expected: scene.count, missing: lost, extra: 0, worstGapPx }
}

export function residualOverlap(scene: CrowdScene, x: Float64Array, y: Float64Array) {
  const circles = { ...createCircles(scene.count, 0, 0), x, y, radius: scene.radius }
  const pairs = pairsByCell(circles).keys
  let penetration = 0
  let deepPairs = 0
  for (const key of pairs) {
    const a = Math.floor(key / scene.count)
    const b = key % scene.count
    const distance = Math.hypot(x[a] - x[b], y[a] - y[b])
    const depth = (scene.radius[a] + scene.radius[b] - distance) / Math.min(scene.radius[a], scene.radius[b])
    penetration += depth
    if (depth > 0.1) deepPairs++
  }
  return { meanPenetration: pairs.length ? penetration / pairs.length : 0, deepPairsPerThing: deepPairs / scene.count }
}
