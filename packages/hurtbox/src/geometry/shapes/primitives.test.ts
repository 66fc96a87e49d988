import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../test/random.ts'
import { PAIRS, TIMEOUT } from './fixtures/cases.ts'
import { box, circle, overlaps, pose, primitives } from './index.ts'

const { calculateKnockback, checkAABB, checkCircle, checkCircleAABB } = primitives

// Titles in quotes in a game's design document are kept as they are.

describe('[SH50] AABB collision detection', () => {
  const unit = { x: 0, y: 0, width: 10, height: 10 }

  test('should detect overlapping AABBs', () => {
    expect(checkAABB(unit, { x: 5, y: 5, width: 10, height: 10 })).toBe(true)
  })

  test('should not detect non-overlapping AABBs', () => {
    expect(checkAABB(unit, { x: 20, y: 0, width: 10, height: 10 })).toBe(false)
    expect(checkAABB(unit, { x: 0, y: 20, width: 10, height: 10 })).toBe(false)
  })

  test('should not detect touching AABBs', () => {
    expect(checkAABB(unit, { x: 10, y: 0, width: 10, height: 10 })).toBe(false)
    expect(checkAABB(unit, { x: 0, y: -10, width: 10, height: 10 })).toBe(false)
  })

  test('should handle negative positions', () => {
    expect(checkAABB({ x: -10, y: -10, width: 5, height: 5 }, { x: -7, y: -7, width: 5, height: 5 })).toBe(true)
    expect(checkAABB({ x: -10, y: -10, width: 5, height: 5 }, { x: 7, y: 7, width: 5, height: 5 })).toBe(false)
  })

  test('should detect containment, both ways', () => {
    const inner = { x: 4, y: 4, width: 1, height: 1 }
    expect([checkAABB(unit, inner), checkAABB(inner, unit)]).toEqual([true, true])
  })

  test('should produce exactly one contact for overlapping AABBs', () => {
    const boxes = [unit, { x: 9, y: 9, width: 10, height: 10 }, { x: 100, y: 9, width: 10, height: 10 }]
    const contacts = boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => checkAABB(a, b)))
    expect(contacts).toEqual([boxes[1]])
  })
})

describe('[SH51] circle collision detection', () => {
  const player = { x: 0, y: 0, radius: 12 }

  test('should detect overlapping circles', () => {
    expect(checkCircle(player, { x: 15, y: 0, radius: 8 })).toBe(true)
  })

  test('should not detect non-overlapping circles', () => {
    expect(checkCircle(player, { x: 15, y: 15, radius: 8 })).toBe(false)
  })

  test('should not detect circles that touch exactly', () => {
    expect(checkCircle(player, { x: 20, y: 0, radius: 8 })).toBe(false)
    expect(checkCircle({ x: 0, y: 0, radius: 3 }, { x: 3, y: 4, radius: 2 })).toBe(false)
  })

  test('should detect concentric circles', () => {
    expect(checkCircle(player, { x: 0, y: 0, radius: 3 })).toBe(true)
  })

  test('should be symmetric', () => {
    const other = { x: 11, y: -7, radius: 2 }
    expect(checkCircle(player, other)).toBe(checkCircle(other, player))
    expect(checkCircle(player, other)).toBe(true)
  })
})

describe('[SH52] circle-AABB hybrid', () => {
  const wall = { x: 0, y: 0, width: 20, height: 10 }

  test('should detect a circle that reaches over a side', () => {
    expect(checkCircleAABB({ x: 22, y: 5, radius: 3 }, wall)).toBe(true)
    expect(checkCircleAABB({ x: 23, y: 5, radius: 3 }, wall)).toBe(false)
  })

  test('should measure to the corner, not to the bounding box', () => {
    expect(checkCircleAABB({ x: 22, y: 12, radius: 3 }, wall)).toBe(true)
    expect(checkCircleAABB({ x: 22.5, y: 12.5, radius: 3 }, wall)).toBe(false)
    expect(checkCircleAABB({ x: 23, y: 14, radius: 5 }, wall)).toBe(false)
  })

  test('should detect a circle whose centre is inside', () => {
    expect(checkCircleAABB({ x: 5, y: 5, radius: 0.1 }, wall)).toBe(true)
  })

  test('should not detect a circle far away', () => {
    expect(checkCircleAABB({ x: 100, y: -50, radius: 12 }, wall)).toBe(false)
  })
})

describe('[SH53] knockback calculation', () => {
  test('should push B away from A', () => {
    expect(calculateKnockback({ x: 0, y: 0 }, { x: 3, y: 4 }, 10)).toEqual({ x: 6, y: 8 })
    expect(calculateKnockback({ x: 3, y: 4 }, { x: 0, y: 0 }, 10)).toEqual({ x: -6, y: -8 })
  })

  test('should have the given magnitude whatever the distance', () => {
    for (const far of [0.001, 1, 12345]) {
      const { x, y } = calculateKnockback({ x: 1, y: 1 }, { x: 1 + far, y: 1 - far }, 50)
      expect(Math.hypot(x, y)).toBeCloseTo(50, 9)
      expect(x).toBeGreaterThan(0)
      expect(y).toBeLessThan(0)
    }
  })

  test('should push along +x from identical positions', () => {
    expect(calculateKnockback({ x: 7, y: 7 }, { x: 7, y: 7 }, 100)).toEqual({ x: 100, y: 0 })
  })

  test('should move entity away by magnitude K within tolerance', () => {
    const random = createRandom(53)
    for (let i = 0; i < 1000; i++) {
      const a = { x: random() * 800, y: random() * 600 }
      const b = { x: random() * 800, y: random() * 600 }
      const push = calculateKnockback(a, b, 100)
      const before = Math.hypot(b.x - a.x, b.y - a.y)
      const after = Math.hypot(b.x + push.x - a.x, b.y + push.y - a.y)
      expect(Math.abs(after - before - 100), `case ${i}`).toBeLessThan(0.001)
    }
  })
})

describe('primitives and shapes', { timeout: TIMEOUT }, () => {
  test('[SH54] rects in short names overlap as AABBs do', () => {
    const random = createRandom(54)
    for (let i = 0; i < 1000; i++) {
      const [x, y, w, h, u, v] = Array.from({ length: 6 }, () => Math.floor(random() * 5))
      const expected = checkAABB({ x, y, width: w, height: h }, { x: u, y: v, width: 2, height: 2 })
      expect(primitives.overlaps({ x, y, w, h }, { x: u, y: v, w: 2, h: 2 }), `case ${i}`).toBe(expected)
    }
    expect(primitives.overlaps({ x: 0, y: 0, w: 2, h: 2 }, { x: 2, y: 0, w: 2, h: 2 })).toBe(false)
  })

  test('[SH55] the primitives agree with overlaps without touching', () => {
    const random = createRandom(55)
    for (let i = 0; i < PAIRS; i++) {
      const [ax, ay, bx, by, radius, w, h] = Array.from({ length: 7 }, () => Math.floor(random() * 8))
      // Boxes with area: a rect without one still strictly overlaps what it crosses, in both readings alike.
      const [halfWidth, halfHeight] = [(w + 1) / 2, (h + 1) / 2]
      const aabb = { x: bx - halfWidth, y: by - halfHeight, width: w + 1, height: h + 1 }
      const shape = box(halfWidth, halfHeight)
      const viaBox = overlaps({ shape, pose: pose({ x: ax, y: ay }) }, { shape, pose: pose({ x: bx, y: by }) }, false)
      const name = `case ${i}`
      expect(checkAABB(aabb, { ...aabb, x: ax - halfWidth, y: ay - halfHeight }), name).toBe(viaBox)
      if (radius === 0) continue
      const viaCircle = overlaps(
        { shape: circle(radius), pose: pose({ x: ax, y: ay }) },
        { shape, pose: pose({ x: bx, y: by }) },
        false,
      )
      expect(checkCircleAABB({ x: ax, y: ay, radius }, aabb), name).toBe(viaCircle)
    }
  })
})
