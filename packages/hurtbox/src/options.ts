/**
 * Options: how one match is set up (preset, map, number of rounds, legacy flags).
 *
 * They are fixed for the whole match, so they are not in the memory block but in the header of its replay.
 */

import { requireName } from './columns.ts'
import { HurtboxError, requireInteger, unknownName } from './errors.ts'

export type OptionSpec =
  | { readonly kind: 'flag'; readonly value: boolean; readonly help: string }
  | { readonly kind: 'oneOf'; readonly value: string; readonly names: readonly string[]; readonly help: string }
  | {
      readonly kind: 'whole'
      readonly value: number
      readonly min: number
      readonly max: number
      readonly help: string
    }

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

type ValueOf<S extends OptionSpec> = S extends { kind: 'flag' }
  ? boolean
  : S extends { kind: 'oneOf'; names: readonly (infer N)[] }
    ? N
    : number

export type Options<S extends OptionSpecs = OptionSpecs> = { readonly [K in keyof S]: ValueOf<S[K]> }

/**
 * A switch of a match, on or off.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, flag } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, options: { friendlyFire: flag(false) } })
 * const game = defineGame(arena, { phases: {} })
 * console.log(createWorld(game).options.friendlyFire) // false
 * console.log(createWorld(game, { options: { friendlyFire: true } }).options.friendlyFire) // true
 * ```
 */
export function flag(
  value: boolean,
  help = '',
): { readonly kind: 'flag'; readonly value: boolean; readonly help: string } {
  return { kind: 'flag', value, help }
}

/**
 * One of several names; the first is the default.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, oneOf } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, options: { map: oneOf(['forest', 'cave']) } })
 * const game = defineGame(arena, { phases: {} })
 * console.log(createWorld(game).options.map) // forest
 * console.log(createWorld(game, { options: { map: 'cave' } }).options.map) // cave
 * ```
 */
export function oneOf<const N extends readonly [string, ...string[]]>(
  names: N,
  help = '',
): { readonly kind: 'oneOf'; readonly value: string; readonly names: N; readonly help: string } {
  return { kind: 'oneOf', value: names[0], names, help }
}

/**
 * A whole number within a range.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, whole } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, options: { rounds: whole(3, { min: 1, max: 9 }) } })
 * const game = defineGame(arena, { phases: {} })
 * console.log(createWorld(game).options.rounds) // 3
 * console.log(createWorld(game, { options: { rounds: 5 } }).options.rounds) // 5
 * ```
 */
export function whole(
  value: number,
  range: { readonly min: number; readonly max: number; readonly help?: string },
): {
  readonly kind: 'whole'
  readonly value: number
  readonly min: number
  readonly max: number
  readonly help: string
} {
  requireInteger(value, 'value', range.min, range.max)
  return { kind: 'whole', value, min: range.min, max: range.max, help: range.help ?? '' }
}

/** All options of a match: what was given, checked, and the defaults for the rest. */
export function chooseOptions<S extends OptionSpecs>(specs: S, given: Readonly<Record<string, unknown>>): Options<S> {
  for (const name of Object.keys(given))
    if (!Object.hasOwn(specs, name)) throw unknownName('option', name, Object.keys(specs))
  const chosen: Record<string, unknown> = {}
  for (const [name, spec] of Object.entries(specs)) {
    chosen[name] = given[name] === undefined ? spec.value : checkOption(name, spec, given[name])
  }
  return Object.freeze(chosen) as Options<S>
}

export function checkOptionSpecs(specs: OptionSpecs): void {
  for (const [name, spec] of Object.entries(specs)) {
    requireName(name, 'option')
    if (spec?.help === undefined) {
      throw new HurtboxError('bad-declaration', `option ${name} must be made with flag(…), oneOf(…) or whole(…).`)
    }
  }
}

function checkOption(name: string, spec: OptionSpec, value: unknown): boolean | string | number {
  if (spec.kind === 'whole') return requireInteger(value, `option ${name}`, spec.min, spec.max)
  const allowed: readonly unknown[] = spec.kind === 'flag' ? [true, false] : spec.names
  if (allowed.includes(value)) return value as boolean | string
  const message = `option ${name} must be one of ${allowed.join(', ')}, got ${String(value)}.`
  throw new HurtboxError('bad-argument', message)
}
