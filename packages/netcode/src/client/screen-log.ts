/**
 * A client's notes of what it drew: sent to a host that keeps a track, so that its screen can be drawn again.
 *
 * Notes go out twice a second by the reliable path, with a hash of the newest state: some hundred bytes a second. A client of a
 * host without a track notes nothing.
 */

import { MAX_SCREEN_FRAMES, roundMoment, roundMs, type ScreenFrame } from 'hurtbox/replay'
import type { AnyWorld } from 'hurtbox/tools'
import { createByteWriter, takeBytes } from 'hurtbox/wire'
import { MESSAGES, writeMessage } from '../protocol/messages.ts'
import { shortHash } from '../protocol/short-hash.ts'

export type ScreenLog = {
  readonly frames: ScreenFrame[]
  /** The number of the first of them. */
  first: number
  /** When the first frame of all was drawn; undefined before it. */
  startedAt: number | undefined
  reportedAt: number
}

const REPORT_MS = 500
/** A message of a client has room for these, whatever their numbers. */
const MOST_FRAMES = MAX_SCREEN_FRAMES / 2

export function createScreenLog(): ScreenLog {
  return { frames: [], first: 0, startedAt: undefined, reportedAt: 0 }
}

/** Notes a frame that was drawn at `now`, `after` being the later of its two states; a report that is due goes to `outbox`. */
export function noteScreen(
  log: ScreenLog,
  now: number,
  frame: Omit<ScreenFrame, 'atMs' | 'after'> & { readonly after: AnyWorld },
  outbox: Uint8Array[],
): void {
  if (log.startedAt === undefined) {
    log.startedAt = roundMs(now)
    log.reportedAt = now
  }
  const { after } = frame
  log.frames.push({ ...frame, atMs: roundMs(now) - log.startedAt, shown: roundMoment(frame.shown), after: after.tick })
  if (now - log.reportedAt < REPORT_MS && log.frames.length < MOST_FRAMES) return
  log.reportedAt = now
  const writer = createByteWriter()
  writeMessage(writer, MESSAGES.screens, { first: log.first, frames: log.frames, hash: shortHash(after) })
  outbox.push(takeBytes(writer))
  log.first += log.frames.length
  log.frames.length = 0
}
