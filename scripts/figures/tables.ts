/** The saved results as tables of the pages. */

import { OURS } from '../../bench/registry.ts'
import { formatMs } from '../../bench/report.ts'
import type { Line } from '../../bench/results.ts'
import { letters } from '../engines/compare.ts'
import { hashOfAll } from '../engines/print.ts'
import { table as textTable } from '../engines/table.ts'
import { type BenchResult, CROWD, casesOf } from './bench.ts'
import type { EnginesResult } from './engines.ts'
import type { Saved } from './figure.ts'
import type { RealLink } from './links-real.ts'
import type { LoadResult } from './load.ts'
import type { LinkResult, TrafficResult } from './netcode.ts'
import type { NightsResult } from './nightfall.ts'

export type SizeLimit = { readonly name: string; readonly limit: string }

const QUESTIONS: Readonly<Record<string, (n: number) => string>> = {
  pairs: (n) => `all overlapping pairs of ${count(n)} circles`,
  bullets: (n) => `${count(n)} bullets against ${count(n / 5)} enemies`,
  regions: (n) => `${count(n)} regions among ${count(n)} circles`,
  rays: (n) => `${count(n)} rays among ${count(n)} circles`,
  snapshot: (n) => `snapshot of ${count(n)} things`,
  restore: (n) => `restore of ${count(n)} things`,
  crowd: (n) => `a crowd of ${count(n)} kept apart`,
}

/** Ours against the best of the others, question by question. */
export function benchTable({ machine, date, result }: Saved<BenchResult>): string {
  const rows = casesOf(result.lines).map(({ ours, all }) => {
    const named = (name: string | undefined) => all.find(({ contender }) => contender === name)
    const time = (line: Line | undefined) => (line ? `${formatMs(line.ms)} ${line.contender}` : '–')
    return [
      QUESTIONS[ours.workload](ours.n),
      time(named(ours.bestPeer)),
      time(named(ours.bestEngine)),
      formatMs(ours.ms),
      times(ours.bestPeerRatio),
      times(ours.bestEngineRatio),
    ]
  })
  const head = ['ms per step', 'best peer', 'fastest physics engine', 'Hurtbox', '× peer', '× engine']
  return `${table(head, rows, 1)}\n\n${crowdNote(result)} Measured ${date} on ${machine}.`
}

/** A crowd is fast or apart; both are said. */
function crowdNote({ lines }: BenchResult): string {
  const crowd = casesOf(lines).find(({ ours }) => ours.workload === 'crowd')
  if (crowd === undefined) throw new Error('there is no crowd among the saved results.')
  const { ours, all } = crowd
  const overlap = (name: string | undefined) => all.find(({ contender }) => contender === name)?.meanPenetration ?? 0
  const peers = [...new Set([ours.bestPeer, ours.bestEngine])].map((name) => `${overlap(name).toFixed(3)} (${name})`)
  return `The crowd (\`${CROWD}\`) is left with a mean overlap of ${overlap(OURS).toFixed(3)} radii, not ${peers.join(' or ')}.`
}

/** As many as the command prints. */
const DIGITS_SHOWN = 8

/** What each runtime is called, and where it comes from. */
const RUNTIMES: Readonly<Record<string, readonly [name: string, from: string]>> = {
  node24: ['Node 24', 'npm ci'],
  node22: ['Node 22', 'npm, on demand'],
  node20: ['Node 20', 'npm, on demand'],
  deno: ['Deno', 'npm, on demand'],
  chromium: ['Chromium', 'npm ci'],
  bun: ['Bun', 'npm ci'],
  webkit: ['WebKitGTK', 'Debian'],
  jsc: ['jsc shell', 'Debian'],
  firefox: ['Firefox ESR', 'Debian'],
  gjs: ['gjs', 'Debian'],
  'node22-arm64': ['Node 22 for arm64', 'npm, on demand; qemu from Debian'],
  'node20-arm32': ['Node 20 for armv7', 'npm, on demand; qemu from Debian'],
}

export function enginesTable({ scenes, runtimes }: EnginesResult): string {
  const hash = `\`${hashOfAll(scenes).slice(0, DIGITS_SHOWN)}\``
  const all = Object.keys(scenes).length
  const rows = runtimes.map(({ runtime, version, engine, cpu }) => [
    `${RUNTIMES[runtime][0]}`,
    version,
    engine,
    cpu,
    `${all} of ${all}`,
    hash,
  ])
  return table(['runtime', 'version', 'engine', 'CPU', 'scenes equal', 'hash of all'], rows)
}

export function runtimesTable({ runtimes }: EnginesResult): string {
  const rows = runtimes.map(({ runtime, version, engine, cpu }) => {
    const [name, from] = RUNTIMES[runtime]
    return [name, version, engine, cpu, from]
  })
  return table(['runtime', 'version', 'engine', 'CPU', 'from'], rows)
}

/** Native `Math` in the same runtimes: same letter, same bits. */
export function controlTable({ runtimes }: EnginesResult): string {
  const rows = Object.keys(runtimes[0].control).map((name) => {
    const groups = letters(runtimes.map(({ control }) => control[name]))
    return [name, String(new Set(groups).size), ...groups]
  })
  const head = ['function', 'distinct', ...runtimes.map(({ runtime }) => runtime.replace(/^node\d+-/, ''))]
  return `\`\`\`text\n${textTable(head, rows, Number.POSITIVE_INFINITY)}\n\`\`\``
}

function inEffect({ lateInEffectPercent }: LinkResult | RealLink): string {
  return lateInEffectPercent === undefined ? 'not counted' : `${lateInEffectPercent.toFixed(2)} %`
}

export function linksTable(links: readonly LinkResult[]): string {
  const rows = links.map((link) => [
    link.match,
    count(link.ticks),
    count(link.hashChecks),
    count(link.mismatches),
    `${link.latePercent.toFixed(2)} %`,
    inEffect(link),
    `${link.depthMedian} / ${link.depth99}`,
    link.steppedAgainPerTick.toFixed(1),
  ])
  const head = [
    '',
    'ticks',
    'hash checks',
    'mismatches',
    'late inputs',
    'with effect',
    'rollback, median / 99 %',
    'stepped again per tick',
  ]
  return table(head, rows, 1)
}

export function realLinksTable(links: readonly RealLink[]): string {
  const rows = links.map((link) => [
    link.path,
    count(link.inputs),
    `${link.latePercent.toFixed(2)} %`,
    inEffect(link),
    `${link.leadMs} ms`,
    String(link.depthMedian),
    link.steppedAgainPerTick.toFixed(1),
    count(link.bytesPerSecond),
  ])
  const head = [
    '',
    'inputs',
    'late',
    'with effect',
    'lead, median',
    'rollback, median',
    'stepped again per tick',
    'bytes a second',
  ]
  return table(head, rows, 1)
}

export function trafficTable(traffic: TrafficResult): string {
  const rows = Object.entries(traffic).map(([game, { mirror, terminal }]) => [
    game,
    mirror === undefined ? '–' : mirror.toFixed(1),
    terminal.toFixed(1),
  ])
  return table(['kB/s', 'mirror', 'terminal'], rows, 1)
}

export function loadBlock({ command, machine, date, result }: Saved<LoadResult>): string {
  return ['```text', `$ ${command}`, ...result.printed, '```', '', `Measured ${date} on ${machine}.`].join('\n')
}

export function sizesTable(limits: readonly SizeLimit[]): string {
  return table(
    ['import', 'at most'],
    limits.map(({ name, limit }) => [name, limit]),
    1,
  )
}

export function nightsTable(nights: NightsResult): string {
  return table(['seed', ...Object.keys(nights)], [['survived', ...Object.values(nights)]])
}

/** Columns from `numbers` on are figures and stand to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[], numbers = head.length): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, column) => (column < numbers ? '---' : '---:'))
  return [line(head), `|${rule.join('|')}|`, ...rows.map(line)].join('\n')
}

function times(ratio: number | undefined): string {
  return ratio === undefined ? '–' : ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(1)
}

function count(n: number): string {
  return n.toLocaleString('en')
}
