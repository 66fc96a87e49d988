import { describe, expect, test } from 'vitest'
import { bulletScene, fireAgain, moveBullets } from '../scenes/bullets.ts'
import { type Circles, clusteredScene, mixedScene, moveBouncing, spreadScene } from '../scenes/circles.ts'
import { crowdScene } from '../scenes/crowd.ts'
import { randomRays, randomRegions, randomSwings } from '../scenes/queries.ts'
import { survivorsScene } from '../scenes/survivors.ts'
import { towerScene } from '../scenes/tower.ts'
import { scatteredWalls } from '../scenes/walls.ts'
import { checksum } from './support.ts'

/** Change these only together with a deliberate change of a scene: old results can no longer be compared with new ones. */
const GOLDEN: Record<string, string> = {
  spread: 'cef24b45',
  'spread after 50 steps': '7bf2c0e5',
  mixed: 'b2382398',
  clustered: 'f48c3d85',
  bullets: 'ffafd53d',
  survivors: 'bb65357d',
  crowd: 'eba7d09d',
  regions: 'c8abc565',
  rays: '9833a735',
  swings: '0e3b4a16',
  walls: '4d64e021',
  tower: 'c3b2e56a',
}

describe('benchmark scenes', () => {
  const spread = spreadScene(1000).circles
  const bullets = bulletScene(1000, 200).circles
  const crowd = crowdScene(1000)
  const regions = randomRegions(100, 500)
  const rays = randomRays(100, 500)
  const swings = randomSwings(100, 500)
  const walls = scatteredWalls(1000)
  const tower = towerScene(200)
  const arrays: Record<string, (Float64Array | Int32Array)[]> = {
    spread: bits(spread),
    'spread after 50 steps': bits(moved(spreadScene(1000).circles, 50)),
    mixed: bits(mixedScene(1000).circles),
    clustered: bits(clusteredScene(1000, 10).circles),
    bullets: [...bits(bullets), bulletScene(1000, 200).owner],
    survivors: bits(survivorsScene().circles),
    crowd: [crowd.x, crowd.y, crowd.radius, crowd.mass],
    regions: [regions.x, regions.y, regions.radius],
    rays: [rays.x, rays.y, rays.dx, rays.dy],
    swings: [swings.x, swings.y, swings.faceX, swings.moveY],
    walls: [walls.minX, walls.minY, walls.maxX, walls.maxY],
    tower: [tower.walls.minX, tower.walls.maxX, tower.walls.minY, tower.x, tower.y],
  }

  test.each(Object.keys(arrays))('[BE1] the scene "%s" is the committed one, bit for bit', (name) => {
    expect(checksum(...arrays[name])).toBe(GOLDEN[name])
  })

  test('[BE2] positions and velocities stay exact in single precision while a scene runs', () => {
    const scenes = [spreadScene(2000).circles, mixedScene(2000).circles, bulletScene(1000, 200).circles]
    for (const circles of scenes) {
      for (let step = 0; step < 100; step++) {
        // What an engine that computes in single precision would get.
        const single = Float64Array.from(circles.x, (x, thing) => Math.fround(Math.fround(x) + circles.vx[thing]))
        moveBouncing(circles)
        const off = single.findIndex((x, thing) => x !== circles.x[thing])
        if (off !== -1) throw new Error(`thing ${off} is at ${circles.x[off]}, not ${single[off]}, at step ${step}`)
      }
      expect(Array.from(circles.radius, Math.fround)).toEqual(Array.from(circles.radius))
    }
  })

  test('[BE3] no two things of a scene ever touch exactly', () => {
    // Few distinct places and sizes, so that there would be many exact touches without the trick.
    const { circles } = clusteredScene(400, 2)
    for (let step = 0; step < 20; step++) {
      moveBouncing(circles)
      for (let a = 0; a < circles.count; a++) {
        for (let b = a + 1; b < circles.count; b++) {
          const dx = circles.x[a] - circles.x[b]
          const dy = circles.y[a] - circles.y[b]
          const reach = circles.radius[a] + circles.radius[b]
          if (dx * dx + dy * dy === reach * reach) throw new Error(`things ${a} and ${b} touch at step ${step}`)
        }
      }
    }
  })

  test('[BE4] a spread scene has 1.5 overlaps per thing at every size', async () => {
    const { overlappingPairs } = await import('../oracles/pairs.ts')
    for (const count of [2000, 20_000]) {
      const pairs = overlappingPairs(spreadScene(count).circles).keys.length
      expect((2 * pairs) / count).toBeCloseTo(1.5, 1)
    }
  })

  test('[BE5] where a bullet is fired to does not depend on the order of the hits', () => {
    const fired = [
      [300, 500, 700],
      [700, 300, 500],
    ].map((order) => {
      const scene = bulletScene(1000, 200)
      moveBullets(scene)
      fireAgain(scene, { count: 3, bullet: Int32Array.from(order), victim: new Int32Array(3) })
      return checksum(scene.circles.x, scene.circles.vx, scene.circles.vy)
    })
    expect(fired[0]).toBe(fired[1])
  })
})

function bits({ x, y, vx, vy, radius }: Circles): Float64Array[] {
  return [x, y, vx, vy, radius]
}

function moved(circles: Circles, steps: number): Circles {
  for (let i = 0; i < steps; i++) moveBouncing(circles)
  return circles
}
