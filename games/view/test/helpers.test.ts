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
import { record } from './stage.ts'

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
