/**
 * The picture for the README: time per step against the number of things, both logarithmic, so that slopes are exponents and
 * parallel lines are constant factors. Plain SVG with its own light and dark colours, because it is shown on pages of both kinds.
 */

import { type Family, OURS } from './registry.ts'
import { formatMs } from './report.ts'
import type { Line } from './results.ts'

const WIDTH = 900
const HEIGHT = 500
const PLOT = { left: 64, top: 56, right: 600, bottom: 448 }
const LABEL_X = 640
const LABEL_SPACING = 18
/** What a game has for everything at 60 frames per second. */
const FRAME_MS = 1000 / 60

const LEGEND: readonly (readonly [Family, string])[] = [
  ['index', 'spatial index'],
  ['detection', 'detection library'],
  ['engine', 'physics engine'],
]

type Curve = {
  readonly contender: string
  readonly family: Family
  readonly points: readonly { readonly x: number; readonly y: number }[]
  readonly last: Line
}

export function pairsPlot(lines: readonly Line[]): string {
  const decades = { n: decadesOf(lines.map(({ n }) => n)), ms: decadesOf(lines.map(({ ms }) => ms)) }
  const toX = (n: number) => scale(n, decades.n, PLOT.left, PLOT.right)
  const toY = (ms: number) => scale(ms, decades.ms, PLOT.bottom, PLOT.top)
  const curves = curvesOf(lines, toX, toY)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="Time per step against the number of circles">`,
    STYLE,
    text(PLOT.left, 24, 'Move N circles and name every overlapping pair', 'title'),
    text(PLOT.left, 42, `ms per step, lower is better · ${lines[0].machine}`, 'note'),
    ...range(decades.ms).map((ms) => line(PLOT.left, toY(ms), PLOT.right, toY(ms), 'grid')),
    ...range(decades.n).map((n) => line(toX(n), PLOT.top, toX(n), PLOT.bottom, 'grid')),
    ...range(decades.ms).map((ms) => text(PLOT.left - 8, toY(ms) + 4, `${formatTick(ms)}`, 'tick end')),
    ...range(decades.n).map((n) => text(toX(n), PLOT.bottom + 18, n.toLocaleString('en'), 'tick middle')),
    text((PLOT.left + PLOT.right) / 2, PLOT.bottom + 40, 'circles', 'note middle'),
    ...LEGEND.map(([family, name], i) => text(LABEL_X, 24 + 15 * i, name, family)),
    line(PLOT.left, toY(FRAME_MS), PLOT.right, toY(FRAME_MS), 'frame'),
    text(PLOT.left + 6, toY(FRAME_MS) - 5, 'one frame at 60 Hz', 'note'),
    ...curves.map(drawCurve),
    ...drawLabels(curves),
    '</svg>',
    '',
  ].join('\n')
}

const STYLE = `<style>
  text { font: 12px system-ui, sans-serif; fill: #57606a; }
  .title { font-size: 15px; font-weight: 600; fill: #1f2328; }
  .end { text-anchor: end; } .middle { text-anchor: middle; }
  .grid { stroke: #8c959f; stroke-opacity: .25; } .frame { stroke: #8c959f; stroke-dasharray: 5 4; }
  .leader { stroke: #8c959f; stroke-opacity: .5; stroke-dasharray: 1 3; fill: none; }
  polyline { fill: none; stroke-width: 1.5; stroke-linejoin: round; }
  .engine { stroke: #8250df; } circle.engine, text.engine { fill: #8250df; stroke: none; }
  .index { stroke: #0969da; } circle.index, text.index { fill: #0969da; stroke: none; }
  .detection { stroke: #1a7f37; } circle.detection, text.detection { fill: #1a7f37; stroke: none; }
  .ours { stroke: #cf222e; stroke-width: 3.5; } circle.ours, text.ours { fill: #cf222e; stroke: none; }
  text.ours { font-weight: 700; font-size: 14px; }
  @media (prefers-color-scheme: dark) {
    text { fill: #9198a1; } .title { fill: #f0f6fc; }
    .engine { stroke: #ab7df8; } circle.engine, text.engine { fill: #ab7df8; }
    .index { stroke: #4493f8; } circle.index, text.index { fill: #4493f8; }
    .detection { stroke: #3fb950; } circle.detection, text.detection { fill: #3fb950; }
    .ours { stroke: #f85149; } circle.ours, text.ours { fill: #f85149; }
  }
</style>`

/** Slowest first and ours last, so that ours is drawn over the others. */
function curvesOf(lines: readonly Line[], toX: (n: number) => number, toY: (ms: number) => number): Curve[] {
  const names = [...new Set(lines.map(({ contender }) => contender))]
  const curves = names.map((contender) => {
    const own = lines.filter((line) => line.contender === contender).sort((a, b) => a.n - b.n)
    const points = own.map(({ n, ms }) => ({ x: toX(n), y: toY(ms) }))
    return { contender, family: own[0].family, points, last: own[own.length - 1] }
  })
  return curves.sort((a, b) => Number(a.contender === OURS) - Number(b.contender === OURS))
}

function drawCurve({ family, points }: Curve): string {
  const path = points.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ')
  const dots = points.map(({ x, y }) => `<circle class="${family}" cx="${round(x)}" cy="${round(y)}" r="3"/>`)
  return `<polyline class="${family}" points="${path}"/>${dots.join('')}`
}

/** Names in one column, each joined to the end of its curve, moved apart where they would cover each other. */
function drawLabels(curves: readonly Curve[]): string[] {
  const ends = curves
    .map((curve) => ({ curve, end: curve.points[curve.points.length - 1] }))
    .sort((a, b) => a.end.y - b.end.y)
  const places = spread(ends.map(({ end }) => end.y))
  return ends.flatMap(({ curve, end }, i) => {
    // With its size: curves end at different ones, and the figures alone would look comparable.
    const label = `${curve.contender} ${formatMs(curve.last.ms)} ms at ${shortCount(curve.last.n)}`
    const leader = `<polyline class="leader" points="${round(end.x + 5)},${round(end.y)} ${LABEL_X - 24},${round(places[i])} ${LABEL_X - 5},${round(places[i])}"/>`
    return [leader, text(LABEL_X, places[i] + 4, label, curve.family)]
  })
}

/** Moves ascending places apart to at least the spacing of labels, as little as a pass down and one up can. */
export function spread(places: readonly number[]): number[] {
  const moved = [...places]
  for (let i = 1; i < moved.length; i++) moved[i] = Math.max(moved[i], moved[i - 1] + LABEL_SPACING)
  moved[moved.length - 1] = Math.min(moved[moved.length - 1], PLOT.bottom)
  for (let i = moved.length - 2; i >= 0; i--) moved[i] = Math.min(moved[i], moved[i + 1] - LABEL_SPACING)
  return moved
}

/** The powers of ten that enclose the values, as exponents. */
function decadesOf(values: readonly number[]): readonly [number, number] {
  return [Math.floor(Math.log10(Math.min(...values)) + 1e-9), Math.ceil(Math.log10(Math.max(...values)) - 1e-9)]
}

function range([from, to]: readonly [number, number]): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i))
}

function scale(value: number, [low, high]: readonly [number, number], from: number, to: number): number {
  return from + ((Math.log10(value) - low) / (high - low)) * (to - from)
}

function line(x1: number, y1: number, x2: number, y2: number, kind: string): string {
  return `<line class="${kind}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`
}

function text(x: number, y: number, content: string, kind: string): string {
  return `<text class="${kind}" x="${round(x)}" y="${round(y)}">${content}</text>`
}

function shortCount(n: number): string {
  return n >= 1_000_000 ? `${n / 1_000_000}M` : n >= 1000 ? `${n / 1000}k` : String(n)
}

function formatTick(ms: number): string {
  return ms >= 1 ? ms.toLocaleString('en') : ms.toFixed(Math.max(0, -Math.floor(Math.log10(ms) + 1e-9)))
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
