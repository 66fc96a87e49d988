/**
 * An online match: the way into a room, and the address that is the invitation once one has a place.
 */

import type { GameConnection } from '@hurtbox/colyseus/client'
import type { View } from '@hurtbox/view'
import { joinWords } from '@hurtbox/view/room'
import { useSignal } from '@preact/signals'
import type { LoadedModule } from 'hurtbox/module'
import { useRef } from 'preact/hooks'
import { loadShownGame } from '../draw/views.ts'
import { type Moment, writeMoment } from '../show/moment.ts'
import { Opening } from '../ui/opening.tsx'
import { updateThenReload } from './offline.ts'
import { readName } from './player-name.ts'
import { Room } from './room.tsx'
import { serverUrl } from './server-url.ts'
import '../ui/style/match.ts'

export type Online = {
  readonly module: LoadedModule
  readonly view: View
  readonly connection: GameConnection
  /** False while only watching. */
  readonly plays: boolean
}

export function OnlinePage({ moment }: { moment: Moment }) {
  /** Counts how often one came in again. */
  const tries = useSignal(0)
  const place = useRef(moment)
  return (
    <Opening
      key={tries.value}
      open={async () => {
        const online = await join(place.current)
        place.current = { ...place.current, room: online.connection.room.roomId, join: online.plays ? 'seat' : 'watch' }
        history.replaceState(null, '', addressOf(online, online.plays ? 'seat' : 'watch'))
        return online
      }}
      close={({ connection }) => void connection.leave()}
      waiting="Joining…"
      describe={joinWords}
      retries
    >
      {(online) => (
        <Room
          {...online}
          rejoin={() => {
            // A match that failed has no room to come back to.
            if (online.connection.status === 'failed') place.current = { ...place.current, room: '', join: 'seat' }
            tries.value++
          }}
        />
      )}
    </Opening>
  )
}

async function join(moment: Moment): Promise<Online> {
  const [{ module, view }, { joinGame, SPECTATOR }] = await Promise.all([
    loadShownGame(moment.game),
    import('@hurtbox/colyseus/client'),
  ])
  const name = readName()
  try {
    const connection = await joinGame(serverUrl(), module, {
      ...(moment.room !== '' && { roomId: moment.room }),
      ...(name !== '' && { name }),
      create: moment.join === 'create',
      spectate: moment.join === 'watch',
    })
    await connection.whenPlaying()
    return { module, view, connection, plays: connection.seat !== SPECTATOR }
  } catch (error) {
    // The server plays other rules than this page: perhaps the page is an old one that the browser kept.
    if ((error as { code?: number }).code === WRONG_BUILD) await updateThenReload()
    throw error
  }
}

/** How a server refuses a client with other rules. */
const WRONG_BUILD = 426

export function addressOf({ module, connection }: Online, join: Moment['join']): string {
  return writeMoment({ game: module.game.declaration.id, page: 'online', room: connection.room.roomId, join })
}
