/** The seed document in its own numbers: punch 15 / 15 / 15, fireball 20, no wear, no stun, no hit stop. */

import { each } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { DT } from '../rules/declaration.ts'
import { sumo } from '../rules/index.ts'
import { scenarios } from '../scenarios.ts'
import { fight, fighterOf, place, tick } from './support.ts'

const MASS = 7.33
const ALONG = 1 / Math.sqrt(1.09)
const UP = 0.3 / Math.sqrt(1.09)
const DOCUMENT = { options: { knockback: 'document' } } as const

test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('[SU38] scenario %s', (_, scenario) => {
  expect(scenario.play(sumo)).toBe(scenario.expected)
})

describe('tick by tick', () => {
  test('[SU39] a combo on a target that stands: 4/3/6 on a hit as on a miss, three pushes of 15, nothing else changes', () => {
    const stage = fight(
      [
        [0, 0],
        [2.4, 0],
      ],
      DOCUMENT,
    )
    const { casts } = stage.world.tables
    const target = fighterOf(stage, 1)
    // The worn would be pushed harder, if there were wear.
    target.hp = 1
    const phases: string[] = []
    for (let t = 0; t < 45; t++) {
      const strikes = tick(stage, { 0: { punch: t === 0 || t === 9 || t === 22 ? 1 : 0 } })
      phases.push(casts.count === 0 ? '-' : `${casts.phase[0]}.${casts.step[0]}`)
      expect(strikes.length, `tick ${t}`).toBe([4, 17, 30].includes(t) ? 1 : 0)
      expect([target.stunnedUntil, target.launchedUntil, target.stopFor, target.hp], `tick ${t}`).toEqual([0, 0, 0, 1])
      expect(fighterOf(stage, 0).stopFor, `tick ${t}`).toBe(0)
      if (strikes.length === 0) continue
      const { vx, vy, vz } = target
      expect(vx).toBeCloseTo((15 / MASS) * ALONG, 12)
      expect(vy).toBe(0)
      expect(vz).toBeCloseTo((15 / MASS) * UP, 12)
      place(stage, 1, 2.4, 0)
    }
    const step = (n: number) => [...Array(4).fill(`1.${n}`), ...Array(3).fill(`2.${n}`), ...Array(6).fill(`3.${n}`)]
    expect(phases).toEqual([...step(1), ...step(2), ...step(3), ...Array(6).fill('-')])
  })

  test('[SU39] a fireball: out of the hand at T+6, 20 m/s, and a push of 20 away from where it is', () => {
    const stage = fight(
      [
        [0, 0],
        [5, 0.5],
      ],
      DOCUMENT,
    )
    const target = fighterOf(stage, 1)
    for (let t = 0; t < 30; t++) {
      const strikes = tick(stage, { 0: { fireball: t === 0 ? 1 : 0 } })
      const [bullet] = each(stage.world, 'projectile')
      const flown = 1.5 + 20 * DT * (t - 6)
      if (bullet !== undefined) expect(bullet.x, `tick ${t}`).toBeCloseTo(flown, 9)
      expect(bullet !== undefined, `tick ${t}`).toBe(t >= 6 && t < 14)
      if (strikes.length === 0) continue
      expect(t).toBe(14)
      const distance = Math.sqrt((5 - flown) ** 2 + 0.25)
      expect(target.vx).toBeCloseTo((20 / MASS) * ALONG * ((5 - flown) / distance), 9)
      expect(target.vy).toBeCloseTo((20 / MASS) * ALONG * (0.5 / distance), 9)
      expect([target.stunnedUntil, target.stopFor, target.hp]).toEqual([0, 0, 100])
    }
    expect(target.x).toBeGreaterThan(5)
  })

  test('[SU39] by default the finisher, wear and hit stop are there', () => {
    const stage = fight([
      [0, 0],
      [2.4, 0],
    ])
    const hits: { t: number; vx: number }[] = []
    for (let t = 0; t < 60; t++) {
      if (tick(stage, { 0: { punch: [0, 9, 24].includes(t) ? 1 : 0 } }).length === 0) continue
      hits.push({ t, vx: fighterOf(stage, 1).vx })
      place(stage, 1, 2.4, 0)
    }
    // Two ticks of hit stop lie between a step that hit and the next.
    expect(hits.map(({ t }) => t)).toEqual([4, 19, 34])
    const worn = (hp: number) => 1 + 2 * (1 - hp / 100)
    const pushes = [15, 15 * worn(96), 48 * worn(92)]
    for (const [n, { vx }] of hits.entries()) expect(vx).toBeCloseTo((pushes[n] / MASS) * ALONG, 9)
  })
})
