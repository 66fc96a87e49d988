/**
 * Arcs and bands: overlap, distance and sweep against an oracle that knows nothing of their formulas.
 *
 * The oracle of an arc is its definition: a point is in it by distance and direction. Its distance from a shape is that of
 * the nearest of many points along its outline, made exact by looking ever closer around the best of them.
 */

import { describe, expect, test } from 'vitest'
import { createRandom, type Random } from '../../../test/random.ts'
import { TURN_TOLERANCE } from '../math/advance.ts'
import { MODES, PAIRS, type Posed, randomPosed, TIMEOUT } from './fixtures/cases.ts'
import { type Point, pointToCore } from './fixtures/oracle.ts'
import {
  type ArcShape,
  arc,
  arcBand,
  createImpact,
  createSeparation,
  overlaps,
  type Pose,
  pose,
  type Shape,
  separation,
  sweep,
  sweepTurning,
} from './index.ts'

type PosedArc = { shape: ArcShape; pose: Pose; inner: number; outer: number; half: number }

function randomArc(random: Random, isBand: boolean): PosedArc {
  const half = (0.05 + 0.9 * random()) * Math.PI
  const outer = 0.5 + 3 * random()
  const inner = isBand ? outer * (0.1 + 0.85 * random()) : 0
  const facing = random() * 2 * Math.PI
  const place = pose({
    x: random() * 6 - 3,
    y: random() * 6 - 3,
    facingX: Math.cos(facing),
    facingY: Math.sin(facing),
  })
  const shape = isBand ? arcBand(inner, outer, 2 * half) : arc(outer, 2 * half)
  return { shape, pose: place, inner, outer, half }
}

/** The outline of an arc, by a number from 0 to 4: right side, outer rim, left side, inner rim. */
function outline({ pose: { x, y, facingX, facingY }, inner, outer, half }: PosedArc, at: number): Point {
  const piece = Math.min(3, Math.floor(at))
  const part = at - piece
  const facing = Math.atan2(facingY, facingX)
  const away =
    piece === 0
      ? inner + part * (outer - inner)
      : piece === 1
        ? outer
        : piece === 2
          ? outer + part * (inner - outer)
          : inner
  const angle =
    piece === 0 ? -half : piece === 1 ? -half + 2 * half * part : piece === 2 ? half : half - 2 * half * part
  return [x + away * Math.cos(facing + angle), y + away * Math.sin(facing + angle)]
}

/** Distance of an arc's outline from a convex shape: many points, then ever closer ones around the best few. */
function outlineDistance(blow: PosedArc, target: Posed): number {
  const core = target.points.map(([x, y]): Point => [x + target.pose.x, y + target.pose.y])
  const distance = (at: number) => pointToCore(outline(blow, at), core) - target.shape.radius
  const steps = 160
  const first = Array.from({ length: steps + 1 }, (_, i) => (4 * i) / steps)
  const best = first.toSorted((a, b) => distance(a) - distance(b)).slice(0, 6)
  let nearest = Number.POSITIVE_INFINITY
  for (const start of best) {
    let [centre, width] = [start, 4 / steps]
    for (let round = 0; round < 40; round++) {
      for (const at of [centre - width / 2, centre + width / 2]) {
        const inside = Math.min(4 - 1e-12, Math.max(0, at))
        if (distance(inside) < distance(centre)) centre = inside
      }
      width *= 0.6
    }
    nearest = Math.min(nearest, distance(centre))
  }
  return nearest
}

const ARCS = Math.max(400, PAIRS / 25)

describe('arcs and bands', { timeout: TIMEOUT }, () => {
  test('[SH47] an arc or a band is as far from a shape as the nearest point of its outline', () => {
    const seen = { apart: 0, overlapping: 0 }
    for (let seed = 1; seed <= ARCS; seed++) {
      const random = createRandom(seed)
      const blow = randomArc(random, seed % 2 === 0)
      const target = randomPosed(random, MODES[seed % 8], 0.7, 0, 0)
      const name = () => `seed ${seed}: ${JSON.stringify(blow)} | ${JSON.stringify(target)}`
      const { distance, normalX, normalY } = separation(blow, target, createSeparation())
      const hits = overlaps(blow, target, true)
      if (hits !== distance <= 0) expect.fail(`overlaps ${hits}, distance ${distance}: ${name()}`)
      expect(Math.hypot(normalX, normalY), name()).toBeCloseTo(1, 9)
      if (hits) {
        seen.overlapping++
        // Out by the depth, and a hair: nothing overlaps any more, where the arc is no wider than half a turn.
        const out = {
          ...blow,
          pose: {
            ...blow.pose,
            x: blow.pose.x + normalX * (distance - 1e-9),
            y: blow.pose.y + normalY * (distance - 1e-9),
          },
        }
        if (blow.half <= Math.PI / 2 && blow.inner === 0 && overlaps(out, target, false))
          expect.fail(`still in: ${distance} ${name()}`)
        continue
      }
      seen.apart++
      const wanted = outlineDistance(blow, target)
      if (Math.abs(wanted - distance) > 1e-6) expect.fail(`${distance}, should be ${wanted}: ${name()}`)
      // Moved by the distance along the normal they touch: no gap is left, and nothing overlaps a hair before.
      const moved = (by: number) => ({
        ...blow,
        pose: { ...blow.pose, x: blow.pose.x + normalX * by, y: blow.pose.y + normalY * by },
      })
      if (overlaps(moved(distance - 1e-9), target, true)) expect.fail(`too far: ${name()}`)
      const left = separation(moved(distance - 1e-9), target, createSeparation()).distance
      if (!(left > 0 && left < 2e-9)) expect.fail(`${left} is left: ${name()}`)
    }
    expect(Math.min(seen.apart, seen.overlapping)).toBeGreaterThan(ARCS / 5)
  })

  test('[SH48] a band overlaps what reaches into it, and not what lies in its hole or behind its back', () => {
    const ring = arcBand(4, 5, 2)
    const at = (x: number, y: number) => ({ x, y, facingX: 1, facingY: 0 })
    const ball = randomPosed(createRandom(1), 'ordinary', 1, 0, 0)
    expect(overlaps({ shape: ring, pose: at(0, 0) }, { shape: arc(3.9, 6), pose: at(0, 0) }, true)).toBe(false)
    expect(overlaps({ shape: ring, pose: at(0, 0) }, { shape: arc(4.1, 6), pose: at(0, 0) }, true)).toBe(true)
    expect(overlaps({ shape: ring, pose: at(0, 0) }, { ...ball, pose: at(-6, 0) }, true)).toBe(false)
    let [inside, outside] = [0, 0]
    for (let seed = 1; seed <= ARCS; seed++) {
      const random = createRandom(seed)
      const blow = randomArc(random, true)
      const { x, y, facingX, facingY } = blow.pose
      const [px, py] = [random() * 12 - 6, random() * 12 - 6]
      const [dx, dy] = [px - x, py - y]
      const away = Math.hypot(dx, dy)
      const angle = Math.abs(Math.atan2(facingX * dy - facingY * dx, facingX * dx + facingY * dy))
      const wanted = away >= blow.inner && away <= blow.outer && angle <= blow.half
      const margin = Math.min(Math.abs(away - blow.inner), Math.abs(away - blow.outer), Math.abs(angle - blow.half))
      if (margin < 1e-9) continue
      const got = overlaps(blow, { shape: arc(1e-12, 6), pose: at(px, py) }, true)
      if (got !== wanted) expect.fail(`seed ${seed}: ${got}, should be ${wanted}: ${JSON.stringify(blow)} ${px} ${py}`)
      if (wanted) inside++
      else outside++
    }
    expect(Math.min(inside, outside)).toBeGreaterThan(ARCS / 50)
  })

  test('[SH49] a swept arc, band or pair of arcs meets at the first time at which it touches, to 1e-9', () => {
    const seen = { met: 0, missed: 0 }
    for (let seed = 1; seed <= ARCS; seed++) {
      const random = createRandom(seed)
      const blow = randomArc(random, seed % 2 === 0)
      const target: { shape: Shape; pose: Pose } =
        seed % 3 === 0 ? randomArc(random, seed % 4 === 0) : randomPosed(random, MODES[seed % 8], 0.7, 0, 0)
      const far = seed % 5 === 0 ? 200 : 8
      const [dx, dy] = [(random() - 0.5) * far, (random() - 0.5) * far]
      const moving = { ...blow, dx, dy }
      const impact = createImpact()
      const meets = sweep(moving, target, impact)
      const name = () =>
        `seed ${seed}: ${JSON.stringify(moving)} | ${JSON.stringify(target)}: ${JSON.stringify(impact)}`
      const after = (time: number) => ({
        ...blow,
        pose: { ...blow.pose, x: blow.pose.x + dx * time, y: blow.pose.y + dy * time },
      })
      const end = meets ? impact.time : 1
      for (let i = 0; i < 60; i++) {
        const time = random() * end * (1 - 1e-9)
        if (end > 0 && overlaps(after(time), target, false)) expect.fail(`overlaps before, at ${time}: ${name()}`)
      }
      if (!meets) {
        seen.missed++
        continue
      }
      seen.met++
      // At that time, or for rounding a hair before it, nothing is between them.
      const gaps = [0, 1e-11].map(
        (early) => separation(after(impact.time - early), target, createSeparation()).distance,
      )
      const gap = Math.min(...gaps.map(Math.abs))
      if (impact.time > 0 && gap > 1e-8) expect.fail(`${gap} apart: ${name()}`)
      expect(Math.hypot(impact.normalX, impact.normalY), name()).toBeCloseTo(1, 9)
      // Asked the other way round, with the motion turned round, it is the same impact.
      const swapped = createImpact()
      const again = sweep({ ...target, dx: -dx, dy: -dy }, blow, swapped)
      if (!again || Math.abs(swapped.time - impact.time) > 1e-9)
        expect.fail(`swapped ${JSON.stringify(swapped)}: ${name()}`)
    }
    expect(Math.min(seen.met, seen.missed)).toBeGreaterThan(ARCS / 5)
  })

  test('[SH49] what turns on its way meets within the stated bound of the first time at which it touches', () => {
    const seen = { met: 0, missed: 0 }
    for (let seed = 1; seed <= ARCS / 4; seed++) {
      const random = createRandom(seed)
      const one = seed % 2 === 0 ? randomArc(random, seed % 4 === 0) : randomPosed(random, MODES[seed % 8], 0.7, 0, 0)
      const two = randomPosed(random, MODES[(seed + 3) % 8], 0.7, 0, 0)
      const motion = () => ({ dx: (random() - 0.5) * 8, dy: (random() - 0.5) * 8, turn: (random() - 0.5) * 6 })
      const [a, b] = [
        { ...one, ...motion() },
        { ...two, ...motion() },
      ]
      const impact = createImpact()
      const meets = sweepTurning(a, b, impact)
      const name = () => `seed ${seed}: ${JSON.stringify(a)} | ${JSON.stringify(b)}: ${JSON.stringify(impact)}`
      const gapAt = (time: number) => separation(turned(a, time), turned(b, time), createSeparation()).distance
      const end = meets ? impact.time : 1
      for (let i = 0; i < 100; i++) {
        const time = end * random()
        if (end > 0 && gapAt(time) < -0.05) expect.fail(`overlaps before, at ${time} by ${gapAt(time)}: ${name()}`)
      }
      if (!meets) seen.missed++
      else if (impact.time > 0) {
        seen.met++
        const gap = gapAt(impact.time)
        if (!(gap > 0 && gap <= TURN_TOLERANCE)) expect.fail(`${gap} apart: ${name()}`)
      }
    }
    expect(Math.min(seen.met, seen.missed)).toBeGreaterThan(ARCS / 50)
  })
})

type Turning = { shape: Shape; pose: Pose; dx: number; dy: number; turn: number }

function turned({ shape, pose: { x, y, facingX, facingY }, dx, dy, turn }: Turning, time: number) {
  const angle = Math.atan2(facingY, facingX) + turn * time
  return {
    shape,
    pose: { x: x + dx * time, y: y + dy * time, facingX: Math.cos(angle), facingY: Math.sin(angle) },
  }
}
