/**
 * From content to what a tick works with: checked, complete, in numbers. A mistake in any field is an error that names file,
 * ability and field, before there is a game that could be played with it.
 */

import { type Fields, fail, type Place, readFields, readFlag, readWhole, readWord, told, within } from './check.ts'
import { type AbilitySpec, CANCEL, CONTROL, EFFECT_KINDS, ON, REQUIRES } from './content.ts'
import { type CompileNames, compileKind, type Draft, type Effect, emptyEffect } from './effect.ts'

export type Ability = {
  readonly name: string
  readonly number: number
  readonly startup: number
  readonly active: number
  readonly recovery: number
  readonly cooldown: number
  readonly steps: number
  readonly window: number
  /** One bit per requirement. */
  readonly requires: number
  readonly control: number
  readonly steadfast: boolean
  /** By ability: since when that one may cut this one short. */
  readonly cancels: readonly number[]
  readonly effects: readonly Effect[]
  /** Whether it has boxes of its own, so that hitting nobody is a miss. */
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
  'steadfast',
  'cancels',
  'effects',
]
const WHEN_FIELDS = ['on', 'step', 'at', 'ticks', 'slot', 'target']
const MOST_STEPS = 30
/** Boxes that hit by themselves are told apart by three bits beside the hit set's name. */
const MOST_GROUPS = 7

export function compileAbility(spec: AbilitySpec, name: string, number: number, names: CompileNames): Ability {
  const place: Place = { source: names.source, ability: name, field: '' }
  const fields = readFields(spec, place, ABILITY_FIELDS)
  const steps = readWhole(fields, 'steps', place, { min: 1, max: MOST_STEPS, otherwise: 1 })
  const active = readWhole(fields, 'active', place)
  const list = fields.effects
  if (!Array.isArray(list)) throw fail(within(place, 'effects'), `must be a list, got ${told(list)}.`)
  const timing = { steps, active }
  const effects = list.map((each, i) => compileEffect(each, i, timing, { ...place, field: `effects[${i}]` }, names))
  separateGroups(effects, place)
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
    control: readWord(fields, 'control', place, CONTROL, 'none'),
    steadfast: readFlag(fields, 'steadfast', place),
    cancels: readCancels(fields.cancels, within(place, 'cancels'), names.abilities),
    effects,
    hasMelee: effects.some((effect) => effect.kind === 'melee'),
  })
}

type Timing = { readonly steps: number; readonly active: number }

function compileEffect(spec: unknown, number: number, timing: Timing, place: Place, names: CompileNames): Draft {
  const fields = readFields(spec, place, [...WHEN_FIELDS, ...EFFECT_KINDS])
  const kinds = EFFECT_KINDS.filter((kind) => fields[kind] !== undefined)
  if (kinds.length !== 1) {
    const got = kinds.length === 0 ? 'none' : kinds.join(' and ')
    throw fail(place, `must have exactly one of ${EFFECT_KINDS.join(', ')}; got ${got}.`)
  }
  const [kind] = kinds
  const effect = emptyEffect(kind, number)
  readWhen(effect, fields, timing, place, names)
  compileKind[kind](effect, fields[kind], within(place, kind), names)
  requireSense(effect, fields.on, (fields[kind] as Fields).frame, place)
  return effect
}

function readWhen(effect: Draft, fields: Fields, { steps, active }: Timing, place: Place, names: CompileNames): void {
  effect.on = readWord(fields, 'on', place, ON)
  const trigger = fields.on as string
  effect.steps = readSteps(fields.step, steps, place)
  for (const [name, triggers] of [
    ['at', ['cast', 'active']],
    ['ticks', ['active']],
    ['slot', ['input']],
  ] as const) {
    if (fields[name] === undefined || (triggers as readonly string[]).includes(trigger)) continue
    throw fail(within(place, name), `has no meaning on ${trigger}; it is for ${triggers.join(' and ')}.`)
  }
  effect.at = readWhole(fields, 'at', place, { max: Math.max(active - 1, 0), otherwise: 0 })
  const most = active - effect.at
  effect.until = effect.at + readWhole(fields, 'ticks', place, { max: Math.max(most, 0), otherwise: most })
  effect.slot = trigger === 'input' ? readWord(fields, 'slot', place, names.slots) : 0
  const target = readWord(fields, 'target', place, ['victim', 'caster'], trigger === 'hit' ? 'victim' : 'caster')
  effect.toCaster = target === 1
  if (!effect.toCaster && trigger !== 'hit')
    throw fail(within(place, 'target'), 'can be the victim of a hit only on hit.')
}

function readSteps(value: unknown, steps: number, place: Place): number {
  if (value === undefined) return -1
  let bits = 0
  for (const step of [value].flat()) bits |= 1 << readWhole({ step }, 'step', place, { min: 1, max: steps })
  return bits
}

function readRequirements(value: unknown, place: Place): number {
  if (value === undefined) return 0
  if (!Array.isArray(value)) throw fail(within(place, 'requires'), `must be a list, got ${told(value)}.`)
  let bits = 0
  for (const requires of value) bits |= readWord({ requires }, 'requires', place, REQUIRES)
  return bits
}

function readCancels(value: unknown, place: Place, abilities: readonly string[]): readonly number[] {
  const fields = value === undefined ? {} : readFields(value, place, abilities)
  return abilities.map((name) => (fields[name] === undefined ? 0 : readWord(fields, name, place, CANCEL)))
}

/** Which effects can be on which trigger, and which forces can be on whom. */
function requireSense({ kind, toCaster }: Effect, trigger: unknown, frame: unknown, place: Place): void {
  if (kind === 'melee' && trigger !== 'active')
    throw fail(place, `melee is a window: it is on active, not on ${trigger}.`)
  const onHitOnly = kind === 'grab' || kind === 'pull' || kind === 'damage' || kind === 'stun'
  if (onHitOnly && trigger !== 'hit') throw fail(place, `${kind} needs a victim: it is on hit, not on ${trigger}.`)
  const neverOnHit =
    kind === 'projectile' || kind === 'area' || kind === 'dash' || kind === 'teleport' || kind === 'throw'
  if (neverOnHit && trigger === 'hit')
    throw fail(place, `${kind} is what a caster does: it is not on hit. A sub-ability can do it.`)
  if (kind === 'force' && toCaster && (frame === 'victim' || frame === 'away' || frame === 'turned')) {
    throw fail(place, `the frame ${frame} needs a victim; the caster is pushed in the frame world or caster.`)
  }
}

/** Boxes that hit by themselves get a hit set each. */
function separateGroups(effects: readonly Draft[], place: Place): void {
  let groups = 0
  for (const effect of effects) if (effect.group !== 0) effect.group = ++groups
  if (groups > MOST_GROUPS)
    throw fail(within(place, 'effects'), `can have at most ${MOST_GROUPS} boxes that hit apart, got ${groups}.`)
}
