/** Tables for people: one per workload with every contender, then the ratios in one place. */

import { TOLERANCE_PX } from './oracles/compare.ts'
import { OURS } from './registry.ts'
import { fastest, type Line } from './results.ts'
import type { Outcome } from './schedule.ts'
import type { Workload } from './workloads/workload.ts'

export function workloadTable(
  workload: Workload,
  cases: ReadonlyMap<number, readonly Outcome[]>,
  lines: readonly Line[],
): string {
  const sizes = [...cases.keys()]
  const names = [...(cases.values().next().value ?? [])].map(({ entry }) => entry.name)
  const label = workload.label ?? ((n: number) => n.toLocaleString('en'))
  const lineAt = (contender: string, n: number) => lines.find((line) => line.contender === contender && line.n === n)
  const cell = (contender: string, n: number) => {
    const line = lineAt(contender, n)
    if (line) return `${formatMs(line.ms)}${MARKS[line.verdict]}`
    const status = cases.get(n)?.find(({ entry }) => entry.name === contender)?.status
    return status === 'no' ? '–' : status === 'skipped' ? 'not run' : 'failed'
  }
  const rows = names.map((name) => [
    name,
    ...sizes.map((n) => cell(name, n)),
    ...(sizes.length > 1 ? [formatGrowth(lines.find(({ contender }) => contender === name)?.growth)] : []),
    ...extraCells(lines.filter(({ contender }) => contender === name)),
  ])
  const head = ['ms per step', ...sizes.map(label), ...(sizes.length > 1 ? ['growth'] : [])]
  return [`## ${workload.name}: ${workload.title}`, '', layOut([head, ...rows]), '', ...notes(lines, cases)].join('\n')
}

/** The table that matters most: ours against the best of the others. */
export function summaryTable(lines: readonly Line[], labelOf: (workload: string, n: number) => string): string {
  const cases = [...new Set(lines.map(({ workload, n }) => `${workload} ${n}`))]
  const rows = cases.map((id) => {
    const [workload, size] = id.split(' ')
    const here = lines.filter((line) => line.workload === workload && line.n === Number(size))
    const ours = here.find(({ contender }) => contender === OURS)
    const peers = here.filter(({ contender }) => contender !== OURS)
    const peer = fastest(peers)
    const engine = fastest(peers.filter(({ family }) => family === 'engine'))
    const times = (line?: Line) => (line && ours ? `${formatRatio(line.ms / ours.ms)}×` : '–')
    const show = (line?: Line) => (line ? `${formatMs(line.ms)} ${line.contender}` : '–')
    return [
      workload,
      labelOf(workload, Number(size)),
      show(peer),
      show(engine),
      ours ? formatMs(ours.ms) : '–',
      times(peer),
      times(engine),
      ours ? ours.verdict : '–',
    ]
  })
  const head = ['workload', 'n', 'best peer', 'fastest engine', OURS, '× peer', '× engine', 'exact']
  return layOut([head, ...rows])
}

export function latencyTable(lines: readonly Line[], labelOf: (workload: string, n: number) => string): string {
  const measured = lines.filter((line) => line.p50 !== undefined)
  if (measured.length === 0) return ''
  const rows = measured.map((line) => [
    `${line.workload} ${labelOf(line.workload, line.n)}`,
    line.contender,
    formatMs(line.p50 ?? 0),
    formatMs(line.p99 ?? 0),
    formatMs(line.max ?? 0),
    `${((line.heapBytesPerStep ?? 0) / 1024).toFixed(1)} KB`,
  ])
  return layOut([['single steps', '', 'p50', 'p99', 'max', 'heap per step'], ...rows])
}

export function formatMs(ms: number): string {
  return ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms >= 1 ? ms.toFixed(2) : ms.toPrecision(3)
}

const MARKS = { exact: '', rounding: ' ≈', wrong: ' ✗' }

function formatRatio(ratio: number): string {
  return ratio >= 100 ? ratio.toFixed(0) : ratio.toFixed(1)
}

function formatGrowth(growth: number | undefined): string {
  return growth === undefined ? '' : `n^${growth.toFixed(2)}`
}

/** Bytes of a saved state, quality of a crowd, how far runners got, where there are any. */
function extraCells(lines: readonly Line[]): string[] {
  return lines.flatMap((line) => [
    ...(line.pxPerTick === undefined ? [] : [`${line.pxPerTick.toFixed(2)} px per tick`]),
    ...(line.bytes === undefined ? [] : [`${(line.bytes / line.n).toFixed(0)} bytes per thing`]),
    ...(line.meanPenetration === undefined
      ? []
      : [`overlap ${line.meanPenetration.toFixed(3)} / ${(line.deepPairsPerThing ?? 0).toFixed(2)}`]),
  ])
}

function notes(lines: readonly Line[], cases: ReadonlyMap<number, readonly Outcome[]>): string[] {
  const differing = lines.filter(({ exact }) => !exact)
  const failed = [...cases].flatMap(([n, outcomes]) =>
    outcomes.filter(({ status }) => status === 'failed').map(({ entry, error }) => `${entry.name} at ${n}: ${error}`),
  )
  return [
    ...differing.map(({ contender, n, missing, extra, expected, worstGapPx, verdict }) => {
      const what = verdict === 'rounding' ? `≈ within ${TOLERANCE_PX} px` : '✗ wrong'
      return `${what}: ${contender} at ${n}: ${missing} missing, ${extra} extra of ${expected}, up to ${worstGapPx.toPrecision(2)} px`
    }),
    ...failed,
  ]
}

function layOut(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length)
  }
  return rows
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '))
    .join('\n')
}
