import { describe, expect, test } from 'vitest'
import { collide, despawn, exists, listEvents, spawn, step } from '../../index.ts'
import { bite, declaration, shoot, start } from './fixtures/cases.ts'

describe('the hard cases of the seeds', () => {
  test('[CO1] five enemies touch one player: one event, 95 hp, 100 px', () => {
    const world = start(collide(declaration, { bite }))
    const player = spawn(world, 'player', { radius: 12, hp: 100 })
    for (let i = 0; i < 5; i++) spawn(world, 'enemy', { x: -5 - i, y: i, radius: 8, hp: 10 })
    step(world)
    expect(world.events.hurt.count).toBe(1)
    expect(player.hp).toBe(95)
    expect(Math.sqrt(player.x * player.x + player.y * player.y)).toBeCloseTo(100, 9)
    expect(listEvents(world)).toEqual([{ tick: 0, kind: 'hurt', n: 0, victim: 1, attacker: 2, hpAfter: 95 }])
  })

  test('[CO1] i-frames set in tick 0 for 60 ticks: hittable again in tick 60', () => {
    const world = start(collide(declaration, { bite }))
    spawn(world, 'player', { radius: 12, hp: 100 })
    spawn(world, 'enemy', { x: -1, radius: 500, hp: 10 })
    const hitTicks = []
    for (let tick = 0; tick < 125; tick++) {
      step(world)
      if (world.events.hurt.count > 0) hitTicks.push(tick)
    }
    expect(hitTicks).toEqual([0, 60, 120])
  })

  test('[CO2] 40 hp and three bullets of 30: dead after two, the third flies on', () => {
    const world = start(collide(declaration, { shot: shoot('player', 30) }))
    const { things } = world.tables
    const player = spawn(world, 'player', { radius: 24, hp: 40 })
    for (let i = 0; i < 3; i++) spawn(world, 'bullet', { x: 10 + i, radius: 5 })
    step(world)
    expect(player.hp).toBe(0)
    expect([...things.id.subarray(0, things.count)]).toEqual([1, 4])
    expect(listEvents(world).map((event) => event.hpAfter)).toEqual([40, 10])
  })

  test('[CO3] two bullets that kill only together kill', () => {
    const world = start(collide(declaration, { shot: shoot('player', 30) }))
    const player = spawn(world, 'player', { radius: 24, hp: 60 })
    for (let i = 0; i < 2; i++) spawn(world, 'bullet', { x: i, radius: 5 })
    step(world)
    expect(player.hp).toBe(0)
    expect(world.tables.things.count).toBe(1)
  })

  test('[CO4] two fighters with 10 hp strike each other in one tick: both die', () => {
    const world = start(
      collide(declaration, {
        strike: {
          between: ['fighter', 'fighter'],
          mutual: true,
          gates: ['dead'],
          decide(_attacker, victim) {
            victim.hp -= 10
          },
        },
      }),
    )
    const fighters = [0, 1].map((x) => spawn(world, 'fighter', { x, radius: 1, hp: 10 }))
    step(world)
    expect(fighters.map(({ hp }) => hp)).toEqual([0, 0])
  })

  test('[CO5] three rocks of 13 t and a hold of 30 t: two eaten, one left, nothing lost', () => {
    const world = start(
      collide(declaration, {
        'ship eats rock': {
          between: ['ship', 'rock'],
          decide(ship, rock) {
            if (ship.hold + rock.mass > ship.room) return 'hold is full'
            ship.hold += rock.mass
            despawn(rock)
          },
        },
      }),
    )
    const ship = spawn(world, 'ship', { radius: 10, room: 30 })
    const rocks = [0, 1, 2].map((x) => spawn(world, 'rock', { x, radius: 5, mass: 13 }))
    step(world)
    expect(ship.hold).toBe(26)
    expect(rocks.map(exists)).toEqual([false, false, true])
    expect(rocks[2].mass).toBe(13)
  })

  test('[CO6] an enemy shot in this tick no longer bites, because rules run in listed order', () => {
    const play = (phase: Parameters<typeof start>[0]) => {
      const world = start(phase)
      const player = spawn(world, 'player', { radius: 12, hp: 100 })
      spawn(world, 'enemy', { x: 10, radius: 8, hp: 10 })
      spawn(world, 'bullet', { x: 12, radius: 3 })
      step(world)
      return player.hp
    }
    const shot = shoot('enemy', 10)
    expect(play(collide(declaration, { shot, bite }))).toBe(100)
    expect(play(collide(declaration, { bite, shot }))).toBe(95)
    // In one order the contacts go by things: the player is the oldest, so its contact comes first.
    expect(play(collide(declaration, { shot, bite }, { sharedOrder: [['shot', 'bite']] }))).toBe(95)
    expect(play(collide(declaration, { shot, bite }, { sharedOrder: true }))).toBe(95)
  })

  test('[CO7] three bodies in mutual contact: motions add, momentum is kept', () => {
    const world = start(
      collide(declaration, {
        bounce: {
          between: ['ball', 'ball'],
          decide(a, b) {
            const dx = b.x - a.x
            const dy = b.y - a.y
            const squared = dx * dx + dy * dy
            const closing = (a.vx - b.vx) * dx + (a.vy - b.vy) * dy
            if (closing <= 0) return 'parting'
            const impulse = (2 * closing) / ((1 / a.mass + 1 / b.mass) * squared)
            a.vx -= (impulse * dx) / a.mass
            a.vy -= (impulse * dy) / a.mass
            b.vx += (impulse * dx) / b.mass
            b.vy += (impulse * dy) / b.mass
          },
        },
      }),
    )
    const balls = [
      spawn(world, 'ball', { x: 0, y: 0, vx: 3, vy: 1, radius: 1, mass: 10 }),
      spawn(world, 'ball', { x: 1.5, y: 0, vx: -2, vy: 0.5, radius: 1, mass: 30 }),
      spawn(world, 'ball', { x: 0.7, y: 1.2, vx: 0.25, vy: -4, radius: 1, mass: 70 }),
    ]
    const momentum = () => [
      balls.reduce((sum, { vx, mass }) => sum + vx * mass, 0),
      balls.reduce((sum, { vy, mass }) => sum + vy * mass, 0),
    ]
    const before = momentum()
    step(world)
    expect(balls[0].vx).not.toBe(3)
    const after = momentum()
    expect(after[0]).toBeCloseTo(before[0], 9)
    expect(after[1]).toBeCloseTo(before[1], 9)
  })
})
