import { describe, expect, test } from 'vitest'
import { defineBlocks } from '../../index.ts'
import {
  type Arena,
  type ArenaOptions,
  arena,
  box,
  cast,
  enter,
  KIND,
  press,
  row,
  tick,
  ticks,
} from './fixtures/arena.ts'
import { near } from './fixtures/near.ts'
import type { AbilitySpec, EffectSpec, FrameName } from './index.ts'

// Rules AB20 to AB30; see docs/spec.md, section "Abilities".

/** An attacker at the origin and a victim 2.5 ahead; `prepare` changes them; the attacker hits in the tick that is stepped. */
function hit(effects: readonly EffectSpec[], prepare: (stage: Arena) => void = () => {}, options: ArenaOptions = {}) {
  const stage = arena({ punch: cast(box, ...effects) }, options)
  const [attacker, victim] = [enter(stage, 0), enter(stage, 2.5)]
  prepare(stage)
  press(stage, attacker, 'punch')
  const strikes = tick(stage)
  const { things } = stage.world.tables
  const at = row(stage, victim)
  const speed = () => [things.vx[at], things.vy[at], things.vz![at]]
  return { stage, things, attacker, victim, at, strikes, speed }
}

describe('forces', () => {
  /** The caster looks along +y, the victim along −x; the force is 1 ahead, 2 left, 3 up. */
  function pushedBy(frame: FrameName): number[] {
    const length = Math.sqrt(14)
    const force: EffectSpec = { on: 'hit', force: { frame, along: [1, 2, 3], speed: length } }
    const { speed } = hit([{ on: 'active', melee: { sphere: { radius: 2 } } }, force], ({ world }) => {
      const { facingX, facingY, x, y } = world.tables.things
      facingX[0] = 0
      facingY[0] = 1
      facingX[1] = -1
      facingY[1] = 0
      x[1] = 0
      y[1] = -2
    })
    return speed()
  }

  test('[AB20] world: along the axes', () => near(pushedBy('world'), [1, 2, 3]))
  test('[AB20] caster: as the caster faces', () => near(pushedBy('caster'), [-2, 1, 3]))
  test('[AB20] victim: as the victim faces', () => near(pushedBy('victim'), [-1, -2, 3]))
  test('[AB20] away: from the source to the victim', () => near(pushedBy('away'), [2, -1, 3]))
  test('[AB20] turned: by as much as the victim is turned against the caster', () =>
    near(pushedBy('turned'), [-2, 1, 3]))

  test('[AB50] side: ahead changes sides with the caster, up is up', () => {
    const thrown = (facingX: number, facingY: number) => {
      const effect: EffectSpec = { on: 'hit', force: { frame: 'side', along: [3, 0, 4], speed: 10 } }
      const { things, at } = hit(
        [{ on: 'active', melee: { sphere: { radius: 9 } } }, effect],
        ({ world }) => {
          world.tables.things.facingX[0] = facingX
          world.tables.things.facingY[0] = facingY
        },
        { plane: true },
      )
      return [things.vx[at], things.vy[at]]
    }
    near(thrown(1, 0), [6, -8])
    near(thrown(-1, 0), [-6, -8])
    near(thrown(-0.6, 0.8), [-6, -8])
    near(thrown(0, 0), [6, -8])
    expect(() => hit([{ on: 'hit', force: { frame: 'side', along: [1, 1, 0], speed: 1 } }])).toThrow(
      /effects\[1\]\.force\.along has no left in the frame side/,
    )
  })

  test('[AB21] away is the horizontal unit vector and the lift, normalised; right above the source straight up', () => {
    const knock: EffectSpec = { on: 'hit', force: { frame: 'away', along: [1, 0, 0.3], speed: 15 } }
    const at = (x: number, y: number, z: number) => {
      const { speed } = hit([knock, { on: 'active', melee: { sphere: { radius: 2 } } }], ({ world }) => {
        const { things } = world.tables
        things.x[1] = x
        things.y[1] = y
        things.z![1] = z
      })
      return speed()
    }
    const length = Math.sqrt(1.09)
    near(at(1.5, 2, 1), [(15 * 0.6) / length, (15 * 0.8) / length, (15 * 0.3) / length])
    near(at(0.011, 0, 1), [15 / length, 0, (15 * 0.3) / length])
    near(at(0.0099, 0, 1), [0, 0, 15])
    near(at(0, 0, 1), [0, 0, 15])
  })

  test('[AB22] an impulse goes by mass, a speed does not; both by knockback resistance and weight', () => {
    const push = (force: object, prepare: (stage: Arena) => void = () => {}) => {
      const effect = { on: 'hit', force: { frame: 'world', along: [1, 0, 0], ...force } } as EffectSpec
      return hit([effect], prepare).speed()[0]
    }
    expect(push({ impulse: 6 })).toBe(3)
    expect(push({ speed: 6 })).toBe(6)
    expect(push({ speed: 6 }, ({ world }) => world.tables.things.knockbackResistance.fill(0.25))).toBe(4.5)
    const heavy = ({ world }: Arena) => {
      world.tables.things.buffFactor[4 + 3] = 2
      world.tables.things.buffUntil[4 + 3] = 10
    }
    expect(push({ impulse: 6 }, heavy)).toBe(1.5)
  })

  test('[AB22] what one does to oneself is withstood by nothing but mass', () => {
    const leap: EffectSpec = { on: 'cast', force: { frame: 'world', along: [0, 0, 1], impulse: 6 } }
    const stage = arena({ leap: cast(leap) }, { wear: 5 })
    const caster = enter(stage, 0)
    const { things } = stage.world.tables
    things.knockbackResistance[0] = 0.5
    things.hp[0] = 1
    press(stage, caster, 'leap')
    tick(stage)
    expect(things.vz![0]).toBe(3)
  })

  test('[AB22] the worn are pushed harder, up to the wear of the game', () => {
    const effect: EffectSpec = { on: 'hit', force: { frame: 'world', along: [1, 0, 0], speed: 4 } }
    const pushed = (hp: number) =>
      hit([effect], ({ world }) => world.tables.things.hp.fill(hp), { wear: 0.5 }).speed()[0]
    expect([pushed(100), pushed(50), pushed(0)]).toEqual([4, 5, 6])
  })

  test('[AB22] forces of several hits in a tick add up', () => {
    const effect: EffectSpec = { on: 'hit', force: { frame: 'caster', along: [1, 0, 0], speed: 4 } }
    const stage = arena({ punch: cast(box, effect) })
    const [left, right] = [enter(stage, 0), enter(stage, 2.5, 2.5, 0, -1)]
    const victim = row(stage, enter(stage, 2.5))
    press(stage, left, 'punch')
    press(stage, right, 'punch')
    tick(stage)
    near([stage.world.tables.things.vx[victim], stage.world.tables.things.vy[victim]], [4, -4])
  })

  test('[AB29] a pull leads to the source', () => {
    near(hit([{ on: 'hit', pull: { speed: 3 } }]).speed(), [-3, 0, 0])
    near(hit([{ on: 'hit', pull: { impulse: 10, lift: 0.75 } }]).speed(), [-4, 0, 3])
  })
})

describe('damage, shields and buffs', () => {
  const damage: EffectSpec = { on: 'hit', damage: { amount: 30, type: 'fire' } }
  const push: EffectSpec = { on: 'hit', force: { frame: 'world', along: [1, 0, 0], speed: 4 } }

  test('[AB23] damage is of its type; armour and shield block their part', () => {
    const { things, at } = hit([damage], ({ world }) => world.tables.things.armour.set([1, 0.5], 2))
    expect(things.hp[at]).toBe(85)
    const shielded = hit([damage], ({ world }) => world.tables.things.shield.fill(10))
    expect([shielded.things.hp[shielded.at], shielded.things.shield[shielded.at]]).toEqual([80, 0])
  })

  test('[AB23] a victim that a shield protects wholly is neither pushed nor stunned; a broken shield no longer protects', () => {
    const effects: EffectSpec[] = [push, { on: 'hit', stun: { ticks: 5 } }, damage]
    const held = hit(effects, ({ world }) => world.tables.things.shield.fill(31))
    expect([held.speed()[0], held.things.stunnedUntil[held.at], held.things.shield[held.at]]).toEqual([0, 0, 1])
    expect(held.stage.world.events.strike.blocked[0]).toBe(1)
    const broken = hit(effects, ({ world }) => world.tables.things.shield.fill(30))
    expect([broken.speed()[0], broken.things.stunnedUntil[broken.at], broken.things.shield[broken.at]]).toEqual([
      4, 6, 0,
    ])
    expect(broken.stage.world.events.strike.blocked[0]).toBe(0)
  })

  test('[AB23] a shield lasts as long as it says and replaces the one before', () => {
    const stage = arena({ wall: cast({ on: 'cast', shield: { amount: 60, ticks: 3 } }) })
    const caster = enter(stage, 0)
    const { things } = stage.world.tables
    things.shield[0] = 80
    press(stage, caster, 'wall')
    const shields = Array.from({ length: 5 }, () => {
      tick(stage)
      return things.shield[0]
    })
    expect(shields).toEqual([60, 60, 60, 0, 0])
  })

  test('[AB24] a buff is a factor for a while, on damage and on force; a new one replaces the old', () => {
    const buff = (stat: 'damage' | 'force', factor: number): EffectSpec => ({
      on: 'cast',
      buff: { stat, factor, ticks: 5 },
    })
    const stage = arena({
      strong: cast(buff('damage', 2), buff('force', 3)),
      weak: cast(buff('damage', 0.5)),
      punch: cast(box, damage, push),
    })
    const [attacker] = [enter(stage, 0)]
    const victim = row(stage, enter(stage, 2.5))
    const { things } = stage.world.tables
    const punch = () => {
      things.hp[victim] = 100
      things.vx[victim] = 0
      things.x[victim] = 2.5
      press(stage, attacker, 'punch')
      tick(stage)
      return [100 - things.hp[victim], things.vx[victim]]
    }
    press(stage, attacker, 'strong')
    tick(stage)
    expect(punch()).toEqual([60, 12])
    press(stage, attacker, 'weak')
    tick(stage)
    expect(punch()).toEqual([15, 12])
    ticks(stage, 4)
    expect(punch()).toEqual([30, 4])
  })
})

describe('the caster', () => {
  test('[AB25] a dash sets the speed in the plane in every active tick and no other', () => {
    const stage = arena({
      dash: { startup: 2, active: 3, recovery: 2, cooldown: 0, effects: [{ on: 'active', dash: { speed: 15 } }] },
    })
    const caster = enter(stage, 0, 0, 0.6, 0.8)
    const { things } = stage.world.tables
    press(stage, caster, 'dash')
    const dashing = Array.from({ length: 7 }, () => {
      things.vx[0] = 0
      things.vy[0] = 0
      tick(stage)
      return [things.vx[0], things.vy[0]]
    })
    expect(dashing).toEqual([
      [0, 0],
      [0, 0],
      [9, 12],
      [9, 12],
      [9, 12],
      [0, 0],
      [0, 0],
    ])
  })

  test('[AB25] a teleport jumps as its caster faces, and says so', () => {
    const stage = arena({ blink: cast({ on: 'cast', teleport: { by: [6, 1, 2] } }) })
    const caster = enter(stage, 1, 1, 0, 1)
    press(stage, caster, 'blink')
    tick(stage)
    const { x, y, z, teleports } = stage.world.tables.things
    expect([x[0], y[0], z![0], teleports[0]]).toEqual([0, 7, 2, 1])
  })

  test('[AB30] effects on cast, at a tick, at the end, and on input happen then and once', () => {
    const up = (speed: number): NonNullable<EffectSpec['force']> => ({ frame: 'world', along: [0, 0, 1], speed })
    const stage = arena(
      {
        pound: {
          startup: 1,
          active: 4,
          recovery: 2,
          cooldown: 0,
          effects: [
            { on: 'cast', force: up(1) },
            { on: 'cast', at: 2, force: up(10) },
            { on: 'end', force: up(100) },
            { on: 'input', slot: 'more', force: up(1000) },
          ],
        },
      },
      { slots: { pound: ['pound'], more: [] } },
    )
    const caster = enter(stage, 0)
    const { vz } = stage.world.tables.things
    press(stage, caster, 'pound')
    const speeds = Array.from({ length: 8 }, (_, t) => {
      if (t === 0 || t === 4 || t === 6) press(stage, caster, 'more')
      tick(stage)
      return vz![0]
    })
    expect(speeds).toEqual([0, 1, 1, 11, 1011, 1111, 1111, 1111])
  })

  test('[AB30] an active phase without length still casts and ends, once', () => {
    const up = (speed: number): NonNullable<EffectSpec['force']> => ({ frame: 'world', along: [0, 0, 1], speed })
    const stage = arena({
      flash: { ...cast({ on: 'cast', force: up(1) }, { on: 'end', force: up(10) }), active: 0, recovery: 3 },
    })
    const caster = enter(stage, 0)
    press(stage, caster, 'flash')
    ticks(stage, 5)
    expect(stage.world.tables.things.vz![0]).toBe(11)
  })

  test('[AB30] effects of a step happen in that step', () => {
    const stage = arena({
      combo: {
        ...cast({ on: 'cast', step: [1, 3], force: { frame: 'world', along: [0, 0, 1], speed: 1 } }),
        steps: 3,
        window: 5,
      },
    })
    const caster = enter(stage, 0)
    const { vz } = stage.world.tables.things
    const speeds = Array.from({ length: 4 }, () => {
      press(stage, caster, 'combo')
      tick(stage)
      return vz![0]
    })
    expect(speeds).toEqual([1, 1, 2, 3])
  })
})

describe('projectiles and areas', () => {
  const fireball = (more: object = {}): AbilitySpec =>
    cast(
      { on: 'cast', projectile: { speed: 32, radius: 0.25, life: 10, ahead: 1.5, ...more } },
      { on: 'hit', force: { frame: 'away', along: [1, 0, 0], speed: 8 } },
    )
  const shots = ({ world }: Arena) =>
    Array.from(world.tables.things.kind.subarray(0, world.tables.things.count)).filter((kind) => kind === KIND.shot)
      .length

  test('[AB26] appears ahead, flies level and straight from the next tick on, and ends with its life', () => {
    const stage = arena({ fireball: fireball() })
    const caster = enter(stage, 1, 2, 0, 1)
    press(stage, caster, 'fireball')
    const { things } = stage.world.tables
    const places = Array.from({ length: 11 }, () => {
      tick(stage)
      return things.count > 1 ? things.y[1] : -1
    })
    expect(places).toEqual([3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, -1])
    expect(stage.world.events.whiff.count).toBe(1)
  })

  test('[AB26] hits the first body on its way, away from where the projectile is, and is gone; never its shooter', () => {
    const stage = arena({ fireball: fireball() })
    const caster = enter(stage, 0)
    const [first, second] = [enter(stage, 4, 0.5), enter(stage, 5, -0.5)]
    press(stage, caster, 'fireball')
    expect(ticks(stage, 12)).toEqual([[caster, first]])
    expect(shots(stage)).toBe(0)
    const { things } = stage.world.tables
    expect(things.vy[row(stage, first)]).toBeGreaterThan(0)
    expect(things.vx[row(stage, second)]).toBe(0)
  })

  test.each([false, true])(
    '[AB26] hits the nearer of two in one tick, whichever entered first (in the plane: %s)',
    (plane) => {
      for (const places of [
        [40, 80],
        [80, 40],
      ]) {
        const stage = arena({ fireball: fireball({ speed: 10_000 }) }, plane ? { plane } : {})
        const caster = enter(stage, 0)
        const victims = places.map((x) => enter(stage, x))
        press(stage, caster, 'fireball')
        expect(ticks(stage, 3)).toEqual([[caster, victims[places.indexOf(40)]]])
      }
    },
  )

  test('[AB26] passes through as many as it says, and hits no victim twice', () => {
    const stage = arena({ fireball: fireball({ pierce: 1, life: 30 }) })
    const caster = enter(stage, 0)
    const [first, second] = [enter(stage, 4), enter(stage, 7)]
    enter(stage, 10)
    press(stage, caster, 'fireball')
    expect(ticks(stage, 30)).toEqual([
      [caster, first],
      [caster, second],
    ])
  })

  test('[AB26] no speed makes it miss what it passed', () => {
    const stage = arena({ fireball: fireball({ speed: 10_000 }) })
    const caster = enter(stage, 0)
    const victim = enter(stage, 50, 1.2)
    press(stage, caster, 'fireball')
    expect(ticks(stage, 3)).toEqual([[caster, victim]])
  })

  test('[AB26] in the plane as well', () => {
    const stage = arena({ fireball: fireball() }, { plane: true })
    const caster = enter(stage, 0)
    const victim = enter(stage, 4, 0.5)
    press(stage, caster, 'fireball')
    expect(ticks(stage, 12)).toEqual([[caster, victim]])
    expect(stage.world.tables.things.vx[row(stage, victim)]).toBeGreaterThan(1)
    expect(shots(stage)).toBe(0)
  })

  test('[AB27] where a map is given it ends there; it hits victims in front of the wall', () => {
    const wall = { layer: 'wall', minX: 10, maxX: 11, minY: -5, maxY: 5, minZ: -5, maxZ: 5 }
    const shoot = (victimAt: number, map: ArenaOptions) => {
      const stage = arena({ fireball: fireball({ speed: 1280 }) }, map)
      const caster = enter(stage, 0)
      enter(stage, victimAt)
      press(stage, caster, 'fireball')
      return ticks(stage, 4).length
    }
    const statics = defineBlocks({ layers: { wall: [] } }, [wall])
    expect([shoot(8, { statics }), shoot(13, { statics }), shoot(13, {})]).toEqual([1, 0, 1])
    const stage = arena({ fireball: fireball({ speed: 64, life: 30 }) }, { statics })
    const caster = enter(stage, 0)
    press(stage, caster, 'fireball')
    ticks(stage, 10)
    expect(stage.world.tables.things.x[1]).toBeCloseTo(9.75, 6)
    tick(stage)
    expect(shots(stage)).toBe(0)
  })

  test('[AB28] an area stays, and hits everyone in it once; or again after `every` ticks', () => {
    const area = (every: object) =>
      cast({ on: 'cast', area: { radius: 3, life: 6, ...every } }, { on: 'hit', damage: { amount: 1 } })
    for (const [every, times] of [
      [{}, 1],
      [{ every: 2 }, 3],
    ] as const) {
      const stage = arena({ wave: area(every) })
      const caster = enter(stage, 0)
      const [left, right] = [enter(stage, -3.5), enter(stage, 0, 3.9)]
      enter(stage, 4.1)
      const { things } = stage.world.tables
      press(stage, caster, 'wave')
      tick(stage)
      things.x[0] = 50
      const struck = ticks(stage, 10).length + 2
      expect(struck).toBe(2 * times)
      expect([things.hp[row(stage, left)], things.hp[row(stage, right)]]).toEqual([100 - times, 100 - times])
      expect(things.count).toBe(4)
      expect(stage.world.tables.hits.count).toBe(0)
    }
  })
})
