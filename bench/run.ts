/**
 * The benchmark: `npm run bench`. Every contender gets the same seeded scenes, its answers are checked against an oracle, and only then the
 * clock runs. How turns are taken is in schedule.ts, what is asked in workloads/, how each library is used in peers/.
 */

import { writeFileSync } from 'node:fs'
import { CROWD, MATCH, parseArgs, USAGE } from './args.ts'
import { machineLine, machineSlug } from './machine.ts'
import { CROWDS, crowdTable, MATCH_PLAN, type MatchFigures, matchTable, measureMatches } from './match/main.ts'
import { pairsPlot } from './plot.ts'
import { contenders, type Entry, OURS } from './registry.ts'
import { latencyTable, summaryTable, workloadTable } from './report.ts'
import { type Line, linesOf, loadLines, saveLines } from './results.ts'
import { FULL, type Outcome, QUICK, runCase } from './schedule.ts'
import { workloads } from './workloads/index.ts'

const PLOT_FILE = new URL('../docs/images/bench-pairs.svg', import.meta.url)
/** Where single steps are timed as well. */
const LATENCY_CASES = ['pairs 10000', 'bullets 10000']
/** In a quick run, only for ours and the peer that comes closest. */
const QUICK_LATENCY = [OURS, 'kdbush']

const args = parseArgs(process.argv.slice(2))
if (typeof args === 'string') {
  process.stderr.write(`${args}\n`)
  process.exitCode = 2
} else if (args.isHelp) {
  process.stdout.write(USAGE)
} else if (args.isPlot) {
  plot()
} else {
  await run(args.isQuick, args.isJson, args.only, args.rounds)
}

async function run(isQuick: boolean, isJson: boolean, only?: readonly string[], rounds?: number): Promise<void> {
  const info = { machine: machineLine(), date: new Date().toISOString().slice(0, 10) }
  const plan = { ...(isQuick ? QUICK : FULL), ...(rounds && { rounds }) }
  const print = (text: string) => void (isJson || process.stdout.write(`${text}\n`))
  const taking = contenders.filter(({ isSlow }) => !(isQuick && isSlow))
  const started = performance.now()
  const lines: Line[] = []
  print(`${info.machine}, ${info.date}. Median ms per step, ${isQuick ? 'quick' : 'full'} run; lower is better.\n`)
  for (const workload of workloads) {
    if (only && !only.includes(workload.name)) continue
    // What is asked for by name runs in a quick run too, at its smallest size.
    const quickSizes = only && workload.quickSizes.length === 0 ? workload.sizes.slice(0, 1) : workload.quickSizes
    const cases = new Map<number, readonly Outcome[]>()
    for (const n of isQuick ? quickSizes : workload.sizes) {
      process.stderr.write(`${workload.name} ${n} … `)
      const caseStarted = performance.now()
      const hasLatency = (entry: Entry) =>
        LATENCY_CASES.includes(`${workload.name} ${n}`) &&
        (isQuick ? QUICK_LATENCY.includes(entry.name) : entry.isMain === true)
      cases.set(n, await runCase(workload, n, taking, plan, hasLatency))
      process.stderr.write(`${((performance.now() - caseStarted) / 1000).toFixed(0)} s\n`)
    }
    if (cases.size === 0) continue
    const here = linesOf(workload.name, cases, info)
    lines.push(...here)
    if (isJson) for (const line of here) process.stdout.write(`${JSON.stringify(line)}\n`)
    print(`${workloadTable(workload, cases, here)}\n`)
    if (!isQuick) process.stderr.write(`Saved to ${saveLines(here, machineSlug())}.\n`)
  }
  // Minutes of real time: in a quick run only if it is asked for.
  if (only ? only.includes(MATCH) : !isQuick) await runMatch(isQuick, isJson, print, rounds)
  if (only?.includes(CROWD)) await runCrowd(print, rounds)
  if (lines.length === 0) return
  print(`## Ratios\n\n${summaryTable(lines, labelOf)}\n`)
  print(latencyTable(lines, labelOf))
  process.stderr.write(`Took ${((performance.now() - started) / 1000).toFixed(0)} s.\n`)
}

async function runMatch(
  isQuick: boolean,
  isJson: boolean,
  print: (text: string) => void,
  rounds?: number,
): Promise<void> {
  const matchPlan = { ...MATCH_PLAN, ...(isQuick && { rounds: 1, seconds: 5 }), ...(rounds && { rounds }) }
  const figures = await measureMatches(matchPlan, (line) => process.stderr.write(`${line}\n`))
  if (isJson) for (const line of figures) process.stdout.write(`${JSON.stringify({ workload: MATCH, ...line })}\n`)
  print(`## A match\n\n${matchTable(figures, matchPlan)}\n`)
}

/** Terminals in one room, more and more of them. */
async function runCrowd(print: (text: string) => void, rounds = 3): Promise<void> {
  const figures: MatchFigures[] = []
  const plan = { ...MATCH_PLAN, kinds: ['terminals'], rooms: 1, rounds } as const
  for (const clientsPerRoom of CROWDS) {
    const say = (line: string) => process.stderr.write(`${clientsPerRoom}: ${line}\n`)
    figures.push(...(await measureMatches({ ...plan, clientsPerRoom }, say)))
  }
  print(`## Terminals in one room\n\n${crowdTable(figures, CROWDS)}\n`)
}

function labelOf(workload: string, n: number): string {
  return workloads.find(({ name }) => name === workload)?.label?.(n) ?? n.toLocaleString('en')
}

function plot(): void {
  const lines = loadLines(machineSlug()).filter(({ workload }) => workload === 'pairs')
  if (lines.length === 0) {
    process.stderr.write('There are no saved results for pairs. Run `npm run bench -- --only pairs` first.\n')
    process.exitCode = 2
    return
  }
  writeFileSync(PLOT_FILE, pairsPlot(lines))
  process.stderr.write(`Wrote ${PLOT_FILE.pathname}.\n`)
}
