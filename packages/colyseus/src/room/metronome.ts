/**
 * One timer for the ticks of all rooms of a process.
 *
 * A timer for each room wakes the process once per room and tick, and most of what that costs is waking. Here rooms of one tick rate
 * run together: first all of them step, then all of them send. The code of a step is then in the processor's caches from the second
 * room on; between two rooms that send in turn, the system's network code drives it out. Where there are many rooms they share a few
 * phases, so that between them there is time for what arrives. The clock is the machine's monotonic one.
 */

type Beat = {
  readonly stepMs: number
  readonly phase: number
  readonly run: () => void
  readonly after: () => void
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
export function startBeat(ticksPerSecond: number, run: () => void, after: () => void = () => {}): () => void {
  const stepMs = 1000 / ticksPerSecond
  const phase = phaseFor(stepMs)
  const offset = (stepMs * phase) / PHASES
  const dueAt = Math.ceil((performance.now() - offset) / stepMs) * stepMs + offset
  const beat: Beat = { stepMs, phase, run, after, dueAt }
  beats.add(beat)
  wakeAt(dueAt)
  return () => {
    beats.delete(beat)
    if (beats.size > 0) return
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
  const now = performance.now() + 0.5
  const ran: Beat[] = []
  for (const beat of beats) {
    if (beat.dueAt > now) continue
    catchUp(beat, now)
    ran.push(beat)
  }
  for (const beat of ran) if (beats.has(beat)) beat.after()
  wakesAt = Number.POSITIVE_INFINITY
  let next = Number.POSITIVE_INFINITY
  for (const { dueAt } of beats) if (dueAt < next) next = dueAt
  if (beats.size > 0) wakeAt(next)
}

function catchUp(beat: Beat, now: number): void {
  const { stepMs, run } = beat
  const due = Math.floor((now - beat.dueAt) / stepMs) + 1
  beat.dueAt += due * stepMs
  for (let tick = Math.min(due, ROOM_CATCH_UP_TICKS); tick > 0 && beats.has(beat); tick--) run()
}
