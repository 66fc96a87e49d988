import { each, exists } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { KIND, WIDTH } from '../rules/declaration.ts'
import { arena, bulletTo, ofKind, run, ship, ticksOf } from './support.ts'

describe('the gun', () => {
  test('[JR8] a shot every 7 ticks while the trigger is held, the first at once', () => {
    const world = arena([{ x: 0 }])
    const events = run(world, 30, { players: [{ seat: 0, shoot: true }] })
    expect(ticksOf(events, 'shot')).toEqual([1, 8, 15, 22, 29])
    expect(ofKind(run(world, 20, { players: [{ seat: 0 }] }), 'shot')).toEqual([])
  })

  test('[JR9] a bullet is first seen 32 px ahead, flies 8 px a tick, and does not inherit the speed of its ship', () => {
    const world = arena([{ x: 0, heading: Math.PI / 2 }])
    const jet = ship(world, 0)
    jet.throttle = 1
    run(world, 1, { players: [{ seat: 0, shoot: true }] })
    const [bullet] = each(world, 'bullet')
    expect(bullet.kind).toBe(KIND.bullet)
    expect(bullet.x - jet.x).toBeCloseTo(32, 9)
    expect(bullet.y - jet.y).toBeCloseTo(0, 9)
    const seenAt = bullet.x
    run(world, 1)
    expect(bullet.x).toBeCloseTo(seenAt + 8, 9)
  })

  test('[JR10] a bullet lives 188 ticks, and the last in which it can hit is the 187th', () => {
    // Fired in tick 1, so tick 187 is the 187th of its life. In the tick asked about it is where the other ship is.
    const lastSeen = (tick: number) => {
      const world = arena([{ x: 0 }, { x: 0, y: 200 }])
      run(world, 1, { players: [{ seat: 0, shoot: true }] })
      run(world, tick - 2, { players: [{ seat: 0 }] })
      const [bullet] = each(world, 'bullet')
      bullet.x = 0
      bullet.y = 200
      const events = run(world, 1)
      return { hits: ofKind(events, 'hit').length, bullets: [...each(world, 'bullet')].length }
    }
    expect(lastSeen(187)).toEqual({ hits: 1, bullets: 0 })
    expect(lastSeen(188)).toEqual({ hits: 0, bullets: 0 })
    const world = arena([{ x: 0 }])
    run(world, 1, { players: [{ seat: 0, shoot: true }] })
    run(world, 186, { players: [{ seat: 0 }] })
    expect(world.tables.things.count).toBe(2)
    run(world, 1)
    expect(world.tables.things.count).toBe(1)
  })

  test('[JR4] bullets do not wrap: they fly out of the plane', () => {
    const world = arena([{ x: 0 }])
    const bullet = bulletTo(world, 0, WIDTH / 2 + 3)
    run(world, 2)
    expect(bullet.x).toBeCloseTo(WIDTH / 2 + 11, 9)
  })
})

describe('walls', () => {
  const options = { edges: 'wall' } as const

  test('[JR31] a ship stops where its rim meets the wall, and slides along', () => {
    const world = arena([{ x: 370, y: 0, heading: Math.PI / 4 }], { options })
    const jet = ship(world, 0)
    jet.throttle = 1
    const { teleports } = jet
    run(world, 20)
    expect(jet.x).toBe(WIDTH / 2 - 24)
    expect(jet.y).toBeCloseTo(-20 * 2.4 * Math.SQRT1_2, 9)
    expect(jet.teleports).toBe(teleports)
  })

  test('[JR31] a bullet ends where its rim meets the wall', () => {
    const world = arena([{ x: 0 }], { options })
    const [ends, stays] = [bulletTo(world, 0, WIDTH / 2 - 4), bulletTo(world, 0, WIDTH / 2 - 5)]
    run(world, 1)
    expect([exists(ends), exists(stays)]).toEqual([false, true])
  })

  test('[JR31] a ship at the wall is hit before the wall stops the bullet', () => {
    const world = arena([{ x: 0 }, { x: WIDTH / 2 - 24 }], { options })
    const bullet = bulletTo(world, 0, WIDTH / 2 - 2)
    expect(ofKind(run(world, 1), 'hit')).toMatchObject([{ projectile: bullet.id, victim: 2 }])
  })

  test('[JR31] ships appear between the walls', () => {
    for (let seed = 0; seed < 50; seed++) {
      const world = arena([], { options, seed })
      run(world, 1, { controls: [{ control: 'join', seat: 0 }] })
      expect(Math.abs(ship(world, 0).x), `seed ${seed}`).toBeLessThanOrEqual(376)
      expect(Math.abs(ship(world, 0).y), `seed ${seed}`).toBeLessThanOrEqual(206)
    }
  })
})

describe('the closed plane', () => {
  const options = { edges: 'torus' } as const
  const acrossTheSeam = [{ x: 0, y: 100 }, { x: -390 }] as const

  test('[JR32] hits count across the seam, and by default they do not', () => {
    for (const edges of ['torus', 'wrap', 'wall'] as const) {
      const world = arena(acrossTheSeam, { options: { edges } })
      bulletTo(world, 0, 394)
      expect(ofKind(run(world, 1), 'hit'), edges).toHaveLength(edges === 'torus' ? 1 : 0)
    }
  })

  test('[JR32] a bullet comes in again on the other side, as far as it flew out', () => {
    const world = arena([{ x: 0 }], { options })
    const bullet = bulletTo(world, 0, 403, -233, 500, -500)
    run(world, 1)
    expect(bullet.x).toBeCloseTo(-397, 9)
    expect(bullet.y).toBeCloseTo(227, 9)
    expect(bullet.teleports).toBe(1)
    run(world, 1)
    expect(bullet.x).toBeCloseTo(-389, 9)
    expect(bullet.teleports).toBe(1)
  })
})
