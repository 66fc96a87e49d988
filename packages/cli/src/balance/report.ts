/**
 * The report: one HTML file without scripts. First what the varied numbers change, as plots; then every figure.
 *
 * It holds nothing that differs from run to run (no date, no times): the same matches give the same bytes.
 */

import { grouped } from '../text.ts'
import type { Variable } from './plan.ts'
import { type Axis, asText, axisOfNames, axisOfNumbers, plot, type Series, short } from './plot.ts'
import type { Estimate } from './statistics.ts'
import { type Figure, figuresOf, isChanged, type SettingSummary, winnersOf } from './summary.ts'

export function renderReport(
  title: string,
  about: string,
  variables: readonly Variable[],
  summaries: readonly SettingSummary[],
): string {
  const wins = winnersOf(summaries).map(
    (name): Figure => ({ name, unit: 'share', points: summaries.map((summary) => summary.wins[name]) }),
  )
  const counted = figuresOf(summaries)
  const seconds: Figure = { name: 'how long', unit: 'seconds', points: summaries.map((summary) => summary.seconds) }
  const plots =
    variables.length === 0 ? plotOfOneSetting(wins) : plotsOf(variables, summaries, wins, [seconds, ...counted])

  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${asText(title)}</title><style>${STYLE}</style></head><body>
<h1>${asText(title)}</h1>
<p>${asText(about.replace(/^./, (first) => first.toUpperCase()))}</p>
${plots}
<h2>All figures</h2>
<p>Each with the interval that holds the true value in 95 of 100 runs.</p>
${table(summaries, wins, [seconds, ...counted])}
</body></html>
`
}

function plotOfOneSetting(wins: readonly Figure[]): string {
  if (wins.length === 0) return ''
  const axis = axisOfNames(
    '',
    wins.map(({ name }) => name),
  )
  return plotsIn([plot('who wins', 'share', axis, [{ name: 'wins', points: wins.map(({ points }) => points[0]) }])])
}

/** Significant changes come first: of forty figures, those few matter. */
function plotsOf(
  variables: readonly Variable[],
  summaries: readonly SettingSummary[],
  wins: readonly Figure[],
  figures: readonly Figure[],
): string {
  const { axis, split } = axisOf(variables, summaries)
  const one = (figure: Figure) => plot(figure.name, figure.unit, axis, split(figure))
  // Wins are one plot, unless the lines of a second variable need the room.
  const whoWins =
    variables.length === 2
      ? wins.map((figure) => one({ ...figure, name: `${figure.name} wins` }))
      : wins.length > 0
        ? [plot('who wins', 'share', axis, wins)]
        : []
  const changed = figures.filter(isChanged)
  const rest = figures.filter((figure) => !isChanged(figure))
  const heading = changed.length === 0 ? 'Nothing changes significantly; play more matches.' : 'What changes'
  const others =
    rest.length === 0
      ? ''
      : `<h2>No clear difference</h2>\n<p>The intervals of all settings overlap.</p>\n${plotsIn(rest.map(one))}`
  return `${plotsIn(whoWins)}\n<h2>${heading}</h2>\n${plotsIn(changed.map(one))}\n${others}`
}

/** Along the last of one or two variables, a line for each value of the first; more are numbered settings side by side. */
function axisOf(
  variables: readonly Variable[],
  summaries: readonly SettingSummary[],
): { axis: Axis; split: (figure: Figure) => readonly Series[] } {
  const last = variables[variables.length - 1]
  if (variables.length === 1) return { axis: axisOfNumbers(last.name, last.values), split: (figure) => [figure] }
  if (variables.length === 2) {
    const { name, values } = variables[0]
    const split = ({ points }: Figure) =>
      values.map((value, i) => ({
        name: `${name} ${short(value)}`,
        points: points.slice(i * last.values.length, (i + 1) * last.values.length),
      }))
    return { axis: axisOfNumbers(last.name, last.values), split }
  }
  const labels = summaries.map((_, i) => `#${i + 1}`)
  return { axis: axisOfNames('setting, as in the table', labels), split: (figure) => [figure] }
}

function plotsIn(plots: readonly string[]): string {
  return `<div class="plots">${plots.join('\n')}</div>`
}

/** A row per figure: games count dozens of things, and people vary few. */
function table(summaries: readonly SettingSummary[], wins: readonly Figure[], figures: readonly Figure[]): string {
  const line = (cells: readonly string[], tag: string) =>
    `<tr><th scope="row">${asText(cells[0])}</th>${cells
      .slice(1)
      .map((cell) => `<${tag}>${asText(cell)}</${tag}>`)
      .join('')}</tr>`
  const number = (i: number) => (summaries.length === 1 ? '' : `#${i + 1} `)
  const head = ['', ...summaries.map(({ setting }, i) => `${number(i)}${describeSetting(setting)}`)]
  const rows = [
    ['matches', ...summaries.map(({ matches }) => grouped(matches))],
    ...wins.map(({ name, points }) => [`wins: ${name}`, ...points.map(describeShare)]),
    ...figures.map(({ name, unit, points }) => [
      unit === 'per match' ? name : `${name}, ${unit}`,
      ...points.map(describeMean),
    ]),
    ['hash', ...summaries.map(({ hash }) => hash)],
  ]
  const body = rows.map((row) => line(row, 'td')).join('\n')
  return `<div class="scroll"><table><thead>${line(head, 'th')}</thead><tbody>${body}</tbody></table></div>`
}

export function describeSetting(setting: Readonly<Record<string, number>>): string {
  return (
    Object.entries(setting)
      .map(([name, value]) => `${name} ${short(value)}`)
      .join(', ') || 'as declared'
  )
}

export function describeMean({ mean, high }: Estimate): string {
  return Number.isFinite(high) ? `${short(mean)} ± ${short(high - mean)}` : short(mean)
}

export function describeShare({ mean, low, high }: Estimate): string {
  return `${percent(mean)} (${percent(low)}–${percent(high)})`
}

function percent(share: number): string {
  return Number.isNaN(share) ? '–' : `${(share * 100).toFixed(1)} %`
}

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1c2230, #e4e8f1); --faint: light-dark(#d7dce6, #343c4d); --paper: light-dark(#fff, #151a24) }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 1360px; margin: 2rem auto; padding: 0 1rem }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(320px, 1fr)); gap: 1rem }
figure { margin: 0; border: 1px solid var(--faint); border-radius: 8px; padding: .6rem }
figcaption { font-weight: 600 } small { font-weight: 400; opacity: .7 }
svg { width: 100%; height: auto } polyline, svg line { stroke-width: 1.6 } .grid { stroke: var(--faint); stroke-width: 1 }
.tick { font-size: 11px; fill: var(--ink); opacity: .75 } .legend { margin: .2rem 0 0; font-size: 13px }
.scroll { overflow-x: auto } table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--faint); text-align: right; white-space: nowrap }
th:first-child { text-align: left; font-weight: 400; position: sticky; left: 0; background: var(--paper) }`
