/** A plot of estimates with their intervals, as one SVG without scripts. */

import type { Estimate } from './statistics.ts'

/** Places along the bottom: values of a number, or names side by side. */
export type Axis = {
  readonly name: string
  readonly labels: readonly string[]
  /** Where each label stands, 0 to 1. */
  readonly places: readonly number[]
  /** Whether what lies between two places means anything, so that a line may join them. */
  readonly isContinuous: boolean
}

/** One estimate per place of the axis. */
export type Series = { readonly name: string; readonly points: readonly Estimate[] }

const WIDTH = 420
const HEIGHT = 240
const MARGIN = { left: 58, right: 14, top: 14, bottom: 34 }
const COLOURS = ['#4f8cff', '#ff7a59', '#3fb27f', '#b07cff', '#d9a441', '#e0599b', '#4bb8c9', '#8a94a6']
const MOST_LABELS = 8
/** Between the intervals of two series at one place, so that one does not hide the other. */
const APART = 6

export function axisOfNumbers(name: string, values: readonly number[]): Axis {
  const [first, last] = [Math.min(...values), Math.max(...values)]
  return {
    name,
    labels: values.map(short),
    places: values.map((value) => (value - first) / (last - first)),
    isContinuous: true,
  }
}

export function axisOfNames(name: string, labels: readonly string[]): Axis {
  const places = labels.map((_, i) => (labels.length === 1 ? 0.5 : i / (labels.length - 1)))
  return { name, labels, places, isContinuous: false }
}

/** Shares are drawn from 0 to 100 %; everything else in the range it has. */
export function plot(title: string, unit: 'share' | string, axis: Axis, series: readonly Series[]): string {
  const isShare = unit === 'share'
  const ends = series.flatMap(({ points }) => points.flatMap(({ low, mean, high }) => [low, mean, high]))
  const [bottom, top] = isShare ? [0, 1] : paddedRange(ends.filter(Number.isFinite))
  const span = WIDTH - MARGIN.left - MARGIN.right
  const x = (place: number) => round(MARGIN.left + (place * 0.9 + 0.05) * span)
  const y = (value: number) =>
    round(HEIGHT - MARGIN.bottom - ((value - bottom) / (top - bottom)) * (HEIGHT - MARGIN.top - MARGIN.bottom))

  const parts: string[] = []
  for (const tick of ticksBetween(bottom, top)) {
    const label = isShare ? `${Math.round(tick * 100)} %` : short(tick)
    parts.push(`<line class="grid" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y(tick)}" y2="${y(tick)}"/>`)
    parts.push(`<text class="tick" x="${MARGIN.left - 6}" y="${y(tick) + 4}" text-anchor="end">${label}</text>`)
  }
  const labelEvery = Math.ceil(axis.labels.length / MOST_LABELS)
  axis.labels.forEach((label, i) => {
    if (i % labelEvery !== 0) return
    parts.push(
      `<text class="tick" x="${x(axis.places[i])}" y="${HEIGHT - 16}" text-anchor="middle">${asText(label)}</text>`,
    )
  })
  parts.push(
    `<text class="tick" x="${WIDTH - MARGIN.right}" y="${HEIGHT - 2}" text-anchor="end">${asText(axis.name)}</text>`,
  )
  series.forEach(({ points }, n) => {
    const colour = COLOURS[n % COLOURS.length]
    const aside = (n - (series.length - 1) / 2) * APART
    const known = points
      .map((point, i) => ({ ...point, at: round(x(axis.places[i]) + aside) }))
      .filter(({ mean }) => Number.isFinite(mean))
    if (axis.isContinuous) {
      const line = known.map(({ at, mean }) => `${at},${y(mean)}`).join(' ')
      parts.push(`<polyline fill="none" stroke="${colour}" points="${line}"/>`)
    }
    for (const { at, mean, low, high } of known) {
      if (Number.isFinite(low)) {
        parts.push(`<line stroke="${colour}" x1="${at}" x2="${at}" y1="${y(low)}" y2="${y(high)}"/>`)
      }
      parts.push(`<circle fill="${colour}" cx="${at}" cy="${y(mean)}" r="3"/>`)
    }
  })
  return `<figure><figcaption>${asText(title)} <small>${isShare ? 'share of matches' : asText(unit)}</small></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${asText(title)}">${parts.join('')}</svg>${legendOf(series)}</figure>`
}

function legendOf(series: readonly Series[]): string {
  if (series.length < 2) return ''
  const entries = series.map(
    ({ name }, n) => `<span style="color:${COLOURS[n % COLOURS.length]}">●</span> ${asText(name)}`,
  )
  return `<p class="legend">${entries.join(' ')}</p>`
}

/** Four digits are enough to compare by eye. */
export function short(value: number): string {
  return Number.isNaN(value) ? '–' : String(Number(value.toPrecision(4)))
}

/** Names come from modules and files: they are text here, never markup. */
export function asText(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function paddedRange(values: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  if (!Number.isFinite(low)) return [0, 1]
  const pad = (high - low || Math.abs(high) || 1) * 0.08
  // From zero where that is near: a plot that starts at the data makes noise look like a change.
  return [low >= 0 && low < (high - low) * 2 ? 0 : low - pad, high + pad]
}

/** Round numbers, three to six of them. */
function ticksBetween(bottom: number, top: number): number[] {
  const raw = (top - bottom) / 5
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw)!
  const ticks: number[] = []
  for (let n = Math.ceil(bottom / step); n * step <= top; n++) ticks.push(n * step)
  return ticks
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
