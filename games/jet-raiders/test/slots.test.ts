import { exists } from 'hurtbox'
import { expect, test } from 'vitest'
import { arena, bulletTo, ofKind, run, ship, ticksOf } from './support.ts'

test('[JR26] a shield stops bullets for 1 s: they are spent, the ship is not hurt', () => {
  const world = arena([{ x: -300 }, { x: 0 }])
  const first = bulletTo(world, 0, 0)
  const raised = run(world, 1, { players: [{ seat: 1, slot: 1, secondary: 'shield' }] })
  expect(raised.map(({ kind }) => kind)).toEqual(['block', 'shield'])
  expect(ofKind(raised, 'block')).toMatchObject([{ victim: 2, shooter: 1, projectile: first.id }])
  expect(exists(first)).toBe(false)
  // Raised in tick 1, 1 s is 63 ticks: it holds up to tick 63.
  run(world, 61)
  bulletTo(world, 0, 0)
  expect(ofKind(run(world, 1), 'block')).toMatchObject([{ tick: 63 }])
  expect(ship(world, 1).hp).toBe(100)
  bulletTo(world, 0, 0)
  expect(ofKind(run(world, 1), 'hit')).toMatchObject([{ tick: 64, hpAfter: 70 }])
})

test('[JR26] a shielded ship behind another does not take its bullets', () => {
  const world = arena([{ x: -300 }, { x: 0 }, { x: 10 }])
  bulletTo(world, 0, 5)
  const events = run(world, 1, { players: [{ seat: 2, slot: 1, secondary: 'shield' }] })
  expect(ofKind(events, 'hit')).toMatchObject([{ victim: 2 }])
  expect(ofKind(events, 'block')).toEqual([])
})

test('[JR27] a dash makes the ship four times as fast for 0.25 s, from the tick it is pressed in', () => {
  const world = arena([{ x: -200, heading: Math.PI / 2 }])
  ship(world, 0).throttle = 1
  const ways: number[] = []
  for (let tick = 1; tick <= 18; tick++) {
    const before = ship(world, 0).x
    run(world, 1, tick === 1 ? { players: [{ seat: 0, slot: 1, secondary: 'dash' }] } : {})
    ways.push(Math.round((ship(world, 0).x - before) * 10) / 10)
  }
  // 0.25 s are 16 ticks.
  expect(ways).toEqual([...Array(16).fill(9.6), 2.4, 2.4])
})

test('[JR28] the slot is ready again after 6 s, whatever it held; a press before that is lost', () => {
  const world = arena([{ x: 0 }])
  const ticks: number[] = []
  for (let tick = 1; tick <= 800; tick++) {
    // The press counts in its tick only; the first is for a dash, all others for a shield.
    const secondary = tick === 1 ? 'dash' : 'shield'
    const events = run(world, 1, { players: [{ seat: 0, slot: 1, secondary }] })
    ticks.push(...ticksOf(events, 'dash'), ...ticksOf(events, 'shield'))
  }
  expect(ticks).toEqual([1, 376, 751])
  const idle = arena([{ x: 0 }])
  run(idle, 1, { players: [{ seat: 0, slot: 3 }] })
  expect(ofKind(run(idle, 800), 'shield')).toEqual([])
})

test('[JR28] the dead cannot use it; a ship that returns is free of effects, and the cooldown goes on', () => {
  const world = arena([{ x: -300 }, { x: 0, hp: 30 }])
  bulletTo(world, 0, 0)
  run(world, 1, { players: [{ seat: 1, slot: 1, secondary: 'dash' }] })
  expect(ship(world, 1).hp).toBe(0)
  ship(world, 1).dashUntil = 10_000
  ship(world, 1).invulnerableUntil = 10_000
  const dead = run(world, 1, { players: [{ seat: 1, slot: 1 }] })
  expect(dead).toEqual([])
  run(world, 62)
  expect(ship(world, 1).hp).toBe(100)
  expect([ship(world, 1).dashUntil, ship(world, 1).slotReadyAt]).toEqual([0, 376])
  expect(ship(world, 1).invulnerableUntil).toBeLessThanOrEqual(world.clock)
})
