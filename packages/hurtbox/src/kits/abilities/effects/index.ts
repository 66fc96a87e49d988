/**
 * The kinds of effects. A new one is a record, listed here: its content is then typed, checked and compiled, and it happens
 * in phases and on hits. The comments here are what editors show to designers.
 */

import type { EffectRecord } from '../effect.ts'
import { area, melee, projectile } from './attacks.ts'
import { dash, force, pull, teleport } from './forces.ts'
import { grab, throwHeld } from './holds.ts'
import { buff, damage, protect, shield, slow, stun } from './status.ts'
import { ability } from './sub-ability.ts'

export const EFFECTS = {
  /** Boxes around the caster that hit while the effect is on. */
  melee,
  /** Flies level and straight, and hits. */
  projectile,
  /** A ball that stays where it was put and hits everything in it, at once or after a delay. */
  area,
  /**
   * Sets the caster's speed in the plane, along its facing or, with `along: 'move'`, the way it is going. With `ticks` it has
   * neither control nor friction for so long.
   */
  dash,
  /** Each level above the first adds `perLevel`. */
  damage,
  /** A push. */
  force,
  /** A push towards the source. */
  pull,
  /** Absorbs damage before health does; a victim that it protects wholly is not pushed either. Replaces the one before. */
  shield,
  /** A factor on a stat for a while. Replaces the one before. */
  buff,
  /** Invulnerable for so many ticks; never ends a longer protection. */
  protect,
  /** Jumps by [ahead, left, up] as the caster faces. */
  teleport,
  /** The victim is carried in front of the caster for so many ticks. */
  grab,
  /** Lets go of what the caster holds, with a force. */
  throw: throwHeld,
  /** `ticks` without acting, `launch` without control and friction; `stop` freezes both for a moment. */
  stun,
  slow,
  /** Starts another ability beside this one. */
  ability,
} as const satisfies Readonly<Record<string, EffectRecord>>

export const EFFECT_KINDS: readonly (keyof typeof EFFECTS)[] = Object.keys(EFFECTS) as (keyof typeof EFFECTS)[]
