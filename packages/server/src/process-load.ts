/**
 * How busy this process is, and whether it can carry one more room.
 *
 * A number of rooms says little: a room of one game costs a twentieth of another's, and players add to it. Measured are the
 * share of time in which the event loop works, and how late timers fire, which also shows when other processes take the
 * machine's time. A room that was opened a moment ago is not in these figures yet, so it counts as much as rooms cost on
 * average until it is.
 */

import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

export type LoadLimits = {
  /** Share of time the event loop may be busy before no more rooms are opened. */
  readonly load: number
  /** How late timers may fire, at the median, before no more rooms are opened. */
  readonly loopDelayMs: number
}

export type ProcessLoad = {
  /** From 0 to 1, rooms that are too new to be measured included. May exceed 1. */
  share(): number
  isBusy(): boolean
  /** A room is opened here. */
  opened(): void
  /** Takes a measurement; called by a timer. */
  measure(): void
}

/** What a measurement reads: time the event loop worked and waited, in ms since the last one, and the median delay. */
export type Reading = { readonly activeMs: number; readonly idleMs: number; readonly delayMs: number }

export const MEASURE_MS = 500
/** How much a new measurement counts: the figure follows within some two seconds. */
const WEIGHT = 0.4
/** Measurements after which a room counts as seen. */
const SEEN_AFTER = 8
/** What a room is thought to cost while there is none to measure, and at least. */
const ROOM_SHARE = 0.02
const LEAST_ROOM_SHARE = 0.002

export function createProcessLoad(
  limits: LoadLimits,
  roomCount: () => number,
  read: () => Reading = createReader(),
): ProcessLoad {
  let measured = 0
  let delayMs = 0
  /** Rooms opened since the last measurements, newest last. */
  let recent: number[] = [0]

  const share = () => {
    // What the figure does not show yet of the rooms opened lately, in rooms.
    const unseen = recent.reduceRight((sum, rooms, i) => sum + rooms * (1 - WEIGHT) ** (recent.length - 1 - i), 0)
    const seen = roomCount() - unseen
    const roomShare = seen >= 1 ? Math.max(measured / seen, LEAST_ROOM_SHARE) : ROOM_SHARE
    return measured + unseen * roomShare
  }
  return {
    share,
    isBusy: () => share() >= limits.load || delayMs > limits.loopDelayMs,
    opened() {
      recent[recent.length - 1]++
    },
    measure() {
      const reading = read()
      const elapsed = reading.activeMs + reading.idleMs
      if (elapsed > 0) measured += WEIGHT * (reading.activeMs / elapsed - measured)
      delayMs += WEIGHT * (reading.delayMs - delayMs)
      recent = [...recent, 0].slice(-SEEN_AFTER)
    },
  }
}

/** Of this very process. */
function createReader(): () => Reading {
  const resolution = 10
  const delays = monitorEventLoopDelay({ resolution })
  delays.enable()
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { active, idle } = performance.eventLoopUtilization(now, last)
    last = now
    const delayMs = delays.count === 0 ? 0 : Math.max(0, delays.percentile(50) / 1e6 - resolution)
    delays.reset()
    return { activeMs: active, idleMs: idle, delayMs }
  }
}
