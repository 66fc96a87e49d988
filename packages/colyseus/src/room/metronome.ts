/**
 * One timer for the ticks of all rooms of a process.
 *
 * A timer for each room wakes the process once per room and tick, and most of what that costs is waking. Here rooms of one tick rate
 * run together: first all of them step, then all of them send. The code of a step is then in the processor's caches from the second
 * room on; between two rooms that send in turn, the system's network code drives it out. Where there are many rooms they share a few
 * phases, so that between them there is time for what arrives. The clock is the machine's monotonic one.
 */

import { beginTurn, endTurn, judgeLater, type LateTicks, type Turn, watchThread } from './lateness.ts'

/** Who is told when the ticks of a room were late. */
export type LateWatch = {
  readonly name: string
  /** Whether the room has ticks to run. */
  isOn(): boolean
  onLate(late: LateTicks): void
}

type Beat = {
  readonly stepMs: number
  readonly phase: number
  readonly run: () => void
  readonly after: () => void
  readonly watch: LateWatch | undefined
  /** When the next tick is due, ms. */
  dueAt: number
}

const PHASES = 4
/** So many rooms run together before the next phase is begun. */
const ROOMS_OF_PHASE = 16
/** After a stall a room catches up on so many ticks; the rest of them never happen. */
const ROOM_CATCH_UP_TICKS = 5

const beats = new Set<Beat>()
let timer: NodeJS.Timeout | undefined
let wakesAt = Number.POSITIVE_INFINITY

/**
 * Calls `run` so often a second, until the function that is returned is called. Then `after`, when all rooms that were due have run.
 * Neither may throw.
 */
export function startBeat(
  ticksPerSecond: number,
  run: () => void,
  after: () => void = () => {},
  watch?: LateWatch,
): () => void {
  const stepMs = 1000 / ticksPerSecond
  const phase = phaseFor(stepMs)
  const offset = (stepMs * phase) / PHASES
  const dueAt = Math.ceil((performance.now() - offset) / stepMs) * stepMs + offset
  const beat: Beat = { stepMs, phase, run, after, watch, dueAt }
  beats.add(beat)
  watchThread(true)
  wakeAt(dueAt)
  return () => {
    beats.delete(beat)
    if (beats.size > 0) return
    watchThread(false)
    clearTimeout(timer)
    wakesAt = Number.POSITIVE_INFINITY
  }
}

/** The first phase with room, or the emptiest. */
function phaseFor(stepMs: number): number {
  const rooms = new Array<number>(PHASES).fill(0)
  for (const beat of beats) if (beat.stepMs === stepMs) rooms[beat.phase]++
  const first = rooms.findIndex((count) => count < ROOMS_OF_PHASE)
  return first >= 0 ? first : rooms.indexOf(Math.min(...rooms))
}

function wakeAt(dueAt: number): void {
  if (dueAt >= wakesAt) return
  clearTimeout(timer)
  wakesAt = dueAt
  // Timers are whole milliseconds and never early; half of one late is nearest on average.
  timer = setTimeout(runDue, Math.max(0, Math.round(dueAt - performance.now())))
}

function runDue(): void {
  const startedAt = performance.now()
  const now = startedAt + 0.5
  const turn = beginTurn(startedAt)
  const ran: Beat[] = []
  for (const beat of beats) {
    if (beat.dueAt > now) continue
    timed(turn, beat, () => catchUp(beat, now, turn))
    ran.push(beat)
  }
  for (const beat of ran) if (beats.has(beat)) timed(turn, beat, beat.after)
  endTurn(turn, performance.now())
  wakesAt = Number.POSITIVE_INFINITY
  let next = Number.POSITIVE_INFINITY
  for (const { dueAt } of beats) if (dueAt < next) next = dueAt
  if (beats.size > 0) wakeAt(next)
}

/** Remembers the room that took longest. */
function timed(turn: Turn, { watch }: Beat, work: () => void): void {
  const from = performance.now()
  work()
  const ms = performance.now() - from
  if (ms <= turn.longestMs) return
  turn.longestMs = ms
  turn.name = watch?.name ?? ''
}

function catchUp(beat: Beat, now: number, turn: Turn): void {
  const { stepMs, run, watch, dueAt } = beat
  const due = Math.floor((now - dueAt) / stepMs) + 1
  beat.dueAt += due * stepMs
  if (due > 1 && watch?.isOn()) {
    const [ticks, skipped] = [due - 1, Math.max(0, due - ROOM_CATCH_UP_TICKS)]
    const lateMs = turn.from - dueAt
    judgeLater(dueAt, turn, (cause, by) => watch.onLate({ ticks, skipped, lateMs, cause, by }))
  }
  for (let tick = Math.min(due, ROOM_CATCH_UP_TICKS); tick > 0 && beats.has(beat); tick--) run()
}
