import { describe, expect, test } from 'vitest'
import { createRandom, type Random } from '../../../test/random.ts'
import { latticePosed, MODES, PAIRS, randomPosed, TIMEOUT } from './fixtures/cases.ts'
import { type Point, pointToCore } from './fixtures/oracle.ts'
import { type ArcShape, arc, box, circle, containsPoint, overlaps, type Pose, polygon, pose, segment } from './index.ts'

const degrees = (angle: number) => (angle / 180) * Math.PI

describe('melee arc', { timeout: TIMEOUT }, () => {
  const origin = pose({ x: 0, y: 0 })

  test('[SH40] an arc meets what lies within its reach and its opening', () => {
    const slash = arc(10, degrees(90))
    const hits = (x: number, y: number) =>
      overlaps({ shape: slash, pose: origin }, { shape: circle(1), pose: pose({ x, y }) }, false)
    expect(hits(5, 0), 'ahead').toBe(true)
    expect(hits(10.9, 0), 'at the end of the reach').toBe(true)
    expect(hits(11.1, 0), 'beyond it').toBe(false)
    expect(hits(5, 5.5), 'beside, but its edge reaches in').toBe(true)
    expect(hits(3, 6), 'beside').toBe(false)
    expect(hits(-0.9, 0), 'behind, touching the apex').toBe(true)
    expect(hits(-1.1, 0), 'behind').toBe(false)
    expect(
      overlaps(
        { shape: slash, pose: pose({ x: 0, y: 0, facingX: -1, facingY: 0 }) },
        { shape: circle(1), pose: pose({ x: -5, y: 0 }) },
        false,
      ),
      'turned round',
    ).toBe(true)
  })

  test('[SH41] an arc may be wider than half a turn', () => {
    const sweepingBlow = arc(10, degrees(300))
    const hits = (x: number, y: number) =>
      overlaps({ shape: sweepingBlow, pose: origin }, { shape: circle(1), pose: pose({ x, y }) }, false)
    expect([hits(0, 8), hits(0, -8), hits(-6, 6), hits(-8, 0)]).toEqual([true, true, true, false])
    expect(hits(-1.9, 0), 'in the gap, but both sides are near').toBe(true)
    const fullTurn = arc(10, degrees(360))
    expect(
      overlaps({ shape: fullTurn, pose: origin }, { shape: circle(1), pose: pose({ x: -10.9, y: 0 }) }, false),
    ).toBe(true)
    for (const x of [5, -5])
      expect(containsPoint({ shape: fullTurn, pose: origin }, { x, y: 0 }, false), 'ahead or behind').toBe(true)
    // A long bar behind reaches round into the opening on both sides.
    expect(
      overlaps(
        { shape: sweepingBlow, pose: origin },
        { shape: segment([0, -5], [0, 5]), pose: pose({ x: -3, y: 0 }) },
        false,
      ),
    ).toBe(true)
    expect(
      overlaps(
        { shape: sweepingBlow, pose: origin },
        { shape: segment([0, -1], [0, 1]), pose: pose({ x: -3, y: 0 }) },
        false,
      ),
    ).toBe(false)
  })

  test('[SH42] an arc overlaps a convex shape exactly when a dense sample of the arc does', () => {
    const random = createRandom(42)
    const seen = { hit: 0, miss: 0, unclear: 0 }
    for (let i = 0; i < PAIRS; i++) {
      const blow = randomArc(random)
      const target = randomPosed(random, MODES[Math.floor(random() * 8)], 0.7, 0, 0)
      const name = () => `case ${i}: ${describeArc(blow)} | ${JSON.stringify(target)}`
      const core = target.points.map(
        ([x, y]): Point => [x + target.pose.x - blow.place.x, y + target.pose.y - blow.place.y],
      )
      const { nearest, resolution } = sampleDistance(blow, core, target.shape.radius)
      const hit = overlaps({ shape: blow.shape, pose: blow.place }, target, true)
      seen[nearest <= 0 ? 'hit' : nearest > resolution ? 'miss' : 'unclear']++
      // Samples lie in the arc, so a sample in the shape proves overlap; the nearest sample is off by the resolution.
      if (nearest <= -1e-12 && !hit) expect.fail(`missed, ${nearest}: ${name()}`)
      if (nearest > resolution && hit) expect.fail(`hit, ${nearest}: ${name()}`)
      if (overlaps(target, { shape: blow.shape, pose: blow.place }, true) !== hit) expect.fail(`swapped: ${name()}`)
    }
    expect(seen.unclear).toBeLessThan(PAIRS * 0.05)
    expect(Math.min(seen.hit, seen.miss)).toBeGreaterThan(PAIRS / 5)
  })

  test('[SH43] growing a shape until the arc is touched gives the distance that sampling gives', () => {
    // Bisection on the rounding of a box: the verdict must switch where the dense sample says the gap closes.
    const random = createRandom(43)
    for (let i = 0; i < PAIRS / 20; i++) {
      const blow = randomArc(random)
      const place = pose({ x: random() * 8 - 4, y: random() * 8 - 4, facingX: random() - 0.5, facingY: random() - 0.5 })
      const [w, h] = [random(), random()]
      const hits = (rounding: number) =>
        overlaps({ shape: blow.shape, pose: blow.place }, { shape: box(w, h, { rounding }), pose: place }, true)
      if (hits(0)) continue
      let [low, high] = [0, 20]
      for (let step = 0; step < 50; step++) {
        const middle = (low + high) / 2
        if (hits(middle)) high = middle
        else low = middle
      }
      const { facingX, facingY } = place
      const local: Point[] = [
        [-w, -h],
        [w, -h],
        [w, h],
        [-w, h],
      ]
      const core = local.map(
        ([x, y]): Point => [
          place.x - blow.place.x + facingX * x - facingY * y,
          place.y - blow.place.y + facingY * x + facingX * y,
        ],
      )
      const { nearest, resolution } = sampleDistance(blow, core, 0, 400)
      if (nearest < high - 1e-12 || nearest - high > resolution) {
        expect.fail(`case ${i}: grown by ${high}, sampled ${nearest} ± ${resolution}: ${describeArc(blow)}`)
      }
    }
  })

  test('[SH44] without touching, leaning on an arc from outside is no overlap, from inside it is', () => {
    const blow = arc(10, Math.PI)
    const both = (shape: ReturnType<typeof box>, x: number, y: number) =>
      [true, false].map((touching) =>
        overlaps({ shape: blow, pose: origin }, { shape, pose: pose({ x, y }) }, touching),
      )
    const square = box(1, 1)
    expect(both(square, -1, 5), 'on the straight side, from outside').toEqual([true, false])
    expect(both(square, 1, 5), 'on the straight side, from inside').toEqual([true, true])
    expect(both(square, 0, 5), 'across it').toEqual([true, true])
    expect(both(square, 1, 0), 'on the apex, from inside').toEqual([true, true])
    expect(both(square, -1, 0), 'on the apex, from outside').toEqual([true, false])
    expect(both(square, 1, 1), 'a corner on the apex, from inside').toEqual([true, true])
    expect(both(square, -1, 1), 'a corner on the apex, from outside').toEqual([true, false])
    expect(both(square, 11, 0), 'on the round edge').toEqual([true, false])
    expect(both(circle(1), 11, 0), 'a circle on the round edge').toEqual([true, false])
    expect(both(circle(1), -1, 5), 'a circle on the straight side').toEqual([true, false])
    expect(both(circle(0), 0, 5), 'a point on the straight side').toEqual([true, false])
    expect(
      both(
        polygon([
          [0, 0],
          [-1, -3],
          [-1, 3],
        ]),
        0,
        5,
      ),
      'a tip on the straight side',
    ).toEqual([true, false])
  })

  test('[SH45] a point is in an arc by distance and direction', () => {
    const random = createRandom(45)
    for (let i = 0; i < PAIRS; i++) {
      const { shape, place, halfAngle, reach } = randomArc(random)
      const [x, y] = [random() * 8 - 4, random() * 8 - 4]
      const angle = Math.atan2(
        place.facingX * (y - place.y) - place.facingY * (x - place.x),
        place.facingX * (x - place.x) + place.facingY * (y - place.y),
      )
      const distance = Math.hypot(x - place.x, y - place.y)
      if (Math.abs(Math.abs(angle) - halfAngle) < 1e-9 || Math.abs(distance - reach) < 1e-9) continue
      const expected = distance < reach && Math.abs(angle) < halfAngle
      for (const touching of [true, false]) {
        if (containsPoint({ shape, pose: place }, { x, y }, touching) !== expected)
          expect.fail(`case ${i}: (${x}, ${y}) in ${reach}`)
      }
    }
  })

  test('[SH46] two arcs overlap exactly when a dense sample of one has a point in the other', () => {
    const random = createRandom(46)
    const seen = { hit: 0, miss: 0, unclear: 0 }
    for (let i = 0; i < PAIRS / 10; i++) {
      const a = randomArc(random)
      const b = randomArc(random)
      const hit = overlaps({ shape: a.shape, pose: a.place }, { shape: b.shape, pose: b.place }, true)
      const name = () => `case ${i}: ${describeArc(a)} | ${describeArc(b)}`
      if (overlaps({ shape: b.shape, pose: b.place }, { shape: a.shape, pose: a.place }, true) !== hit)
        expect.fail(`swapped: ${name()}`)
      // In both, each taken a little smaller: certainly an overlap. In both, each a little larger: possibly one.
      const samples = arcSamples(a, 40)
      const inner = samples.some(([x, y]) => inArc(b, x, y, -1e-9, a.place))
      const outer = inner || samples.some(([x, y]) => inArc(b, x, y, a.reach / 15, a.place))
      seen[inner ? 'hit' : outer ? 'unclear' : 'miss']++
      if (inner && !hit) expect.fail(`missed: ${name()}`)
      if (!outer && hit) expect.fail(`hit: ${name()}`)
    }
    expect(seen.unclear).toBeLessThan((PAIRS / 10) * 0.25)
    expect(Math.min(seen.hit, seen.miss)).toBeGreaterThan(PAIRS / 100)
  })

  test('[SH46] two arcs, by hand: blades that cross, one within the other, back to back, the same', () => {
    const slash = arc(10, degrees(60))
    const both = (a: ArcShape, poseA: Pose, b: ArcShape, poseB: Pose) =>
      [true, false].map((touching) => overlaps({ shape: a, pose: poseA }, { shape: b, pose: poseB }, touching))
    expect(both(slash, origin, slash, pose({ x: 15, y: 0, facingX: -1, facingY: 0 })), 'face to face').toEqual([
      true,
      true,
    ])
    expect(both(slash, origin, slash, pose({ x: 21, y: 0, facingX: -1, facingY: 0 })), 'out of reach').toEqual([
      false,
      false,
    ])
    expect(both(slash, origin, slash, pose({ x: 20, y: 0, facingX: -1, facingY: 0 })), 'tip to tip').toEqual([
      true,
      false,
    ])
    expect(both(slash, origin, arc(1, degrees(60)), pose({ x: 5, y: 0 })), 'one within the other').toEqual([true, true])
    expect(both(slash, origin, slash, origin), 'the same').toEqual([true, true])
    expect(both(slash, origin, slash, pose({ x: 0, y: 0, facingX: -1, facingY: 0 })), 'back to back').toEqual([
      true,
      false,
    ])
    expect(both(slash, origin, slash, pose({ x: -1, y: 0, facingX: -1, facingY: 0 })), 'back to back, apart').toEqual([
      false,
      false,
    ])
  })

  test('[SH42] on whole coordinates half-turn arcs are exact against boxes and circles', () => {
    const random = createRandom(421)
    let touched = 0
    for (let i = 0; i < PAIRS; i++) {
      const target = latticePosed(random)
      const reach = 1 + Math.floor(random() * 5)
      const blow = arc(reach, Math.PI)
      const got = [true, false].map((touching) => overlaps({ shape: blow, pose: origin }, target, touching))
      const want = halfDiscRelation(
        reach,
        target.points.map(([x, y]): Point => [x + target.pose.x, y + target.pose.y]),
        target.shape.radius,
      )
      if (want[0] !== want[1]) touched++
      if (got[0] !== want[0] || got[1] !== want[1])
        expect.fail(`case ${i}: ${got}, should be ${want}: reach ${reach}, ${JSON.stringify(target)}`)
    }
    expect(touched).toBeGreaterThan(PAIRS / 50)
  })
})

type PosedArc = { shape: ArcShape; place: Pose; reach: number; halfAngle: number }

function randomArc(random: Random): PosedArc {
  const angle = random() * 2 * Math.PI
  const halfAngle = (0.02 + 0.97 * random()) * Math.PI
  const reach = 0.2 + 3 * random()
  const place = pose({ x: random() * 4 - 2, y: random() * 4 - 2, facingX: Math.cos(angle), facingY: Math.sin(angle) })
  return { shape: arc(reach, 2 * halfAngle), place, reach, halfAngle }
}

function describeArc({ place, reach, halfAngle }: PosedArc): string {
  return `arc reach ${reach} half angle ${halfAngle} at (${place.x}, ${place.y}) facing (${place.facingX}, ${place.facingY})`
}

/** Points of the arc in rings around the apex, both straight sides and the round edge included; relative to its pose. */
function arcSamples({ place, reach, halfAngle }: PosedArc, rings: number): Point[] {
  const facing = Math.atan2(place.facingY, place.facingX)
  const points: Point[] = [[0, 0]]
  for (let ring = 1; ring <= rings; ring++) {
    const radius = (reach * ring) / rings
    const steps = Math.max(1, Math.ceil((2 * halfAngle * ring) / 1))
    for (let step = 0; step <= steps; step++) {
      const angle = facing - halfAngle + (2 * halfAngle * step) / steps
      points.push([radius * Math.cos(angle), radius * Math.sin(angle)])
    }
  }
  return points
}

/** Smallest distance from samples of the arc to the rounded shape, and how much smaller the true one may be. */
function sampleDistance(
  blow: PosedArc,
  core: readonly Point[],
  radius: number,
  rings = 24,
): { nearest: number; resolution: number } {
  // Only outlines count for the distance, apart from containment: sample sides and round edge densely, the inside coarsely.
  let nearest = Number.POSITIVE_INFINITY
  const consider = (x: number, y: number): void => {
    nearest = Math.min(nearest, pointToCore([x, y], core) - radius)
  }
  const facing = Math.atan2(blow.place.facingY, blow.place.facingX)
  const turn = (distance: number, angle: number): void =>
    consider(distance * Math.cos(facing + angle), distance * Math.sin(facing + angle))
  for (let k = 0; k <= rings; k++) {
    turn((blow.reach * k) / rings, blow.halfAngle)
    turn((blow.reach * k) / rings, -blow.halfAngle)
    turn(blow.reach, blow.halfAngle * ((2 * k) / rings - 1))
  }
  // A shape wholly inside the arc is nearest to none of its outline: any of its corners will do.
  const [x, y] = core[0]
  const angle = Math.atan2(
    blow.place.facingX * y - blow.place.facingY * x,
    blow.place.facingX * x + blow.place.facingY * y,
  )
  if (Math.hypot(x, y) <= blow.reach && Math.abs(angle) <= blow.halfAngle) nearest = -radius - 1e-9
  return { nearest, resolution: (blow.reach * Math.max(1, 2 * blow.halfAngle)) / rings / 2 + 1e-9 }
}

/** Whether (x, y), relative to another arc's pose, lies in this arc grown by `margin`. */
function inArc({ place, reach, halfAngle }: PosedArc, x: number, y: number, margin: number, from: Pose): boolean {
  const dx = x + from.x - place.x
  const dy = y + from.y - place.y
  const distance = Math.hypot(dx, dy)
  if (distance > reach + margin) return false
  const angle = Math.abs(Math.atan2(place.facingX * dy - place.facingY * dx, place.facingX * dx + place.facingY * dy))
  if (angle <= halfAngle) return true
  const past = Math.min(angle - halfAngle, Math.PI / 2)
  return distance * Math.sin(past) <= margin
}

/** The half disc x >= 0, |p| <= reach against a box-shaped core along the axes: exact in whole numbers. */
function halfDiscRelation(reach: number, core: readonly Point[], radius: number): [touching: boolean, strict: boolean] {
  const xs = core.map(([x]) => x)
  const ys = core.map(([, y]) => y)
  const [minX, maxX, minY, maxY] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const near = (low: number, high: number) => Math.max(0, low, -high)
  if (radius === 0) {
    // What of the core has x >= 0, and how near does that come?
    const squared = near(Math.max(0, minX), maxX) ** 2 + near(minY, maxY) ** 2
    const strict = maxX > 0 && squared < reach ** 2
    return [maxX >= 0 && squared <= reach ** 2, strict]
  }
  // The nearest point of the core ahead, or the straight side from (0, -reach) to (0, reach).
  const behind = maxX < 0
  if (!behind) {
    const squared = near(minX, maxX) ** 2 + near(minY, maxY) ** 2
    return [squared <= (reach + radius) ** 2, squared < (reach + radius) ** 2]
  }
  const squared = maxX ** 2 + Math.max(0, minY - reach, -reach - maxY) ** 2
  return [squared <= radius ** 2, squared < radius ** 2]
}
