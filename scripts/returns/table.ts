/** The table of returns in the docs: a row that was measured replaces that of the same game, browser and case. */

export type Row = {
  readonly game: string
  readonly browser: string
  readonly name: string
  readonly rounds: number
  readonly same: number
  /** Times to the first picture with new ticks, ms. */
  readonly p50: number
  readonly p95: number
}

const BEGIN = '<!-- returns -->'
const END = '<!-- /returns -->'

export function mergeRow(text: string, { game, browser, name, rounds, same, p50, p95 }: Row): string {
  const begin = text.indexOf(BEGIN)
  const end = text.indexOf(END)
  if (begin < 0 || end < begin) throw new Error(`the docs have no ${BEGIN} … ${END}`)
  const lines = text
    .slice(begin + BEGIN.length, end)
    .trim()
    .split('\n')
  const [head, rule, ...old] = lines
  const keyOf = (line: string) => line.split('|').slice(1, 4).join('|')
  const made = `| ${name} | ${game} | ${browser} | ${same} of ${rounds} | ${p50} | ${p95} |`
  const kept = old.filter((line) => keyOf(made) !== keyOf(line))
  return `${text.slice(0, begin + BEGIN.length)}\n${[head, rule, ...kept, made].join('\n')}\n${text.slice(end)}`
}
