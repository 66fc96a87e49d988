/**
 * Abilities as data: what a game's designers write.
 *
 * Everything is plain values, so that content can go into a fingerprint, a file or a table for people, and so that two
 * builds that agree on it play the same. Durations are whole ticks: fighting games are balanced by frame tables.
 * Directions are [ahead, left, up].
 */

import type { EffectRecord } from './effect.ts'
import type { EFFECTS } from './effects/index.ts'
import type { CancelTime, CasterControl, Requirement, Trigger } from './words.ts'

export type AbilitySpec = {
  /** Ticks of its three phases: before it does anything, while it works, and while its caster recovers. Each may be 0. */
  readonly startup: number
  readonly active: number
  readonly recovery: number
  /** Ticks from the press until it is ready again. */
  readonly cooldown: number
  /** How many times in a row it goes through its phases, if it is pressed again in time. Default: once. */
  readonly steps?: number
  /** Ticks from the start of recovery in which a press still continues with the next step. */
  readonly window?: number
  readonly requires?: readonly Requirement[]
  /** What its caster may still do while it runs. Default: nothing. */
  readonly control?: CasterControl
  /** Being hit does not interrupt it. */
  readonly superArmor?: boolean
  /** Abilities that may cancel this one, and from when on. */
  readonly cancels?: Readonly<Record<string, CancelTime>>
  readonly effects: readonly EffectSpec[]
}

/** When an effect happens, and its target. */
export type EffectTiming = {
  readonly on: Trigger
  /** In which steps, counted from 1. Default: in all. */
  readonly step?: number | readonly number[]
  /** For `cast` and `active`: the tick of the active phase, counted from 0. */
  readonly at?: number
  /** For `active`: how many ticks. Default: to the end of the phase. */
  readonly ticks?: number
  /** For `input`: the slot whose press triggers it. */
  readonly slot?: string
  /** Default: the victim on hit, the caster otherwise. */
  readonly target?: 'caster' | 'victim'
}

/** What an effect can do: a key per record in `effects/`, with the fields that the record reads. */
export type EffectKinds = {
  readonly [K in keyof typeof EFFECTS]: (typeof EFFECTS)[K] extends EffectRecord<infer S> ? S : never
}

/** One effect: when, and exactly one of the keys of `EffectKinds`. */
export type EffectSpec = EffectTiming & Partial<EffectKinds>
