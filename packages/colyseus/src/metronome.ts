/**
 * One timer for the ticks of all rooms of a process.
 *
 * A timer for each room wakes the process once per room and tick, and most of what that costs is waking. Here rooms share a few
 * phases of each tick rate: however many rooms there are, a tick has at most four wake-ups, and between them there is time for what
 * arrives. The clock is the machine's monotonic one.
 */

type Beat = {
  readonly stepMs: number
  readonly phase: number
  readonly run: () => void
  /** When the next tick is due, ms. */
  dueAt: number
}

const PHASES = 4
/** After a stall a room catches up on so many ticks; the rest of them never happen. */
const MAX_CATCH_UP = 5

const beats = new Set<Beat>()
let timer: NodeJS.Timeout | undefined
let wakesAt = Number.POSITIVE_INFINITY

/** Calls `run` so often a second, until the function that is returned is called. `run` must not throw. */
export function startBeat(ticksPerSecond: number, run: () => void): () => void {
  const stepMs = 1000 / ticksPerSecond
  const phase = emptiestPhase(stepMs)
  const offset = (stepMs * phase) / PHASES
  const dueAt = Math.ceil((performance.now() - offset) / stepMs) * stepMs + offset
  const beat: Beat = { stepMs, phase, run, dueAt }
  beats.add(beat)
  wakeAt(dueAt)
  return () => {
    beats.delete(beat)
    if (beats.size > 0) return
    clearTimeout(timer)
    wakesAt = Number.POSITIVE_INFINITY
  }
}

function emptiestPhase(stepMs: number): number {
  const rooms = new Array<number>(PHASES).fill(0)
  for (const beat of beats) if (beat.stepMs === stepMs) rooms[beat.phase]++
  return rooms.indexOf(Math.min(...rooms))
}

function wakeAt(dueAt: number): void {
  if (dueAt >= wakesAt) return
  clearTimeout(timer)
  wakesAt = dueAt
  // Timers are whole milliseconds and never early; half of one late is nearest on average.
  timer = setTimeout(runDue, Math.max(0, Math.round(dueAt - performance.now())))
}

function runDue(): void {
  const now = performance.now() + 0.5
  for (const beat of beats) if (beat.dueAt <= now) catchUp(beat, now)
  wakesAt = Number.POSITIVE_INFINITY
  let next = Number.POSITIVE_INFINITY
  for (const { dueAt } of beats) if (dueAt < next) next = dueAt
  if (beats.size > 0) wakeAt(next)
}

function catchUp(beat: Beat, now: number): void {
  const { stepMs, run } = beat
  const due = Math.floor((now - beat.dueAt) / stepMs) + 1
  beat.dueAt += due * stepMs
  for (let tick = Math.min(due, MAX_CATCH_UP); tick > 0 && beats.has(beat); tick--) run()
}
