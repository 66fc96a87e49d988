/**
 * What runs of chaos found, in a file to which further runs add: a hundred kills take longer than a machine stays quiet.
 */

import { appendFileSync, existsSync, readFileSync } from 'node:fs'

export type Run = {
  readonly seed: number
  readonly kills: number
  readonly stops: number
  readonly restarts: number
  /** The longest time that each client went without a new confirmed tick, ms, for each kind of trouble. */
  readonly killMs: readonly number[]
  readonly stopMs: readonly number[]
  readonly restartMs: readonly number[]
  /** Confirmed states that were compared with the replays, and what was wrong. */
  readonly states: number
  readonly problems: readonly string[]
  /** How often a mirror could not go on with the world it showed. */
  readonly jumps: number
}

/** Adds a run to the file, and returns all that are in it. */
export function addRun(path: string, run: Run): Run[] {
  appendFileSync(path, `${JSON.stringify(run)}\n`)
  return readRuns(path)
}

function readRuns(path: string): Run[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Run)
}

export function describeRuns(runs: readonly Run[]): string[] {
  const sum = (name: 'kills' | 'stops' | 'restarts' | 'states' | 'jumps') =>
    runs.reduce((total, run) => total + run[name], 0)
  const all = (name: 'killMs' | 'stopMs' | 'restartMs') => runs.flatMap((run) => run[name])
  const problems = runs.flatMap((run) => run.problems)
  const lines: string[] = []
  if (sum('kills') > 0) lines.push(`${sum('kills')} kills: next confirmed tick after ${describe(all('killMs'))}`)
  if (sum('stops') > 0) lines.push(`${sum('stops')} stops: next confirmed tick after ${describe(all('stopMs'))}`)
  if (sum('restarts') > 0) lines.push(`${sum('restarts')} restarts: longest gap ${describe(all('restartMs'))}`)
  lines.push(`${sum('states')} confirmed states compared with the replays, ${problems.length} problems`)
  lines.push(`mirrors that could not go on where they were: ${sum('jumps')} times`)
  for (const problem of problems.slice(0, 20)) lines.push(`  ${problem}`)
  return lines
}

function describe(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)]?.toFixed(0) ?? '-'
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, worst ${at(1)} ms (${sorted.length} clients)`
}
