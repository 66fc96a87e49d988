/** Games as rooms: how their modules want to be run, where replays go, who watches. */

import { gameRoom, type MatchKeeping, type ReplaySink, roomConfigOf } from '@hurtbox/colyseus'
import type { LoadedModule } from 'hurtbox/module'
import { fingerprint } from 'hurtbox/replay'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import { createHooks } from './room-hooks.ts'
import type { RoomSort } from './server.ts'

export type GameRoomsOptions = {
  readonly games: readonly LoadedModule[]
  /** Undefined keeps no replays. */
  readonly replays: ReplaySink | undefined
  /** Undefined: matches end with the process. */
  readonly matches: MatchKeeping | undefined
  readonly metrics: Metrics
  readonly log: Logger
}

/** A sort of room for every game. */
export function gameRooms({ games, replays, matches, metrics, log }: GameRoomsOptions): RoomSort[] {
  const kept = { ...(replays && { replays }), ...(matches && { matches }) }
  return games.map((module) => ({
    name: module.id,
    title: module.title,
    seats: module.game.declaration.seats.max,
    fingerprint: fingerprint(module.game).hash,
    room: gameRoom({ ...roomConfigOf(module), ...kept, hooks: createHooks(module, metrics, log) }),
  }))
}
