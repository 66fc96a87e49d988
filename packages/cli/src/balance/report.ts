/**
 * The report: one HTML file without scripts, with a plot for who wins, how long it takes and everything counted.
 *
 * It holds nothing that differs from run to run (no date, no times): the same matches give the same bytes.
 */

import { grouped } from '../text.ts'
import type { Variable } from './plan.ts'
import type { Estimate } from './statistics.ts'
import type { SettingSummary } from './summary.ts'

type Series = { readonly name: string; readonly points: readonly Estimate[] }

const WIDTH = 420
const HEIGHT = 240
const MARGIN = { left: 58, right: 14, top: 14, bottom: 34 }
const COLOURS = ['#4f8cff', '#ff7a59', '#3fb27f', '#b07cff', '#d9a441', '#e0599b', '#4bb8c9', '#8a94a6']

export function renderReport(
  title: string,
  about: readonly string[],
  variables: readonly Variable[],
  summaries: readonly SettingSummary[],
): string {
  const winners = Object.keys(summaries[0]?.wins ?? {})
  const figures = Object.keys(summaries[0]?.figures ?? {}).filter((name) =>
    summaries.some((s) => s.figures[name].mean !== 0),
  )
  const wins = winners.map((name): Series => ({ name, points: summaries.map((summary) => summary.wins[name]) }))
  const plots = [
    plot('who wins', 'share of matches', wins, variables, summaries),
    plot('how long', 'seconds', [{ name: 'seconds', points: summaries.map((s) => s.seconds) }], variables, summaries),
    ...figures.map((name) =>
      plot(name, 'per match', [{ name, points: summaries.map((s) => s.figures[name]) }], variables, summaries),
    ),
  ]
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${asText(title)}</title><style>${STYLE}</style></head><body>
<h1>${asText(title)}</h1>
${about.map((line) => `<p>${asText(line)}</p>`).join('\n')}
<div class="plots">${plots.join('\n')}</div>
<h2>All figures</h2>
<p>Mean with the interval that holds the true mean in 95 of 100 runs.</p>
${table(winners, figures, summaries)}
</body></html>
`
}

/** Estimates against the settings: over a number when one thing is varied, else one place per setting. */
function plot(
  title: string,
  unit: string,
  series: readonly Series[],
  variables: readonly Variable[],
  summaries: readonly SettingSummary[],
): string {
  const xs = variables.length === 1 ? variables[0].values : summaries.map((_, i) => i)
  const all = series.flatMap(({ points }) => points.flatMap(({ low, high }) => [low, high])).filter(Number.isFinite)
  const [bottom, top] = paddedRange(all)
  const [first, last] = [Math.min(...xs), Math.max(...xs)]
  const x = (value: number) =>
    round(
      MARGIN.left +
        ((last === first ? 0.5 : (value - first) / (last - first)) * 0.94 + 0.03) *
          (WIDTH - MARGIN.left - MARGIN.right),
    )
  const y = (value: number) =>
    round(HEIGHT - MARGIN.bottom - ((value - bottom) / (top - bottom)) * (HEIGHT - MARGIN.top - MARGIN.bottom))
  const parts: string[] = []
  for (const tick of ticksBetween(bottom, top)) {
    parts.push(`<line class="grid" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y(tick)}" y2="${y(tick)}"/>`)
    parts.push(`<text class="tick" x="${MARGIN.left - 6}" y="${y(tick) + 4}" text-anchor="end">${short(tick)}</text>`)
  }
  const labelEvery = Math.ceil(xs.length / 8)
  xs.forEach((value, i) => {
    if (i % labelEvery !== 0) return
    const label = variables.length === 1 ? short(value) : `#${i + 1}`
    parts.push(`<text class="tick" x="${x(value)}" y="${HEIGHT - 14}" text-anchor="middle">${label}</text>`)
  })
  if (variables.length === 1) {
    const label = asText(variables[0].name)
    parts.push(`<text class="tick" x="${WIDTH - MARGIN.right}" y="${HEIGHT - 2}" text-anchor="end">${label}</text>`)
  }
  series.forEach(({ points }, n) => {
    const colour = COLOURS[n % COLOURS.length]
    const known = points.map((point, i) => ({ ...point, at: x(xs[i]) })).filter(({ mean }) => Number.isFinite(mean))
    parts.push(
      `<polyline fill="none" stroke="${colour}" points="${known.map(({ at, mean }) => `${at},${y(mean)}`).join(' ')}"/>`,
    )
    for (const { at, mean, low, high } of known) {
      if (Number.isFinite(low))
        parts.push(`<line stroke="${colour}" x1="${at}" x2="${at}" y1="${y(low)}" y2="${y(high)}"/>`)
      parts.push(`<circle fill="${colour}" cx="${at}" cy="${y(mean)}" r="3"/>`)
    }
  })
  const legend =
    series.length < 2
      ? ''
      : `<p class="legend">${series.map(({ name }, n) => `<span style="color:${COLOURS[n % COLOURS.length]}">●</span> ${asText(name)}`).join(' ')}</p>`
  return `<figure><figcaption>${asText(title)} <small>${unit}</small></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${asText(title)}">${parts.join('')}</svg>${legend}</figure>`
}

function table(winners: readonly string[], figures: readonly string[], summaries: readonly SettingSummary[]): string {
  const head = ['setting', 'matches', ...winners.map((name) => `wins: ${name}`), 'seconds', ...figures, 'hash']
  const rows = summaries.map((s) => [
    describeSetting(s.setting),
    grouped(s.matches),
    ...winners.map((name) => describeShare(s.wins[name])),
    describeMean(s.seconds),
    ...figures.map((name) => describeMean(s.figures[name])),
    s.hash,
  ])
  const line = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${asText(cell)}</${tag}>`).join('')}</tr>`
  return `<div class="scroll"><table><thead>${line(head, 'th')}</thead><tbody>${rows.map((row) => line(row, 'td')).join('\n')}</tbody></table></div>`
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

function short(value: number): string {
  return Number.isNaN(value) ? '–' : String(Number(value.toPrecision(4)))
}

function paddedRange(values: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  if (!Number.isFinite(low)) return [0, 1]
  const pad = (high - low || Math.abs(high) || 1) * 0.08
  // From zero where that is near: a plot that starts at the data makes noise look like news.
  return [low >= 0 && low < (high - low) * 2 ? 0 : low - pad, high + pad]
}

/** Round numbers, about four of them. */
function ticksBetween(bottom: number, top: number): number[] {
  const raw = (top - bottom) / 4
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw)!
  const ticks: number[] = []
  for (let n = Math.ceil(bottom / step); n * step <= top; n++) ticks.push(n * step)
  return ticks
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** Names come from modules and files: they are text here, never markup. */
function asText(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1c2230, #e4e8f1); --faint: light-dark(#d7dce6, #343c4d); }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: light-dark(#fff, #151a24); max-width: 1360px; margin: 2rem auto; padding: 0 1rem }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(320px, 1fr)); gap: 1rem }
figure { margin: 0; border: 1px solid var(--faint); border-radius: 8px; padding: .6rem }
figcaption { font-weight: 600 } small { font-weight: 400; opacity: .7 }
svg { width: 100%; height: auto } polyline, svg line { stroke-width: 1.6 } .grid { stroke: var(--faint); stroke-width: 1 }
.tick { font-size: 11px; fill: var(--ink); opacity: .75 } .legend { margin: .2rem 0 0; font-size: 13px }
.scroll { overflow-x: auto } table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--faint); text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left }`
