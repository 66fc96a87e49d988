import { describe, expect, test } from 'vitest'
import { pairOfVolumes } from './fixtures/cases.ts'
import {
  containsPoint,
  createImpact,
  createSeparation,
  overlaps,
  pose,
  raycast,
  separation,
  setPose,
  sweep,
} from './index.ts'

// Rules [VO23], [VO24]; see docs/spec.md, section "Volumes".

const PAIRS = 4000

/**
 * Change this only together with a deliberate change of behaviour, and say so in the commit. A hash that moves on its own is a
 * desync in every game with height. The cases themselves use exact operations only.
 */
const GOLDEN = '0xeac96aef'

const out = createSeparation()
const impact = createImpact()
const way = { x: 0.75, y: -1.5, z: 0.25 }

describe('determinism', () => {
  test('[VO23] the answers to four thousand pairs have the committed bits', () => {
    const bits = new Float64Array(1)
    const words = new Uint32Array(bits.buffer)
    let hash = 0x811c9dc5
    const add = (value: number): void => {
      bits[0] = value
      hash = Math.imul(hash ^ words[0], 0x01000193)
      hash = Math.imul(hash ^ words[1], 0x01000193)
      hash ^= hash >>> 15
    }
    for (let n = 0; n < PAIRS; n++) {
      const { a, b } = pairOfVolumes(n)
      add(Number(overlaps(a, b, true)))
      separation(a, b, out)
      for (const value of [out.distance, out.normalX, out.normalY, out.normalZ, out.x, out.y, out.z]) add(value)
      if (sweep({ ...a, dx: way.x, dy: way.y, dz: way.z }, b, impact)) add(impact.time)
      if (raycast(b, { x: a.pose.x, y: a.pose.y, z: a.pose.z, dx: way.x, dy: way.y, dz: way.z }, impact))
        add(impact.normalX)
    }
    expect(`0x${(hash >>> 0).toString(16).padStart(8, '0')}`).toBe(GOLDEN)
  })
})

describe('allocation', () => {
  const stand = pose({ x: 0, y: 0, z: 0 })
  const moving = { volume: pairOfVolumes(0).a.volume, pose: stand, dx: way.x, dy: way.y, dz: way.z }
  const ray = { x: Number.NaN, y: Number.NaN, z: Number.NaN, dx: way.x, dy: way.y, dz: way.z }
  const frame = { x: Number.NaN, y: 1.5, z: 2.5, facingX: 0.6, facingY: 0.8 }
  const queries: Readonly<Record<string, (n: number) => boolean>> = {
    overlaps: (n) => {
      const { a, b } = pairOfVolumes(n)
      return overlaps(a, b, true)
    },
    separation: (n) => {
      const { a, b } = pairOfVolumes(n)
      return separation(a, b, out).distance > 0
    },
    sweep: (n) => {
      const { a, b } = pairOfVolumes(n)
      moving.volume = a.volume
      moving.pose = a.pose
      return sweep(moving, b, impact)
    },
    raycast: (n) => {
      const { a, b } = pairOfVolumes(n)
      ray.x = a.pose.x
      ray.y = a.pose.y
      ray.z = a.pose.z
      return raycast(b, ray, impact)
    },
    containsPoint: (n) => {
      const { a, b } = pairOfVolumes(n)
      return containsPoint(b, a.pose)
    },
    setPose: (n) => {
      frame.x = n * 0.5
      setPose(stand, frame)
      return stand.x > 0
    },
  }

  test.each(Object.keys(queries))('[VO24] %s allocates nothing once it is warm', (name) => {
    const query = queries[name]
    let found = 0
    for (let n = 0; n < PAIRS; n++) pairOfVolumes(n)
    const heapGrowth = (): number => {
      const before = process.memoryUsage().heapUsed
      for (let n = 0; n < PAIRS; n++) if (query(n)) found++
      return process.memoryUsage().heapUsed - before
    }
    // One number on the heap per query would be 16 bytes × 4,000 in every round. Until the optimising compiler has been here
    // there are many; the compiler and the test runner allocate too, now and then. So: is there a round without?
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < 500 && least > PAIRS; round++) {
      const growth = heapGrowth()
      if (growth >= 0) least = Math.min(least, growth)
    }
    expect(least / PAIRS).toBeLessThan(1)
    expect(found).toBeGreaterThan(PAIRS / 20)
  })
})
