/** Results as plain lines: what `--json` prints, what is saved per machine, and what tables and plots are made from. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type Verdict, verdictOf } from './oracles/compare.ts'
import { type Family, OURS } from './registry.ts'
import type { Outcome } from './schedule.ts'
import { growthExponent } from './statistics.ts'

export type Line = {
  readonly workload: string
  readonly n: number
  readonly contender: string
  readonly family: Family
  readonly space: '2d' | '3d'
  /** Median ms per step. */
  readonly ms: number
  readonly exact: boolean
  readonly verdict: Verdict
  /** Couples in the oracle's answer, and how many of them differ. */
  readonly expected: number
  readonly missing: number
  readonly extra: number
  readonly worstGapPx: number
  readonly processes: number
  /** This contender's time over ours. */
  readonly timesOurs?: number
  /** On our own lines: the fastest of all others, and the fastest engine. */
  readonly bestPeer?: string
  readonly bestPeerRatio?: number
  readonly bestEngine?: string
  readonly bestEngineRatio?: number
  /** Exponent of growth over the sizes of this run. */
  readonly growth?: number
  readonly p50?: number
  readonly p99?: number
  readonly max?: number
  readonly heapBytesPerStep?: number
  /** Size of a saved state. */
  readonly bytes?: number
  readonly meanPenetration?: number
  readonly pxPerTick?: number
  readonly deepPairsPerThing?: number
  readonly machine: string
  readonly date: string
}

export type RunInfo = { readonly machine: string; readonly date: string }

/** The lines of one workload, all sizes together, with ratios and growth. Contenders that did not run have no line. */
export function linesOf(workload: string, cases: ReadonlyMap<number, readonly Outcome[]>, info: RunInfo): Line[] {
  const lines: Line[] = []
  for (const [n, outcomes] of cases) {
    for (const outcome of outcomes) {
      const { entry, exactness, status, latency, facts, ms, processes } = outcome
      if (status !== 'ran' || !exactness) continue
      const verdict = verdictOf(exactness)
      const { name: contender, family, space } = entry
      const about = { workload, n, contender, family, space, ms, exact: verdict === 'exact', verdict }
      lines.push({ ...about, ...exactness, processes, ...facts, ...latency, ...info })
    }
  }
  return withRatios(withGrowth(lines))
}

export function withRatios(lines: readonly Line[]): Line[] {
  return lines.map((line) => {
    const others = lines.filter(({ n, contender }) => n === line.n && contender !== OURS)
    const ours = lines.find(({ n, contender }) => n === line.n && contender === OURS)
    if (!ours) return line
    if (line !== ours) return { ...line, timesOurs: line.ms / ours.ms }
    const peer = fastest(others)
    const engine = fastest(others.filter(({ family }) => family === 'engine'))
    return {
      ...line,
      ...(peer && { bestPeer: peer.contender, bestPeerRatio: peer.ms / ours.ms }),
      ...(engine && { bestEngine: engine.contender, bestEngineRatio: engine.ms / ours.ms }),
    }
  })
}

function withGrowth(lines: readonly Line[]): Line[] {
  return lines.map((line) => {
    const growth = growthExponent(lines.filter(({ contender }) => contender === line.contender))
    return Number.isNaN(growth) ? line : { ...line, growth }
  })
}

/** A wrong answer does not disqualify: we do not win by striking others off the list. */
export function fastest(lines: readonly Line[]): Line | undefined {
  return lines.reduce<Line | undefined>((best, line) => (best && best.ms <= line.ms ? best : line), undefined)
}

const FOLDER = new URL('./results/', import.meta.url)

/** One file per machine; a run replaces the workloads it ran and leaves the others. */
export function saveLines(lines: readonly Line[], machineSlug: string): string {
  const file = new URL(`${machineSlug}.json`, FOLDER)
  const ran = new Set(lines.map(({ workload }) => workload))
  const kept = existsSync(file) ? readLines(file).filter(({ workload }) => !ran.has(workload)) : []
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(file, `[\n${[...kept, ...lines].map((line) => `  ${JSON.stringify(line)}`).join(',\n')}\n]\n`)
  return file.pathname
}

/** The saved lines of this machine, or else of the machine that was measured last. */
export function loadLines(machineSlug: string): Line[] {
  const own = new URL(`${machineSlug}.json`, FOLDER)
  if (existsSync(own)) return readLines(own)
  const all = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.json')) : []
  const saved = all.map((name) => readLines(new URL(name, FOLDER))).filter((lines) => lines.length > 0)
  return saved.sort((a, b) => (a[0].date < b[0].date ? 1 : -1))[0] ?? []
}

function readLines(file: URL): Line[] {
  return JSON.parse(readFileSync(file, 'utf8')) as Line[]
}
