/** Going on with a match from a state of it: what came before is not known, and not needed. */

import { type Snapshot, snapshotTick } from '../../state/pack.ts'
import type { AnyGame } from '../../world/game.ts'
import { restore } from '../../world/snapshot.ts'
import { createSession, type Session, type Setup } from './session.ts'

/** A session of the match that `setup` began, in the state of `from`. Earlier ticks cannot be sought. */
export function resumeSession(game: AnyGame, setup: Setup, from: Snapshot, keyframeEvery?: number): Session {
  const session = createSession(game, setup as never, keyframeEvery) as Session
  const tick = snapshotTick(from)
  restore(session.world, from)
  session.log.from = tick
  session.log.length = tick
  session.keyframes.splice(0, 1, { tick, state: from })
  return session
}
