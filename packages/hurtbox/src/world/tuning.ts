/**
 * Tuning: the numbers of a game that can be adjusted, with unit and range.
 *
 * The values live in the world's memory block, because a change in mid-match must be rolled back and replayed like
 * anything else. Panels, command-line flags and validation derive from the declaration.
 */

import { HurtboxError, requireFinite } from '../base/errors.ts'
import { toTicks } from '../geometry/math/ticks.ts'
import { useSettings } from './read-settings.ts'
import { READ, type Setting } from './settings.ts'

/** The default, `value`, is in the declared unit. */
export type TuningSpec = Setting<number> & {
  readonly unit: string
  readonly min: number
  readonly max: number
  readonly help: string
  /** Whether a change in mid-match counts only for what is spawned after it; command line and studio say so. */
  readonly fromNextSpawn: boolean
  /** Set for durations: declared in seconds, used in ticks. */
  readonly isDuration: boolean
}

export type TuningSpecs = Readonly<Record<string, TuningSpec>>

/** Current values as the rules read them: durations are in ticks, everything else in its unit. */
export type Tuning<S extends TuningSpecs = TuningSpecs> = { readonly [K in keyof S]: number }

type TuneOptions = {
  readonly unit?: string
  readonly min?: number
  readonly max?: number
  readonly help?: string
  /** Say so where things keep the value they were spawned with: a change counts for the next ones. */
  readonly fromNextSpawn?: boolean
}

/**
 * A number that can be adjusted: `tune(24, { unit: 'px', min: 1, max: 100 })`.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, tune } from 'hurtbox'
 *
 * const speed = tune(3, { unit: 'px/tick', min: 0, max: 10 })
 * const game = defineGame(declareGame({ id: 'arena', tickRate: 60, tuning: { speed } }), { phases: {} })
 * console.log(createWorld(game).tuning.speed) // 3
 * console.log(createWorld(game, { tuning: { speed: 4 } }).tuning.speed) // 4
 * ```
 */
export function tune(value: number, options: TuneOptions = {}): TuningSpec {
  const { unit = '', min = -1e9, max = 1e9, help = '', fromNextSpawn = false } = options
  return tuning({ value, unit, min, max, help, fromNextSpawn, isDuration: false })
}

/**
 * A duration, declared in seconds; rules read it in ticks, rounded up once.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, seconds } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, tuning: { cooldown: seconds(0.5) } })
 * console.log(createWorld(defineGame(arena, { phases: {} })).tuning.cooldown) // 30
 * ```
 */
export function seconds(value: number, options: Omit<TuneOptions, 'unit'> = {}): TuningSpec {
  const { min = 0, max = 86_400, help = '', fromNextSpawn = false } = options
  return tuning({ value, unit: 's', min, max, help, fromNextSpawn, isDuration: true })
}

function tuning(spec: Omit<TuningSpec, typeof READ>): TuningSpec {
  const { value, min, max, unit, isDuration } = spec
  useSettings()
  requireFinite(value, 'value')
  requireFinite(min, 'min')
  requireFinite(max, 'max')
  if (value < min || value > max) {
    throw new HurtboxError('out-of-range', `the default ${value} lies outside ${min} … ${max}.`)
  }
  const read = (given: unknown, name: string, tickRate: number) => {
    const number = requireFinite(given, `tuning ${name}`)
    if (number < min || number > max) {
      throw new HurtboxError(
        'out-of-range',
        `tuning ${name} must lie between ${min} and ${max}${unit && ` ${unit}`}, got ${number}.`,
      )
    }
    return isDuration ? toTicks(number, tickRate) : number + 0
  }
  return Object.freeze({ ...spec, [READ]: read })
}
