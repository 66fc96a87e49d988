/** Effects on the state of a thing: damage, shields, buffs, stuns. */

import { HurtboxError } from '../../../base/errors.ts'
import {
  shield as giveShield,
  hurt,
  protect as protectThing,
  slow as slowThing,
  stun as stunThing,
} from '../../combat/damage.ts'
import { type FieldPath, type Fields, readFields, readNumber, readWhole, readWord } from '../check.ts'
import type { Draft, Effect, EffectRecord } from '../effect.ts'
import { buffed } from '../stats.ts'
import { type BuffStat, STATS } from '../words.ts'
import { type AbilityThing, worldOfThing } from '../world.ts'

/** An amount at level 1 (the column `level` of things), and what each further level adds. */
type Growing = { readonly amount: number; readonly perLevel?: number }

export const damage: EffectRecord<Growing & { readonly type?: string }> = {
  happensOn: 'hit',
  isFirst: true,
  read(draft, value, place, { damageTypes }) {
    const fields = readFields(value, place, ['amount', 'perLevel', 'type'])
    readGrowing(draft, fields, place)
    draft.what = damageTypes.indexOf(readWord(fields, 'type', place, damageTypes, damageTypes[0]))
  },
  happen(effect, { target, caster, source }) {
    hurt(target, amountAt(effect, source) * (caster === undefined ? 1 : buffed(caster, 'damage')), source, effect.what)
  },
  damage: ({ amount }) => amount,
}

export const shield: EffectRecord<Growing & { readonly ticks?: number }> = {
  happensOn: 'any',
  read(draft, value, place) {
    const fields = readFields(value, place, ['amount', 'perLevel', 'ticks'])
    readGrowing(draft, fields, place)
    draft.ticks = readWhole(fields, 'ticks', place, { otherwise: 0 })
  },
  happen(effect, { target, source }) {
    giveShield(target, amountAt(effect, source), effect.ticks)
  },
}

function readGrowing(draft: Draft, fields: Fields, place: FieldPath): void {
  draft.amount = readNumber(fields, 'amount', place, { min: 0 })
  draft.perLevel = readNumber(fields, 'perLevel', place, { min: 0, otherwise: 0 })
}

/** `source` is the caster, or what it released, which has the level that its caster had then. */
function amountAt({ amount, perLevel }: Effect, source: AbilityThing): number {
  if (perLevel === 0) return amount
  return amount + perLevel * (requireColumn(source.level, 'perLevel', 'level') - 1)
}

function requireColumn(value: number | undefined, field: string, column: string): number {
  if (value !== undefined) return value
  throw new HurtboxError('bad-declaration', `an effect with ${field} needs the column ${column} of things.`)
}

export const buff: EffectRecord<{ readonly stat: BuffStat; readonly factor: number; readonly ticks: number }> = {
  happensOn: 'any',
  read(draft, value, place) {
    const fields = readFields(value, place, ['stat', 'factor', 'ticks'])
    draft.what = STATS.indexOf(readWord(fields, 'stat', place, STATS))
    draft.amount = readNumber(fields, 'factor', place, { min: 0, max: 1000 })
    draft.ticks = readWhole(fields, 'ticks', place, { min: 1 })
  },
  happen({ what, amount, ticks }, { target, world }) {
    target.buffFactor.set(what, amount)
    target.buffUntil.set(what, world.clock + ticks)
  },
}

export const protect: EffectRecord<{ readonly ticks: number }> = {
  happensOn: 'any',
  read(draft, value, place) {
    draft.ticks = readWhole(readFields(value, place, ['ticks']), 'ticks', place, { min: 1 })
  },
  happen({ ticks }, { target }) {
    protectThing(target as AbilityThing & { invulnerableUntil: number }, ticks)
  },
}

/** Slower for so many ticks, from the next one on; how slow, in the column `slowFactor` if there is one. */
export const slow: EffectRecord<{ readonly ticks: number; readonly factor?: number }> = {
  happensOn: 'any',
  read(draft, value, place) {
    const fields = readFields(value, place, ['ticks', 'factor'])
    draft.ticks = readWhole(fields, 'ticks', place, { min: 1 })
    draft.amount = readNumber(fields, 'factor', place, { min: 0, max: 1, otherwise: 0.5 })
  },
  happen({ ticks, amount }, { target }) {
    requireColumn(target.slowedUntil, 'slow', 'slowedUntil')
    slowThing(target as AbilityThing & { slowedUntil: number }, ticks, amount)
  },
}

export type StunSpec = {
  readonly ticks: number
  /** Ticks without control and friction. Default: none. */
  readonly launch?: number
  /** Ticks of hit stop, for both; where a projectile hits, for its victim alone. Default: none. */
  readonly stop?: number
}

export const stun: EffectRecord<StunSpec> = {
  happensOn: 'hit',
  read(draft, value, place) {
    readStun(draft, readFields(value, place, ['ticks', 'launch', 'stop']), place)
  },
  happen(effect, { target, caster, source }) {
    stunThing(target, effect.ticks)
    if (effect.launch > 0) launch(target, effect.launch)
    stopFor(target, effect.stop)
    // A caster far away from the hit of its projectile is not stopped.
    if (caster !== undefined && caster === source) stopFor(caster, effect.stop)
  },
  // Hit stop holds attacker and victim alike; at the hit of a projectile it holds the victim alone.
  disables: ({ ticks, stop }, isMelee) => ticks + (isMelee ? 0 : stop),
}

export function readStun(draft: Draft, fields: Fields, place: FieldPath): void {
  draft.ticks = readWhole(fields, 'ticks', place, { otherwise: 0 })
  draft.launch = readWhole(fields, 'launch', place, { otherwise: 0 })
  draft.stop = readWhole(fields, 'stop', place, { max: 60, otherwise: 0 })
}

/** Takes control and friction from a thing for `ticks`, from the next tick on. Never shortens a longer launch. */
export function launch(target: AbilityThing, ticks: number): void {
  const until = worldOfThing(target).clock + 1 + ticks
  if (until > target.launchedUntil) target.launchedUntil = until
}

/** Asks for so many ticks of hit stop; `settleHits` starts it. */
export function stopFor(target: AbilityThing, ticks: number): void {
  if (ticks > target.stopFor) target.stopFor = ticks
}
