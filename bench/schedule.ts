/**
 * The order of runs. All contenders of a case are set up, each in its own process, and then take turns: one at a time, in an order that is
 * rotated every round, so that a slow minute of the machine falls on all of them alike. The figure of a contender is the median
 * over its processes of the median over its turns; JavaScript engines settle into a fast or a slow version of the same code, so ours
 * runs in several processes.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import type { Latency } from './measure.ts'
import type { Exactness } from './oracles/compare.ts'
import { type Entry, isWithinLimits, OURS } from './registry.ts'
import { median } from './statistics.ts'
import type { Answer, Request } from './worker.ts'
import type { Facts, Workload } from './workloads/workload.ts'

export type Plan = {
  /** Sets of processes, one after the other. */
  readonly waves: number
  /** Processes of ours in each wave; others have one. */
  readonly ours: number
  readonly rounds: number
  readonly turnMs: number
  /** Time for single steps, 0 to leave them out; only main contenders, or in a quick run only ours and the first peer. */
  readonly latencyMs: number
}

export const FULL: Plan = { waves: 3, ours: 2, rounds: 7, turnMs: 150, latencyMs: 2000 }
export const QUICK: Plan = { waves: 1, ours: 3, rounds: 5, turnMs: 30, latencyMs: 500 }

export type Outcome = {
  readonly entry: Entry
  /** 'no' where the library has no such function, 'skipped' beyond its limits. */
  readonly status: 'ran' | 'no' | 'skipped' | 'failed'
  readonly ms: number
  readonly processes: number
  readonly exactness?: Exactness | undefined
  readonly facts: Facts
  readonly latency?: Latency | undefined
  readonly error?: string | undefined
}

/** A turn that takes longer than this is taken in every fifth round only. */
const SLOW_TURN_MS = 2000
const SLOW_EVERY = 5
const FAR_BEHIND = 3
const ANSWER_TIMEOUT_MS = 600_000

export async function runCase(
  workload: Workload,
  n: number,
  entries: readonly Entry[],
  plan: Plan,
  hasLatency: (entry: Entry) => boolean,
): Promise<Outcome[]> {
  const results = new Map(entries.map((entry) => [entry.name, [] as Finished[]]))
  for (let wave = 0; wave < plan.waves; wave++) {
    const starting = entries.flatMap((entry) => {
      if (!isWithinLimits(entry, workload.name, n)) return []
      if (wave > 0 && !isWorthRepeating(entry.name, results)) return []
      return Array.from({ length: entry.name === OURS ? plan.ours : 1 }, () => entry)
    })
    const runners = await startRunners(workload, n, starting)
    await takeTurns(runners, plan)
    for (const runner of runners) {
      const finished = results.get(runner.entry.name) as Finished[]
      const isFirst = finished.length === 0
      if (isFirst && plan.latencyMs > 0 && runner.answer.can && hasLatency(runner.entry)) {
        runner.latency = (await ask(runner, { kind: 'latency', budgetMs: plan.latencyMs })).latency
      }
      finished.push(runner)
      runner.child.kill('SIGKILL')
    }
  }
  return entries.map((entry) => outcomeOf(entry, results.get(entry.name) ?? []))
}

/** A contender that failed the first time fails again; one far behind the best peer decides no ratio. */
function isWorthRepeating(name: string, results: ReadonlyMap<string, readonly Finished[]>): boolean {
  const msOf = (runs: readonly Finished[]) => median(runs[0]?.turns ?? [])
  const peers = [...results].filter(([peer]) => peer !== OURS).map(([, runs]) => msOf(runs))
  const best = Math.min(...peers.filter((ms) => ms > 0))
  return name === OURS || msOf(results.get(name) ?? []) <= FAR_BEHIND * best
}

type Finished = {
  readonly answer: Answer
  readonly turns: readonly number[]
  readonly latency?: Latency | undefined
}

type Runner = {
  readonly entry: Entry
  readonly child: ChildProcess
  answer: Answer
  readonly turns: number[]
  latency?: Latency | undefined
}

/** Setting up and checking is not timed, so it goes on on all cores at once. */
async function startRunners(workload: Workload, n: number, entries: readonly Entry[]): Promise<Runner[]> {
  const runners: Runner[] = []
  const waiting = [...entries.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      runners[next[0]] = await startRunner(workload, n, next[1])
    }
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, work))
  return runners
}

async function startRunner(workload: Workload, n: number, entry: Entry): Promise<Runner> {
  const child = fork(new URL('./worker.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-old-space-size=8192'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const runner: Runner = { entry, child, answer: {}, turns: [] }
  runner.answer = await ask(runner, { kind: 'prepare', contender: entry.name, workload: workload.name, n })
  if (!runner.answer.can) child.kill('SIGKILL')
  return runner
}

async function takeTurns(runners: readonly Runner[], plan: Plan): Promise<void> {
  const able = runners.filter((runner) => runner.answer.can)
  // The first turn of each is a rehearsal: it lets the JIT settle and is thrown away.
  for (const runner of able) {
    const { ms = 0 } = await ask(runner, { kind: 'turn', minMs: plan.turnMs * 2 })
    if (ms > SLOW_TURN_MS) runner.turns.push(ms)
  }
  for (let round = 0; round < plan.rounds; round++) {
    for (let i = 0; i < able.length; i++) {
      const runner = able[(i + round) % able.length]
      if (runner.turns.length > 0 && runner.turns[0] > SLOW_TURN_MS && round % SLOW_EVERY !== 0) continue
      const { ms, error } = await ask(runner, { kind: 'turn', minMs: plan.turnMs })
      if (ms === undefined) runner.answer = { can: false, error: error ?? 'no answer' }
      else runner.turns.push(ms)
    }
  }
}

async function ask(runner: Runner, request: Request): Promise<Answer> {
  const { child } = runner
  if (child.exitCode !== null || !child.connected) return { error: 'its process ended' }
  child.send(request)
  const answered = new AbortController()
  const signal = AbortSignal.any([answered.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)])
  const gone = once(child, 'exit', { signal }).then(([code, killedBy]) => {
    return { error: `its process ended (${killedBy ?? code})` } as Answer
  })
  const said = once(child, 'message', { signal }).then(([answer]) => answer as Answer)
  // Whichever loses is cancelled below; that is not an error.
  gone.catch(() => {})
  said.catch(() => {})
  try {
    return await Promise.race([said, gone])
  } catch {
    child.kill('SIGKILL')
    return { error: `no answer within ${ANSWER_TIMEOUT_MS / 1000} s` }
  } finally {
    answered.abort()
  }
}

function outcomeOf(entry: Entry, runs: readonly Finished[]): Outcome {
  const first = runs[0]
  if (!first) return { entry, status: 'skipped', ms: Number.NaN, processes: 0, facts: {} }
  const timed = runs.filter((run) => run.turns.length > 0)
  const error = runs.find((run) => run.answer.error)?.answer.error
  const status = timed.length > 0 ? 'ran' : error ? 'failed' : 'no'
  return {
    entry,
    status,
    ms: median(timed.map((run) => median(run.turns))),
    processes: timed.length,
    exactness: worst(timed.map((run) => run.answer.exactness)),
    facts: first.answer.facts ?? {},
    latency: runs.find((run) => run.latency)?.latency,
    error,
  }
}

/** Each process checks for itself; what counts is the one that did worst. */
function worst(checks: readonly (Exactness | undefined)[]): Exactness | undefined {
  const differing = (check?: Exactness) => (check ? check.missing + check.extra : 0)
  return checks.reduce((found, check) => (differing(check) > differing(found) ? check : found), checks[0])
}
