/** The figures of a run for the terminal: a row per setting. */

import { grouped } from '../text.ts'
import { describeMean, describeSetting, describeShare } from './report.ts'
import { figuresOf, type SettingSummary, winnersOf } from './summary.ts'

/** Games count dozens of things, and a terminal is narrow; the report has all of them. */
const MAX_COUNTED = 5

/** The wins; in a game without winners, what was counted. */
export function tableOf(summaries: readonly SettingSummary[]): string[][] {
  const winners = winnersOf(summaries)
  const counted = winners.length > 0 ? [] : figuresOf(summaries).slice(0, MAX_COUNTED)
  const names = [...winners.map((name) => `wins: ${name}`), ...counted.map(({ name }) => name)]
  const rows = summaries.map((summary, i) => [
    describeSetting(summary.setting),
    grouped(summary.matches),
    ...winners.map((name) => describeShare(summary.wins[name])),
    ...counted.map(({ points }) => describeMean(points[i])),
    describeMean(summary.seconds),
    summary.hash,
  ])
  return [['setting', 'matches', ...names, 'seconds', 'hash'], ...rows]
}
