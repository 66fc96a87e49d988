import RAPIER from '@dimforge/rapier3d-compat'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support.ts'
import { range, seedStream, unitVector } from '../../geometry/math/index.ts'
import { addCircle, createBoxes } from '../../rules/collide/boxes.ts'
import { arena, enter, fighter, phaseOf, press, row, tick, ticks } from './fixtures/arena.ts'
import { type AbilitySpec, addWindows, castOf, type EffectSpec } from './index.ts'

// Rules AB10 to AB19; see docs/spec.md, section "Abilities".

beforeAll(() => RAPIER.init())

const LONG = process.env.HURTBOX_LONG !== undefined

const box: EffectSpec = { on: 'active', melee: { box: [0.5, 0.75, 1], ahead: 1.5 } }

function melee(active: number, ...effects: readonly EffectSpec[]): AbilitySpec {
  return { startup: 1, active, recovery: 1, cooldown: 0, control: 'turn', effects }
}

describe('windows', () => {
  test('[AB10] hit in the active phase and in no other', () => {
    const stage = arena({ punch: melee(3, box) })
    const caster = enter(stage, 0)
    const phases = Array.from({ length: 7 }, (_, t) => {
      // A new victim in every tick, so that a hit set hides nothing.
      enter(stage, 2.5, 0)
      if (t === 1) press(stage, caster, 'punch')
      return [tick(stage).length > 0, phaseOf(stage, caster)]
    })
    expect(phases).toEqual([
      [false, '-'],
      [false, 'startup 1'],
      [true, 'active 1'],
      [true, 'active 1'],
      [true, 'active 1'],
      [false, 'recovery 1'],
      [false, '-'],
    ])
  })

  test('[AB10] `at` and `ticks` are ticks of the active phase', () => {
    const stage = arena({ punch: melee(6, { ...box, at: 2, ticks: 2 }) })
    const caster = enter(stage, 0)
    press(stage, caster, 'punch')
    const hits = Array.from({ length: 9 }, () => {
      enter(stage, 2.5)
      return tick(stage).length
    })
    expect(hits).toEqual([0, 0, 0, 4, 1, 0, 0, 0, 0])
  })

  test('[AB16] windows behind another box of their thing are refused: they would never hit', () => {
    const stage = arena({ punch: melee(3, box) })
    const [other, caster] = [enter(stage, 9), enter(stage, 0)]
    press(stage, caster, 'punch')
    ticks(stage, 2)
    const boxes = createBoxes(stage.game.layers, 8)
    const add = () => addWindows(stage.abilities, fighter(stage, caster), boxes, 'hitbox')
    boxes.posing = row(stage, other)
    addCircle(boxes, fighter(stage, other))
    add()
    expect(boxes.count).toBe(2)
    boxes.posing = row(stage, caster)
    addCircle(boxes, fighter(stage, caster))
    expectRefusal(add, /addWindows must be called before the other boxes/)
  })

  test('[AB11] one window hits each victim once, and the next step hits it again', () => {
    const stage = arena({ punch: { ...melee(3, box), steps: 3 } })
    const caster = enter(stage, 0)
    const [near, aside] = [enter(stage, 2.5), enter(stage, 2, 1)]
    press(stage, caster, 'punch', 2)
    const hits = Array.from({ length: 16 }, (_, t) => {
      if (t === 6) press(stage, caster, 'punch')
      return tick(stage).map(([, victim]) => victim)
    })
    const both = [near, aside]
    expect(hits.flat()).toEqual([...both, ...both, ...both])
    expect(hits.map((list) => list.length)).toEqual([0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0])
    expect(stage.world.tables.hits.count).toBe(0)
  })

  test('[AB11] several boxes of a window are one hit, unless the data says that one hits apart', () => {
    const hitsWith = (...boxes: readonly EffectSpec[]) => {
      const stage = arena({ punch: melee(3, ...boxes) })
      const caster = enter(stage, 0)
      enter(stage, 2.5)
      press(stage, caster, 'punch')
      return ticks(stage, 6).length
    }
    const apart: EffectSpec = { on: 'active', melee: { ...box.melee!, apart: true } }
    expect(hitsWith(box, box)).toBe(1)
    expect(hitsWith(box, apart)).toBe(2)
    expect(hitsWith(box, apart, apart)).toBe(3)
  })

  test('[AB11] `every` hits the same victim again after so many ticks', () => {
    const stage = arena({ punch: melee(7, { on: 'active', melee: { ...box.melee!, every: 3 } }) })
    const caster = enter(stage, 0)
    enter(stage, 2.5)
    press(stage, caster, 'punch')
    expect(Array.from({ length: 9 }, () => tick(stage).length)).toEqual([0, 1, 0, 0, 1, 0, 0, 1, 0])
  })

  test('[AB11] a hit that cannot be remembered is undone whole: damage, speed, count of the cast, sub-ability, events', () => {
    const hit: EffectSpec[] = [
      { on: 'hit', damage: { amount: 5 } },
      { on: 'hit', force: { frame: 'world', along: [1, 0, 0], speed: 3 } },
      { on: 'hit', ability: { name: 'punch' } },
    ]
    const stage = arena({ punch: melee(3, box, ...hit) }, { hits: 1 })
    const caster = enter(stage, 0)
    const [first, second] = [enter(stage, 2.5), enter(stage, 2, 1)]
    press(stage, caster, 'punch')
    expect(ticks(stage, 2)).toEqual([[caster, first]])
    expect([first, second].map((id) => [fighter(stage, id).hp, fighter(stage, id).vx])).toEqual([
      [95, 3],
      [100, 0],
    ])
    expect(castOf(fighter(stage, caster))!.strikes).toBe(1)
    expect(stage.world.events.damage.count).toBe(1)
  })

  test('[AB12] no fighter hits itself or its team', () => {
    const around: EffectSpec = { on: 'active', melee: { sphere: { radius: 3 } } }
    const stage = arena({ spin: melee(3, around) })
    const [caster, mate, other] = [enter(stage, 0), enter(stage, 2), enter(stage, -2)]
    stage.world.tables.things.team[row(stage, caster)] = 1
    stage.world.tables.things.team[row(stage, mate)] = 1
    press(stage, caster, 'spin')
    expect(ticks(stage, 6)).toEqual([[caster, other]])
  })
})

describe('swept windows', () => {
  const thin: EffectSpec = { on: 'active', melee: { box: [1, 0.05, 1], ahead: 2 } }

  test('[AB13] a turn within a tick hits every victim that it passes, and no other', () => {
    // Someone every 10 degrees, 3 m away; the caster turns by `turn` degrees between two ticks.
    for (const turn of [30, 90, 170, -30, -90, -170, 180]) {
      const stage = arena({ swing: melee(3, thin) })
      const caster = enter(stage, 0)
      const degrees = Array.from({ length: 36 }, (_, i) => (i < 18 ? 10 * i : 10 * i - 360))
      const ids = degrees.map((degree) => {
        const angle = (degree * Math.PI) / 180
        return enter(stage, 3.5 * Math.cos(angle), 3.5 * Math.sin(angle))
      })
      const { things } = stage.world.tables
      for (const id of ids) things.radius[row(stage, id)] = 1
      press(stage, caster, 'swing')
      ticks(stage, 2)
      const angle = (turn * Math.PI) / 180
      things.facingX[0] = Math.cos(angle)
      things.facingY[0] = Math.sin(angle)
      const struck = new Set(tick(stage).map(([, victim]) => victim))
      // A body of radius 1 at 3.5 m is as wide as 16.6 degrees to either side; what the first tick hit is not hit again.
      const wide = 17
      degrees.forEach((degree, i) => {
        const isBefore = Math.abs(degree) < wide - 1
        const from = Math.min(0, turn)
        const to = Math.max(0, turn)
        const isInside = degree >= from && degree <= to
        const isOutside = degree < from - wide - 2 || degree > to + wide + 2
        const isWrapped = isOutside && (degree + 360 <= to + wide + 2 || degree - 360 >= from - wide - 2)
        if (isBefore || isWrapped) return
        if (isInside) expect(struck.has(ids[i]), `turn ${turn}, victim at ${degree}`).toBe(true)
        if (isOutside) expect(struck.has(ids[i]), `turn ${turn}, victim at ${degree}`).toBe(false)
      })
    }
  })

  test('[AB13] what a turning box passes within a tick is what many small turns would hit', () => {
    const stream = new Uint32Array(4)
    const facing = { x: 1, y: 0 }
    const cases = LONG ? 4000 : 400
    let hits = 0
    for (let n = 0; n < cases; n++) {
      seedStream(stream, n, 'swept windows')
      const stage = arena({ swing: melee(3, { on: 'active', melee: { box: [0.5, 0.75, 1], ahead: 1.5 } }) })
      const caster = enter(stage, 0)
      const victim = enter(stage, 100)
      const { things } = stage.world.tables
      press(stage, caster, 'swing')
      ticks(stage, 2)
      unitVector(stream, facing)
      const [x, y] = [range(stream, -3.5, 3.5), range(stream, -3.5, 3.5)]
      things.x[row(stage, victim)] = x
      things.y[row(stage, victim)] = y
      things.facingX[0] = facing.x
      things.facingY[0] = facing.y
      const isHit = tick(stage).length > 0
      if (isHit) hits++
      // The nearest the box comes to the victim's axis while it turns, by a thousand small turns.
      const turn = Math.atan2(facing.y, facing.x)
      let gap = Number.POSITIVE_INFINITY
      for (let part = 0; part <= 1000; part++) {
        const [cos, sin] = [Math.cos((turn * part) / 1000), Math.sin((turn * part) / 1000)]
        const [ahead, left] = [x * cos + y * sin, y * cos - x * sin]
        const [dx, dy] = [Math.max(0, Math.abs(ahead - 1.5) - 0.5), Math.max(0, Math.abs(left) - 0.75)]
        gap = Math.min(gap, Math.sqrt(dx * dx + dy * dy) - 1)
      }
      // Between two of the small turns it may come nearer by 2e-5, and a graze that short may be missed.
      if (gap > 2e-5) expect(isHit, `case ${n}: ${gap} away`).toBe(false)
      if (gap < -2e-5) expect(isHit, `case ${n}: ${gap} deep`).toBe(true)
    }
    expect(hits).toBeGreaterThan(cases / 5)
    expect(hits).toBeLessThan((cases * 4) / 5)
  })

  test('[AB13] a caster that runs past a victim within a tick hits it; one that teleports there does not', () => {
    for (const isJump of [false, true]) {
      const stage = arena({ swing: melee(3, box) })
      const caster = enter(stage, 0)
      enter(stage, 20)
      const { things } = stage.world.tables
      // Not its first jump: only one since the last tick counts.
      things.teleports[0] = 7
      press(stage, caster, 'swing')
      ticks(stage, 2)
      things.x[0] = 60
      if (isJump) things.teleports[0]++
      expect(tick(stage).length, `jump ${isJump}`).toBe(isJump ? 0 : 1)
    }
  })
})

test('[AB13] an arc is swept along and around too, in space and in the plane', () => {
  const arc: EffectSpec = { on: 'active', melee: { arc: { reach: 3, angle: 0.5, halfHeight: 1 } } }
  for (const plane of [false, true]) {
    const stage = arena({ swing: melee(3, arc) }, { plane })
    const caster = enter(stage, 0)
    // It turns to the left as it runs: one to the left of its way, one to the right, one behind it at the end.
    const [left, right, behind] = [enter(stage, 20, 3), enter(stage, 30, -3), enter(stage, 57.5, 1)]
    press(stage, caster, 'swing')
    ticks(stage, 2)
    const { things } = stage.world.tables
    things.x[0] = 60
    things.facingX[0] = Math.cos(2.8)
    things.facingY[0] = Math.sin(2.8)
    expect(
      tick(stage).map(([, victim]) => victim),
      `plane ${plane}`,
    ).toEqual([left, behind])
    expect(things.hp[row(stage, right)]).toBe(100)
  }
})

test('[AB13] a caster that moves past two victims strikes first whom it meets first, older or not, in every direction', () => {
  for (const along of ['x', 'y', 'z'] as const) {
    const stage = arena({ swing: melee(3, box) })
    const caster = enter(stage, 0)
    const [far, near] = [enter(stage, 1.5), enter(stage, 1.5)]
    const { things } = stage.world.tables
    things[along]![1] += 40
    things[along]![2] += 20
    press(stage, caster, 'swing')
    ticks(stage, 2)
    things[along]![0] = 60
    expect(tick(stage), along).toEqual([
      [caster, near],
      [caster, far],
    ])
  }
})

test('[AB13] a caster that turns as it runs is swept from where it was, not from before', () => {
  const stage = arena({ swing: melee(3, box) })
  const caster = enter(stage, 0)
  const [behind, ahead] = [enter(stage, -2), enter(stage, 6, 1)]
  press(stage, caster, 'swing')
  ticks(stage, 2)
  const { things } = stage.world.tables
  things.x[0] = 10
  things.facingX[0] = Math.cos(0.2)
  things.facingY[0] = Math.sin(0.2)
  expect(tick(stage)).toEqual([[caster, ahead]])
  expect(things.hp[row(stage, behind)]).toBe(100)
})

test.each([
  ['along', 60, 0, false],
  ['across', 0, 60, false],
  ['across, in the plane', 0, 60, true],
] as const)(
  '[AB13] the first tick of a window is not swept: where the step before ended is past (%s)',
  (_, x, y, plane) => {
    const stage = arena({ swing: { ...melee(2, box), steps: 2 } }, { plane })
    const caster = enter(stage, 0)
    enter(stage, x / 3 + 1.5, y / 3)
    press(stage, caster, 'swing', 2)
    ticks(stage, 3)
    Object.assign(fighter(stage, caster), { x, y })
    expect(ticks(stage, 4)).toEqual([])
  },
)

describe('forms', () => {
  /** Whether a window of this form hits a body of radius 1 at (x, y, z). */
  function hitsAt(effect: EffectSpec, x: number, y: number, z = 0, plane = false): boolean {
    const stage = arena({ swing: melee(1, effect) }, { plane })
    const caster = enter(stage, 0)
    const victim = row(stage, enter(stage, x, y))
    const { things } = stage.world.tables
    if (things.z !== undefined) things.z[victim] = z
    press(stage, caster, 'swing')
    return ticks(stage, 2).length > 0
  }

  test('[AB14] box, capsule and sphere lie where their offset says', () => {
    const capsule: EffectSpec = { on: 'active', melee: { capsule: { radius: 0.25, halfLength: 1 }, ahead: 2, up: 1 } }
    expect([hitsAt(box, 2.99, 0), hitsAt(box, 3.01, 0)]).toEqual([true, false])
    expect([hitsAt(box, 1.5, 1.74), hitsAt(box, 1.5, 1.76)]).toEqual([true, false])
    expect([hitsAt(box, 1.5, 0, 2.49), hitsAt(box, 1.5, 0, 2.51)]).toEqual([true, false])
    expect([hitsAt(capsule, 4.24, 0), hitsAt(capsule, 4.26, 0)]).toEqual([false, false])
    expect([hitsAt(capsule, 4.24, 0, 1), hitsAt(capsule, 4.26, 0, 1)]).toEqual([true, false])
    const left: EffectSpec = { on: 'active', melee: { sphere: { radius: 0.5 }, left: 2 } }
    expect([hitsAt(left, 0, 3.49), hitsAt(left, 0, 3.51), hitsAt(left, 0, -1)]).toEqual([true, false, false])
  })

  test('[AB14] an arc hits victims in its sector, at heights it reaches', () => {
    const arc: EffectSpec = { on: 'active', melee: { arc: { reach: 3, angle: Math.PI / 2, halfHeight: 1 } } }
    expect([hitsAt(arc, 3.99, 0), hitsAt(arc, 4.01, 0)]).toEqual([true, false])
    const at = (degrees: number, distance: number) =>
      hitsAt(arc, distance * Math.cos((degrees * Math.PI) / 180), distance * Math.sin((degrees * Math.PI) / 180))
    // At 2.5 m, a radius of 1 is as wide as 23.6 degrees.
    expect([at(68, 2.5), at(69, 2.5), at(-68, 2.5), at(-69, 2.5), at(180, 1.5)]).toEqual([
      true,
      false,
      true,
      false,
      false,
    ])
    expect([hitsAt(arc, 2, 0, 2.49), hitsAt(arc, 2, 0, 2.51)]).toEqual([true, false])
  })

  test('[AB14] in the plane the same forms are shapes', () => {
    const arc: EffectSpec = { on: 'active', melee: { arc: { reach: 3, angle: Math.PI / 2, halfHeight: 1 } } }
    expect([hitsAt(box, 2.99, 0, 0, true), hitsAt(box, 3.01, 0, 0, true)]).toEqual([true, false])
    expect([hitsAt(arc, 3.99, 0, 0, true), hitsAt(arc, 4.01, 0, 0, true)]).toEqual([true, false])
    expect([hitsAt(arc, 0, 1.5, 0, true), hitsAt(arc, -1.5, 0, 0, true)]).toEqual([false, false])
  })

  test('[AB15] the melee box against capsules: Rapier 3D agrees on every pose not within 1e-3 of touching', () => {
    const cases = LONG ? 1_000_000 : 20_000
    const stage = arena({ punch: { ...melee(1, box), recovery: 0, startup: 0 } })
    const caster = enter(stage, 0)
    const victim = enter(stage, 50)
    const { things } = stage.world.tables
    const [a, b] = [row(stage, caster), row(stage, victim)]
    const cuboid = new RAPIER.Cuboid(0.5, 0.75, 1)
    const body = new RAPIER.Capsule(0.5, 1)
    const h = Math.SQRT1_2
    const upright = { x: h, y: 0, z: 0, w: h }
    const stream = new Uint32Array(4)
    const facing = { x: 1, y: 0 }
    seedStream(stream, 7, 'melee poses')
    let hits = 0
    for (let n = 0; n < cases; n++) {
      unitVector(stream, facing)
      const [ahead, left, up] = [range(stream, -1, 4), range(stream, -2.75, 2.75), range(stream, -3, 3)]
      things.x[a] = range(stream, -10, 10)
      things.y[a] = range(stream, -10, 10)
      things.z![a] = range(stream, 0, 5)
      things.facingX[a] = facing.x
      things.facingY[a] = facing.y
      things.x[b] = things.x[a] + ahead * facing.x - left * facing.y
      things.y[b] = things.y[a] + ahead * facing.y + left * facing.x
      things.z![b] = things.z![a] + up
      press(stage, caster, 'punch')
      const isHit = tick(stage).length > 0
      if (isHit) hits++
      const w = Math.sqrt((1 + facing.x) / 2)
      const turn = { x: 0, y: 0, z: w > 1e-9 ? facing.y / (2 * w) : 1, w }
      const centre = { x: 1.5 * facing.x, y: 1.5 * facing.y, z: 0 }
      const there = { x: things.x[b] - things.x[a], y: things.y[b] - things.y[a], z: up }
      const theirs = cuboid.intersectsShape(centre, turn, body, there, upright)
      if (isHit === theirs) continue
      const [dx, dy] = [Math.max(0, Math.abs(ahead - 1.5) - 0.5), Math.max(0, Math.abs(left) - 0.75)]
      const dz = Math.max(0, Math.abs(up) - 1.5)
      const gap = Math.sqrt(dx * dx + dy * dy + dz * dz) - 1
      expect(Math.abs(gap), `case ${n}: we say ${isHit}, Rapier ${theirs}, at ${gap}`).toBeLessThan(1e-3)
    }
    expect(hits).toBeGreaterThan(cases / 5)
    expect(hits).toBeLessThan((cases * 4) / 5)
  })
})
