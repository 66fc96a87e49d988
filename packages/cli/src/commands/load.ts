/** `hurtbox load`: many clients with bots against a server, and whether it held. */

import type { LoadReport } from '@hurtbox/server'
import { type FoundModule, findProject, loadModule } from 'hurtbox/module/node'
import { asUsage, loadServer } from '../companions.ts'
import { orUsageError, UsageError } from '../errors.ts'
import { createProgress, print, printJson } from '../output.ts'
import { grouped, inColumns, rounded } from '../text.ts'

export type LoadCommandOptions = {
  readonly rooms: number
  readonly clients?: number
  readonly seconds: number
  readonly mode?: 'terminal' | 'mirror'
  readonly url?: string
  readonly json?: boolean
  readonly progress?: boolean
}

/** Clients of a room, as far as it has seats. */
const CLIENTS = 8

/** Ticks a server may miss and still be said to hold its rate: what the start and the end of measuring cut off. */
const MISSED = 0.01
/** A server that fell behind and used less of a core than this was kept waiting by others. */
const BUSY = 0.7

/** 1 when the server did not hold: its rate, its budget, its clients or one state for all. */
export async function load(name: string | undefined, options: LoadCommandOptions): Promise<number> {
  const { json, progress: isAskedFor, clients: wanted, ...settings } = options
  const server = await loadServer('load')
  const module = await orUsageError(() => (name === undefined ? firstServed() : loadModule(name)))
  const { max } = module.game.declaration.seats
  const clients = wanted ?? Math.min(CLIENTS, max)
  if (clients > max) throw new UsageError(`a room of ${module.id} has ${max} seats; --clients can be ${max} at most.`)
  const progress = createProgress(isAskedFor === true)
  const say = (line: string) => progress.show(() => line)
  const report = await asUsage(server.runLoad({ ...settings, module, clients, say }))
  progress.clear()
  const failures = failuresOf(report)
  if (json) printJson('load', { ...report, failures })
  else printReport(report, failures)
  return failures.length === 0 ? 0 : 1
}

/** The first game of the project that is served; a project of one game needs no name. */
async function firstServed(): Promise<FoundModule> {
  const { files } = findProject()
  for (const file of files) {
    const module = await loadModule(file)
    if (module.room !== undefined) return module
  }
  return loadModule()
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
  print(`${game}, ${rooms} ${rooms === 1 ? 'room' : 'rooms'}, ${clients} clients (${mode}), ${seconds} s`)
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
