/** The table of returns in the docs: a row that was measured replaces that of the same case and browser. */

export const GAMES = ['jet-raiders', 'nightfall', 'siege', 'sumo', 'vinyl-frontier'] as const

export type Round = {
  readonly game: string
  /** From the return to the first picture with new ticks, or to the sentence why there is none. */
  readonly ms: number
  /** The same seat of the same match; or the sentence is true. */
  readonly isRight: boolean
}

export type Row = {
  readonly name: string
  readonly browser: string
  readonly rounds: readonly Round[]
  /** How many rounds there should be: one that did not come to its end was not as it should be. */
  readonly asked: number
}

const BEGIN = '<!-- returns -->'
const END = '<!-- /returns -->'
const HEAD = ['what happened', 'browser', 'as it should be', 'p50', 'p95', ...GAMES.map((game) => `at most, ${game}`)]

/** The smallest of the times that so large a part of them does not exceed. */
export function percentile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return Math.round(sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)])
}

export function lineOf({ name, browser, rounds, asked }: Row): string {
  const times = rounds.map(({ ms }) => ms)
  const right = rounds.filter(({ isRight }) => isRight).length
  const most = GAMES.map((id) => {
    const own = rounds.filter(({ game }) => game === id).map(({ ms }) => ms)
    return own.length === 0 ? '' : Math.round(Math.max(...own))
  })
  const cells = [
    name,
    browser,
    `${right} of ${asked}`,
    ...[0.5, 0.95].map((part) => (times.length === 0 ? '–' : percentile(times, part))),
    ...most,
  ]
  return `| ${cells.join(' | ')} |`
}

/** `order` has the names of all cases. */
export function mergeRow(text: string, row: Row, order: readonly string[]): string {
  const begin = text.indexOf(BEGIN)
  const end = text.indexOf(END)
  if (begin < 0 || end < begin) throw new Error(`the docs have no ${BEGIN} … ${END}`)
  const old = text
    .slice(begin + BEGIN.length, end)
    .trim()
    .split('\n')
    .slice(2)
  const keyOf = (line: string) => line.split('|').slice(1, 3).join('|')
  const made = lineOf(row)
  const placeOf = (line: string) => order.indexOf(line.split('|')[1].trim())
  const lines = [...old.filter((line) => keyOf(line) !== keyOf(made) && placeOf(line) >= 0), made].sort(
    (a, b) => placeOf(a) - placeOf(b) || (keyOf(a) < keyOf(b) ? -1 : 1),
  )
  const head = [`| ${HEAD.join(' | ')} |`, `|---|---|---|${'---:|'.repeat(HEAD.length - 3)}`]
  return `${text.slice(0, begin + BEGIN.length)}\n${[...head, ...lines].join('\n')}\n${text.slice(end)}`
}
