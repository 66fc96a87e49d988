import { describe, expect, test } from 'vitest'
import { ARC, arcDistance } from '../oracles/arcs.ts'
import { lowestVictims } from '../oracles/bullets.ts'
import { addCouple, compare, createCouples, verdictOf } from '../oracles/compare.ts'
import { enterCircle, polygonNear, sweptHull } from '../oracles/exact.ts'
import { everyPair, pairsByCell } from '../oracles/pairs.ts'
import { firstOnRay, rayDistance, regionMembers, swingDistance, swingVictims } from '../oracles/queries.ts'
import { bulletScene, moveBullets } from '../scenes/bullets.ts'
import { clusteredScene, createCircles, mixedScene, moveBouncing, spreadScene } from '../scenes/circles.ts'
import { crowdScene } from '../scenes/crowd.ts'
import { randomRays, randomRegions, randomSwings } from '../scenes/queries.ts'
import { survivorsScene } from '../scenes/survivors.ts'
import { residualOverlap } from '../workloads/crowd.ts'

describe('benchmark oracles', () => {
  const scenes = {
    spread: spreadScene(1500).circles,
    mixed: mixedScene(1500).circles,
    clustered: clusteredScene(600, 6).circles,
    survivors: survivorsScene().circles,
    bullets: bulletScene(1000, 200).circles,
  }

  test.each(Object.entries(scenes))(
    '[BE6] pairs of "%s": testing every pair and testing by cell agree',
    (_, circles) => {
      let seen = 0
      for (let step = 0; step < 20; step++) {
        // Far enough for the few things of the smallest scene to meet.
        for (let i = 0; i < 25; i++) moveBouncing(circles)
        const every = everyPair(circles).keys.sort(ascending)
        expect(pairsByCell(circles).keys.sort(ascending), `step ${step}`).toEqual(every)
        seen += every.length
      }
      expect(seen).toBeGreaterThan(0)
    },
  )

  test('[BE7] victims follow from the pairs: lowest enemy, not the owner', () => {
    const scene = bulletScene(2000, 400)
    let immune = 0
    for (let step = 0; step < 5; step++) {
      moveBullets(scene)
      const { circles, owner } = scene
      const victims = new Map<number, number>()
      for (const key of everyPair(circles).keys.sort(ascending)) {
        const enemy = Math.floor(key / circles.count)
        const bullet = key % circles.count
        if (owner[bullet] === enemy) immune++
        else if (!victims.has(bullet)) victims.set(bullet, enemy)
      }
      const expected = [...victims].map(([bullet, enemy]) => bullet * circles.count + enemy).sort(ascending)
      expect(lowestVictims(scene).keys.sort(ascending), `step ${step}`).toEqual(expected)
    }
    expect(immune, 'bullets that overlapped their owner').toBeGreaterThan(0)
  })

  test('[BE8] regions: members are the overlaps of a circle of that size', () => {
    const { circles } = spreadScene(800)
    const regions = randomRegions(60, circles.width)
    // The second method: the regions become circles of their own layer, and pairs are looked up by cell.
    const both = createCircles(circles.count + regions.count, circles.width, circles.height, [2, 1])
    for (const [from, to] of [
      [circles.x, both.x],
      [circles.y, both.y],
      [circles.radius, both.radius],
    ] as const) {
      to.set(from)
    }
    both.x.set(regions.x, circles.count)
    both.y.set(regions.y, circles.count)
    both.radius.set(regions.radius, circles.count)
    both.layer.fill(1, circles.count)
    const expected = pairsByCell(both).keys.map((key) => {
      const thing = Math.floor(key / both.count)
      return ((key % both.count) - circles.count) * circles.count + thing
    })
    expect(regionMembers(circles, regions).keys.sort(ascending)).toEqual(expected.sort(ascending))
  })

  test('[BE9] rays: the formula agrees with walking along the ray', () => {
    const { circles } = spreadScene(300)
    const rays = randomRays(150, circles.width)
    const step = 0.02
    for (let ray = 0; ray < rays.count; ray++) {
      const first = firstOnRay(circles, rays, ray)
      const walked = walk(ray)
      if (first.thing === -1) {
        expect(walked, `ray ${ray}`).toBe(rays.length)
        continue
      }
      // Walking overshoots by up to a step, and by more at a grazing hit, which it may miss altogether.
      expect(walked, `ray ${ray}`).toBeGreaterThanOrEqual(first.distance)
      if (chord(ray, first.thing) > 2 * step) expect(walked - first.distance, `ray ${ray}`).toBeLessThanOrEqual(step)
      expect(enterCircle(circles, first.thing, rays, ray), `ray ${ray}`).toBeCloseTo(first.distance, 9)
    }

    function walk(ray: number): number {
      for (let at = 0; at < rays.length; at += step) {
        const x = rays.x[ray] + rays.dx[ray] * at
        const y = rays.y[ray] + rays.dy[ray] * at
        for (let thing = 0; thing < circles.count; thing++) {
          const dx = circles.x[thing] - x
          const dy = circles.y[thing] - y
          if (dx * dx + dy * dy <= circles.radius[thing] * circles.radius[thing]) return at
        }
      }
      return rays.length
    }

    function chord(ray: number, thing: number): number {
      const aside = (circles.x[thing] - rays.x[ray]) * rays.dy[ray] - (circles.y[thing] - rays.y[ray]) * rays.dx[ray]
      const half = Math.sqrt(Math.max(0, circles.radius[thing] ** 2 - aside * aside))
      return rayDistance(circles, rays, ray, thing) === 0 ? Number.POSITIVE_INFINITY : 2 * half
    }
  })

  test('[BE10] arcs: in closed form and by small steps, the distance is the same', () => {
    const { circles } = spreadScene(200)
    const swings = randomSwings(60, circles.width)
    let touched = 0
    for (let swing = 0; swing < swings.count; swing++) {
      for (let thing = 0; thing < circles.count; thing++) {
        const distance = arcDistance(circles, swings, swing, thing)
        if (distance > 60) continue
        touched++
        // Points of the band, and of the way.
        let stepped = Number.POSITIVE_INFINITY
        for (let i = 0; i <= 60; i++) {
          const offX = circles.x[thing] - swings.x[swing] - (swings.moveX[swing] * i) / 60
          const offY = circles.y[thing] - swings.y[swing] - (swings.moveY[swing] * i) / 60
          for (let j = 0; j <= 80; j++) {
            const angle = Math.atan2(swings.faceY[swing], swings.faceX[swing]) + ARC.angle * (j / 80 - 0.5)
            const [x, y] = [Math.cos(angle), Math.sin(angle)]
            const radius = Math.min(Math.max(offX * x + offY * y, ARC.inner), ARC.outer)
            stepped = Math.min(stepped, Math.hypot(offX - radius * x, offY - radius * y))
          }
        }
        expect(stepped, `swing ${swing}, thing ${thing}`).toBeGreaterThan(distance - 1e-9)
        expect(stepped, `swing ${swing}, thing ${thing}`).toBeLessThan(distance + 0.5)
      }
    }
    expect(touched).toBeGreaterThan(100)
  })

  test('[BE10] swings: seen from the box, as a covered polygon, and by small steps, the distance is the same', () => {
    const { circles } = spreadScene(400)
    const swings = randomSwings(80, circles.width)
    const hullX = new Float64Array(8)
    const hullY = new Float64Array(8)
    const victims = new Set(swingVictims(circles, swings).keys)
    expect(victims.size).toBeGreaterThan(50)
    for (let swing = 0; swing < swings.count; swing++) {
      const corners = sweptHull(swings, swing, hullX, hullY)
      for (let thing = 0; thing < circles.count; thing++) {
        const where = `swing ${swing}, thing ${thing}`
        const isHit = polygonNear(hullX, hullY, corners, circles.x[thing], circles.y[thing], circles.radius[thing])
        expect(victims.has(swing * circles.count + thing), where).toBe(isHit)
        const distance = swingDistance(circles, swings, swing, thing)
        if (distance < 30) expect(Math.abs(steppedDistance(swing, thing) - distance), where).toBeLessThan(0.03)
      }
    }

    /** The box stands still at 1,000 places of its way. */
    function steppedDistance(swing: number, thing: number): number {
      let least = Number.POSITIVE_INFINITY
      for (let i = 0; i <= 1000; i++) {
        const offX = circles.x[thing] - swings.x[swing] - (swings.moveX[swing] * i) / 1000
        const offY = circles.y[thing] - swings.y[swing] - (swings.moveY[swing] * i) / 1000
        const ahead = Math.abs(offX * swings.faceX[swing] + offY * swings.faceY[swing]) - swings.halfLength
        const aside = Math.abs(offY * swings.faceX[swing] - offX * swings.faceY[swing]) - swings.halfWidth
        least = Math.min(least, Math.hypot(Math.max(ahead, 0), Math.max(aside, 0)))
      }
      return least
    }
  })

  test('[BE11] differences are counted and graded: exact, rounding, wrong', () => {
    const couples = (...keys: number[]) => {
      const set = createCouples(10)
      for (const key of keys) addCouple(set, Math.floor(key / 10), key % 10)
      return set
    }
    const gap = (question: number) => question / 1000
    const same = compare(couples(12, 34), couples(34, 12), gap)
    expect(same).toEqual({ expected: 2, missing: 0, extra: 0, worstGapPx: 0 })
    const close = compare(couples(12, 34), couples(12, 56), gap)
    expect(close).toEqual({ expected: 2, missing: 1, extra: 1, worstGapPx: 0.005 })
    const twice = compare(couples(12), couples(12, 12), gap)
    expect(twice).toEqual({ expected: 1, missing: 0, extra: 1, worstGapPx: 0.001 })
    const far = compare(couples(), couples(12), () => 3)
    expect([same, close, far].map(verdictOf)).toEqual(['exact', 'rounding', 'wrong'])
  })

  test('[BE12] residual overlap: two things half inside each other, one pair deep', () => {
    const scene = { ...crowdScene(3), radius: Float64Array.of(10, 10, 10) }
    const quality = residualOverlap(scene, Float64Array.of(0, 15, 34.5), Float64Array.of(0, 0, 0))
    // Depths 5 and 0.5 over a radius of 10; only the first is deeper than a tenth.
    expect(quality.meanPenetration).toBeCloseTo((0.5 + 0.05) / 2, 12)
    expect(quality.deepPairsPerThing).toBeCloseTo(1 / 3, 12)
  })
})

function ascending(a: number, b: number): number {
  return a - b
}
