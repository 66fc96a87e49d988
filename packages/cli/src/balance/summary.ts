/** The figures of each setting, over all its matches. */

import { createHash } from 'node:crypto'
import { countMatches, matchAt, type Plan } from './plan.ts'
import type { MatchRecord } from './play.ts'
import { type Estimate, meanOf, shareOf } from './statistics.ts'

export type SettingSummary = {
  readonly setting: Readonly<Record<string, number>>
  readonly matches: number
  /** Share of matches won, by winner; `nobody` are draws and matches cut off. */
  readonly wins: Readonly<Record<string, Estimate>>
  readonly seconds: Estimate
  readonly figures: Readonly<Record<string, Estimate>>
  /** Of the hashes of all its matches in order: two runs that agree here played the same matches. */
  readonly hash: string
}

export function summarise(
  plan: Plan,
  records: ReadonlyMap<number, MatchRecord>,
  tickRate: number,
): readonly SettingSummary[] {
  const bySetting: MatchRecord[][] = plan.settings.map(() => [])
  const indexes = [...records.keys()].filter((index) => index < countMatches(plan)).sort((a, b) => a - b)
  for (const index of indexes) bySetting[matchAt(plan, index).setting].push(records.get(index)!)
  const winners = [...new Set(indexes.map((index) => records.get(index)!.winner))].sort(byWinner)
  const figureNames = [...new Set(indexes.flatMap((index) => Object.keys(records.get(index)!.figures)))]

  return bySetting.map((matches, i) => ({
    setting: plan.settings[i],
    matches: matches.length,
    wins: Object.fromEntries(
      winners.map((winner) => [winner, shareOf(matches.filter((m) => m.winner === winner).length, matches.length)]),
    ),
    seconds: meanOf(matches.map(({ ticks }) => ticks / tickRate)),
    figures: Object.fromEntries(
      figureNames.map((name) => [name, meanOf(matches.map(({ figures }) => figures[name] ?? 0))]),
    ),
    hash: createHash('sha256')
      .update(matches.map(({ hash }) => hash).join())
      .digest('hex')
      .slice(0, 16),
  }))
}

/** All winners of at least one match of any setting, and `nobody`; none at all when all matches were cut off. */
export function winnersOf(summaries: readonly SettingSummary[]): readonly string[] {
  const winners = Object.keys(summaries[0].wins)
  return winners.every((name) => name === 'nobody') ? [] : winners
}

/** Something counted in every match: one estimate per setting. */
export type Figure = { readonly name: string; readonly unit: string; readonly points: readonly Estimate[] }

/** What the game counts and its events, but for those that never happened; significant changes come first. */
export function figuresOf(summaries: readonly SettingSummary[]): readonly Figure[] {
  const figures = Object.keys(summaries[0].figures)
    .map((name): Figure => ({ name, unit: 'per match', points: summaries.map((summary) => summary.figures[name]) }))
    .filter(({ points }) => points.some(({ mean }) => mean !== 0))
  return [...figures.filter(isChanged), ...figures.filter((figure) => !isChanged(figure))]
}

/** Whether some two settings differ by more than their intervals. */
export function isChanged({ points }: Figure): boolean {
  const known = points.filter(({ low }) => Number.isFinite(low))
  return Math.max(...known.map(({ low }) => low)) > Math.min(...known.map(({ high }) => high))
}

/** Seats by number, names by name, nobody last. */
function byWinner(a: string, b: string): number {
  if (a === 'nobody' || b === 'nobody') return Number(a === 'nobody') - Number(b === 'nobody')
  return Number(a) - Number(b) || (a < b ? -1 : 1)
}
