import { describe, expect, test } from 'vitest'
import { rowOf, setTime } from '../../host/tools/index.ts'
import { HurtboxError } from '../../index.ts'
import { arena, enter } from './fixtures/arena.ts'
import { type AbilitySpec, defineAbilities, type EffectSpec } from './index.ts'
import { shiftTimers } from './settle.ts'

// Rules AB35, AB36 and AB42; see docs/spec.md, section "Abilities".

const good: AbilitySpec = { startup: 1, active: 2, recovery: 3, cooldown: 4, steps: 2, effects: [] }
const box = { box: [1, 1, 1] } as const

/** What is said about an ability `bad` with these fields; it is not well typed, as a file from outside may not be. */
function messageFor(fields: object): string {
  try {
    arena({ fine: good, bad: { ...good, ...fields } as AbilitySpec })
  } catch (error) {
    expect(error).toBeInstanceOf(HurtboxError)
    return (error as Error).message
  }
  return 'no error'
}

const effect = (fields: object): string => messageFor({ effects: [{ on: 'cast', shield: { amount: 1 } }, fields] })

describe('content is checked before there is a game', () => {
  test.each<[string, object, string]>([
    ['a missing duration', { startup: undefined }, 'startup must be a whole number from 0 to 57600, got nothing.'],
    ['a fraction of a tick', { active: 1.5 }, 'active must be a whole number from 0 to 57600, got 1.5.'],
    ['a negative cooldown', { cooldown: -1 }, 'cooldown must be a whole number from 0 to 57600, got -1.'],
    ['text for a number', { recovery: '6' }, 'recovery must be a whole number from 0 to 57600, got "6".'],
    ['no steps', { steps: 0 }, 'steps must be a whole number from 1 to 30, got 0.'],
    ['a misspelt field', { startUp: 4 }, 'startUp is not known. Known: startup,'],
    ['an unknown requirement', { requires: ['flying'] }, 'requires must be one of grounded,'],
    ['a control that there is not', { control: 'fly' }, 'control must be one of none, turn, walk, got "fly".'],
    ['an unknown ability to be cut by', { cancels: { slap: 'hit' } }, 'cancels.slap is not known. Known: fine, bad.'],
    ['an unknown time to be cut', { cancels: { fine: 'soon' } }, 'cancels.fine must be one of never, always,'],
    ['effects that are no list', { effects: {} }, 'effects must be a list, got {}.'],
  ])('[AB35] %s', (_, fields, message) => {
    expect(messageFor(fields)).toContain(`arena.ts: ability "bad", ${message}`)
  })

  test.each<[string, object, string]>([
    ['no effect', { on: 'cast' }, ' must have exactly one of melee,'],
    ['two effects', { on: 'cast', dash: { speed: 1 }, shield: { amount: 1 } }, ' must have exactly one of melee'],
    ['an unknown trigger', { on: 'death', dash: { speed: 1 } }, '.on must be one of cast, active, hit, end, input,'],
    [
      'a step beyond the last',
      { on: 'cast', step: 3, dash: { speed: 1 } },
      '.step must be a whole number from 1 to 2, got 3.',
    ],
    [
      'a tick beyond the active phase',
      { on: 'cast', at: 2, dash: { speed: 1 } },
      '.at must be a whole number from 0 to 1, got 2.',
    ],
    ['ticks where they mean nothing', { on: 'cast', ticks: 2, dash: { speed: 1 } }, '.ticks has no meaning on cast;'],
    [
      'a slot that there is not',
      { on: 'input', slot: 'x', dash: { speed: 1 } },
      '.slot must be one of fine, bad, got "x".',
    ],
    [
      'a victim without a hit',
      { on: 'cast', target: 'victim', dash: { speed: 1 } },
      '.target can be the victim of a hit only on hit.',
    ],
    ['melee on a hit', { on: 'hit', melee: box }, ' melee is a window: it is on active, not on hit.'],
    [
      'melee of no form',
      { on: 'active', melee: {} },
      '.melee must have exactly one of box, arc, capsule, sphere; got none.',
    ],
    [
      'melee of two forms',
      { on: 'active', melee: { ...box, sphere: { radius: 1 } } },
      '.melee must have exactly one of box,',
    ],
    ['a box of two numbers', { on: 'active', melee: { box: [1, 1] } }, '.melee.box must be three numbers, got [1,1].'],
    ['a negative extent', { on: 'active', melee: { box: [1, -1, 1] } }, '.melee.box[1] must be a number from 0 to'],
    [
      'an arc that is not at its caster',
      { on: 'active', melee: { arc: { reach: 1, angle: 1, halfHeight: 1 }, ahead: 1 } },
      '.melee an arc has its apex at the caster;',
    ],
    [
      'an arc without angle',
      { on: 'active', melee: { arc: { reach: 1, halfHeight: 1 } } },
      '.melee.arc.angle must be a number from 0',
    ],
    [
      'a projectile without life',
      { on: 'cast', projectile: { speed: 1, radius: 1 } },
      '.projectile.life must be a whole number from 1',
    ],
    [
      'a damage type that there is not',
      { on: 'hit', damage: { amount: 1, type: 'ice' } },
      '.damage.type must be one of blow, fire, got "ice".',
    ],
    [
      'damage without a victim',
      { on: 'cast', damage: { amount: 1 } },
      ' damage needs a victim: it is on hit, not on cast.',
    ],
    ['a dash on a hit', { on: 'hit', dash: { speed: 1 } }, ' dash is what a caster does: it is not on hit.'],
    [
      'a force without a frame',
      { on: 'hit', force: { along: [1, 0, 0], speed: 1 } },
      '.force.frame must be one of world,',
    ],
    [
      'a force without a direction',
      { on: 'hit', force: { frame: 'world', along: [0, 0, 0], speed: 1 } },
      '.force.along must not be [0, 0, 0]:',
    ],
    [
      'a force without strength',
      { on: 'hit', force: { frame: 'world', along: [1, 0, 0] } },
      '.force needs either impulse or speed.',
    ],
    [
      'a force that is not a number',
      { on: 'hit', force: { frame: 'world', along: [1, 0, 0], speed: Number.NaN } },
      '.force.speed must be a number from',
    ],
    [
      'away from oneself',
      { on: 'cast', force: { frame: 'away', along: [1, 0, 0], speed: 1 } },
      ' the frame away needs a victim;',
    ],
    [
      'a stat that there is not',
      { on: 'cast', buff: { stat: 'luck', factor: 2, ticks: 1 } },
      '.buff.stat must be one of speed,',
    ],
    [
      'an unknown sub-ability',
      { on: 'cast', ability: { name: 'none' } },
      '.ability.name must be one of fine, bad, got "none".',
    ],
  ])('[AB35] %s', (_, fields, message) => {
    expect(effect(fields)).toContain(`arena.ts: ability "bad", effects[1]${message}`)
  })

  test('[AB42] what projectiles and areas are is needed only where an ability releases one', () => {
    const define = (effects: AbilitySpec['effects'], released: object = {}) =>
      defineAbilities({
        ...{ source: 'arena.ts', abilities: { throw: { ...good, effects } }, slots: {}, damageTypes: ['blow'] },
        ...released,
      })
    const [rock, fire] = [
      { speed: 1, radius: 1, life: 9 },
      { radius: 1, life: 9 },
    ]
    const place = { kind: 1, layer: 'shot' }
    expect(define([{ on: 'active', melee: box }])).toMatchObject({ projectile: undefined, area: undefined })
    expect(() => define([{ on: 'cast', projectile: rock }], { area: place })).toThrow(
      'arena.ts: ability "throw" needs projectile: { kind, layer } beside the abilities.',
    )
    expect(() => define([{ on: 'cast', area: fire }], { projectile: place })).toThrow('needs area: { kind, layer }')
    expect(define([{ on: 'cast', projectile: rock }], { projectile: place }).projectile).toEqual(place)
    expect(define([{ on: 'cast', area: fire }], { area: place }).area).toEqual(place)
  })

  test('[AB35] a slot with an unknown ability, too many boxes that hit apart', () => {
    expect(() => arena({ fine: good }, { slots: { a: ['fone'] } })).toThrow(
      'There is no ability of slot "a" in arena.ts "fone"',
    )
    const apart: EffectSpec = { on: 'active', melee: { ...box, apart: true } }
    expect(messageFor({ effects: Array(8).fill(apart) })).toContain('can have at most 7 boxes that hit apart, got 8.')
    expect(messageFor({ effects: Array(7).fill(apart) })).toBe('no error')
  })
})

test('[AB36] timers of a row that are ahead are moved, of whatever width; those that are over, and other rows, are not', () => {
  const stage = arena({ one: good, two: good })
  const first = enter(stage, 0)
  enter(stage, 5)
  const { things } = stage.world.tables
  things.readyAt.set([3, 9, 9, 9])
  things.ownTimer.set([10, 10])
  setTime(stage.world, 5, 5)
  shiftTimers(things, rowOf(things, first), stage.world.clock, 4)
  expect([...things.readyAt.subarray(0, 4), ...things.ownTimer.subarray(0, 2)]).toEqual([3, 13, 9, 9, 14, 10])
})
