import { describe, expect, test } from 'vitest'
import { type Random, randomOf } from '../../../test/random.ts'
import * as shapes from '../shapes/index.ts'
import { CASES, forCases, randomFacing } from './fixtures/cases.ts'
import {
  box,
  capsule,
  createImpact,
  createSeparation,
  overlaps,
  pose,
  raycast,
  separation,
  setPose,
  sphere,
  sweep,
  type Vector,
  type Volume,
} from './index.ts'

// Rule [VO11]: at equal height, upright volumes agree with the plane; see docs/spec.md, section "Volumes".

const TOLERANCE = 1e-13
const TALL = 100

type Flat = {
  readonly shape: shapes.ConvexShape
  readonly volume: Volume
  /** Circle: radius. Box: half extents and rounding. */
  readonly kind: 'circle' | 'capsule' | 'box'
  readonly radius: number
  readonly half: readonly [number, number]
}

/**
 * A shape of the plane and what it is in space: a circle is a sphere or an upright capsule, a capsule lies on the level of the
 * plane, a box is tall enough that nothing leaves it by the top.
 */
function randomFlat(random: Random): Flat {
  const radius = 0.1 + random()
  const half = [0.1 + 1.5 * random(), 0.1 + 1.5 * random()] as const
  const pick = Math.floor(random() * 5)
  if (pick === 0) return { kind: 'circle', radius, half: [0, 0], shape: shapes.circle(radius), volume: sphere(radius) }
  if (pick === 1) {
    return { kind: 'circle', radius, half: [0, 0], shape: shapes.circle(radius), volume: capsule(radius, TALL / 2) }
  }
  if (pick === 2) {
    const shape = shapes.capsule([-half[0], 0], [half[0], 0], radius)
    return { kind: 'capsule', radius, half: [half[0], 0], shape, volume: capsule(radius, half[0], { axis: [1, 0, 0] }) }
  }
  const rounding = pick === 3 ? 0 : radius / 2
  const shape = shapes.box(half[0], half[1], { rounding })
  return { kind: 'box', radius: rounding, half, shape, volume: box(half[0], half[1], TALL, { rounding }) }
}

const poseA = pose({ x: 0, y: 0, z: 0 })
const poseB = pose({ x: 0, y: 0, z: 0 })
const out = createSeparation()
const flatOut = shapes.createSeparation()
const impact = createImpact()
const flatImpact = shapes.createImpact()

function frameOf([x, y]: readonly [number, number], [facingX, facingY]: readonly [number, number]): shapes.PlaneFrame {
  return { x, y, facingX, facingY }
}

/** Two shapes of the plane, posed in it and, at a common height, in space. */
function flatCase(n: number) {
  const random = randomOf(n + 0x3000)
  const a = randomFlat(random)
  const b = randomFlat(random)
  const height = random() * 10 - 5
  const facingA = randomFacing(random)
  const facingB = randomFacing(random)
  const atA = [random() * 6 - 3, random() * 6 - 3] as const
  const atB = [random() * 6 - 3, random() * 6 - 3] as const
  const frameA = frameOf(atA, facingA)
  const frameB = frameOf(atB, facingB)
  setPose(poseA, { ...frameA, z: height })
  setPose(poseB, { ...frameB, z: height })
  const way = { x: random() * 12 - 6, y: random() * 12 - 6, z: 0 }
  return {
    a,
    b,
    atA,
    atB,
    facingA,
    facingB,
    way,
    flatA: shapes.pose(frameA),
    flatB: shapes.pose(frameB),
  }
}

describe('volumes at equal height and the plane, by formulas of this test', () => {
  test('[VO11] spheres and upright capsules are circles', () => {
    let tried = 0
    forCases(CASES, (n) => {
      const { a, b, atA, atB, way } = flatCase(n)
      if (a.kind !== 'circle' || b.kind !== 'circle') return
      tried++
      const dx = atB[0] - atA[0]
      const dy = atB[1] - atA[1]
      const reach = a.radius + b.radius
      const centres = Math.sqrt(dx * dx + dy * dy)
      if (
        overlaps({ volume: a.volume, pose: poseA }, { volume: b.volume, pose: poseB }, true) !==
        dx * dx + dy * dy <= reach * reach
      )
        return 'verdict'
      separation({ volume: a.volume, pose: poseA }, { volume: b.volume, pose: poseB }, out)
      if (Math.abs(out.distance - (centres - reach)) > TOLERANCE) return `distance ${out.distance}, ${centres - reach}`
      if (Math.abs(out.normalX - dx / centres) + Math.abs(out.normalY - dy / centres) > TOLERANCE) return 'normal'
      if (out.normalZ !== 0) return `normal leaves the plane: ${out.normalZ}`
      // First root of |d − w·t| = reach.
      const ww = way.x * way.x + way.y * way.y
      const dw = dx * way.x + dy * way.y
      const root = dw * dw - ww * (dx * dx + dy * dy - reach * reach)
      const time = centres <= reach ? 0 : root < 0 ? 2 : (dw - Math.sqrt(root)) / ww
      const hit = sweep(
        { volume: a.volume, pose: poseA, dx: way.x, dy: way.y, dz: way.z },
        { volume: b.volume, pose: poseB },
        impact,
      )
      if (Math.abs(root) < 1e-9 || Math.abs(time - 1) < 1e-9) return
      if (hit !== (time >= 0 && time <= 1)) return `hit ${hit} at time ${time}`
      return hit && Math.abs(impact.time - time) > 1e-9 ? `time ${impact.time}, ${time}` : undefined
    })
    expect(tried).toBeGreaterThan(CASES / 10)
  })

  test('[VO11] a circle and a tall box', () => {
    let tried = 0
    forCases(CASES, (n) => {
      const { a, b, atA, atB, facingB } = flatCase(n)
      if (a.kind !== 'circle' || b.kind !== 'box') return
      tried++
      const dx = atA[0] - atB[0]
      const dy = atA[1] - atB[1]
      const ahead = Math.abs(dx * facingB[0] + dy * facingB[1]) - b.half[0]
      const aside = Math.abs(dy * facingB[0] - dx * facingB[1]) - b.half[1]
      const beyond = Math.sqrt(Math.max(0, ahead) ** 2 + Math.max(0, aside) ** 2)
      const distance = (beyond > 0 ? beyond : Math.max(ahead, aside)) - a.radius - b.radius
      separation({ volume: a.volume, pose: poseA }, { volume: b.volume, pose: poseB }, out)
      if (Math.abs(out.distance - distance) > TOLERANCE) return `distance ${out.distance}, ${distance}`
      if (Math.abs(distance) < TOLERANCE) return
      return overlaps({ volume: a.volume, pose: poseA }, { volume: b.volume, pose: poseB }, false) === distance < 0
        ? undefined
        : 'verdict'
    })
    expect(tried).toBeGreaterThan(CASES / 10)
  })

  test('[VO11] two tall boxes: four axes of the plane decide', () => {
    let tried = 0
    forCases(CASES, (n) => {
      const { a, b, atA, atB, facingA, facingB } = flatCase(n)
      if (a.kind !== 'box' || b.kind !== 'box' || a.radius + b.radius > 0) return
      tried++
      let widest = Number.NEGATIVE_INFINITY
      for (const [x, y] of [facingA, facingB, [-facingA[1], facingA[0]], [-facingB[1], facingB[0]]] as const) {
        let extent = 0
        for (const [flat, facing] of [
          [a, facingA],
          [b, facingB],
        ] as const) {
          extent += flat.half[0] * Math.abs(facing[0] * x + facing[1] * y)
          extent += flat.half[1] * Math.abs(facing[0] * y - facing[1] * x)
        }
        widest = Math.max(widest, Math.abs((atB[0] - atA[0]) * x + (atB[1] - atA[1]) * y) - extent)
      }
      separation({ volume: a.volume, pose: poseA }, { volume: b.volume, pose: poseB }, out)
      if (widest <= 0 && Math.abs(out.distance - widest) > TOLERANCE) return `depth ${out.distance}, ${widest}`
      if (out.distance < widest - TOLERANCE) return `distance ${out.distance} below ${widest}`
      if (Math.abs(widest) < TOLERANCE) return
      return overlaps({ volume: a.volume, pose: poseA }, { volume: b.volume, pose: poseB }, true) === widest < 0
        ? undefined
        : 'verdict'
    })
    expect(tried).toBeGreaterThan(CASES / 50)
  })
})

describe('volumes at equal height and the shapes of the plane', () => {
  /** Two capsules lying on one level can also be parted upwards; so can no pair in which one is tall. */
  const partsUpwards = (a: Flat, b: Flat): boolean =>
    a.kind !== 'box' && b.kind !== 'box' && out.distance + a.radius + b.radius < 1e-9

  /** By more than the tolerance of a sweep, of which tall boxes are a part: the nearer to a graze, the more time that takes. */
  function timesDiffer(way: Vector): boolean {
    const closing = Math.abs(way.x * impact.normalX + way.y * impact.normalY)
    const gap = Math.abs(impact.time - flatImpact.time)
    return gap > 1e-6 || gap * closing > 4e-15 * 4 * TALL
  }

  test('[VO11] verdict, distance, normal', () => {
    forCases(CASES, (n) => {
      const { a, b, flatA, flatB } = flatCase(n)
      separation({ volume: a.volume, pose: poseA }, { volume: b.volume, pose: poseB }, out)
      shapes.separation({ shape: a.shape, pose: flatA }, { shape: b.shape, pose: flatB }, flatOut)
      const verdict = overlaps({ volume: a.volume, pose: poseA }, { volume: b.volume, pose: poseB }, true)
      if (
        Math.abs(out.distance) > TOLERANCE &&
        verdict !== shapes.overlaps({ shape: a.shape, pose: flatA }, { shape: b.shape, pose: flatB }, true)
      )
        return 'verdict'
      if (partsUpwards(a, b)) return
      if (Math.abs(out.distance - flatOut.distance) > TOLERANCE) return `distance ${out.distance}, ${flatOut.distance}`
      const cosine = out.normalX * flatOut.normalX + out.normalY * flatOut.normalY
      return 1 - cosine > 1e-12 ? `normal, ${a.kind} ${b.kind} at ${out.distance}: cosine ${cosine}` : undefined
    })
  })

  test('[VO11] sweep', () => {
    let hits = 0
    forCases(CASES, (n) => {
      const { a, b, flatA, flatB, way } = flatCase(n)
      const hit = sweep(
        { volume: a.volume, pose: poseA, dx: way.x, dy: way.y, dz: way.z },
        { volume: b.volume, pose: poseB },
        impact,
      )
      const flatHit = shapes.sweep(
        { shape: a.shape, pose: flatA, dx: way.x, dy: way.y },
        { shape: b.shape, pose: flatB },
        flatImpact,
      )
      if (hit !== flatHit) return `hit ${hit} in space, ${flatHit} in the plane`
      if (!hit) return
      hits++
      return timesDiffer(way) ? `time ${impact.time}, ${flatImpact.time}` : undefined
    })
    expect(hits).toBeGreaterThan(CASES / 4)
  })

  test('[VO11] raycast', () => {
    let hits = 0
    forCases(CASES, (n) => {
      const { b, atA, flatB, way } = flatCase(n)
      const hit = raycast(
        { volume: b.volume, pose: poseB },
        { x: poseA.x, y: poseA.y, z: poseA.z, dx: way.x, dy: way.y, dz: way.z },
        impact,
      )
      const flatHit = shapes.raycast(
        { shape: b.shape, pose: flatB },
        { x: atA[0], y: atA[1], dx: way.x, dy: way.y },
        flatImpact,
      )
      if (hit !== flatHit) return `hit ${hit} in space, ${flatHit} in the plane`
      if (!hit) return
      hits++
      if (timesDiffer(way)) return `time ${impact.time}, ${flatImpact.time}`
      if (impact.time === 0) return
      const cosine = impact.normalX * flatImpact.normalX + impact.normalY * flatImpact.normalY
      return 1 - cosine > 1e-12 ? `normal: cosine ${cosine}` : undefined
    })
    expect(hits).toBeGreaterThan(CASES / 8)
  })
})
