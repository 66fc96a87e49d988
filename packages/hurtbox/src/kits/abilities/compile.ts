/**
 * From content to what a tick works with: checked, complete, in numbers. An error names file, ability and field, and is thrown
 * before there is a game that could be played with the mistake.
 */

import {
  type FieldPath,
  type Fields,
  fail,
  fieldIn,
  readFields,
  readFlag,
  readWhole,
  readWord,
  shown,
} from './check.ts'
import type { AbilitySpec } from './content.ts'
import { type ContentNames, type Draft, type Effect, emptyEffect } from './effect.ts'
import { EFFECT_KINDS, EFFECTS } from './effects/index.ts'
import {
  CANCELS,
  type CancelTime,
  type CasterControl,
  CONTROLS,
  type IsMet,
  type MayCancel,
  REQUIREMENTS,
  type Requirement,
  TRIGGERS,
} from './words.ts'

export type Ability = {
  readonly name: string
  readonly number: number
  readonly startup: number
  readonly active: number
  readonly recovery: number
  readonly cooldown: number
  readonly steps: number
  readonly window: number
  readonly requires: readonly IsMet[]
  readonly control: CasterControl
  readonly superArmor: boolean
  /** By ability: whether that one may cancel this one. */
  readonly cancels: readonly MayCancel[]
  readonly effects: readonly Effect[]
  /** Those on hit: the ones that happen first, and the others. */
  readonly firstOnHit: readonly Effect[]
  readonly onHit: readonly Effect[]
  /** Whether it can hit at all. */
  readonly canHit: boolean
  /** Whether it has boxes of its own, so that hitting nothing is a miss. */
  readonly hasMelee: boolean
}

const ABILITY_FIELDS = [
  'startup',
  'active',
  'recovery',
  'cooldown',
  'steps',
  'window',
  'requires',
  'control',
  'superArmor',
  'cancels',
  'effects',
]
const MAX_STEPS = 30
/** Three bits beside the number of the swing distinguish boxes that hit separately. */
const MAX_GROUPS = 7

export function compileAbility(spec: AbilitySpec, name: string, number: number, names: ContentNames): Ability {
  const place: FieldPath = { source: names.source, ability: name, field: '' }
  const fields = readFields(spec, place, ABILITY_FIELDS)
  const steps = readWhole(fields, 'steps', place, { min: 1, max: MAX_STEPS, otherwise: 1 })
  const active = readWhole(fields, 'active', place)
  const list = fields.effects
  if (!Array.isArray(list)) throw fail(fieldIn(place, 'effects'), `must be a list, got ${shown(list)}.`)
  const timing = { steps, active }
  const effects = list.map((each, i) => compileEffect(each, i, timing, { ...place, field: `effects[${i}]` }, names))
  numberGroups(effects, place)
  const onHit = effects.filter(({ on }) => on === 'hit')
  return Object.freeze({
    name,
    number,
    startup: readWhole(fields, 'startup', place),
    active,
    recovery: readWhole(fields, 'recovery', place),
    cooldown: readWhole(fields, 'cooldown', place),
    steps,
    window: readWhole(fields, 'window', place, { otherwise: 0 }),
    requires: readRequirements(fields.requires, place),
    control: readWord(fields, 'control', place, CONTROLS, 'none'),
    superArmor: readFlag(fields, 'superArmor', place),
    cancels: readCancels(fields.cancels, fieldIn(place, 'cancels'), names.abilities),
    effects,
    firstOnHit: onHit.filter(({ record }) => record.isFirst === true),
    onHit: onHit.filter(({ record }) => record.isFirst !== true),
    canHit: effects.some(({ record }) => record.canHit === true),
    hasMelee: effects.some(({ kind }) => kind === 'melee'),
  })
}

type Timing = { readonly steps: number; readonly active: number }

/** The fields of an effect that say when it happens, each with the triggers that it has a meaning for. */
const TIMING_FIELDS = {
  on: TRIGGERS,
  step: TRIGGERS,
  at: ['cast', 'active'],
  ticks: ['active'],
  slot: ['input'],
  target: TRIGGERS,
} as const satisfies Readonly<Record<string, readonly string[]>>

function compileEffect(spec: unknown, number: number, timing: Timing, place: FieldPath, names: ContentNames): Draft {
  const fields = readFields(spec, place, [...Object.keys(TIMING_FIELDS), ...EFFECT_KINDS])
  const kinds = EFFECT_KINDS.filter((kind) => fields[kind] !== undefined)
  if (kinds.length !== 1) {
    const got = kinds.length === 0 ? 'none' : kinds.join(' and ')
    throw fail(place, `must have exactly one of ${EFFECT_KINDS.join(', ')}; got ${got}.`)
  }
  const [kind] = kinds
  const draft = emptyEffect(kind, EFFECTS[kind], number)
  readTiming(draft, fields, timing, place, names)
  draft.record.read(draft, fields[kind], fieldIn(place, kind), names)
  checkTrigger(draft, place)
  draft.record.check?.(draft, place)
  return draft
}

function readTiming(
  draft: Draft,
  fields: Fields,
  { steps, active }: Timing,
  place: FieldPath,
  names: ContentNames,
): void {
  draft.on = readWord(fields, 'on', place, TRIGGERS)
  draft.steps = readSteps(fields.step, steps, place)
  for (const [name, triggers] of Object.entries(TIMING_FIELDS)) {
    if (fields[name] === undefined || (triggers as readonly string[]).includes(draft.on)) continue
    throw fail(fieldIn(place, name), `has no meaning on ${draft.on}; it is for ${triggers.join(' and ')}.`)
  }
  draft.at = readWhole(fields, 'at', place, { max: Math.max(active - 1, 0), otherwise: 0 })
  const most = active - draft.at
  draft.until = draft.at + readWhole(fields, 'ticks', place, { max: Math.max(most, 0), otherwise: most })
  draft.slot = draft.on === 'input' ? names.slots.indexOf(readWord(fields, 'slot', place, names.slots)) : 0
  const isOnHit = draft.on === 'hit'
  const target = readWord(fields, 'target', place, ['victim', 'caster'], isOnHit ? 'victim' : 'caster')
  draft.toCaster = target === 'caster'
  if (!draft.toCaster && !isOnHit) throw fail(fieldIn(place, 'target'), 'can be the victim of a hit only on hit.')
}

/** Refuses effects on a trigger that they do not support. */
function checkTrigger({ kind, on, record: { happensOn } }: Draft, place: FieldPath): void {
  if (happensOn === 'active' && on !== 'active') {
    throw fail(place, `${kind} is a window: it is on active, not on ${on}.`)
  }
  if (happensOn === 'hit' && on !== 'hit') throw fail(place, `${kind} needs a victim: it is on hit, not on ${on}.`)
  if (happensOn === 'caster' && on === 'hit') {
    throw fail(place, `${kind} is what a caster does: it is not on hit. A sub-ability can do it.`)
  }
}

function readSteps(value: unknown, steps: number, place: FieldPath): number {
  if (value === undefined) return -1
  let bits = 0
  for (const step of [value].flat()) bits |= 1 << readWhole({ step }, 'step', place, { min: 1, max: steps })
  return bits
}

function readRequirements(value: unknown, place: FieldPath): readonly IsMet[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw fail(fieldIn(place, 'requires'), `must be a list, got ${shown(value)}.`)
  const known = Object.keys(REQUIREMENTS) as Requirement[]
  return value.map((requires) => REQUIREMENTS[readWord({ requires }, 'requires', place, known)])
}

function readCancels(value: unknown, place: FieldPath, abilities: readonly string[]): readonly MayCancel[] {
  const fields = value === undefined ? {} : readFields(value, place, abilities)
  const known = Object.keys(CANCELS) as CancelTime[]
  return abilities.map((name) => CANCELS[readWord(fields, name, place, known, 'never')])
}

/** Boxes that hit by themselves get a hit set each. */
function numberGroups(effects: readonly Draft[], place: FieldPath): void {
  let groups = 0
  for (const effect of effects) if (effect.group !== 0) effect.group = ++groups
  if (groups <= MAX_GROUPS) return
  throw fail(fieldIn(place, 'effects'), `can have at most ${MAX_GROUPS} boxes that hit apart, got ${groups}.`)
}
