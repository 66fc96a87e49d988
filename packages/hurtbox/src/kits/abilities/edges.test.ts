import { describe, expect, test } from 'vitest'
import { createWorld, declareGame, defineGame, each, players, press as pressInput, spawn, step } from '../../index.ts'
import { defineCombat } from '../combat/index.ts'
import { type ArenaOptions, arena, box, cast, enter, fighter, KIND, press, tick, ticks } from './fixtures/arena.ts'
import { near } from './fixtures/near.ts'
import { type AbilitySpec, controlOf, defineAbilities, type EffectSpec, pressSlots } from './index.ts'

// Rule AB49: limits of what the other tests of this folder prove in the middle.

/** An attacker at the origin that can hit a victim 2.5 ahead. */
function duel(spec: AbilitySpec, options: ArenaOptions = {}) {
  const stage = arena({ punch: spec }, options)
  const [attacker, victim] = [enter(stage, 0), enter(stage, 2.5)].map((id) => fighter(stage, id))
  return { stage, attacker, victim, punch: () => press(stage, attacker.id, 'punch') }
}

describe('hit stop', () => {
  test('[AB49] effects of an active phase do not happen while their caster is stopped', () => {
    const drift: EffectSpec = { on: 'active', force: { frame: 'world', along: [0, 1, 0], speed: 1 } }
    const speed = (stop: number) => {
      const spec = { ...cast(box, drift, { on: 'hit', stun: { ticks: 0, stop } }), active: 4 }
      const { stage, attacker, punch } = duel(spec)
      attacker.invMass = 1
      punch()
      ticks(stage, 20)
      return attacker.vy
    }
    expect([speed(0), speed(6)]).toEqual([4, 4])
  })

  test('[AB49] of two hits in a tick the longer stop counts, in either order', () => {
    for (const [first, second] of [
      [6, 2],
      [2, 6],
    ]) {
      const stop = (ticks: number): AbilitySpec => cast(box, { on: 'hit', stun: { ticks: 0, stop: ticks } })
      const stage = arena({ one: stop(first), other: stop(second) })
      const [left, right] = [enter(stage, 0), enter(stage, 5, 0, -1)]
      const victim = fighter(stage, enter(stage, 2.5))
      press(stage, left, 'one')
      press(stage, right, 'other')
      expect(tick(stage)).toHaveLength(2)
      expect(victim.stillUntil - stage.world.clock, `${first}, then ${second}`).toBe(6)
    }
  })
})

describe('control', () => {
  test('[AB49] a thing has none while it is stunned, launched or stopped, what its ability leaves it while that runs, else all', () => {
    const spec: AbilitySpec = { ...cast(), active: 5, control: 'turn' }
    const { stage, attacker, punch } = duel(spec)
    const control = () => controlOf(stage.abilities, attacker as never)
    expect(control()).toBe('walk')
    for (const column of ['stunnedUntil', 'launchedUntil', 'stillUntil'] as const) {
      attacker[column] = stage.world.clock + 1
      expect(control(), column).toBe('none')
      attacker[column] = stage.world.clock
      expect(control(), `${column}, over`).toBe('walk')
    }
    punch()
    tick(stage)
    expect(control()).toBe('turn')
    ticks(stage, 6)
    expect(control()).toBe('walk')
  })

  test('[AB49] a hit launches for as long as it says, from the next tick on, and tells whom it interrupted', () => {
    const { stage, victim, punch } = duel(cast(box, { on: 'hit', stun: { ticks: 3, launch: 9 } }))
    const slow = arena({ punch: { ...cast(box, { on: 'hit', stun: { ticks: 3 } }), startup: 4 } })
    punch()
    tick(stage)
    expect([victim.launchedUntil - stage.world.clock, victim.stunnedUntil - stage.world.clock]).toEqual([9, 3])
    const [one, other] = [enter(slow, 0), enter(slow, 2.5, 0, -1)]
    press(slow, one, 'punch')
    tick(slow)
    press(slow, other, 'punch')
    ticks(slow, 4)
    const { interrupt } = slow.world.events
    expect([interrupt.count, interrupt.caster[0], interrupt.ability[0]]).toEqual([1, other, 0])
  })
})

describe('throws', () => {
  const grab: AbilitySpec = cast(box, { on: 'hit', grab: { ticks: 20 } })
  const toss: AbilitySpec = {
    ...cast({ on: 'cast', throw: { frame: 'world', along: [1, 0, 0], impulse: 20, stop: 5 } }),
    requires: ['holding'],
  }

  function held(options: ArenaOptions = {}) {
    const stage = arena({ grab, toss }, options)
    const [holder, victim] = [enter(stage, 0), enter(stage, 2.5)].map((id) => fighter(stage, id))
    press(stage, holder.id, 'grab')
    tick(stage)
    expect(holder.holds).toBe(victim.id)
    return { stage, holder, victim }
  }

  test('[AB49] a throw stops what it throws first; it goes by mass, not by wear, weight or the speed of the holder', () => {
    const { stage, holder, victim } = held({ wear: 5 })
    Object.assign(holder, { vx: 1, vy: 3 })
    victim.hp = 1
    tick(stage)
    expect([victim.vx, victim.vy]).toEqual([1, 3])
    press(stage, holder.id, 'toss')
    tick(stage)
    near([victim.vx, victim.vy], [20 * 0.5, 0])
    const { strike } = stage.world.events
    expect([strike.count, strike.victim[0], strike.blocked[0]]).toEqual([1, victim.id, 0])
    // Both stand still for as long.
    expect([holder, victim].map(({ stillUntil }) => stillUntil - stage.world.clock)).toEqual([5, 5])
  })

  test('[AB49] in the plane what is held is carried at arm’s length as well', () => {
    const { stage, holder, victim } = held({ plane: true })
    Object.assign(holder, { x: 10, y: 4, facingX: 0, facingY: 1 })
    tick(stage)
    near([victim.x, victim.y], [10, 4 + holder.radius + victim.radius])
  })
})

describe('places', () => {
  test('[AB49] a teleport goes ahead and to the left, whichever way its caster faces', () => {
    const { stage, attacker, punch } = duel(cast({ on: 'cast', teleport: { by: [5, 10, 0] } }))
    Object.assign(attacker, { facingX: 0.6, facingY: 0.8 })
    punch()
    tick(stage)
    near([attacker.x, attacker.y], [3 - 8, 4 + 6])
  })

  test('[AB49] areas and projectiles appear above their caster by `up`', () => {
    for (const effect of [
      { area: { radius: 1, life: 3, up: 2 } },
      { projectile: { speed: 1, radius: 1, life: 3, up: 2 } },
    ]) {
      const { stage, attacker, punch } = duel(cast({ on: 'cast', ...effect } as EffectSpec))
      Object.assign(attacker, { z: 7 })
      punch()
      tick(stage)
      const [released] = [...each(stage.world)].filter(({ kind }) => kind !== KIND.fighter)
      expect(released).toMatchObject({ z: 9 })
    }
  })

  test('[AB49] a blow that has just begun reaches no higher and no lower than its box', () => {
    const hits = (z: number) => {
      const { stage, victim, punch } = duel(cast(box))
      Object.assign(victim, { x: 1.5, z })
      punch()
      return tick(stage).length
    }
    // Half the box, and the body above its middle.
    const reach = 1 + 0.5 + 1
    expect([hits(reach - 0.01), hits(reach + 0.01), hits(-reach + 0.01), hits(-reach - 0.01)]).toEqual([1, 0, 1, 0])
  })

  test('[AB49] the worn are pushed harder however little health they have when whole', () => {
    const push: EffectSpec = { on: 'hit', force: { frame: 'world', along: [1, 0, 0], speed: 4 } }
    const { stage, victim, punch } = duel(cast(box, push), { wear: 0.5 })
    Object.assign(victim, { maxHp: 1, hp: 0.5 })
    punch()
    tick(stage)
    expect(victim.vx).toBe(5)
  })
})

describe('content', () => {
  const refused = (effect: object, fields: object = {}) => {
    expect(() => arena({ bad: { ...cast(effect as EffectSpec), ...fields } as AbilitySpec })).toThrow(Error)
    try {
      arena({ bad: { ...cast(effect as EffectSpec), ...fields } as AbilitySpec })
    } catch (error) {
      return (error as Error).message
    }
    return ''
  }

  test('[AB49] what must be a record is one: no number, no list, no nothing', () => {
    for (const damage of [5, [5], null, 'much']) {
      expect(refused({ on: 'hit', damage }), String(damage)).toContain('must be a record')
    }
  })

  test('[AB49] frames that need a victim are for hits', () => {
    for (const frame of ['away', 'turned', 'victim']) {
      expect(refused({ on: 'cast', force: { frame, along: [1, 0, 0], speed: 1 } }), frame).toContain('frame')
    }
  })

  test('[AB49] an effect ends with its phase', () => {
    const late = { on: 'active', at: 2, melee: { sphere: { radius: 1 } } }
    expect(refused({ ...late, ticks: 3 }, { active: 4 })).toContain('ticks must be a whole number from 0 to 2, got 3')
    expect(() => arena({ fine: { ...cast({ ...late, ticks: 2 } as EffectSpec), active: 4 } })).not.toThrow()
  })

  test('[AB49] a minus before a zero is no difference', () => {
    const { abilities } = arena({ punch: cast({ on: 'active', melee: { sphere: { radius: 1 }, ahead: -0 } }) })
    expect(Object.is(abilities.list[0].effects[0].ahead, 0)).toBe(true)
  })
})

describe('presses of players', () => {
  const combat = defineCombat({ damageTypes: ['blow'] })
  const abilities = defineAbilities({
    source: 'edges.test.ts',
    abilities: { hop: { ...cast(), cooldown: 10 }, duck: cast(), combo: { ...cast(), active: 5, steps: 2 } },
    slots: { hop: ['hop'], duck: ['duck'], combo: ['combo'] },
    damageTypes: combat.typeNames,
  })
  const declaration = declareGame({
    id: 'presses',
    tickRate: 60,
    layers: { body: [] },
    things: { ...combat.columns, ...abilities.columns },
    tables: { casts: abilities.casts },
    globals: abilities.globals,
    input: { hop: pressInput(), duck: pressInput(), combo: pressInput() },
    events: { ...combat.events, ...abilities.events },
  })
  const game = defineGame(declaration, {
    onJoin: (world, player) => {
      if (player.seat === 0) player.thing = spawn(world, 'body', { hp: 1 })
    },
    phases: {
      act(world) {
        for (const player of players(world)) pressSlots(abilities, player)
      },
    },
  })

  test('[AB49] a press that starts something is used up, others stay; without a thing nothing is used', () => {
    const world = createWorld(game)
    step(world, { controls: [0, 1].map((seat) => ({ control: 'join' as const, seat })) })
    const presses = [0, 1].map((seat) => ({ seat, hop: 3, duck: 1 }))
    step(world, { players: presses })
    const left = () => [...players(world)].map(({ hop, duck }) => [hop, duck])
    // One at a time: what is pressed meanwhile waits.
    expect(left()).toEqual([
      [2, 1],
      [3, 1],
    ])
    expect([world.events.cast.count, world.events.cast.ability[0]]).toEqual([1, 0])
  })

  test('[AB49] the press that asks for the next step is used up, a further one stays', () => {
    const world = createWorld(game)
    step(world, { controls: [{ control: 'join', seat: 0 }] })
    step(world, { players: [{ seat: 0, combo: 3 }] })
    expect([...players(world)].map(({ combo }) => combo)).toEqual([1])
  })
})
