import { type Place, placeBetween, shorter } from 'hurtbox/picture'
import { describe, expect, test } from 'vitest'
import {
  advance,
  burst,
  clearEffects,
  createEffects,
  drawEffects,
  drawNotes,
  flash,
  flashOf,
  note,
  ring,
  shake,
} from '../effects.ts'
import { createTween, tweenAngle, tweenPlaces } from '../tween.ts'
import { record } from './stage.ts'

const places = (rows: readonly (readonly [id: number, x: number, y: number, teleports?: number])[]) => ({
  tables: {
    things: {
      count: rows.length,
      id: Uint32Array.from(rows, ([id]) => id),
      x: Float64Array.from(rows, ([, x]) => x),
      y: Float64Array.from(rows, ([, , y]) => y),
      teleports: Uint8Array.from(rows, ([, , , teleports = 0]) => teleports),
    },
  },
})

/** A moment of a host that corrects nothing. */
const between = (before: unknown, after: unknown, alpha: number) => {
  const shown = { before, after, alpha } as Parameters<typeof placeBetween>[0]
  return { ...shown, place: (id: number, out: Place) => placeBetween(shown, id, out) }
}

describe('between two states', () => {
  test('[VW20] things are followed by id though rows have closed up; a new thing is drawn where it is', () => {
    const tween = createTween(4)
    const before = places([
      [1, 0, 0],
      [2, 10, 0],
      [5, 0, 100],
    ])
    const after = places([
      [2, 20, 4],
      [5, 0, 200],
      [9, 7, 7],
    ])
    tweenPlaces(tween, between(before, after, 0.25))
    expect([...tween.x.slice(0, 3)]).toEqual([12.5, 0, 7])
    expect([...tween.y.slice(0, 3)]).toEqual([1, 125, 7])
    expect([...tween.from.slice(0, 3)]).toEqual([1, 2, -1])
  })

  test('[VW21] a thing that was put somewhere else is drawn there at once; on a closed plane it takes the shorter way', () => {
    const tween = createTween(2, 1024)
    const before = places([
      [1, 0, 0, 3],
      [2, 500, 0],
    ])
    const after = places([
      [1, 90, 90, 4],
      [2, -500, 0],
    ])
    tweenPlaces(tween, between(before, after, 0.5))
    expect([tween.x[0], tween.y[0]]).toEqual([90, 90])
    expect(Math.abs(tween.x[1])).toBe(512)
    expect(shorter(-1000, 1024)).toBe(24)
    expect(tweenAngle(3, -3, 0.5)).toBeCloseTo(-Math.PI, 9)
  })
})

test('[PV9] views draw things where the host says, so that corrections of predictions fade in them, too', () => {
  const tween = createTween(2)
  const after = places([[1, 10, 20]])
  const place = (_id: number, out: { x: number; y: number }) => {
    out.x = 7
    return true
  }
  tweenPlaces(tween, { before: after, after, alpha: 1, place })
  expect(tween.x[0]).toBe(7)
})

describe('effects', () => {
  test('[VW22] they expire by themselves, and are cleared at once on request', () => {
    const { target, calls } = record()
    const context = target.context as CanvasRenderingContext2D
    const drawn = (effects: ReturnType<typeof createEffects>) => {
      calls.length = 0
      drawEffects(effects, context)
      drawNotes(effects, context)
      return calls.filter(({ name }) => ['fillRect', 'stroke', 'fillText'].includes(name)).length
    }
    for (const end of [(e: ReturnType<typeof createEffects>) => advance(e, 5000), clearEffects]) {
      const effects = createEffects(64)
      burst(effects, 0, 0, 10, 100, 3, 400, '#ffffff')
      ring(effects, 0, 0, 1, 9, 300, '#ffffff')
      note(effects, 0, 0, '−30', 12, '#ffffff')
      flash(effects, 7, 1000)
      shake(effects, 9)
      advance(effects, 16)
      expect(drawn(effects)).toBe(12)
      expect(flashOf(effects, 7, 1010)).toBeGreaterThan(0.8)
      end(effects)
      expect(drawn(effects)).toBe(0)
      expect(flashOf(effects, 7, 2000)).toBe(0)
      expect(effects.shake).toBeLessThan(1e-9)
    }
  })

  test('[VW23] however much happens, there are no more particles than there is room for', () => {
    const effects = createEffects(32)
    burst(effects, 0, 0, 1000, 100, 3, 400, '#ffffff')
    for (let i = 0; i < 1000; i++) note(effects, 0, 0, 'x', 1, '#ffffff')
    for (let i = 0; i < 1000; i++) ring(effects, 0, 0, 1, 2, 100, '#ffffff')
    expect(effects.lifeMs.filter((life) => life > 0)).toHaveLength(32)
    expect(effects.notes.length).toBeLessThan(100)
    expect(effects.rings.length).toBeLessThanOrEqual(200)
  })
})
