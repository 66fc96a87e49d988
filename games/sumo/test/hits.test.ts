/** The verification list of the seed document, and what its design decided about it. */

import { createWorld, each, playerAt, step } from 'hurtbox'
import { startAbility } from 'hurtbox/abilities'
import { printLayers } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import { RING_HALF } from '../rules/content.ts'
import { abilities, KIND } from '../rules/declaration.ts'
import { STANDING } from '../rules/fighters.ts'
import { sumo } from '../rules/index.ts'
import { type Fight, fight, fighterOf, place, tick, ticks, until } from './support.ts'

const MASS = 7.33

function velocity(stage: Fight, seat: number): [number, number, number] {
  const { vx, vy, vz } = fighterOf(stage, seat)
  return [vx, vy, vz]
}

function bullets({ world }: Fight): number {
  return [...each(world, 'projectile')].length
}

/** The attacker of seat 0 presses a button and the fight goes on until there is a hit. */
function strikeWith(stage: Fight, slot: 'punch' | 'fireball' | 'uppercut' | 'shockwave' | 'grab'): string[] {
  tick(stage, { 0: { [slot]: 1 } })
  for (let t = 0; t < 200; t++) {
    const strikes = tick(stage)
    if (strikes.length > 0) return strikes
  }
  return []
}

/** The document's direction: horizontal unit vector and 0.3 up, normalised. */
function knock(dx: number, dy: number, strength: number): number[] {
  const distance = Math.sqrt(dx * dx + dy * dy)
  const length = Math.sqrt(1.09)
  return [((dx / distance) * strength) / length, ((dy / distance) * strength) / length, (0.3 * strength) / length]
}

describe('knockback', () => {
  test('[SU1] a punch knocks its victim away from the attacker, by an impulse of 15 along (unit, 0.3 up)', () => {
    for (const [x, y] of [
      [2.4, 0],
      [2, 1],
      [2.2, -0.7],
    ]) {
      const stage = fight([
        [0, 0],
        [x, y],
      ])
      expect(strikeWith(stage, 'punch')).toEqual([`${stage.ids[0]}>${stage.ids[1]}`])
      const expected = knock(x, y, 15 / MASS)
      for (let i = 0; i < 3; i++) expect(velocity(stage, 1)[i], `${x}, ${y}`).toBeCloseTo(expected[i], 9)
    }
  })

  test('[SU1] the attacker is not moved by its own punch', () => {
    const stage = fight([
      [0, 0],
      [2.4, 0],
    ])
    strikeWith(stage, 'punch')
    ticks(stage, 20)
    expect(fighterOf(stage, 0)).toMatchObject({ x: 0, y: 0 })
  })

  test('[SU2] a fireball knocks its victim away from the bullet by 20, and is gone', () => {
    const stage = fight([
      [0, 0],
      [6, 0.8],
    ])
    tick(stage, { 0: { fireball: 1 } })
    until(stage, () => bullets(stage) === 1)
    const [bullet] = each(stage.world, 'projectile')
    let bulletX = 0
    until(stage, () => {
      if (stage.world.events.strike.count > 0) return true
      bulletX = bullet.x
      return false
    })
    // The bullet struck from where it had come in that tick.
    const expected = knock(6 - (bulletX + 20 / 64), 0.8, 20 / MASS)
    for (let i = 0; i < 3; i++) expect(velocity(stage, 1)[i]).toBeCloseTo(expected[i], 9)
    expect(bullets(stage)).toBe(0)
  })

  test('[SU37] of two fighters side by side the fireball strikes the one that it reaches first, older or not', () => {
    // 0.1 m apart along its way and a tick of it is 0.31 m: in most placements it reaches both in the same tick.
    for (let shift = 0; shift < 10; shift++) {
      for (const nearer of [1, 2]) {
        const [near, far] = [5 + 0.04 * shift, 5.1 + 0.04 * shift]
        const stage = fight([
          [0, 0],
          [nearer === 1 ? near : far, 1.05],
          [nearer === 2 ? near : far, -1.05],
        ])
        expect(strikeWith(stage, 'fireball'), `${near}`).toEqual([`${stage.ids[0]}>${stage.ids[nearer]}`])
      }
    }
  })

  test('[SU3] no fighter is hit by its own punch, fireball or shockwave', () => {
    for (const slot of ['punch', 'fireball', 'shockwave'] as const) {
      const stage = fight([[0, 0]])
      expect(strikeWith(stage, slot), slot).toEqual([])
      expect(velocity(stage, 0).slice(0, 2), slot).toEqual([0, 0])
    }
  })

  test('[SU3] a fireball flies on through its shooter, who is in its way', () => {
    const stage = fight([[0, 0]])
    tick(stage, { 0: { fireball: 1 } })
    until(stage, () => bullets(stage) === 1)
    const [bullet] = each(stage.world, 'projectile')
    place(stage, 0, bullet.x + 0.5, 0)
    expect(ticks(stage, 4)).toEqual([])
    expect([bullets(stage), velocity(stage, 0)[0]]).toEqual([1, 0])
    // It is the owner who is spared, not anybody who stands so near.
    const other = fight([
      [0, 0],
      [-5, 0],
    ])
    tick(other, { 0: { fireball: 1 } })
    until(other, () => bullets(other) === 1)
    place(other, 1, 2, 0)
    expect(tick(other)).toEqual([`${other.ids[0]}>${other.ids[1]}`])
  })

  test('[SU4] one hit per window and target, three for a combo of three steps', () => {
    const stage = fight([
      [0, 0],
      [2.05, 0],
    ])
    const steps: number[] = []
    for (let t = 0; t < 60; t++) {
      if (tick(stage, { 0: { punch: t === 0 || t === 6 || t === 20 ? 1 : 0 } }).length > 0) {
        steps.push(stage.world.events.strike.step[0])
      }
    }
    expect(steps).toEqual([1, 2, 3])
    const two = fight([
      [0, 0],
      [2.1, 0],
      [1.5, 1.5],
    ])
    tick(two, { 0: { punch: 1 } })
    const [attacker, ahead, aside] = two.ids
    expect(ticks(two, 30)).toEqual([`${attacker}>${ahead}`, `${attacker}>${aside}`])
  })

  test('[SU5] a fireball that hits nothing ends 192 ticks after it appeared', () => {
    const stage = fight([[0, 0]])
    tick(stage, { 0: { fireball: 1 } })
    const before = until(stage, () => bullets(stage) === 1)
    expect(before).toBe(6)
    expect(until(stage, () => bullets(stage) === 0)).toBe(192)
    expect(stage.world.events.whiff.count).toBe(1)
  })

  test('[SU6] closer than 0.01 in the plane, the push is straight up', () => {
    for (const [off, isUp] of [
      [0.009, true],
      [0.011, false],
    ] as const) {
      const stage = fight([
        [0, 0],
        [off, 0],
      ])
      // One above the other, not touching, where a shockwave reaches.
      const hover = () => {
        place(stage, 1, off, 0)
        fighterOf(stage, 1).z = STANDING + 3.5
      }
      hover()
      tick(stage, { 0: { shockwave: 1 } })
      until(stage, () => {
        if (stage.world.events.strike.count > 0) return true
        hover()
        return false
      })
      expect(Math.abs(velocity(stage, 1)[0]) < 1e-9, `${off}`).toBe(isUp)
    }
  })

  test('[SU7] knockback as speed, as the origin shipped it: 5 and 8, whatever the mass', () => {
    for (const mass of [5, 20]) {
      const stage = fight(
        [
          [0, 0],
          [2.4, 0],
        ],
        { options: { knockback: 'velocity' }, tuning: { mass } },
      )
      strikeWith(stage, 'punch')
      expect(velocity(stage, 1)[0]).toBeCloseTo(5 / Math.sqrt(1.09), 9)
      ticks(stage, 60)
      place(stage, 1, 6, 0)
      strikeWith(stage, 'fireball')
      // Tired by 4 of 100 hp: up to three times as much with none left.
      expect(velocity(stage, 1)[0]).toBeCloseTo((8 * (1 + 2 * 0.04)) / Math.sqrt(1.09), 9)
    }
  })
})

describe('layers and boxes', () => {
  test('[SU8] the layers meet as in the table of the document', () => {
    expect(printLayers(sumo.layers).split('\n')).toEqual([
      '            character  hitbox  projectile  terrain',
      'character           ×       ×           ×        ×',
      'hitbox              ×       ·           ·        ·',
      'projectile          ×       ·           ·        ·',
      'terrain             ×       ·           ·        ·',
    ])
  })

  test('[SU9] a punch reaches centres up to 3 m ahead and 1.75 m aside: true half extents 0.5 × 0.75 × 1', () => {
    const hits = (x: number, y: number) => {
      const stage = fight([
        [0, 0],
        [x, y],
      ])
      return strikeWith(stage, 'punch').length > 0
    }
    expect([hits(2.999, 0), hits(3.001, 0)]).toEqual([true, false])
    expect([hits(2, 1.749), hits(2, 1.751), hits(-2.001, 0)]).toEqual([true, false, false])
    // 1 up from its middle, and the body is 1.5 tall from its own.
    const hitsAbove = (z: number) => {
      const stage = fight(
        [
          [0, 0],
          [1.5, 3],
        ],
        { tuning: { gravity: 0 } },
      )
      tick(stage, { 0: { punch: 1 } })
      ticks(stage, 3)
      Object.assign(fighterOf(stage, 1), { x: 1.5, y: 0, z: STANDING + z, grounded: 0 })
      return tick(stage).length > 0
    }
    expect([hitsAbove(2.499), hitsAbove(2.501)]).toEqual([true, false])
  })

  test('[SU10] the phase table of the punch: pressed at T, hits on T+4 to T+6, next step at T+13', () => {
    const stage = fight([
      [0, 0],
      [8, 8],
    ])
    const { casts } = stage.world.tables
    const phases = Array.from({ length: 30 }, (_, t) => {
      tick(stage, { 0: { punch: t === 0 || t === 9 ? 1 : 0 } })
      return casts.count === 0 ? '-' : `${casts.phase[0]}.${casts.step[0]}`
    })
    const step = (n: number) => [...Array(4).fill(`1.${n}`), ...Array(3).fill(`2.${n}`), ...Array(6).fill(`3.${n}`)]
    expect(phases).toEqual([...step(1), ...step(2), ...Array(4).fill('4.2')])
  })
})

test('[SU10] the press that starts a punch is used up; one that is refused is left', () => {
  const stage = fight([[0, 0]])
  const { punch } = stage.world.tables.players
  tick(stage, { 0: { punch: 1 } })
  expect(punch[0]).toBe(0)
  tick(stage, { 0: { punch: 3 } })
  // One of the three brings the next step.
  expect(punch[0]).toBe(2)
})

describe('launched', () => {
  test('[SU11] a finisher throws a standing fighter out from 2 m of the edge, and not from 4 m', () => {
    const finisher = (fromEdge: number) => {
      const stage = fight([
        [RING_HALF - fromEdge - 2.2, 0],
        [RING_HALF - fromEdge, 0],
      ])
      startAbility(abilities, fighterOf(stage, 0), 'punch')!.step = 3
      let isOut = false
      for (let t = 0; t < 300; t++) {
        tick(stage)
        if (stage.world.events.ringOut.count > 0) isOut = true
      }
      return { isOut, hp: fighterOf(stage, 1).hp }
    }
    for (const fromEdge of [0.5, 1, 1.5, 2]) expect(finisher(fromEdge).isOut, `${fromEdge} m`).toBe(true)
    for (const fromEdge of [4, 5]) {
      expect(finisher(fromEdge), `${fromEdge} m`).toEqual({ isOut: false, hp: 92 })
    }
  })

  test('[SU11] the steps before it do not throw a fighter out from 1.5 m', () => {
    const stage = fight([
      [RING_HALF - 3.7, 0],
      [RING_HALF - 1.5, 0],
    ])
    expect(strikeWith(stage, 'punch')).toHaveLength(1)
    ticks(stage, 200)
    expect(fighterOf(stage, 1).x).toBeLessThan(RING_HALF)
    expect(playerAt(stage.world, 1)!.falls).toBe(0)
  })

  test('[SU12] a fighter that is hit has neither control nor friction for a short while, then brakes', () => {
    const stage = fight([
      [0, 0],
      [2.4, 0],
    ])
    strikeWith(stage, 'punch')
    const victim = fighterOf(stage, 1)
    const launched = victim.vx
    const speeds = Array.from({ length: 40 }, () => {
      tick(stage, { 1: { moveY: 1 } })
      return [victim.vx, victim.vy]
    })
    // Two ticks of hit stop and eight of launch; braked from then on; in control after fourteen ticks of stun.
    expect(speeds.slice(0, 10)).toEqual(Array(10).fill([launched, 0]))
    expect(speeds[10][0]).toBeLessThan(launched)
    expect([speeds[15][1], speeds[16][1] > 0, speeds[39]]).toEqual([0, true, [0, 5]])
  })
})

test('[SU12] launched without a stun there is no control either', () => {
  const stage = fight([[0, 0]])
  const fighter = fighterOf(stage, 0)
  fighter.vx = 3
  fighter.launchedUntil = stage.world.clock + 10
  for (let t = 0; t < 10; t++) tick(stage, { 0: { moveX: -1 } })
  expect([fighter.vx, fighter.facingX]).toEqual([3, 1])
  tick(stage, { 0: { moveX: -1 } })
  expect(fighter.vx).toBeLessThan(3)
})

describe('bodies', () => {
  test('[SU13] the dummy drops in at the place of the document and stands there', () => {
    const world = createWorld(sumo, { options: { mode: 'practice', dummy: true } })
    const [dummy] = each(world, 'character')
    expect(dummy).toMatchObject({ x: 5, y: 0, z: 30, kind: KIND.dummy })
    for (let t = 0; t < 300; t++) step(world)
    expect(dummy).toMatchObject({ x: 5, y: 0, grounded: 1, out: 0 })
    expect(dummy.z).toBeCloseTo(STANDING, 6)
  })

  test('[SU13] punched, it is knocked back away from the attacker; a fireball does so too and despawns', () => {
    const world = createWorld(sumo, { options: { mode: 'practice', dummy: true } })
    step(world, { controls: [{ control: 'join', seat: 4 }] })
    for (let t = 0; t < 300; t++) step(world)
    const [dummy, fighter] = each(world, 'character')
    for (const [slot, distance] of [
      ['punch', 2.5],
      ['fireball', 4],
    ] as const) {
      const before = dummy.x
      Object.assign(fighter, { x: before - distance, y: 0, facingX: 1, facingY: 0 })
      step(world, { players: [{ seat: 4, [slot]: 1 }] })
      for (let t = 0; t < 60; t++) step(world)
      expect(dummy.x - before, slot).toBeGreaterThan(0.3)
      expect(dummy.y).toBeCloseTo(0, 9)
      expect(world.tables.things.count, slot).toBe(2)
    }
  })

  test('[SU14] fighters walk, jump 2.4 m high, stand on the ring and push each other', () => {
    const stage = fight([
      [0, 0],
      [3, 0],
    ])
    const [runner, other] = [fighterOf(stage, 0), fighterOf(stage, 1)]
    for (let t = 0; t < 64; t++) tick(stage, { 0: { moveX: 1 } })
    expect(other.x).toBeGreaterThan(4)
    expect(other.x - runner.x).toBeGreaterThan(1.99)
    place(stage, 0, 0, 5)
    let highest = 0
    for (let t = 0; t < 120; t++) {
      // A second press in the air is refused.
      tick(stage, { 0: { jump: t === 1 || t === 30 ? 1 : 0 } })
      highest = Math.max(highest, runner.z - STANDING)
    }
    expect(highest).toBeCloseTo((50 / MASS) ** 2 / (2 * 9.81), 2)
    expect([runner.grounded, runner.z]).toEqual([1, expect.closeTo(STANDING, 6)])
  })

  test('[SU15] there is no control while an ability runs: speed coasts and is braked by friction alone', () => {
    const stage = fight([[0, 0]])
    const fighter = fighterOf(stage, 0)
    for (let t = 0; t < 30; t++) tick(stage, { 0: { moveX: 1 } })
    expect(fighter.vx).toBe(5)
    tick(stage, { 0: { moveX: -1, punch: 1 } })
    tick(stage, { 0: { moveX: -1 } })
    // The press turned and began to brake before the ability began; from then on only friction does.
    const before = fighter.vx
    tick(stage, { 0: { moveX: -1 } })
    expect(before - fighter.vx).toBeCloseTo(5 / 64, 9)
    expect(fighter.facingX).toBe(-1)
  })

  test('[SU16] projectiles pass the terrain as in the document, or end at it by option', () => {
    const shots = (bulletsHitTerrain: boolean) => {
      const stage = fight([[0, 0]], { options: { bulletsHitTerrain } })
      tick(stage, { 0: { fireball: 1 } })
      until(stage, () => bullets(stage) === 1)
      // Level with the clay of the ring, flying towards it.
      for (const bullet of each(stage.world, 'projectile')) Object.assign(bullet, { x: -RING_HALF - 2, z: -1 })
      ticks(stage, 20)
      return bullets(stage)
    }
    expect([shots(false), shots(true)]).toEqual([1, 0])
  })

  test('[SU17] a barrier takes the damage and the push of the next hits, while it lasts', () => {
    const stage = fight([
      [0, 0],
      [2.4, 0],
    ])
    tick(stage, { 1: { barrier: 1 } })
    ticks(stage, 10)
    expect(strikeWith(stage, 'punch')).toHaveLength(1)
    expect(fighterOf(stage, 1)).toMatchObject({ hp: 100, shield: 12, vx: 0, vy: 0, vz: 0 })
    ticks(stage, 96)
    expect(fighterOf(stage, 1).shield).toBe(0)
  })

  test('[SU18] a grab carries its victim; thrown within 3 m of the edge it is out', () => {
    const stage = fight([
      [RING_HALF - 5, 0],
      [RING_HALF - 2.8, 0],
    ])
    expect(strikeWith(stage, 'grab')).toHaveLength(1)
    expect(fighterOf(stage, 1).heldBy).toBe(stage.ids[0])
    ticks(stage, 4)
    tick(stage, { 0: { grab: 1 } })
    let thrown: number[] = []
    for (let t = 0; t < 200; t++) {
      tick(stage)
      const { ringOut } = stage.world.events
      if (ringOut.count > 0) thrown = [ringOut.victim[0], ringOut.by[0], ringOut.ability[0]]
    }
    expect(thrown).toEqual([stage.ids[1], stage.ids[0], abilities.number.throw + 1])
  })
})

describe('further abilities, to the number', () => {
  test('[SU1] an uppercut throws half as far as up, by an impulse of 55 or at 7 m/s', () => {
    for (const [knockback, strength] of [
      ['impulse', 55 / MASS],
      ['velocity', 7],
    ] as const) {
      const stage = fight(
        [
          [0, 0],
          [2, 0.3],
        ],
        { options: { knockback } },
      )
      expect(strikeWith(stage, 'uppercut')).toHaveLength(1)
      const length = Math.sqrt(1.25)
      const [vx, vy, vz] = velocity(stage, 1)
      expect(vx).toBeCloseTo((0.5 / length) * strength, 9)
      expect(vy).toBeCloseTo(0, 9)
      expect(vz).toBeCloseTo(strength / length, 9)
      const victim = fighterOf(stage, 1)
      const { clock } = stage.world
      // From the next tick on, and delayed by the hit stop.
      expect([victim.stunnedUntil - clock, victim.hp]).toEqual([34 + 5, 90])
    }
  })

  test('[SU7] as speed, the finisher throws at 8', () => {
    const stage = fight(
      [
        [0, 0],
        [2.4, 0],
      ],
      { options: { knockback: 'velocity' } },
    )
    const pushes: number[] = []
    for (let t = 0; t < 60; t++) {
      if (tick(stage, { 0: { punch: [0, 9, 24].includes(t) ? 1 : 0 } }).length === 0) continue
      pushes.push(velocity(stage, 1)[0] * Math.sqrt(1.09))
      place(stage, 1, 2.4, 0)
    }
    const worn = (hp: number) => 1 + 2 * (1 - hp / 100)
    expect(pushes).toHaveLength(3)
    for (const [n, push] of [5, 5 * worn(96), 8 * worn(92)].entries()) expect(pushes[n]).toBeCloseTo(push, 9)
  })

  test('[SU12] a dash goes at 15 m/s for 8 ticks, a stick in the corner is no faster than one straight ahead', () => {
    const stage = fight([[-6, 0]])
    const speeds = Array.from({ length: 14 }, (_, t) => {
      tick(stage, { 0: { dash: t === 0 ? 1 : 0 } })
      return Math.round(fighterOf(stage, 0).vx * 1000) / 1000
    })
    // Set anew in each of them, and braked by the ground.
    expect(speeds.slice(0, 10)).toEqual([0, 0, ...Array(8).fill(Math.round((15 - 5 / 64) * 1000) / 1000)])
    expect(speeds[10]).toBeLessThan(speeds[9])
    const walker = fight([[-4, -4]])
    for (let t = 0; t < 40; t++) tick(walker, { 0: { moveX: 1, moveY: 1 } })
    const [vx, vy] = velocity(walker, 0)
    expect(Math.sqrt(vx * vx + vy * vy)).toBeCloseTo(5, 6)
  })
})
