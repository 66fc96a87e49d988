/** Virtual time and chance: everything that happens follows from one seed, in one order. */

import { purposeOf, unitAt } from 'hurtbox/math'
import type { Process, System } from './parts.ts'

/** How long things go wrong, and how long the system then has to recover. */
export const TROUBLE_MS = 5_000
export const QUIET_MS = 5_000

const PURPOSE = purposeOf('whole system')

type TimedEvent = { readonly at: number; readonly process: Process | undefined; run(): void }

export type Time = {
  readonly seed: number
  /** How many numbers were drawn. */
  drawn: number
  now: number
  /** What is to happen, earliest first. */
  readonly events: TimedEvent[]
}

export function createTime(seed: number): Time {
  return { seed, drawn: 0, now: 0, events: [] }
}

/** A number from 0 up to 1, another one with each call. */
export function chance({ time }: System): number {
  return unitAt(time.seed, time.drawn++, 0, 0, PURPOSE)
}

export function between(system: System, low: number, high: number): number {
  return low + chance(system) * (high - low)
}

export function oneOf<T>(system: System, choices: readonly T[]): T {
  return choices[Math.floor(chance(system) * choices.length)]
}

export function isTroubled({ time }: System): boolean {
  return time.now < TROUBLE_MS
}

/** After some ms; not if the process has died by then, and later if it is stopped. */
export function later(system: System, ms: number, process: Process | undefined, run: () => void): void {
  runAt(system, system.time.now + ms, process, run)
}

/** At an exact time: what is to keep its order must not depend on rounding. */
export function runAt({ time }: System, at: number, process: Process | undefined, run: () => void): void {
  const { events } = time
  let place = events.length
  while (place > 0 && events[place - 1].at > at) place--
  events.splice(place, 0, { at, process, run })
}

export function runUntil(system: System, end: number): void {
  const { time } = system
  while (time.events.length > 0 && time.events[0].at <= end) {
    const { at, process, run } = time.events.shift()!
    time.now = Math.max(time.now, at)
    if (process !== undefined && !process.isAlive) continue
    if (process !== undefined && process.stoppedUntil > time.now) runAt(system, process.stoppedUntil, process, run)
    else run()
  }
  time.now = end
}
