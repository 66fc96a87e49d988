/**
 * Which matches a balance run plays: every setting of the varied tuning with the same seeds.
 *
 * The list is made before the first match and each match is known by its place in it. Workers may then take them in any
 * order, a run may stop and go on, and what comes out is the same. The same seeds for every setting, because two settings
 * compared on the same starts differ by the setting alone.
 */

import { createHash } from 'node:crypto'
import { InvalidArgumentError } from 'commander'
import { readNumber } from '../arguments.ts'
import type { MatchOptions } from '../match.ts'

/** A tuning number and the values to try, in order. */
export type Variable = { readonly name: string; readonly values: readonly number[] }

export type Plan = {
  /** Id of the game, or path of its module. */
  readonly game: string
  /** How a match is set up, but for its seed and the varied tuning. */
  readonly match: MatchOptions
  readonly firstSeed: number
  readonly matchesPerSetting: number
  readonly settings: readonly Readonly<Record<string, number>>[]
}

/** One match of a plan. */
export type PlannedMatch = { readonly setting: number; readonly seed: number }

const DEFAULT_STEPS = 5
const MAX_STEPS = 100
/** More settings than this is a mistake, or a job for a smarter search than a grid. */
export const MAX_SETTINGS = 1000

/** Reads `name=from..to` or `name=from..to/steps` for commander; `tuning.` before the name may be said. */
export function readVariable(text: string, previous: readonly Variable[] = []): readonly Variable[] {
  const [, name, fromText, toText, stepsText = String(DEFAULT_STEPS)] =
    /^(?:tuning\.)?([A-Za-z]\w*)=(.+?)\.\.(.+?)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const [from, to, steps] = [readNumber(fromText ?? ''), readNumber(toText ?? ''), Number(stepsText)]
  if (typeof from !== 'number' || typeof to !== 'number' || steps < 2 || steps > MAX_STEPS) {
    throw new InvalidArgumentError(
      `It must be name=from..to or name=from..to/steps with 2 to ${MAX_STEPS} steps, as in shipRadius=16..32/5.`,
    )
  }
  if (from === to) throw new InvalidArgumentError('Both ends are the same: there is nothing to vary.')
  if (previous.some((variable) => variable.name === name)) throw new InvalidArgumentError(`${name} is varied twice.`)
  const values = Array.from({ length: steps }, (_, i) => from + ((to - from) * i) / (steps - 1))
  return [...previous, { name, values }]
}

/** All combinations, the last variable fastest; one empty setting when nothing is varied. */
export function settingsOf(variables: readonly Variable[]): Readonly<Record<string, number>>[] {
  return variables.reduce<Readonly<Record<string, number>>[]>(
    (settings, { name, values }) =>
      settings.flatMap((setting) => values.map((value) => ({ ...setting, [name]: value }))),
    [{}],
  )
}

export function countMatches(plan: Plan): number {
  return plan.settings.length * plan.matchesPerSetting
}

/** The match at a place of the plan. Settings alternate, so that a run cut short has some of each. */
export function matchAt({ settings, firstSeed }: Plan, index: number): PlannedMatch {
  return { setting: index % settings.length, seed: firstSeed + Math.floor(index / settings.length) }
}

/** What two runs must share for their matches to be put together. Not how many they play: more may be asked for later. */
export function planHash({ matchesPerSetting: _, ...plan }: Plan, fingerprint: string): string {
  return createHash('sha256')
    .update(JSON.stringify([plan, fingerprint]))
    .digest('hex')
    .slice(0, 16)
}
