/** The games of the repository as rooms: what differs from a room's defaults, where replays go, what is logged. */

import { gameRoom, type RoomConfig, replayFolder } from '@hurtbox/colyseus'
import { gameIds, loadGame } from './games.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import { createHooks } from './room-hooks.ts'
import type { RoomSort } from './server.ts'

/** What differs from the defaults of a room: which bots fill it, and how clients follow. */
const CONFIGS: Readonly<Record<string, Omit<RoomConfig, 'game' | 'bots'>>> = {
  // The document's clients are dumb terminals; prediction is optional.
  'jet-raiders': { fill: 4, modes: ['terminal', 'mirror'] },
  // Where a unit wants to go could reveal a hidden unit.
  siege: {
    fill: 2,
    terminal: { hide: ['things.goalX', 'things.goalY'], show: ['globals.wave', 'globals.winner', 'globals.endedAt'] },
  },
  'vinyl-frontier': { fill: 2 },
}

export type GameRoomsOptions = {
  /** Undefined keeps no replays. */
  readonly replayFolder: string | undefined
  readonly metrics: Metrics
  readonly log: Logger
}

export async function gameRooms({ replayFolder: folder, metrics, log }: GameRoomsOptions): Promise<RoomSort[]> {
  const onError = (error: unknown) => log.error({ err: error }, 'replay not written')
  const replays = folder === undefined ? {} : { replays: replayFolder(folder, { onError }) }
  return Promise.all(
    gameIds.map(async (id) => {
      const { game, bots } = await loadGame(id)
      const hooks = createHooks(id, metrics, log)
      return {
        name: id,
        seats: game.declaration.seats.max,
        room: gameRoom({ game, bots, ...CONFIGS[id], ...replays, hooks }),
      }
    }),
  )
}
