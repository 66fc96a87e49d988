/** Games as rooms: how their modules want to be run, where replays go, who watches. */

import { gameRoom, replayFolder, roomConfigOf } from '@hurtbox/colyseus'
import { HurtboxError } from 'hurtbox'
import type { LoadedModule } from 'hurtbox/module'
import { loadModules } from 'hurtbox/module/node'
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

/** A sort of room for every game that is served. */
export function gameRooms({ games, replayFolder: folder, metrics, log }: GameRoomsOptions): RoomSort[] {
  const onError = (error: unknown) => log.error({ err: error }, 'replay not written')
  const replays = folder === undefined ? {} : { replays: replayFolder(folder, { onError }) }
  return games
    .filter(({ room }) => room !== undefined)
    .map((module) => ({
      name: module.id,
      seats: module.game.declaration.seats.max,
      room: gameRoom({ ...roomConfigOf(module), ...replays, hooks: createHooks(module, metrics, log) }),
    }))
}

/** The games of the project that are served. One that cannot be loaded is an error: a server must not miss it silently. */
export async function projectGames(): Promise<readonly LoadedModule[]> {
  const { modules, problems } = await loadModules()
  const [problem] = problems
  if (problem !== undefined) throw new HurtboxError('bad-argument', problem)
  const served = modules.filter(({ room }) => room !== undefined)
  if (served.length > 0) return served
  throw new HurtboxError(
    'bad-argument',
    'This project has no game to serve. List it in package.json: "hurtbox": { "games": ["game/index.ts"] }',
  )
}
