import { step } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { KIND } from '../rules/declaration.ts'
import { addHazard } from '../rules/hazards.ts'
import { allOf, emptyField, enemy, join, quietNight, setClock } from './support.ts'

describe('burning ground', () => {
  test('[NF12] it burns from its time on for 6 s, and until then only glows', () => {
    const world = emptyField({ tuning: { iframes: 0, hazardDamage: 1, survivorHp: 1000 } })
    const survivor = join(world)
    addHazard(world, { x: 400, y: 300, slot: 0 }, world.clock + 90)
    const burnt: number[] = []
    for (let i = 0; i < 500; i++) {
      const { clock } = world
      step(world)
      if (world.events.damage.count > 0) burnt.push(clock)
    }
    expect([burnt[0], burnt.length, burnt.at(-1)]).toEqual([91, 360, 450])
    expect(survivor.hp).toBe(1000 - 360)
    expect(allOf(world, KIND.hazard)).toEqual([])
  })

  test('[NF12] i-frames protect from it, and it does not knock back', () => {
    const world = emptyField()
    const survivor = join(world)
    addHazard(world, { x: 405, y: 300, slot: 0 }, 0)
    for (let i = 0; i < 120; i++) step(world)
    expect([survivor.hp, survivor.x]).toEqual([100 - 16, 400])
  })

  test('[NF12] it lies along x or along y, a true box', () => {
    const isBurnt = (x: number, y: number, lies: number) => {
      const world = emptyField()
      const survivor = join(world)
      addHazard(world, { x: 400 - x, y: 300 - y, slot: lies }, 0)
      step(world)
      return survivor.hp < 100
    }
    expect([isBurnt(71, 0, 0), isBurnt(73, 0, 0), isBurnt(0, 41, 0), isBurnt(0, 43, 0)]).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect([isBurnt(41, 0, 1), isBurnt(43, 0, 1), isBurnt(0, 71, 1)]).toEqual([true, false, true])
    // Around the corner: 10 px beyond on both axes is 14 px away.
    expect(isBurnt(70, 40, 0)).toBe(false)
  })

  test('[NF12] enemies burn in it once a second', () => {
    const world = emptyField()
    const zombie = enemy(world, 400, 300, { hp: 100 })
    addHazard(world, { x: 400, y: 300, slot: 0 }, 0)
    const lost = [1, 59, 1, 59, 1].map((ticks) => {
      for (let i = 0; i < ticks; i++) step(world)
      return 100 - zombie.hp
    })
    expect(lost).toEqual([8, 8, 16, 16, 24])
  })

  test('[NF12] from the second minute on one appears near every survivor, every 12 s', () => {
    const world = quietNight({ tuning: { hazardEvery: 12, survivorHp: 1e6 } })
    join(world)
    join(world, 1)
    setClock(world, 12 * 60)
    step(world)
    expect(allOf(world, KIND.hazard)).toEqual([])
    setClock(world, 72 * 60)
    step(world)
    const hazards = allOf(world, KIND.hazard)
    expect(hazards.map(({ readyAt }) => readyAt)).toEqual([72 * 60 + 90, 72 * 60 + 90])
    for (const { x, y } of hazards) {
      expect(Math.abs(x - 400)).toBeLessThanOrEqual(200)
      expect(Math.abs(y - 300)).toBeLessThanOrEqual(160)
    }
    step(world)
    expect(allOf(world, KIND.hazard).length).toBe(2)
  })
})
