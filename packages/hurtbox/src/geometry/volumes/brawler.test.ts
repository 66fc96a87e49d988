/**
 * The brawler's own question: does the melee box hit the character?
 *
 * The document gives the box half extents 0.75 × 1.0 × 0.5 at 1.5 ahead, in axes x to the side, y up, z ahead. Here x is ahead,
 * y to the left, z up: 0.5 × 0.75 × 1.0 at (1.5, 0, 0). Attacker and victim stand upright, so the answer has a closed form:
 * the distance in the plane from the victim's axis to a rectangle, and the gap between two ranges of height.
 */

import RAPIER from '@dimforge/rapier3d-compat'
import { beforeAll, describe, expect, test } from 'vitest'
import { randomOf } from '../../../test/random.ts'
import { CASES, forCases, randomFacing, rotate } from './fixtures/cases.ts'
import {
  box,
  capsule,
  containsPoint,
  createSeparation,
  overlaps,
  pose,
  separation,
  setPose,
  setPoseAxes,
} from './index.ts'

// Rule [VO22]; see docs/spec.md, section "Volumes".

beforeAll(() => RAPIER.init())

const REACH = { ahead: 1.5, halfX: 0.5, halfY: 0.75, halfZ: 1 }
const melee = box(REACH.halfX, REACH.halfY, REACH.halfZ, { offsetX: REACH.ahead })
const attacker = pose({ x: 0, y: 0, z: 0 })
const victim = pose({ x: 0, y: 0, z: 0 })
const out = createSeparation()

/** The characters of the tests: the usual one, 2 tall; and that of the origin, 3 tall and as wide as an arm is long. */
const CHARACTERS = [
  { radius: 0.5, halfLength: 0.5 },
  { radius: 1, halfLength: 0.5 },
]

function duel(n: number) {
  const random = randomOf(n + 0x6000)
  const { radius, halfLength } = CHARACTERS[n % CHARACTERS.length]
  const [facingX, facingY] = randomFacing(random)
  const spread = 1.5 + radius
  setPose(attacker, { x: random() * 20 - 10, y: random() * 20 - 10, z: 1, facingX, facingY })
  // Around where the box is.
  const ahead = 1.5 + (random() * 2 - 1) * spread
  const left = (random() * 2 - 1) * spread
  const up = (random() * 2 - 1) * 3
  const x = attacker.x + facingX * ahead - facingY * left
  const y = attacker.y + facingY * ahead + facingX * left
  const [victimFacingX, victimFacingY] = randomFacing(random)
  setPose(victim, { x, y, z: attacker.z + up, facingX: victimFacingX, facingY: victimFacingY })
  const beyondAhead = Math.max(0, Math.abs(ahead - REACH.ahead) - REACH.halfX)
  const beyondLeft = Math.max(0, Math.abs(left) - REACH.halfY)
  const beyondUp = Math.max(0, Math.abs(up) - REACH.halfZ - halfLength)
  const core = Math.sqrt(beyondAhead * beyondAhead + beyondLeft * beyondLeft + beyondUp * beyondUp)
  return { radius, halfLength, body: capsule(radius, halfLength), core, facingX, facingY }
}

describe('melee box against upright characters', () => {
  test('[VO22] the verdict is that of the plane and the heights', () => {
    let hits = 0
    forCases(CASES, (n) => {
      const { body, radius, core } = duel(n)
      const hit = overlaps({ volume: melee, pose: attacker }, { volume: body, pose: victim }, true)
      if (hit) hits++
      if (Math.abs(core - radius) < 1e-13) return
      if (hit !== core <= radius) return `hit ${hit} at ${core - radius}`
      separation({ volume: melee, pose: attacker }, { volume: body, pose: victim }, out)
      if (core > 1e-9 && Math.abs(out.distance - (core - radius)) > 1e-13)
        return `distance ${out.distance}, ${core - radius}`
      return containsPoint({ volume: melee, pose: attacker }, victim) && !hit
        ? 'the middle of the victim is in the box, but no hit'
        : undefined
    })
    expect(hits).toBeGreaterThan(CASES / 5)
    expect(hits).toBeLessThan((CASES * 4) / 5)
  })

  test('[VO22] Rapier 3D agrees on every pose that is not within its precision (1e-3) of touching', () => {
    const disagree: number[] = []
    const cuboid = new RAPIER.Cuboid(REACH.halfX, REACH.halfY, REACH.halfZ)
    const h = Math.SQRT1_2
    forCases(CASES, (n) => {
      const { body, radius, halfLength, core, facingX, facingY } = duel(n)
      const hit = overlaps({ volume: melee, pose: attacker }, { volume: body, pose: victim }, true)
      // The quaternion of a facing, by the formulas for half an angle.
      const w = Math.sqrt((1 + facingX) / 2)
      const z = w > 1e-9 ? facingY / (2 * w) : 1
      const [x, y] = rotate([0, 0, z, w], [REACH.ahead, 0, 0])
      const at = { x, y, z: 0 }
      const there = { x: victim.x - attacker.x, y: victim.y - attacker.y, z: victim.z - attacker.z }
      // Its capsules stand along y.
      const upright = { x: h, y: 0, z: 0, w: h }
      const theirs = cuboid.intersectsShape(
        at,
        { x: 0, y: 0, z, w },
        new RAPIER.Capsule(halfLength, radius),
        there,
        upright,
      )
      if (hit === theirs) return
      disagree.push(n)
      return Math.abs(core - radius) > 1e-3 ? `hit ${hit}, Rapier ${theirs}, at ${core - radius}` : undefined
    })
    if (CASES === 20_000) expect(disagree).toEqual([])
    else expect(disagree.length).toBeLessThan(CASES / 10_000)
  })

  test('[VO22] reach: 2.0 ahead of the attacker plus the radius of the victim, 0.75 plus the radius aside', () => {
    const body = capsule(1, 0.5)
    const hits = (x: number, y: number, z: number): boolean => {
      setPose(attacker, { x: 0, y: 0, z: 0 })
      setPose(victim, { x, y, z })
      return overlaps({ volume: melee, pose: attacker }, { volume: body, pose: victim }, true)
    }
    expect([hits(3, 0, 0), hits(3.001, 0, 0)]).toEqual([true, false])
    expect([hits(1.5, 1.75, 0), hits(1.5, 1.751, 0)]).toEqual([true, false])
    expect([hits(1.5, 0, 2.5), hits(1.5, 0, 2.501)]).toEqual([true, false])
    expect([hits(0, 0, 0), hits(-0.001, 0, 0)]).toEqual([true, false])
  })

  test('[VO22] a box aimed upwards needs no angle either', () => {
    // Three parts ahead, four parts up.
    setPoseAxes(attacker, { x: 0, y: 0, z: 0 }, { x: 0.6, y: 0, z: 0.8 }, { x: -0.8, y: 0, z: 0.6 })
    expect(containsPoint({ volume: melee, pose: attacker }, { x: 0.9, y: 0, z: 1.2 })).toBe(true)
    expect(containsPoint({ volume: melee, pose: attacker }, { x: 0.9 + 0.31, y: 0, z: 1.2 + 0.41 })).toBe(false)
    expect(containsPoint({ volume: melee, pose: attacker }, { x: 0.9, y: 0.76, z: 1.2 })).toBe(false)
  })
})
