import { describe, expect, test } from 'vitest'
import { collide, listEvents, type RuleList, rule, spawn, step } from '../../src/index.ts'
import { bite, declaration, LAYER, shoot, start, takes } from './cases.ts'

describe('the hard cases of the seeds', () => {
  test('[CO1] five enemies touch one player: one event, 95 hp, 100 px', () => {
    const world = start(collide([bite], { takes }))
    const { things } = world.tables
    spawn(things, { layer: LAYER.player, radius: 12, hp: 100 })
    for (let i = 0; i < 5; i++) spawn(things, { layer: LAYER.enemy, x: -5 - i, y: i, radius: 8, hp: 10 })
    step(world)
    expect(world.events.hurt.count).toBe(1)
    expect(things.hp[0]).toBe(95)
    expect(Math.sqrt(things.x[0] * things.x[0] + things.y[0] * things.y[0])).toBeCloseTo(100, 9)
    expect(listEvents(world)).toEqual([{ tick: 0, kind: 'hurt', n: 0, victim: 1, attacker: 2, hpAfter: 95 }])
  })

  test('[CO1] i-frames set in tick 0 for 60 ticks: hittable again in tick 60', () => {
    const world = start(collide([bite], { takes }))
    const { things } = world.tables
    spawn(things, { layer: LAYER.player, radius: 12, hp: 100 })
    spawn(things, { layer: LAYER.enemy, x: -1, radius: 500, hp: 10 })
    const hitTicks = []
    for (let tick = 0; tick < 125; tick++) {
      step(world)
      if (world.events.hurt.count > 0) hitTicks.push(tick)
    }
    expect(hitTicks).toEqual([0, 60, 120])
  })

  test('[CO2] 40 hp and three bullets of 30: dead after two, the third flies on', () => {
    const world = start(collide([shoot('player', 30)], { takes }))
    const { things } = world.tables
    spawn(things, { layer: LAYER.player, radius: 24, hp: 40 })
    for (let i = 0; i < 3; i++) spawn(things, { layer: LAYER.bullet, x: 10 + i, radius: 5 })
    step(world)
    expect(things.hp[0]).toBe(0)
    expect([...things.id.subarray(0, things.count)]).toEqual([1, 4])
    expect(listEvents(world).map((event) => event.hpAfter)).toEqual([40, 10])
  })

  test('[CO3] two bullets that kill only together kill', () => {
    const world = start(collide([shoot('player', 30)], { takes }))
    const { things } = world.tables
    spawn(things, { layer: LAYER.player, radius: 24, hp: 60 })
    for (let i = 0; i < 2; i++) spawn(things, { layer: LAYER.bullet, x: i, radius: 5 })
    step(world)
    expect(things.hp[0]).toBe(0)
    expect(things.count).toBe(1)
  })

  test('[CO4] two fighters with 10 hp strike each other in one tick: both die', () => {
    const strike = rule(declaration, {
      name: 'strike',
      attacker: 'fighter',
      victim: 'fighter',
      mutual: true,
      gates: ['dead'],
      decide(view, { victim }, outcome) {
        outcome.add(view.tables.things.hp, victim, -10)
        return 'hit'
      },
    })
    const world = start(collide([strike], { takes }))
    const { things } = world.tables
    for (let i = 0; i < 2; i++) spawn(things, { layer: LAYER.fighter, x: i, radius: 1, hp: 10 })
    step(world)
    expect([things.hp[0], things.hp[1]]).toEqual([0, 0])
  })

  test('[CO5] three rocks of 13 t and a hold of 30 t: two eaten, one left, nothing lost', () => {
    const eat = rule(declaration, {
      name: 'ship-eats-rock',
      attacker: 'ship',
      victim: 'rock',
      decide(view, { attacker, victim }, outcome) {
        const { things } = view.tables
        const { mass } = things
        if (things.hold[attacker] + mass[victim] > things.room[attacker]) return 'hold is full'
        outcome.add(things.hold, attacker, mass[victim])
        outcome.despawn(victim)
        return 'hit'
      },
    })
    const world = start(collide([eat], { takes }))
    const { things } = world.tables
    spawn(things, { layer: LAYER.ship, radius: 10, room: 30 })
    for (let i = 0; i < 3; i++) spawn(things, { layer: LAYER.rock, x: i, radius: 5, mass: 13 })
    step(world)
    expect(things.hold[0]).toBe(26)
    expect(things.count).toBe(2)
    expect(things.mass[1]).toBe(13)
  })

  test('[CO6] an enemy shot in this tick no longer bites, because rules run in listed order', () => {
    const play = (rules: RuleList<typeof declaration>) => {
      const world = start(collide(rules, { takes }))
      const { things } = world.tables
      spawn(things, { layer: LAYER.player, radius: 12, hp: 100 })
      spawn(things, { layer: LAYER.enemy, x: 10, radius: 8, hp: 10 })
      spawn(things, { layer: LAYER.bullet, x: 12, radius: 3 })
      step(world)
      return things.hp[0]
    }
    expect(play([shoot('enemy', 10), bite])).toBe(100)
    expect(play([bite, shoot('enemy', 10)])).toBe(95)
    // In one group the order is by things: the player is the oldest, so its contact comes first.
    expect(play([[shoot('enemy', 10), bite]])).toBe(95)
  })

  test('[CO7] three bodies in mutual contact: motions add, momentum is kept', () => {
    const bounce = rule(declaration, {
      name: 'bounce',
      attacker: 'ball',
      victim: 'ball',
      decide(view, { attacker: a, victim: b }, outcome) {
        const { x, y, vx, vy, mass } = view.tables.things
        const dx = x[b] - x[a]
        const dy = y[b] - y[a]
        const squared = dx * dx + dy * dy
        const closing = (vx[a] - vx[b]) * dx + (vy[a] - vy[b]) * dy
        if (closing <= 0) return 'parting'
        const impulse = (2 * closing) / ((1 / mass[a] + 1 / mass[b]) * squared)
        outcome.add(vx, a, (-impulse * dx) / mass[a])
        outcome.add(vy, a, (-impulse * dy) / mass[a])
        outcome.add(vx, b, (impulse * dx) / mass[b])
        outcome.add(vy, b, (impulse * dy) / mass[b])
        return 'hit'
      },
    })
    const world = start(collide([bounce]))
    const { things } = world.tables
    spawn(things, { layer: LAYER.ball, x: 0, y: 0, vx: 3, vy: 1, radius: 1, mass: 10 })
    spawn(things, { layer: LAYER.ball, x: 1.5, y: 0, vx: -2, vy: 0.5, radius: 1, mass: 30 })
    spawn(things, { layer: LAYER.ball, x: 0.7, y: 1.2, vx: 0.25, vy: -4, radius: 1, mass: 70 })
    const momentum = () => {
      let [px, py] = [0, 0]
      for (let row = 0; row < things.count; row++) {
        px += things.vx[row] * things.mass[row]
        py += things.vy[row] * things.mass[row]
      }
      return [px, py]
    }
    const before = momentum()
    const velocityBefore = things.vx[0]
    step(world)
    expect(things.vx[0]).not.toBe(velocityBefore)
    const after = momentum()
    expect(after[0]).toBeCloseTo(before[0], 9)
    expect(after[1]).toBeCloseTo(before[1], 9)
  })
})
