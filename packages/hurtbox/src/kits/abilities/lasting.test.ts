import { describe, expect, test } from 'vitest'
import { arena, box, cast, enter, fighter, phaseOf, press, row, tick, ticks } from './fixtures/arena.ts'
import { near } from './fixtures/near.ts'
import { type AbilitySpec, type EffectSpec, resetAbilities } from './index.ts'

// What lasts: holds, sub-abilities, stun and hit stop. Rules AB31 to AB34 and AB41; see docs/spec.md, section "Abilities".

describe('grab and throw', () => {
  const grab: AbilitySpec = { ...cast(box, { on: 'hit', grab: { ticks: 10 } }), cooldown: 0, requires: ['free-hands'] }
  const toss: AbilitySpec = {
    ...cast({ on: 'cast', throw: { frame: 'caster', along: [3, 0, 4], impulse: 20, ticks: 5, launch: 7 } }),
    requires: ['holding'],
  }

  function grabbed() {
    const stage = arena({ grab, toss }, { slots: { hand: ['toss', 'grab'], grab: ['grab'] } })
    const [holder, victim] = [enter(stage, 0), enter(stage, 2.5)]
    press(stage, holder, 'hand')
    tick(stage)
    return { stage, holder, victim, things: stage.world.tables.things }
  }

  test('[AB31] the victim is carried before its holder, cannot act, and is free when the time is over', () => {
    const { stage, victim, things } = grabbed()
    expect([things.holds[0], things.heldBy[1]]).toEqual([things.id[1], things.id[0]])
    things.x[0] = 5
    things.facingX[0] = 0
    things.facingY[0] = 1
    press(stage, victim, 'grab')
    tick(stage)
    expect([things.x[1], things.y[1], phaseOf(stage, victim), stage.world.events.cast.count]).toEqual([5, 2, '-', 0])
    ticks(stage, 9)
    expect(things.heldBy[1]).toBe(things.id[0])
    tick(stage)
    expect([things.heldBy[1], things.holds[0]]).toEqual([0, 0])
  })

  test('[AB31] a throw lets go with its force, launch and stun; it emits a strike', () => {
    const { stage, holder, victim, things } = grabbed()
    // A thing that is carried along in a run flies no faster for it.
    things.vx[0] = 3
    tick(stage)
    press(stage, holder, 'hand')
    expect(tick(stage)).toEqual([[holder, victim]])
    near([things.vx[1], things.vy[1], things.vz![1]], [6, 0, 8])
    expect([things.heldBy[1], things.holds[0], things.stunnedUntil[1], things.launchedUntil[1]]).toEqual([0, 0, 8, 10])
  })

  test('[AB31] a holder that is stunned or gone lets go', () => {
    for (const end of ['stunned', 'gone'] as const) {
      const { stage, things } = grabbed()
      if (end === 'stunned') things.stunnedUntil[0] = 100
      else things.leaving[0] = 1
      ticks(stage, 2)
      const at = things.count - 1
      expect(things.heldBy[at], end).toBe(0)
    }
  })

  test('[AB31] if two grab the same victim, the older one gets it', () => {
    const stage = arena({ grab })
    const [one, other] = [enter(stage, 0), enter(stage, 5, 0, -1, 0)]
    enter(stage, 2.5)
    press(stage, one, 'grab')
    press(stage, other, 'grab')
    tick(stage)
    const { holds, heldBy } = stage.world.tables.things
    expect([holds[0], holds[1], heldBy[2]]).toEqual([3, 0, one])
  })
})

describe('sub-abilities', () => {
  const up: EffectSpec = { on: 'cast', force: { frame: 'world', along: [0, 0, 1], speed: 1 } }

  test('[AB32] run beside the one that started them, and do not keep the caster busy', () => {
    const stage = arena({
      first: { ...cast({ on: 'cast', ability: { name: 'second' } }), recovery: 3 },
      second: { ...cast(up), startup: 2 },
    })
    const caster = enter(stage, 0)
    const { vz, subCasts } = stage.world.tables.things
    press(stage, caster, 'first')
    const seen = Array.from({ length: 4 }, () => {
      tick(stage)
      return [vz![0], subCasts[0], phaseOf(stage, caster)]
    })
    expect(seen).toEqual([
      [0, 1, 'active 1'],
      [0, 1, 'recovery 1'],
      [1, 1, 'recovery 1'],
      [1, 0, 'recovery 1'],
    ])
  })

  test('[AB32] started by a hit they begin with the next tick, where the caster is', () => {
    const stage = arena({ punch: cast(box, { on: 'hit', ability: { name: 'leap' } }), leap: cast(up) })
    const caster = enter(stage, 0)
    enter(stage, 2.5)
    const { vz } = stage.world.tables.things
    press(stage, caster, 'punch')
    tick(stage)
    expect(vz![0]).toBe(0)
    ticks(stage, 2)
    expect(vz![0]).toBe(1)
  })

  test('[AB32] one that starts itself ends at depth 4', () => {
    const stage = arena({ echo: cast(up, { on: 'cast', ability: { name: 'echo' } }) })
    const caster = enter(stage, 0)
    press(stage, caster, 'echo')
    ticks(stage, 5)
    // The first and four more.
    expect(stage.world.tables.things.vz![0]).toBe(5)
    expect(stage.world.tables.casts.count).toBe(0)
  })

  test('[AB32] windows of sub-abilities hit for themselves', () => {
    const stage = arena({ both: cast(box, { on: 'cast', ability: { name: 'second' } }), second: cast(box) })
    const caster = enter(stage, 0)
    enter(stage, 2.5)
    press(stage, caster, 'both')
    expect(tick(stage).length).toBe(2)
  })
})

describe('stun and hit stop', () => {
  const stun = (ticks: number, stop = 0): EffectSpec => ({ on: 'hit', stun: { ticks, launch: 3, stop } })
  const slow: AbilitySpec = { startup: 5, active: 5, recovery: 5, cooldown: 0, effects: [] }

  test('[AB33] a stunned fighter does nothing for so many ticks, and its ability is cut short', () => {
    const stage = arena({ punch: cast(box, stun(4)), slow })
    const [attacker, victim] = [enter(stage, 0), enter(stage, 2.5)]
    press(stage, victim, 'slow')
    tick(stage)
    press(stage, attacker, 'punch')
    tick(stage)
    expect([phaseOf(stage, victim), stage.world.events.interrupt.count]).toEqual(['-', 1])
    const able = Array.from({ length: 6 }, () => {
      press(stage, victim, 'slow')
      tick(stage)
      return phaseOf(stage, victim)
    })
    expect(able).toEqual(['-', '-', '-', '-', 'startup 1', 'startup 1'])
  })

  test('[AB33] what is cut short has no end: no effect, no whiff event', () => {
    const stage = arena({
      punch: cast(box, stun(4)),
      slow: { ...slow, effects: [box, { on: 'end', shield: { amount: 5 } }] },
    })
    const [attacker, victim] = [enter(stage, 0), enter(stage, 2.5)]
    press(stage, victim, 'slow')
    ticks(stage, 7)
    press(stage, attacker, 'punch')
    let whiffs = 0
    for (let t = 0; t < 15; t++) {
      tick(stage)
      whiffs += stage.world.events.whiff.count
    }
    expect([stage.world.tables.things.shield[row(stage, victim)], whiffs]).toEqual([0, 0])
  })

  test('[AB33] super armor goes on; a shorter stun does not end a longer one', () => {
    const stage = arena({ long: cast(box, stun(9)), short: cast(box, stun(2)), slow: { ...slow, superArmor: true } })
    const [attacker, victim] = [enter(stage, 0), enter(stage, 2.5)]
    press(stage, victim, 'slow')
    tick(stage)
    press(stage, attacker, 'long')
    tick(stage)
    expect(phaseOf(stage, victim)).toBe('startup 1')
    press(stage, attacker, 'short')
    tick(stage)
    expect(stage.world.tables.things.stunnedUntil[1]).toBe(11)
  })

  test('[AB34] hit stop freezes both, and moves every timer they have by as long', () => {
    const punch: AbilitySpec = { startup: 2, active: 3, recovery: 2, cooldown: 20, effects: [box, stun(4, 3)] }
    const stage = arena({ punch })
    const [attacker, victim] = [enter(stage, 0), enter(stage, 2.5)]
    const { things } = stage.world.tables
    things.ownTimer.set([50, 60])
    things.vx[1] = 0
    press(stage, attacker, 'punch')
    const phases = Array.from({ length: 12 }, () => {
      tick(stage)
      return phaseOf(stage, attacker).split(' ')[0]
    })
    // The hit is in tick 2; ticks 3 to 5 stand still.
    const expected = [
      'startup',
      'startup',
      'active',
      'active',
      'active',
      'active',
      'active',
      'active',
      'recovery',
      'recovery',
      '-',
      '-',
    ]
    expect(phases).toEqual(expected)
    expect([things.ownTimer[0], things.ownTimer[1]]).toEqual([53, 63])
    expect([things.readyAt[0], things.stunnedUntil[row(stage, victim)]]).toEqual([23, 2 + 1 + 4 + 3])
  })

  test('[AB34] in hit stop no fighter moves and no new victim is hit; presses for the next step still count', () => {
    const punch: AbilitySpec = { startup: 0, active: 3, recovery: 0, cooldown: 0, steps: 2, effects: [box, stun(4, 3)] }
    const stage = arena({ punch })
    const [attacker, victim] = [enter(stage, 0), enter(stage, 2.5)]
    const { things } = stage.world.tables
    press(stage, attacker, 'punch')
    tick(stage)
    things.vx[0] = 64
    things.vx[1] = 64
    const late = enter(stage, 2.5)
    press(stage, attacker, 'punch')
    expect(ticks(stage, 3)).toEqual([])
    expect([things.x[0], things.x[row(stage, victim)]]).toEqual([0, 2.5])
    expect(tick(stage)).toEqual([[attacker, late]])
    expect(things.x[0]).toBe(1)
  })

  test('[AB34] a projectile stops its victim; its shooter, which may be far away, goes on', () => {
    const shot = { on: 'cast', projectile: { speed: 32, radius: 0.25, life: 30, ahead: 1.5 } } as const
    const stage = arena({ fireball: cast(shot, stun(2, 5)) })
    const caster = enter(stage, 0)
    const victim = enter(stage, 4)
    press(stage, caster, 'fireball')
    while (tick(stage).length === 0);
    const { stillUntil } = stage.world.tables.things
    expect([stillUntil[0], stillUntil[row(stage, victim)]]).toEqual([0, stage.world.clock + 5])
  })

  test('[AB34] a longer stop on top adds only what is missing', () => {
    const stage = arena({ one: cast(box, stun(0, 4)), two: cast(box, stun(0, 4)) })
    const [first, second, victim] = [enter(stage, 0), enter(stage, 5, 0, -1, 0), enter(stage, 2.5)]
    const { things } = stage.world.tables
    const at = row(stage, victim)
    things.ownTimer[at] = 100
    press(stage, first, 'one')
    ticks(stage, 2)
    press(stage, second, 'two')
    tick(stage)
    // Frozen from tick 1 to 4 by the first, to 6 by the second.
    expect([things.stillUntil[at], things.ownTimer[at]]).toEqual([7, 106])
  })
})

test('[AB41] a fresh start leaves nothing of what went on: casts, holds, stuns, cooldowns, shields, buffs', () => {
  const stage = arena({
    grab: {
      ...cast(box, { on: 'hit', grab: { ticks: 30 } }, { on: 'cast', ability: { name: 'aura' } }),
      cooldown: 50,
      recovery: 20,
    },
    aura: {
      ...cast(
        { on: 'cast', shield: { amount: 9, ticks: 40 } },
        { on: 'cast', buff: { stat: 'force', factor: 2, ticks: 40 } },
      ),
      recovery: 30,
    },
  })
  const [holder, held] = [enter(stage, 0), enter(stage, 2.5)]
  press(stage, holder, 'grab')
  ticks(stage, 3)
  const { things, casts } = stage.world.tables
  const [a, b] = [row(stage, holder), row(stage, held)]
  expect([things.holds[a], things.heldBy[b], things.subCasts[a], things.shield[a]]).toEqual([held, holder, 1, 9])
  things.stunnedUntil[b] = 99
  resetAbilities(fighter(stage, holder))
  resetAbilities(fighter(stage, held))
  const left = things.columns
    .filter(({ name }) => name in stage.abilities.columns && !name.startsWith('facing'))
    .filter(({ array, width }) => array.subarray(0, 2 * width).some((value) => value !== 0))
    .map(({ name }) => name)
  expect([...left, things.shield[a], things.facingX[a]]).toEqual([0, 1])
  tick(stage)
  expect([casts.count, stage.world.tables.hits.count]).toEqual([0, 0])
  // The other way round: the held one starts afresh, and its holder has empty hands.
  things.x[b] = 2.5
  press(stage, holder, 'grab')
  tick(stage)
  expect(things.holds[a]).toBe(held)
  resetAbilities(fighter(stage, held))
  expect([things.holds[a], things.heldBy[b]]).toEqual([0, 0])
})
