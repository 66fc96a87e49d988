import { describe, expect, test } from 'vitest'
import { each } from '../../index.ts'
import { type Arena, arena, box, cast, enter, fighter, press, tick, ticks } from './fixtures/arena.ts'
import { near } from './fixtures/near.ts'
import { type AbilitySpec, defineAbilities, delayOf, type EffectSpec, frameData } from './index.ts'

// Rules AB43 to AB48; see docs/spec.md, section "Abilities".

const rich = { isRich: true, plane: true }

/** A stage with an attacker at the origin and a victim 2.5 ahead. */
function duel(effects: readonly EffectSpec[], options: object = rich) {
  const stage = arena({ skill: cast(...effects) }, options)
  const [attacker, victim] = [enter(stage, 0), enter(stage, 2.5)]
  return { stage, attacker, victim, cast: () => press(stage, attacker, 'skill') }
}

function write(stage: Arena, id: number, values: object): void {
  Object.assign(fighter(stage, id), values)
}

describe('levels', () => {
  const damage: EffectSpec = { on: 'hit', damage: { amount: 10, perLevel: 3 } }

  test('[AB43] damage and shields grow with the level of their caster', () => {
    const lost = (level: number) => {
      const { stage, attacker, victim, cast } = duel([box, damage])
      write(stage, attacker, { level })
      cast()
      tick(stage)
      return 100 - fighter(stage, victim).hp
    }
    expect([lost(1), lost(2), lost(6)]).toEqual([10, 13, 25])
    const { stage, attacker, cast } = duel([{ on: 'cast', shield: { amount: 20, perLevel: 5, ticks: 9 } }])
    write(stage, attacker, { level: 3 })
    cast()
    tick(stage)
    expect(fighter(stage, attacker).shield).toBe(30)
  })

  test('[AB43] a projectile and an area hit with the level at which they were released', () => {
    for (const released of [
      { projectile: { speed: 32, radius: 0.5, life: 30 } },
      { area: { radius: 2, life: 1, delay: 4, ahead: 2 } },
    ]) {
      const { stage, attacker, victim, cast } = duel([{ on: 'cast', ...released }, damage])
      write(stage, attacker, { level: 4 })
      cast()
      tick(stage)
      expect(fighter(stage, victim).hp).toBe(100)
      write(stage, attacker, { level: 9 })
      ticks(stage, 8)
      expect(fighter(stage, victim).hp).toBe(100 - 19)
    }
  })

  test('[AB43] without the column that an effect needs, its first use says which', () => {
    const used = (effect: EffectSpec) => {
      const { stage, cast } = duel([box, effect], { plane: true })
      cast()
      return () => tick(stage)
    }
    expect(used(damage)).toThrow(/perLevel needs the column level/)
    expect(used({ on: 'cast', area: { radius: 1, life: 1, aim: 5 } })).toThrow(/aim needs the columns aimX and aimY/)
    expect(used({ on: 'hit', slow: { ticks: 5 } })).toThrow(/slow needs the column slowedUntil/)
    expect(used({ on: 'hit', damage: { amount: 3 } })).not.toThrow()
  })
})

describe('areas', () => {
  test('[AB44] an area with an aim appears where its caster aims, at most so far away', () => {
    const placeOf = (aimX: number, aimY: number) => {
      const { stage, attacker, cast } = duel([{ on: 'cast', area: { radius: 1, life: 3, aim: 5 } }])
      write(stage, attacker, { x: 1, y: 2, aimX, aimY, facingX: 0, facingY: 1 })
      cast()
      tick(stage)
      const [area] = [...each(stage.world, 'hitbox')]
      return [area.x, area.y]
    }
    near(placeOf(4, 6), [4, 6])
    near(placeOf(2.5, 4), [2.5, 4])
    near(placeOf(31, 42), [4, 6])
    near(placeOf(-29, 2), [-4, 2])
    near(placeOf(1, 2), [1, 2])
  })

  test('[AB44] aim and ahead together are refused', () => {
    const abilities = { meteor: cast({ on: 'cast', area: { radius: 1, life: 1, aim: 5, ahead: 1 } }) }
    const make = () =>
      defineAbilities({
        source: 'a.ts',
        abilities,
        slots: {},
        damageTypes: ['blow'],
        area: { kind: 3, layer: 'hitbox' },
      })
    expect(make).toThrow(/a\.ts.*meteor.*aim and ahead/)
  })

  test('[AB45] an area with a delay is there at once and hits when the delay is over, for as long as it lives', () => {
    for (const plane of [true, false]) {
      const effects: EffectSpec[] = [
        { on: 'cast', area: { radius: 2, life: 2, delay: 3, ahead: 2, every: 1 } },
        { on: 'hit', damage: { amount: 1 } },
      ]
      const { stage, victim, cast } = duel(effects, { plane })
      cast()
      const seen = Array.from({ length: 7 }, () => {
        const struck = tick(stage).length
        const [area] = [...each(stage.world, 'hitbox')]
        return [struck, area === undefined ? '-' : delayOf(stage.abilities, area)]
      })
      // Of what is left when the tick is over, the clock has gone on by one.
      expect(seen).toEqual([
        [0, 2],
        [0, 1],
        [0, 0],
        [1, 0],
        [1, 0],
        [0, '-'],
        [0, '-'],
      ])
      expect(fighter(stage, victim).hp).toBe(98)
    }
  })

  test('[AB45] in frame data a delay comes before the hit, and an aim is reach', () => {
    const { stage } = duel([
      { on: 'cast', area: { radius: 2, life: 1, delay: 3, aim: 7 } },
      { on: 'hit', stun: { ticks: 10 } },
    ])
    const [row] = frameData(stage.abilities, 64)
    expect(row).toMatchObject({ reach: 9, advantage: 13 })
  })
})

test('[AB46] a projectile can fly to the left or right of the facing: several make a fan', () => {
  const fan = [-0.3, 0, 0.3].map(
    (turn): EffectSpec => ({ on: 'cast', projectile: { speed: 10, radius: 0.1, life: 9, turn } }),
  )
  const { stage, attacker, cast } = duel(fan)
  write(stage, attacker, { facingX: 0, facingY: 1 })
  cast()
  tick(stage)
  const flying = [...each(stage.world, 'shot')]
  for (const [n, turn] of [-0.3, 0, 0.3].entries()) {
    const { vx, vy, facingX, facingY } = flying[n]
    // To the left of +y is −x.
    near([vx, vy], [-10 * Math.sin(turn), 10 * Math.cos(turn)])
    near([facingX, facingY], [vx / 10, vy / 10])
  }
})

test('[AB47] a dash with ticks takes control for so many ticks, beginning with this one', () => {
  const { stage, attacker, cast } = duel([{ on: 'cast', dash: { speed: 6, ticks: 3 } }])
  cast()
  const { clock } = stage.world
  tick(stage)
  expect(fighter(stage, attacker)).toMatchObject({ vx: 6, launchedUntil: clock + 3 })
  const plain = duel([{ on: 'cast', dash: { speed: 6 } }])
  plain.cast()
  tick(plain.stage)
  expect(fighter(plain.stage, plain.attacker).launchedUntil).toBe(0)
})

test('[AB47] slow is a time and, where there is a column for it, a factor', () => {
  const { stage, victim, cast } = duel([box, { on: 'hit', slow: { ticks: 7, factor: 0.25 } }])
  cast()
  const { clock } = stage.world
  tick(stage)
  expect(fighter(stage, victim)).toMatchObject({ slowedUntil: clock + 8, slowFactor: 0.25 })
})

test('[AB48] a shield keeps off every effect of a hit, or damage alone, as the game chooses', () => {
  const effects: EffectSpec[] = [
    box,
    { on: 'hit', damage: { amount: 10 } },
    { on: 'hit', stun: { ticks: 5 } },
    { on: 'hit', force: { frame: 'away', along: [1, 0, 0], speed: 8 } },
  ]
  const struck = (shieldsStop?: 'everything' | 'damage') => {
    const { stage, victim, cast } = duel(effects, { plane: true, ...(shieldsStop && { shieldsStop }) })
    write(stage, victim, { shield: 50 })
    cast()
    tick(stage)
    const { hp, shield, stunnedUntil, vx } = fighter(stage, victim)
    return { hp, shield, isStunned: stunnedUntil > 0, vx, blocked: stage.world.events.strike.blocked[0] }
  }
  expect(struck()).toEqual({ hp: 100, shield: 40, isStunned: false, vx: 0, blocked: 1 })
  expect(struck('everything')).toEqual(struck())
  expect(struck('damage')).toEqual({ hp: 100, shield: 40, isStunned: true, vx: 8, blocked: 1 })
  const abilities: Record<string, AbilitySpec> = { punch: cast(box) }
  const bad = { source: 'a.ts', abilities, slots: {}, damageTypes: ['blow'], shieldsStop: 'all' as 'damage' }
  expect(() => defineAbilities(bad)).toThrow(/shieldsStop.*all/)
})
