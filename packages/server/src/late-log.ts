/**
 * Late ticks in the log: one line for those of ten seconds, with what made most of them late. Each is in the metrics, too.
 *
 * The first line comes a moment after the first late tick, so that it has all of a stall.
 */

import type { LateCause, LateTicks } from '@hurtbox/colyseus'
import type { Logger } from './log.ts'

export type LateLog = {
  note(late: LateTicks & { readonly room: string }): void
}

const LINE_EVERY_MS = 10_000
const FIRST_AFTER_MS = 500

const WORDS: Readonly<Record<LateCause, string>> = {
  gc: 'garbage collection',
  room: 'a room whose tick takes long',
  log: 'the log of the match, on disk or in Redis, that does not answer in time: players are told later',
  user: 'a hook, a route or another function of yours',
  machine: 'the machine, which gave this process no time',
  other: 'requests, messages and rooms that are no games',
}

export function createLateLog(log: Pick<Logger, 'info' | 'warn'>, clock = () => performance.now()): LateLog {
  let causes = new Map<LateCause, number>()
  let names = new Map<string, number>()
  let rooms = new Set<string>()
  let skipped = 0
  let longestMs = 0
  let lineAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const write = () => {
    timer = undefined
    lineAt = clock()
    const [cause] = [...causes].sort((a, b) => b[1] - a[1])[0]
    const [by] = [...names].sort((a, b) => b[1] - a[1])[0] ?? []
    const late = [...causes.values()].reduce((sum, ticks) => sum + ticks, 0)
    const about = {
      late,
      skipped,
      rooms: rooms.size,
      longestMs: Math.round(longestMs),
      causes: Object.fromEntries(causes),
    }
    // Ticks that never ran are worth a look; late ones happen on any machine.
    const level = skipped > 0 ? 'warn' : 'info'
    log[level]({ ...about, ...(by !== undefined && { by }) }, `late ticks: ${WORDS[cause]}`)
    causes = new Map()
    names = new Map()
    rooms = new Set()
    skipped = 0
    longestMs = 0
  }
  return {
    note({ room, ticks, skipped: never, lateMs, cause, by }) {
      causes.set(cause, (causes.get(cause) ?? 0) + ticks)
      if (by !== '') names.set(by, (names.get(by) ?? 0) + ticks)
      rooms.add(room)
      skipped += never
      longestMs = Math.max(longestMs, lateMs)
      if (timer !== undefined) return
      timer = setTimeout(write, Math.max(FIRST_AFTER_MS, lineAt + LINE_EVERY_MS - clock())).unref()
    },
  }
}
