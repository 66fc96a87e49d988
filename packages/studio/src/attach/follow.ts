/**
 * Following a match that is played elsewhere: a session of the studio's own, with the same inputs.
 *
 * The page's match is never touched. A session is copied with all its past; of a mirror only what is confirmed from now on is
 * known. A terminal has no inputs, so there is nothing to follow.
 */

import type { Mirror } from '@hurtbox/netcode/client'
import { type Session, seek, snapshot } from 'hurtbox'
import {
  advanceEncoded,
  cloneSession,
  createEncodedInputs,
  type EncodedInputs,
  inputsAt,
  sessionFrom,
} from 'hurtbox/tools'

export type Follower = {
  /** The studio's copy. It may be sought at will between two calls of `catchUp`. */
  readonly session: Session
  /** Plays what has come since. `onTick` is called after each tick. False when the copy can no longer follow and must be made anew. */
  catchUp(onTick: () => void): boolean
  end(): void
}

export function followSession(played: Session): Follower {
  const session = cloneSession(played)
  seek(session, session.log.length)
  const inputs = createEncodedInputs(session.world)
  const cuts = played.log.cuts.length
  return {
    session,
    catchUp(onTick) {
      // The page went back and on differently, or forgot what was not yet read.
      if (played.log.cuts.length !== cuts || played.log.length < session.log.length) return false
      if (played.log.from > session.log.length) return false
      if (session.world.tick !== session.log.length) seek(session, session.log.length)
      while (session.log.length < played.log.length) {
        inputsAt(played.log, session.log.length, inputs)
        advanceEncoded(session, inputs)
        onTick()
      }
      return true
    },
    end() {},
  }
}

/** More ticks than a person waits for when going on after a long look at the past: then the copy begins anew. */
const MOST_WAITING = 18_000

export function followMirror(mirror: Mirror): Follower {
  const { confirmed, inside, desyncs } = mirror
  const setup = { seed: confirmed.seed, options: confirmed.options as never, tuning: {} }
  const session = sessionFrom(mirror.game, setup, snapshot(confirmed))
  const waiting: EncodedInputs[] = []
  const corrected = desyncs.length
  inside.watch = ({ controls, seats, codes, count }) => {
    if (waiting.length <= MOST_WAITING)
      waiting.push({ controls: [...controls], seats: seats.slice(), codes: codes.slice(), count })
  }
  return {
    session,
    catchUp(onTick) {
      const isWhole = session.log.length + waiting.length === confirmed.tick && desyncs.length === corrected
      if (!isWhole || waiting.length > MOST_WAITING) return false
      if (session.world.tick !== session.log.length) seek(session, session.log.length)
      for (const inputs of waiting.splice(0)) {
        advanceEncoded(session, inputs)
        onTick()
      }
      return true
    },
    end() {
      inside.watch = undefined
    },
  }
}
