/**
 * Rooms, where the studio is served by a Hurtbox server: list, join, create, watch.
 *
 * As plain files there is no server, and nothing of this is shown. A server is found by asking for its health; a list of
 * rooms is shown where it gives one, and otherwise a room can still be joined by its id.
 */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { writeMoment } from '../show/moment.ts'
import { gameNames } from '../sim/games.ts'
import { titleOf } from '../words.ts'
import { readName, writeName } from './player-name.ts'
import { serverUrl } from './server-url.ts'

type RoomRow = {
  readonly game: string
  readonly room: string
  readonly clients: number
  readonly seats: number
}

const LIST_EVERY_MS = 4000

export function Rooms() {
  const isOnline = useSignal(false)
  const rows = useSignal<readonly RoomRow[]>([])
  const name = useSignal(readName())

  useEffect(() => {
    let isGone = false
    const look = async () => {
      if (isGone) return
      rows.value = await listRooms()
      setTimeout(look, LIST_EVERY_MS)
    }
    void hasServer().then((found) => {
      isOnline.value = found
      if (found) void look()
    })
    return () => {
      isGone = true
    }
  }, [])

  if (!isOnline.value) return null
  return (
    <section class="rooms" aria-label="Play with others" data-testid="rooms">
      <header>
        <h2>Play with others</h2>
        <label class="field">
          <span>Your name</span>
          <input
            maxLength={24}
            value={name.value}
            onInput={(event) => {
              name.value = event.currentTarget.value
              writeName(name.value)
            }}
          />
        </label>
      </header>
      <div class="room-games">
        {gameNames.map((game) => (
          <div key={game} class="room-game">
            <b>{titleOf(game)}</b>
            <a class="button" aria-label={`Join ${titleOf(game)}`} href={writeMoment({ game, page: 'online' })}>
              Join
            </a>
            <a
              class="button quiet"
              aria-label={`New room for ${titleOf(game)}`}
              href={writeMoment({ game, page: 'online', join: 'create' })}
            >
              New room
            </a>
            <a
              class="button quiet"
              aria-label={`Watch ${titleOf(game)}`}
              href={writeMoment({ game, page: 'online', join: 'watch' })}
            >
              Watch
            </a>
          </div>
        ))}
      </div>
      {rows.value.length > 0 && (
        <table class="room-list">
          <tbody>
            {rows.value.map(({ game, room, clients, seats }) => (
              <tr key={room}>
                <th scope="row">{titleOf(game)}</th>
                <td>
                  <code>{room}</code>
                </td>
                <td>
                  {clients} of {seats}
                </td>
                <td>
                  <a class="button" href={writeMoment({ game, page: 'online', room })}>
                    Join
                  </a>{' '}
                  <a class="button quiet" href={writeMoment({ game, page: 'online', room, join: 'watch' })}>
                    Watch
                  </a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

async function hasServer(): Promise<boolean> {
  const answer = await getJson('/health')
  return typeof answer === 'object' && answer !== null && 'status' in answer
}

/** What a server lists, as far as it is valid: any server may answer at this address. */
async function listRooms(): Promise<RoomRow[]> {
  const listed = await getJson('/rooms.json')
  if (!Array.isArray(listed)) return []
  return listed.filter(
    (row): row is RoomRow =>
      typeof row?.room === 'string' &&
      typeof row.game === 'string' &&
      Number.isFinite(row.clients) &&
      Number.isFinite(row.seats),
  )
}

async function getJson(path: string): Promise<unknown> {
  if (!location.protocol.startsWith('http')) return undefined
  try {
    const answer = await fetch(`${serverUrl()}${path}`, { headers: { accept: 'application/json' } })
    const isJson = answer.headers.get('content-type')?.includes('json') === true
    return answer.ok && isJson ? await answer.json() : undefined
  } catch {
    return undefined
  }
}
