/** A session from a replay: to seek in it, to ask `why`, or to play on from some tick. */

import { snapshotFromBytes } from '../../state/pack.ts'
import type { AnyGame } from '../../world/game.ts'
import { cloneLog } from '../session/log.ts'
import { createSession, type Session } from '../session/session.ts'
import type { Replay } from './load.ts'
import { requireSameShape } from './verify.ts'

/**
 * A session of the recorded match, at tick 0. Keyframes of the file make far seeks fast; they are believed, so verify a
 * file from a stranger first.
 */
export function sessionFromReplay(given: AnyGame, replay: Replay): Session {
  const game = requireSameShape(given, replay)
  const session = { ...createSession(game, replay.setup), log: { ...cloneLog(replay.log), game, cuts: [] } }
  for (const { tick, bytes } of replay.keyframes) {
    if (tick === 0) continue
    session.keyframes.push({ tick, state: snapshotFromBytes(game.layout, bytes) })
  }
  return session
}
