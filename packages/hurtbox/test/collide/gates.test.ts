import { describe, expect, test } from 'vitest'
import { collide, spawn, step } from '../../src/index.ts'
import { bite, LAYER, shoot, start, takes } from './cases.ts'

describe('gates', () => {
  test('[CO15] owner and team refuse by relation; nobody is on team 0', () => {
    const hits = (bullet: { owner?: number; team?: number }, enemy: { owner?: number; team?: number }) => {
      const world = start(collide([shoot('enemy', 10)], { takes }))
      const { things } = world.tables
      spawn(things, { layer: LAYER.enemy, radius: 5, hp: 10, ...enemy })
      spawn(things, { layer: LAYER.bullet, radius: 5, ...bullet })
      step(world)
      return things.hp[0] < 10
    }
    expect(hits({}, {})).toBe(true)
    expect(hits({ owner: 1 }, {})).toBe(false)
    expect(hits({ owner: 7 }, { owner: 7 })).toBe(false)
    expect(hits({}, { owner: 2 })).toBe(false)
    expect(hits({ team: 2 }, { team: 2 })).toBe(false)
    expect(hits({ team: 1 }, { team: 2 })).toBe(true)
  })

  test('[CO15] columns that gates look at are taken from, also when the phase forgot to say so', () => {
    const world = start(collide([bite]))
    const { things } = world.tables
    spawn(things, { layer: LAYER.player, radius: 12, hp: 100 })
    for (let i = 0; i < 5; i++) spawn(things, { layer: LAYER.enemy, x: -5 - i, y: i, radius: 8, hp: 10 })
    step(world)
    expect([things.hp[0], world.events.hurt.count]).toEqual([95, 1])
  })
})
