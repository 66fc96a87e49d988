/**
 * `/rooms.json`: the list of rooms, for players who look for one.
 *
 * Pages ask every few seconds, and with several processes each answer is a question to Redis; so an answer is good for a
 * second. Full rooms are listed, too: one can watch. Private rooms are not.
 */

import { matchMaker } from '@colyseus/core'
import type { RoomMetadata } from '@hurtbox/colyseus'
import { Late, shared } from './deadlines.ts'
import { Refusal } from './responses.ts'
import type { RoomSort } from './server.ts'

type RoomEntry = {
  readonly game: string
  readonly room: string
  readonly clients: number
  readonly seats: number
  /** Which build plays in it: in a rolling deploy there are rooms of two. */
  readonly fingerprint?: string
}

export type RoomList = () => Promise<readonly RoomEntry[]>

const GOOD_FOR_MS = 1_000
const MAX_ROOMS = 100
/** How long a page waits for a Redis that is away. */
const PATIENCE_MS = 2_000

export function createRoomList(sorts: readonly RoomSort[]): RoomList {
  const seatsOf = new Map(sorts.map(({ name, seats }) => [name, seats]))
  // Lobbies and queues are no rooms that one looks for.
  const others = new Set(sorts.flatMap(({ name, isGame }) => (isGame === false ? [name] : [])))
  const query = shared(() => matchMaker.query({ locked: false }), PATIENCE_MS)
  let askedAt = Number.NEGATIVE_INFINITY
  let answer: Promise<readonly RoomEntry[]> = Promise.resolve([])
  return () => {
    if (performance.now() - askedAt < GOOD_FOR_MS) return answer
    askedAt = performance.now()
    answer = list()
    return answer
  }

  async function list(): Promise<RoomEntry[]> {
    const rooms = await query().catch((error) => {
      throw error instanceof Late
        ? new Refusal(503, 'timeout', 'the list of rooms is not to be had now; try again')
        : error
    })
    return rooms
      .map((room) => ({ ...room, metadata: (room.metadata ?? {}) as Partial<RoomMetadata> }))
      .filter(({ name, metadata }) => metadata.isPrivate !== true && !others.has(name))
      .slice(0, MAX_ROOMS)
      .map(({ name, roomId, clients, maxClients, metadata: { fingerprint } }) => ({
        game: name,
        room: roomId,
        clients,
        seats: seatsOf.get(name) ?? maxClients,
        ...(fingerprint !== undefined && { fingerprint }),
      }))
  }
}
