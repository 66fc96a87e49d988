/**
 * The map and the abilities of Sumo. Durations are ticks of 1/64 s, lengths m, impulses kg m/s; a fighter has 7.33 kg.
 *
 * Phases, boxes and speeds of punch and fireball are the seed document's, dash and jump those of its origin. Added to the
 * document's push are damage, stun, launch and hit stop, and a last step of the punch that hits harder: within 2 m of the edge
 * it throws a standing fighter out, from 4 m it does not. `knockback: 'velocity'` takes the figures that the origin shipped, as
 * speeds that every weight gets alike; `knockback: 'document'` leaves punch and fireball with what the document says, and no more.
 */

import type { AbilitySpec, EffectSpec } from 'hurtbox/abilities'
import { ground } from 'hurtbox/motion'

export const CONTENT_FILE = 'games/sumo/rules/content.ts'

/** The ring reaches this far from the middle to each of its four sides; its top is at height 0. */
export const RING_HALF = 8
export const RING_HEIGHT = 3
const RING = { minX: -RING_HALF, minY: -RING_HALF, minZ: -RING_HEIGHT, maxX: RING_HALF, maxY: RING_HALF, maxZ: 0 }
export const MAP = [RING, ground(-RING_HEIGHT)].map((block) => ({ layer: 'terrain', ...block }))

/** What each press does: the first of its abilities that can start. */
export const SLOTS = {
  punch: ['punch'],
  fireball: ['fireball'],
  dash: ['dash'],
  jump: ['jump'],
  uppercut: ['uppercut'],
  shockwave: ['shockwave'],
  barrier: ['barrier'],
  grab: ['throw', 'grab'],
} as const

/** Away from the source and 0.3 up: the document's direction of all knockback. */
function knock(strength: Strength, step?: number | readonly number[]): EffectSpec {
  return { on: 'hit', ...(step !== undefined && { step }), force: { frame: 'away', along: [1, 0, 0.3], ...strength } }
}

type Strength = { readonly impulse: number } | { readonly speed: number }
export type Knockback = 'impulse' | 'velocity' | 'document'

export type Arts = 'push' | 'pull'

/** With `arts: 'pull'` the shockwave draws fighters in, and instead of a barrier a fighter gathers its strength. */
export function contentOf(knockback: Knockback, arts: Arts = 'push') {
  const by = (impulse: number, speed: number): Strength => (knockback === 'velocity' ? { speed } : { impulse })
  const isBare = knockback === 'document'
  /** What a hit does beyond the document's push. */
  const added = (...effects: readonly EffectSpec[]): readonly EffectSpec[] => (isBare ? [] : effects)
  return {
    punch: {
      startup: 4,
      active: 3,
      recovery: 6,
      cooldown: 16,
      steps: 3,
      window: 20,
      cancels: { uppercut: 'hit', grab: 'hit' },
      effects: [
        // Half extents, as the document names them: 0.75 to the side, 1 up, 0.5 ahead. Centres closer than 3 m are in reach.
        { on: 'active', melee: { box: [0.5, 0.75, 1], ahead: 1.5 } },
        ...added({ on: 'hit', step: [1, 2], damage: { amount: 4 } }, { on: 'hit', step: 3, damage: { amount: 8 } }),
        knock(by(15, 5), [1, 2]),
        knock(by(isBare ? 15 : 48, 8), 3),
        ...added(
          { on: 'hit', step: [1, 2], stun: { ticks: 14, launch: 8, stop: 2 } },
          { on: 'hit', step: 3, stun: { ticks: 26, launch: 26, stop: 5 } },
        ),
      ],
    },
    fireball: {
      startup: 6,
      active: 2,
      recovery: 8,
      cooldown: 42,
      effects: [
        { on: 'cast', projectile: { speed: 20, radius: 0.25, life: 192, ahead: 1.5 } },
        ...added({ on: 'hit', damage: { amount: 6 } }),
        knock(by(20, 8)),
        ...added({ on: 'hit', stun: { ticks: 12, launch: 12, stop: 1 } }),
      ],
    },
    dash: {
      startup: 2,
      active: 8,
      recovery: 4,
      cooldown: 32,
      effects: [{ on: 'active', dash: { speed: 15 } }],
    },
    jump: {
      startup: 0,
      active: 1,
      recovery: 0,
      cooldown: 8,
      requires: ['grounded'],
      control: 'walk',
      effects: [{ on: 'cast', force: { frame: 'world', along: [0, 0, 1], impulse: 50 } }],
    },
    uppercut: {
      startup: 6,
      active: 8,
      recovery: 12,
      cooldown: 20,
      effects: [
        { on: 'active', melee: { box: [0.6, 0.6, 1.2], ahead: 1.3, up: 0.4 } },
        { on: 'hit', damage: { amount: 10 } },
        { on: 'hit', force: { frame: 'caster', along: [0.5, 0, 1], ...by(55, 7) } },
        { on: 'hit', stun: { ticks: 34, launch: 34, stop: 5 } },
      ],
    },
    shockwave: {
      startup: 10,
      active: 6,
      recovery: 12,
      cooldown: 50,
      requires: ['grounded'],
      effects: [
        { on: 'cast', area: { radius: 3.5, life: 6 } },
        { on: 'hit', damage: { amount: 5 } },
        arts === 'pull' ? { on: 'hit', pull: by(42, 6) } : knock(by(42, 6)),
        { on: 'hit', stun: { ticks: 20, launch: 20, stop: 3 } },
      ],
    },
    barrier: {
      startup: 4,
      active: 4,
      recovery: 8,
      cooldown: 160,
      effects:
        arts === 'pull'
          ? [
              { on: 'cast', buff: { stat: 'force', factor: 1.5, ticks: 192 } },
              { on: 'cast', buff: { stat: 'speed', factor: 1.3, ticks: 192 } },
            ]
          : [{ on: 'cast', shield: { amount: 16, ticks: 96 } }],
    },
    grab: {
      startup: 6,
      active: 3,
      recovery: 14,
      cooldown: 48,
      requires: ['free-hands'],
      cancels: { throw: 'recovery' },
      effects: [
        { on: 'active', melee: { capsule: { radius: 0.5, halfLength: 0.5 }, ahead: 1.2 } },
        { on: 'hit', grab: { ticks: 80 } },
      ],
    },
    throw: {
      startup: 3,
      active: 1,
      recovery: 10,
      cooldown: 0,
      requires: ['holding'],
      control: 'turn',
      effects: [
        {
          on: 'cast',
          throw: { frame: 'caster', along: [1, 0, 0.4], ...by(65, 8), ticks: 30, launch: 30, stop: 4 },
        },
      ],
    },
  } as const satisfies Readonly<Record<string, AbilitySpec>>
}
