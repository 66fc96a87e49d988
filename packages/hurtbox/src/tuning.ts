/**
 * Tuning: the numbers of a game that people turn, with unit and range.
 *
 * The values live in the world's memory block, because a change in mid-match must be rolled back and replayed like
 * anything else. Panels, command-line flags and validation derive from the declaration.
 */

import { requireName } from './columns.ts'
import { HurtboxError, requireFinite, unknownName } from './errors.ts'

export type TuningSpec = {
  /** The default, in the declared unit. */
  readonly value: number
  readonly unit: string
  readonly min: number
  readonly max: number
  readonly help: string
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
}

/**
 * A number that can be turned: `tune(24, { unit: 'px', min: 1, max: 100 })`.
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
  const { unit = '', min = -1e9, max = 1e9, help = '' } = options
  return checkSpec({ value, unit, min, max, help, isDuration: false })
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
  const { min = 0, max = 86_400, help = '' } = options
  return checkSpec({ value, unit: 's', min, max, help, isDuration: true })
}

/**
 * Seconds as whole ticks, rounded up. A hair of rounding error (0.07 × 100 is 7.000…01) does not cost a tick.
 *
 * @example
 * ```ts
 * import { toTicks } from 'hurtbox'
 *
 * console.log(toTicks(0.5, 60)) // 30
 * console.log(toTicks(0.51, 60)) // 31
 * ```
 */
export function toTicks(durationSeconds: number, tickRate: number): number {
  return Math.max(0, Math.ceil(durationSeconds * tickRate - 1e-9))
}

/** What the rules read for a value given in the declared unit. Throws when it lies outside the declared range. */
export function tunedValue(specs: TuningSpecs, name: string, value: unknown, tickRate: number): number {
  const spec = Object.hasOwn(specs, name) ? specs[name] : undefined
  if (spec === undefined) throw unknownName('tuning value', name, Object.keys(specs))
  const number = requireFinite(value, `tuning ${name}`)
  if (number < spec.min || number > spec.max) {
    throw new HurtboxError(
      'out-of-range',
      `tuning ${name} must lie between ${spec.min} and ${spec.max}${spec.unit && ` ${spec.unit}`}, got ${number}.`,
    )
  }
  return spec.isDuration ? toTicks(number, tickRate) : number + 0
}

/** Reads named values out of a typed array: `tuning.shipRadius` is `values[0]`. */
export function viewTuning<S extends TuningSpecs>(specs: S, values: Float64Array): Tuning<S> {
  const view = {}
  Object.keys(specs).forEach((name, index) => {
    Object.defineProperty(view, name, { enumerable: true, get: () => values[index] })
  })
  return Object.freeze(view) as Tuning<S>
}

export function checkTuning(specs: TuningSpecs): void {
  for (const [name, spec] of Object.entries(specs)) {
    requireName(name, 'tuning value')
    if (typeof spec?.isDuration !== 'boolean') {
      throw new HurtboxError('bad-declaration', `tuning ${name} must be made with tune(…) or seconds(…).`)
    }
  }
}

function checkSpec(spec: TuningSpec): TuningSpec {
  requireFinite(spec.value, 'value')
  requireFinite(spec.min, 'min')
  requireFinite(spec.max, 'max')
  if (spec.value < spec.min || spec.value > spec.max) {
    throw new HurtboxError('out-of-range', `the default ${spec.value} lies outside ${spec.min} … ${spec.max}.`)
  }
  return Object.freeze(spec)
}
