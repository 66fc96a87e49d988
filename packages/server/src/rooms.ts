/** Games as rooms: how their modules want to be run, where replays go, who watches. */

import { type Auth, gameRoom, type MatchKeeping, type ReplaySink, roomConfigOf } from '@hurtbox/colyseus'
import type { Datagrams } from '@hurtbox/datagrams'
import { helloOf } from '@hurtbox/netcode'
import type { LoadedModule } from 'hurtbox/module'
import { fingerprint } from 'hurtbox/replay'
import { createLateLog } from './late-log.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import { createReach } from './reach.ts'
import type { Results } from './results.ts'
import { createHooks } from './room-hooks.ts'
import type { RoomSort } from './server.ts'

export type GameRoomsOptions = {
  readonly games: readonly LoadedModule[]
  /** Undefined keeps no replays. */
  readonly replays: ReplaySink | undefined
  /** Whether tracks are kept beside replays. */
  readonly track?: boolean | undefined
  /** Undefined: matches end with the process. */
  readonly matches?: MatchKeeping | undefined
  /** The datagrams of the process once there are any; until then sockets carry everything. */
  readonly datagrams?: () => Datagrams | undefined
  /** Whether players are told the whole error of a rule. */
  readonly tellErrors?: boolean
  readonly metrics: Metrics
  readonly log: Logger
  readonly auth?: Auth | undefined
  /** How long a seat is kept for a player who is away. */
  readonly seatSeconds?: number | undefined
  readonly results?: Results | undefined
}

/** A sort of room for every game. */
export function gameRooms(options: GameRoomsOptions): RoomSort[] {
  const late = createLateLog(options.log)
  const { games, replays, track = false, matches, auth, seatSeconds, datagrams, tellErrors = false } = options
  // Of all games: they share the port.
  const reach = createReach(options.log)
  return games.map((module) => {
    const config = roomConfigOf(module)
    const { game } = config
    return {
      name: module.id,
      title: module.title,
      seats: game.declaration.seats.max,
      // With its capacities: a process with other ones would not go on with the same match.
      fingerprint: fingerprint(game).hash,
      hello: helloOf(game),
      room: gameRoom({
        ...config,
        ...(replays && { replays }),
        track,
        tellErrors,
        ...(matches && { matches }),
        // Their port is opened after the server's own.
        get datagrams() {
          return datagrams?.()
        },
        ...(auth && { auth }),
        ...(seatSeconds !== undefined && { seatSeconds }),
        hooks: createHooks(module, { ...options, late, reach }),
      }),
    }
  })
}
