/** Games as rooms: how their modules want to be run, where replays go, who watches. */

import { gameRoom, replayFolder, roomConfigOf } from '@hurtbox/colyseus'
import type { LoadedModule } from 'hurtbox/module'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import { createHooks } from './room-hooks.ts'
import type { RoomSort } from './server.ts'

export type GameRoomsOptions = {
  readonly games: readonly LoadedModule[]
  /** Undefined keeps no replays. */
  readonly replayFolder: string | undefined
  readonly metrics: Metrics
  readonly log: Logger
}

/** A sort of room for every game. */
export function gameRooms({ games, replayFolder: folder, metrics, log }: GameRoomsOptions): RoomSort[] {
  const onError = (error: unknown) => log.error({ err: error }, 'replay not written')
  const replays = folder === undefined ? {} : { replays: replayFolder(folder, { onError }) }
  return games.map((module) => ({
    name: module.id,
    title: module.title,
    seats: module.game.declaration.seats.max,
    room: gameRoom({ ...roomConfigOf(module), ...replays, hooks: createHooks(module, metrics, log) }),
  }))
}
