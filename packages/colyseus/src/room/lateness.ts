/**
 * Why ticks were late: what the thread of the rooms did while they should have run.
 *
 * A tick that is late says nothing about its room: the thread collected garbage, stepped another room, ran code of the user, or was not
 * run at all because the machine gave its time to others. Each of these leaves something that can be read: Node tells of collections
 * afterwards, the metronome knows when it ran which room, calls into code of the user are timed here, and a thread that is not run uses no
 * processor time. So a late tick is judged a moment later, by what filled the time from when it was due until it ran. What waits for the log
 * of a match is told by the room (`tick.ts`): it takes no time of the thread.
 */

import { PerformanceObserver } from 'node:perf_hooks'

/**
 * - `gc`: garbage collection
 * - `room`: a room, which may be its own
 * - `log`: the log of the match, on disk or in Redis: what the tick has to say waited for it, or the match stood still
 * - `user`: a hook, a route or another function of the user
 * - `machine`: the thread was not run: stopped, or others had the processor
 * - `other`: the thread was busy with something else: requests, messages, rooms that are no games
 */
export type LateCause = 'gc' | 'room' | 'log' | 'user' | 'machine' | 'other'

export type LateTicks = {
  /** Ticks that ran more than one tick late, or never. */
  readonly ticks: number
  /** Those of them that never ran. */
  readonly skipped: number
  /** How late the first of them was. */
  readonly lateMs: number
  readonly cause: LateCause
  /** The room or the function; empty for other causes. */
  readonly by: string
}

/** Times are those of `performance.now`. */
type Span = { readonly from: number; readonly to: number }
type Named = Span & { readonly name: string }
type Call = Named & { readonly cpuMs: number }

/** One turn of the metronome: which rooms ran. */
export type Turn = {
  from: number
  to: number
  /** The room that took longest, and how long. */
  name: string
  longestMs: number
  /** Processor time of the thread at its begin and end. */
  cpuFrom: number
  cpuTo: number
}

/** What is known of the time in which a tick was late. */
export type Seen = {
  /** From when the tick was due until it ran. */
  readonly late: Span
  readonly turn: Turn | undefined
  readonly collections: readonly Span[]
  readonly calls: readonly Call[]
  /** A function of the user that had not answered yet: what follows a wait of it cannot be timed. */
  readonly pending: string | undefined
  /** Processor time of the thread when the late tick ran. */
  readonly cpuMs: number
}

/** What filled most of the time in which a tick was late. */
export function causeOf({ late, turn, collections, calls, pending, cpuMs }: Seen): { cause: LateCause; by: string } {
  const wallMs = late.to - late.from
  const gc = sumOf(collections, late)
  const user = calls.reduce((sum, call) => sum + overlap(call, late), 0)
  const longest = calls.reduce((best, call) => (overlap(call, late) > overlap(best, late) ? call : best), NOBODY)
  const inTurn = turn === undefined ? NOWHERE : { from: Math.max(turn.from, late.from), to: Math.min(turn.to, late.to) }
  const nested = sumOf(collections, inTurn) + sumOf(calls, inTurn)
  const room = Math.max(0, inTurn.to - inTurn.from - nested)
  const machine = Math.max(0, stoodStill(late, turn, cpuMs) - waited(calls, late))
  const other = Math.max(0, wallMs - gc - user - room - machine)
  // Node collects with several threads, and that of the rooms waits for the others.
  if (gc > wallMs / 2) return { cause: 'gc', by: '' }
  // Time in which the thread was not run is within what it was doing then.
  if (machine > wallMs / 2) return { cause: 'machine', by: '' }
  const most = Math.max(gc, user, room, other)
  if (most === gc) return { cause: 'gc', by: '' }
  if (most === user) return { cause: 'user', by: longest.name }
  if (most === room) return { cause: 'room', by: turn?.name ?? '' }
  return pending === undefined ? { cause: 'other', by: '' } : { cause: 'user', by: pending }
}

const NOWHERE: Span = { from: 0, to: 0 }
const NOBODY: Call = { ...NOWHERE, name: '', cpuMs: 0 }

function overlap(a: Span, b: Span): number {
  return Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from))
}

function sumOf(spans: readonly Span[], within: Span): number {
  return spans.reduce((sum, span) => sum + overlap(span, within), 0)
}

/** Time in which the thread was not run. Before the tick was due it may have had nothing to do. */
function stoodStill(late: Span, turn: Turn | undefined, cpuMs: number): number {
  if (turn === undefined) return 0
  const isWithin = turn.to > late.from
  const since = isWithin ? turn.from : turn.to
  const cpu = cpuMs - (isWithin ? turn.cpuFrom : turn.cpuTo)
  const idle = isWithin ? 0 : Math.max(0, late.from - since)
  return Math.min(late.to - late.from, late.to - since - idle - cpu)
}

/** Time in which functions of the user waited for something and let nobody else run. */
function waited(calls: readonly Call[], late: Span): number {
  return calls.reduce((sum, call) => sum + Math.min(overlap(call, late), call.to - call.from - call.cpuMs), 0)
}

/** A tick is judged soon. In half a second of nothing but small collections there are some hundred. */
const KEPT = 512
/** Shorter calls make no tick late. */
const SHORTEST_MS = 0.5
/** Node tells of collections in the next turn of its loop. */
const JUDGED_AFTER_MS = 50

const collections: Span[] = []
const calls: Call[] = []
/** Functions of the user that have not answered, oldest first. */
const pending = new Map<symbol, string>()
/** One that never answers is forgotten. */
const MAX_PENDING = 100
const PENDING_MS = 10_000
let lastTurn: Turn | undefined
let observer: PerformanceObserver | undefined

function keep<T>(spans: T[], span: T): void {
  spans.push(span)
  if (spans.length > KEPT) spans.shift()
}

/** Processor time of this thread, ms; of the process where Node does not tell that of a thread. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage()
  return (user + system) / 1000
}

/** Calls a function of the user, and remembers for how long. What it does after a wait is put down to it while it has not answered. */
export function callUser<T>(name: string, work: () => T): T {
  const from = performance.now()
  const cpuFrom = cpuMs()
  let answer: T | undefined
  try {
    answer = work()
    return answer
  } finally {
    const to = performance.now()
    if (to - from > SHORTEST_MS) keep(calls, { from, to, name, cpuMs: Math.min(to - from, cpuMs() - cpuFrom) })
    if (answer instanceof Promise) notePending(name, answer)
  }
}

/** A call that is too frequent to ask for its processor time. */
export function noteCall(name: string, from: number, to: number): void {
  if (to - from > SHORTEST_MS) keep(calls, { from, to, name, cpuMs: to - from })
}

function notePending(name: string, answer: Promise<unknown>): void {
  const key = Symbol()
  pending.set(key, name)
  if (pending.size > MAX_PENDING) pending.delete(pending.keys().next().value!)
  const timer = setTimeout(() => void pending.delete(key), PENDING_MS).unref()
  const settled = () => {
    clearTimeout(timer)
    pending.delete(key)
  }
  answer.then(settled, settled)
}

/** Begins to listen for collections; ends with the last room. */
export function watchThread(isOn: boolean): void {
  if (isOn === (observer !== undefined)) return
  observer?.disconnect()
  observer = undefined
  lastTurn = undefined
  if (!isOn) return
  observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      keep(collections, { from: startTime, to: startTime + duration })
    }
  })
  observer.observe({ entryTypes: ['gc'] })
}

export function beginTurn(from: number): Turn {
  return { from, to: from, name: '', longestMs: 0, cpuFrom: cpuMs(), cpuTo: 0 }
}

export function endTurn(turn: Turn, to: number): void {
  turn.to = to
  turn.cpuTo = cpuMs()
  lastTurn = turn
}

/** Judges ticks that were due at `from` and run in the turn that has just begun. */
export function judgeLater(from: number, turn: Turn, tell: (cause: LateCause, by: string) => void): void {
  const seen = {
    late: { from, to: turn.from },
    turn: lastTurn,
    cpuMs: turn.cpuFrom,
    pending: pending.values().next().value,
  }
  const judge = () => {
    const { cause, by } = causeOf({ ...seen, collections, calls })
    tell(cause, by)
  }
  setTimeout(judge, JUDGED_AFTER_MS).unref()
}
