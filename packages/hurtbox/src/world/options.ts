/**
 * Options: how one match is set up (preset, map, number of rounds, legacy flags).
 *
 * They are fixed for the whole match, so they are not in the memory block but in the header of its replay.
 */

import { HurtboxError, requireInteger } from '../base/errors.ts'
import { useSettings } from './read-settings.ts'
import { READ, type Setting } from './settings.ts'

type Flag = { readonly kind: 'flag'; readonly help: string } & Setting<boolean>
type OneOf<N extends readonly string[] = readonly string[]> = {
  readonly kind: 'oneOf'
  readonly names: N
  readonly help: string
} & Setting<string>
type Whole = {
  readonly kind: 'whole'
  readonly min: number
  readonly max: number
  readonly help: string
} & Setting<number>

export type OptionSpec = Flag | OneOf | Whole
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
export function flag(value: boolean, help = ''): Flag {
  return { kind: 'flag', value, help, ...readBy(among([true, false])) }
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
export function oneOf<const N extends readonly [string, ...string[]]>(names: N, help = ''): OneOf<N> {
  return { kind: 'oneOf', value: names[0], names, help, ...readBy(among(names)) }
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
): Whole {
  const { min, max, help = '' } = range
  requireInteger(value, 'value', min, max)
  const read = (given: unknown, name: string) => requireInteger(given, `option ${name}`, min, max)
  return { kind: 'whole', value, min, max, help, ...readBy(read) }
}

/** What reads the option, and along with it what reads options. */
function readBy<T>(read: Setting<T>[typeof READ]): Pick<Setting<T>, typeof READ> {
  useSettings()
  return { [READ]: read }
}

function among<T>(allowed: readonly T[]): (value: unknown, name: string) => T {
  return (value, name) => {
    if (allowed.includes(value as T)) return value as T
    throw new HurtboxError('bad-argument', `option ${name} must be one of ${allowed.join(', ')}, got ${String(value)}.`)
  }
}
