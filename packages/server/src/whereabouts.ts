/**
 * Rooms that are between two processes.
 *
 * When a process dies its rooms stay listed, and are in no process until others have taken their matches. Colyseus would ask the
 * dead process and wait for two seconds. A client that asks for such a room is kept waiting here instead, and is answered as
 * soon as the room is somewhere, so that no time is lost between two questions.
 */

import { matchMaker } from '@colyseus/core'
import { shared } from './deadlines.ts'

/** Less than clients wait for an answer before they ask again. */
const WAIT_MS = 1_000
const LOOK_MS = 15
/** A Redis that is away does not say where rooms are. */
const ANSWER_MS = 2_000

/** Rooms that a living process serves: each listens on a channel, which Redis drops with the connection. */
const servedChannels = shared(async () => new Set(await matchMaker.presence.channels('$*')), ANSWER_MS)

/** False when a room that is listed was in no process for as long as clients wait. */
export async function whenServed(roomId: string): Promise<boolean> {
  const until = performance.now() + WAIT_MS
  for (let looks = 0; ; looks++) {
    if (matchMaker.getLocalRoomById(roomId) !== undefined) return true
    // A room that is not listed is over. The matchmaker says so.
    if (looks === 0 && (await matchMaker.getRoomById(roomId)) === undefined) return true
    if ((await servedChannels()).has(`$${roomId}`)) return true
    if (performance.now() > until) return false
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
