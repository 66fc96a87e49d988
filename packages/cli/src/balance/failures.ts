/**
 * Matches that failed, put together by what went wrong.
 *
 * A mistake in a rule shows in hundreds of matches at once; what helps is the mistake, how often it shows, and the
 * command that shows it again.
 */

import { matchAt, type Plan } from './plan.ts'

export type Failure = { readonly index: number; readonly message: string }

export type FailureGroup = {
  /** Of the first match that failed so. */
  readonly message: string
  readonly matches: number
  /** Of the first few, in order, each once. */
  readonly seeds: readonly number[]
  /** Plays the first one again. */
  readonly command: string
}

const SEEDS_SHOWN = 5

/** Groups in the order of their first match; messages that differ only in numbers (tick, row) are one mistake. */
export function groupFailures(plan: Plan, game: string, failures: readonly Failure[]): readonly FailureGroup[] {
  const groups = new Map<string, Failure[]>()
  for (const failure of [...failures].sort((a, b) => a.index - b.index)) {
    const mistake = failure.message.replace(/\d+/g, '#')
    if (!groups.has(mistake)) groups.set(mistake, [])
    groups.get(mistake)!.push(failure)
  }
  return [...groups.values()].map((same) => ({
    message: same[0].message,
    matches: same.length,
    seeds: [...new Set(same.map(({ index }) => matchAt(plan, index).seed))].slice(0, SEEDS_SHOWN),
    command: commandOf(plan, game, same[0].index),
  }))
}

/** `hurtbox run` with everything that makes this match. */
function commandOf(plan: Plan, game: string, index: number): string {
  const { setting, seed } = matchAt(plan, index)
  const { scene, ticks, bots, tune, option } = plan.match
  const pairs = (values: Readonly<Record<string, string | number>> = {}) =>
    Object.entries(values).map(([name, value]) => `${name}=${value}`)
  const flags = [
    ['--scene', scene ?? []],
    ['--seed', seed],
    ['--bots', bots ?? []],
    ['--ticks', ticks ?? []],
    ['--tune', pairs({ ...tune, ...plan.settings[setting] })],
    ['--option', pairs(option)],
  ].flatMap(([flag, values]) => [values].flat().flatMap((value) => [flag, value]))
  return ['npx hurtbox run', ...[game, ...flags].map((part) => quoted(String(part)))].join(' ')
}

function quoted(part: string): string {
  return /^[\w./=:@+-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`
}
