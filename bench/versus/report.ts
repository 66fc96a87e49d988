/** What the measurements of all pairs say: ratios with their spread, as lines and as a table. */

import { median, quantile } from '../statistics.ts'
import type { Topic } from './args.ts'
import type { Measured } from './child.ts'

/** The two sides measured one right after the other. */
export type Pair = { readonly base: Measured; readonly new: Measured }

export type Line = {
  readonly topic: Topic
  readonly name: string
  /** Medians: microseconds of CPU time per tick, or bytes per tick. */
  readonly base: number
  readonly new: number
  /** New over base, so below 1 is better. Quartiles show the noise; the median is in `interval` with 95% certainty. */
  readonly ratio: number
  readonly quartiles: readonly [number, number]
  readonly interval?: readonly [number, number] | undefined
  readonly pairs: number
  /** Whether all processes of both sides ended in the same state; undefined where states are not compared. */
  readonly sameState?: boolean | undefined
}

export function lineOf(topic: Topic, name: string, pairs: readonly Pair[]): Line {
  const ratios = pairs.map((pair) => pair.new.value / pair.base.value)
  const hashes = new Set(pairs.flatMap((pair) => [pair.base.hash, pair.new.hash]))
  return {
    topic,
    name,
    base: median(pairs.map((pair) => pair.base.value)),
    new: median(pairs.map((pair) => pair.new.value)),
    ratio: median(ratios),
    quartiles: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    interval: medianInterval(ratios),
    pairs: pairs.length,
    sameState: hashes.has('') ? undefined : hashes.size === 1,
  }
}

/** The games as one: in every pair the geometric mean of their ratios. */
export function meanLine(games: readonly (readonly Pair[])[]): Line {
  const mean = (values: readonly number[]) =>
    Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)
  const pairs = games[0].map((_, i): Pair => {
    const side = (which: keyof Pair): Measured => ({ value: mean(games.map((game) => game[i][which].value)), hash: '' })
    return { base: side('base'), new: side('new') }
  })
  return lineOf('games', 'geometric mean', pairs)
}

export function table(lines: readonly Line[]): string {
  const rows = lines.map((line) => [
    line.name,
    amount(line, line.base),
    amount(line, line.new),
    line.ratio.toFixed(3),
    range(line.quartiles),
    line.interval === undefined ? '' : range(line.interval),
    line.sameState === undefined ? '' : line.sameState ? 'same' : 'DIFFERS',
  ])
  const head = ['', 'base', 'new', 'new : base', 'quartiles', '95% interval', 'last state']
  const isRight = head.map((_, column) => column > 0 && column < 6)
  const widths = head.map((title, column) => Math.max(3, title.length, ...rows.map((row) => row[column].length)))
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => (isRight[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join(' | ')} |`
  const rule = widths.map((width, i) => (isRight[i] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)))
  return [row(head), row(rule), ...rows.map(row)].join('\n')
}

function amount({ topic }: Line, value: number): string {
  if (topic === 'heap') return `${grouped(value)} B/tick`
  if (topic === 'games') return `${grouped(1e6 / value)} ticks/s`
  return `${value < 100 ? value.toFixed(2) : grouped(value)} µs/tick`
}

function grouped(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function range([low, high]: readonly [number, number]): string {
  return `${low.toFixed(3)}–${high.toFixed(3)}`
}

/**
 * Where the true median is with at least 95% certainty, whatever the distribution: each value is above it with a chance of
 * one half, so the count above is binomial. Undefined for fewer than six values, which cannot be that certain.
 */
function medianInterval(values: readonly number[]): readonly [number, number] | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  const n = sorted.length
  let outside = 0
  let [cut, chance] = [0, 0.5 ** n]
  for (; cut < n / 2; cut++) {
    outside += 2 * chance
    if (outside > 0.05) break
    chance *= (n - cut) / (cut + 1)
  }
  return cut === 0 ? undefined : [sorted[cut - 1], sorted[n - cut]]
}
