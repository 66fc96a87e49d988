import { each, exists } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { hitLogLine } from '../log.ts'
import type { JetWorld } from '../rules/declaration.ts'
import { arena, bulletTo, ofKind, player, run, ship, ticksOf } from './support.ts'

describe('hits', () => {
  test('[JR11] touching counts: 29 px hit, a hair more does not', () => {
    const distanceHits = (distance: number) => {
      const world = arena([{ x: -300 }, { x: 0 }])
      // It stands, so that no rounding of a move comes between.
      bulletTo(world, 0, distance, 0, 0)
      return ofKind(run(world, 1), 'hit').length === 1
    }
    expect(distanceHits(29)).toBe(true)
    expect(distanceHits(28.5)).toBe(true)
    expect(distanceHits(29 + 1e-12)).toBe(false)
  })

  test('[JR12] a bullet never hits its owner', () => {
    const world = arena([{ x: 0 }, { x: 100 }])
    const bullet = bulletTo(world, 0, 0)
    expect(run(world, 1)).toEqual([])
    expect(exists(bullet)).toBe(true)
  })

  test('[JR12] nor a ship of its team', () => {
    const world = arena([{ x: 0 }, { x: 100 }, { x: 200 }], { teams: [3, 3, 4] })
    const [friendly, hostile] = [bulletTo(world, 0, 100), bulletTo(world, 0, 200)]
    const events = run(world, 1)
    expect(ofKind(events, 'hit').map(({ projectile }) => projectile)).toEqual([hostile.id])
    expect([friendly, hostile].map(exists)).toEqual([true, false])
  })

  test('[JR13] four hits kill: 100, 70, 40, 10, 0; health never falls below 0, and there is one kill event', () => {
    const world = arena([{ x: -300 }, { x: 0 }])
    const events = [1, 2, 3, 4].flatMap(() => {
      bulletTo(world, 0, 0)
      return run(world, 1)
    })
    expect(ofKind(events, 'hit').map(({ hpAfter }) => hpAfter)).toEqual([70, 40, 10, 0])
    expect(ofKind(events, 'damage').map(({ taken }) => taken)).toEqual([30, 30, 30, 10])
    expect(ofKind(events, 'kill')).toMatchObject([{ tick: 4, victim: 2, attacker: 1 }])
  })

  test('[JR14] one gun needs 21 ticks from the first hit to the kill', () => {
    const world = arena([{ x: 0, heading: Math.PI / 2 }, { x: 200 }])
    const events = run(world, 60, { players: [{ seat: 0, shoot: true }] })
    const ticks = ticksOf(events, 'hit')
    expect(ticks).toHaveLength(4)
    expect(ticks[3] - ticks[0]).toBe(21)
    expect(ticksOf(events, 'kill')).toEqual([ticks[3]])
  })

  test('[JR15] of several ships that a bullet meets, the one that joined first is hit, and only that one', () => {
    const world = arena([{ x: -300 }, { x: 20 }, { x: 0 }])
    const bullet = bulletTo(world, 0, 0)
    expect(ofKind(run(world, 1), 'hit')).toMatchObject([{ victim: 2, projectile: bullet.id }])
    expect(exists(bullet)).toBe(false)
    expect(ship(world, 2).hp).toBe(100)
  })

  test('[JR15] a ship that joins after a bullet was fired is still behind those that joined before', () => {
    const world = arena([{ x: -300 }, { x: 100 }])
    bulletTo(world, 0, -8, 0)
    run(world, 1, { controls: [{ control: 'join', seat: 2 }] })
    const late = player(world, 2).thing!
    late.x = 0
    late.y = 0
    ship(world, 1).x = 5
    expect(ofKind(run(world, 1), 'hit')).toMatchObject([{ victim: 2 }])
  })

  test('[JR19] two bullets on 30 hp or less: the older kills, the younger flies on', () => {
    for (const hp of [30, 10]) {
      const world = arena([{ x: -300 }, { x: 0, hp }, { x: 300 }])
      const older = bulletTo(world, 0, 3)
      const younger = bulletTo(world, 2, 0)
      const events = run(world, 1)
      expect(ofKind(events, 'kill')).toMatchObject([{ attacker: 1, source: older.id }])
      expect([older, younger].map(exists)).toEqual([false, true])
    }
  })

  test('[JR19] the bullet that is left over hits the next ship in its way', () => {
    const world = arena([{ x: -300 }, { x: 0, hp: 30 }, { x: 10 }])
    const bullets = [bulletTo(world, 0, 3), bulletTo(world, 0, 0)]
    expect(ofKind(run(world, 1), 'hit')).toMatchObject([
      { victim: 2, projectile: bullets[0].id, hpAfter: 0 },
      { victim: 3, projectile: bullets[1].id, hpAfter: 70 },
    ])
  })

  test('[JR18] a ship that is killed may have fired in the same tick', () => {
    const world = arena([{ x: -300 }, { x: 0, hp: 30 }])
    bulletTo(world, 0, 0)
    const events = run(world, 1, { players: [{ seat: 1, shoot: true }] })
    expect(ofKind(events, 'shot')).toMatchObject([{ shooter: 2 }])
    expect(ofKind(events, 'kill')).toMatchObject([{ victim: 2 }])
    expect([...each(world, 'bullet')].map(({ owner }) => owner)).toEqual([2])
  })

  test('[JR20] bullets of a dead ship stay live, and it scores by them', () => {
    const world = arena([
      { x: -300, hp: 30 },
      { x: 0, hp: 30 },
    ])
    bulletTo(world, 1, -300)
    bulletTo(world, 0, -48)
    const events = run(world, 5)
    expect(ofKind(events, 'kill')).toMatchObject([
      { tick: 1, victim: 1, attacker: 2 },
      { tick: 4, victim: 2, attacker: 1 },
    ])
    expect(player(world, 0).score).toBe(1)
  })

  test('[JR17] a dead ship is not hit', () => {
    const world = arena([{ x: -300 }, { x: 0, hp: 30 }])
    bulletTo(world, 0, 0)
    run(world, 1)
    const bullet = bulletTo(world, 0, 0)
    expect(run(world, 1)).toEqual([])
    expect(exists(bullet)).toBe(true)
  })

  test('[JR16] a ship can be hit in the very tick of its return', () => {
    const world = arena([{ x: -300 }, { x: 0, hp: 30 }])
    bulletTo(world, 0, 0)
    run(world, 63)
    // Where it will return is known to the stream: look ahead in a world of its own.
    const ahead = arena([{ x: -300 }, { x: 0, hp: 30 }])
    bulletTo(ahead, 0, 0)
    run(ahead, 64)
    const [x, y] = [ship(ahead, 1).x, ship(ahead, 1).y]
    bulletTo(world, 0, x, y)
    const events = run(world, 1)
    expect(events.map(({ kind }) => kind).sort()).toEqual(['damage', 'hit', 'returned'])
    expect(ship(world, 1).hp).toBe(70)
  })

  test('[JR21] a hit event has victim, shooter, bullet and health, and the log line has the same four', () => {
    const world = arena([{ x: -300 }, { x: 0, hp: 50 }])
    const bullet = bulletTo(world, 0, 0)
    const [event] = ofKind(run(world, 1), 'hit')
    expect(event).toEqual({ tick: 1, kind: 'hit', n: 0, victim: 2, shooter: 1, projectile: bullet.id, hpAfter: 20 })
    expect(hitLogLine(event)).toEqual({
      victim_id: 2,
      shooter_id: 1,
      projectile_id: bullet.id,
      victim_hp: 20,
      msg: 'player hit',
    })
  })
})

describe('option ramming', () => {
  const options = { ramming: true }

  test('[JR29] ships that touch hurt each other at once and again after half a second; without the option never', () => {
    for (const ramming of [true, false]) {
      const world = arena([{ x: 0 }, { x: 48 }], { options: { ramming } })
      const events = run(world, 40)
      // 0.5 s are 32 ticks.
      expect(ticksOf(events, 'damage')).toEqual(ramming ? [1, 1, 33, 33] : [])
      expect([ship(world, 0).hp, ship(world, 1).hp]).toEqual(ramming ? [60, 60] : [100, 100])
    }
  })

  test('[JR29] both may die of it, and both score; the wreck does not ram any more', () => {
    const world = arena(
      [
        { x: 0, hp: 20 },
        { x: 40, hp: 20 },
        { x: 20, y: 30 },
      ],
      { options },
    )
    const events = run(world, 1)
    expect(ofKind(events, 'kill').map(({ victim, attacker }) => [victim, attacker])).toEqual([
      [2, 1],
      [1, 2],
    ])
    expect([0, 1, 2].map((seat) => player(world, seat).score)).toEqual([1, 1, 0])
    const hp = ship(world, 2).hp
    expect(ofKind(run(world, 40), 'damage')).toEqual([])
    expect(ship(world, 2).hp).toBe(hp)
  })

  test('[JR29] a shield protects from ramming, and does not keep its ship from ramming', () => {
    const world = arena([{ x: 0 }, { x: 40 }], { options })
    run(world, 1, { players: [{ seat: 0, slot: 1, secondary: 'shield' }] })
    expect([ship(world, 0).hp, ship(world, 1).hp]).toEqual([100, 80])
  })
})

describe('option bulletClash', () => {
  test('[JR30] bullets of different ships cancel out; those of one ship do not; without the option none do', () => {
    for (const bulletClash of [true, false]) {
      const world = arena([{ x: -300 }, { x: 300 }], { options: { bulletClash } })
      const bullets = [
        bulletTo(world, 0, 0),
        bulletTo(world, 1, 10, 0, -500),
        bulletTo(world, 0, 0, 50),
        bulletTo(world, 0, 8, 50),
      ]
      const events = run(world, 1)
      expect(bullets.map(exists)).toEqual(bulletClash ? [false, false, true, true] : Array(4).fill(true))
      expect(ofKind(events, 'clash')).toMatchObject(
        bulletClash ? [{ older: bullets[0].id, younger: bullets[1].id }] : [],
      )
    }
  })

  test('[JR30] a bullet that was cancelled hits nothing; a third one in the same place flies on', () => {
    const world = arena([{ x: -300 }, { x: 0 }, { x: 300 }], { options: { bulletClash: true } })
    const [first, second, third] = [bulletTo(world, 0, 0), bulletTo(world, 2, 0), bulletTo(world, 2, 0)]
    const events = run(world, 1)
    expect(ofKind(events, 'clash')).toMatchObject([{ older: first.id, younger: second.id }])
    expect(ofKind(events, 'hit')).toMatchObject([{ projectile: third.id }])
  })
})

describe('option swept', () => {
  const options = { swept: true }
  // 100 px a tick: without a sweep it jumps over a ship of 58 px.
  const fast = 100 / 0.016

  test('[JR33] a fast bullet hits what it passed, and without the option it does not', () => {
    for (const swept of [true, false]) {
      const world = arena([{ x: -300 }, { x: 0 }], { options: { swept } })
      bulletTo(world, 0, 50, 0, fast)
      expect(ofKind(run(world, 1), 'hit')).toHaveLength(swept ? 1 : 0)
    }
  })

  test('[JR33] on the closed plane a fast bullet hits across the seam', () => {
    const world = arena([{ x: 0, y: 100 }, { x: -390 }], { options: { swept: true, edges: 'torus' } })
    // From 360 to 460, which is −340: past the ship at −390, which is 410.
    bulletTo(world, 0, 460, 0, fast)
    expect(ofKind(run(world, 1), 'hit')).toHaveLength(1)
  })

  test('[JR33] the earliest impact wins, not the ship that joined first', () => {
    const world = arena([{ x: -300 }, { x: 20 }, { x: 0 }], { options })
    bulletTo(world, 0, 50, 0, fast)
    expect(ofKind(run(world, 1), 'hit')).toMatchObject([{ victim: 3 }])
  })

  test('[JR33] ties go to the lowest index: first among ships, then among bullets', () => {
    const world = arena([{ x: -300 }, { x: 0, y: 20 }, { x: 0, y: -20 }], { options })
    bulletTo(world, 0, 50, 0, fast)
    expect(ofKind(run(world, 1), 'hit')).toMatchObject([{ victim: 2 }])
    const twins = arena([{ x: -300 }, { x: 0, hp: 30 }], { options })
    const [older, younger] = [bulletTo(twins, 0, 50, 0, fast), bulletTo(twins, 0, 50, 0, fast)]
    expect(ofKind(run(twins, 1), 'kill')).toMatchObject([{ source: older.id }])
    expect(exists(younger)).toBe(true)
  })

  test('[JR33] the younger bullet kills if it is there first, and the older flies on', () => {
    const world = arena([{ x: -300 }, { x: 0, hp: 30 }], { options })
    const [older, younger] = [bulletTo(world, 0, 40, 0, fast), bulletTo(world, 0, 50, 0, fast)]
    expect(ofKind(run(world, 1), 'kill')).toMatchObject([{ source: younger.id }])
    expect(exists(older)).toBe(true)
  })

  test('[JR33] a clash that comes later than a hit does not happen, and one that comes earlier does', () => {
    const atShip = (otherX: number) => {
      const world = arena([{ x: -300 }, { x: 0 }, { x: 300 }], { options: { swept: true, bulletClash: true } })
      bulletTo(world, 0, 50, 0, fast)
      bulletTo(world, 2, otherX, 0, 0)
      return run(world, 1)
        .map(({ kind }) => kind)
        .filter((kind) => kind === 'hit' || kind === 'clash')
    }
    // The bullet comes from −50 and meets the ship at −29. A bullet that stands at −45 is met before, one at 60 after.
    expect(atShip(-45)).toEqual(['clash'])
    expect(atShip(60)).toEqual(['hit'])
  })
})

describe('option iceBullets', () => {
  test('[JR34] a hit halves the speed of its victim for 2 s; without the option it does not', () => {
    for (const iceBullets of [true, false]) {
      const world = arena([{ x: -300 }, { x: 0, y: 200 }], { options: { iceBullets } })
      ship(world, 1).throttle = 1
      bulletTo(world, 0, 0, 200)
      const speeds: number[] = []
      for (let tick = 1; tick <= 127; tick++) {
        const before = ship(world, 1).y
        run(world, 1)
        speeds.push(before - ship(world, 1).y)
      }
      // Hit in tick 1, after it has moved. 2 s are 125 ticks, of which the clock at 1 is the first.
      const slow = speeds.map((speed, i) => [i + 1, speed < 2]).filter(([, isSlow]) => isSlow)
      expect(slow.map(([tick]) => tick)).toEqual(iceBullets ? Array.from({ length: 124 }, (_, i) => i + 2) : [])
      if (iceBullets) expect(speeds[50]).toBeCloseTo(1.2, 9)
    }
  })

  test('[JR34] a shield keeps the ice off, and a ship that returns is free of it', () => {
    const options = { iceBullets: true }
    const shielded = arena([{ x: -300 }, { x: 0 }], { options })
    bulletTo(shielded, 0, 0)
    run(shielded, 1, { players: [{ seat: 1, slot: 1, secondary: 'shield' }] })
    expect(ship(shielded, 1).slowUntil).toBe(0)

    const killed = arena([{ x: -300 }, { x: 0, hp: 30 }], { options })
    bulletTo(killed, 0, 0)
    run(killed, 1)
    expect(ship(killed, 1).slowUntil).toBe(126)
    run(killed, 63)
    expect(ship(killed, 1).slowUntil).toBe(0)
  })
})

describe('gates of every rule', () => {
  test('[JR12] [JR17] a shield stops no bullet of its own ship, none of its team, and none on a wreck; touching ones it does', () => {
    const blocks = (prepare: (world: JetWorld) => void, teams: readonly number[] = []) => {
      const world = arena([{ x: -300 }, { x: 0 }], { teams })
      ship(world, 1).invulnerableUntil = 1000
      prepare(world)
      return ofKind(run(world, 1), 'block').length
    }
    expect(blocks((world) => void bulletTo(world, 0, 0))).toBe(1)
    expect(blocks((world) => void bulletTo(world, 0, -29))).toBe(1)
    expect(blocks((world) => void bulletTo(world, 1, 0))).toBe(0)
    expect(blocks((world) => void bulletTo(world, 0, 0), [1, 1])).toBe(0)
    const onWreck = (world: JetWorld) => {
      ship(world, 1).hp = 0
      ship(world, 1).returnsAt = 1000
      bulletTo(world, 0, 0)
    }
    expect(blocks(onWreck)).toBe(0)
  })

  test('[JR29] a wreck rams nobody', () => {
    const world = arena([{ x: 0 }, { x: 10 }], { options: { ramming: true } })
    Object.assign(ship(world, 0), { hp: 0, returnsAt: 1000 })
    expect(ofKind(run(world, 3), 'damage')).toEqual([])
  })
})
