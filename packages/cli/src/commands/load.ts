/** `hurtbox load`: many clients with bots against a server on this machine, and whether it held. */

import { createProgress, print, printJson } from '../output.ts'
import { type LoadOptions, type LoadReport, loadServer } from '../server-module.ts'
import { grouped, inColumns, rounded } from '../text.ts'

export type LoadCommandOptions = LoadOptions & { readonly json?: boolean; readonly progress?: boolean }

/** Ticks a server may miss and still be said to hold its rate: what the start and the end of measuring cut off. */
const MISSED = 0.01
/** A server that fell behind and used less of a core than this was kept waiting by others. */
const BUSY = 0.7

/** 1 when the server did not hold: its rate, its budget, its clients or one state for all. */
export async function load({ json, progress: isAskedFor, ...options }: LoadCommandOptions): Promise<number> {
  const server = await loadServer('load')
  const progress = createProgress(isAskedFor === true)
  const report = await server.runLoad(options, (line) => progress.show(() => line))
  progress.clear()
  const failures = failuresOf(report)
  if (json) printJson('load', { ...report, failures })
  else printReport(report, failures)
  return failures.length === 0 ? 0 : 1
}

function failuresOf(report: LoadReport): string[] {
  const { tickRate, ticksPerSecond, tickP99Ms, serverCpu, lost, desyncs } = report
  const isIdle = serverCpu < BUSY
  return [
    ticksPerSecond < tickRate * (1 - MISSED) &&
      (isIdle ? 'rate not held (the server got too little of the processor: what else runs here?)' : 'rate not held'),
    tickP99Ms > 1000 / tickRate && 'ticks over budget',
    lost > 0 && 'clients lost',
    desyncs > 0 && 'desyncs',
  ].filter((failure) => failure !== false)
}

function printReport(report: LoadReport, failures: readonly string[]): void {
  const { game, mode, rooms, clients, seconds, tickRate } = report
  const cpuMs = (report.serverCpu * 1000) / Math.max(1, report.ticksPerSecond * rooms)
  const late = (report.lateInputs / Math.max(1, report.inputs)) * 100
  print(`${game}, ${rooms} rooms, ${clients} clients (${mode}), ${seconds} s`)
  print(
    inColumns([
      ['rate', `${rounded(report.ticksPerSecond)} of ${tickRate} ticks a second`],
      [
        'tick',
        `p50 ${rounded(report.tickP50Ms)} ms, p99 ${rounded(report.tickP99Ms)} ms of ${rounded(1000 / tickRate)}`,
      ],
      [
        'server',
        `${rounded(report.serverCpu * 100)} % of a core, ${rounded(cpuMs)} ms a tick with everything around it`,
      ],
      ['bytes', `${whole(report.sentToClient)} a second to each client, ${whole(report.sentByClient)} from it`],
      ['inputs', `${grouped(report.inputs)}, ${grouped(report.lateInputs)} late (${rounded(late)} %)`],
      [
        'hashes',
        `${grouped(report.hashChecks)} compared, ${report.desyncs} desyncs, ${grouped(report.rollbacks)} rollbacks`,
      ],
      ['clients', report.lost === 0 ? 'all stayed' : `${report.lost} lost`],
      ['verdict', failures.length === 0 ? 'held' : failures.join(', ')],
    ]),
  )
}

function whole(value: number): string {
  return grouped(Math.round(value))
}
