/**
 * Messages from a client to its room beside the match, as JSON: one record each, with its name and its check.
 *
 * A new one is a record here, `onRoomMessage` in the room, and `sendToRoom` in the client.
 */

import type { Client, Room as ServerRoom } from '@colyseus/core'
import type { Room as ClientRoom } from '@colyseus/sdk'

export type RoomMessage<Content> = {
  readonly name: string
  /** The content of a message from a client, or undefined when it is invalid; then it is ignored. */
  check(value: unknown): Content | undefined
}

/** More than a mirror can make between two of its reports. */
const MAX_ROLLBACKS = 10_000

/** Pauses or resumes the match. */
const pause: RoomMessage<boolean> = { name: 'pause', check: (value) => value === true }

/** Nobody looks at the page, or somebody does again. */
const away: RoomMessage<boolean> = { name: 'away', check: (value) => value === true }

/** How often a mirror has rolled back since its last report: for statistics. */
const rollbacks: RoomMessage<number> = {
  name: 'rollbacks',
  check: (value) =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_ROLLBACKS ? Number(value) : undefined,
}

/** Longer than what browsers say of one data channel. */
const MAX_OFFER = 3_500

/** A description of the data channel that a client offers. */
const offer: RoomMessage<string> = {
  name: 'datagrams-offer',
  check: (value) => (typeof value === 'string' && value.length <= MAX_OFFER ? value : undefined),
}

/** The player wants another match; sent once the last one is over. */
const rematch: RoomMessage<boolean> = { name: 'rematch', check: (value) => value === true }

/** No connection that plays is slower. */
const MAX_PING_MS = 60_000

/** The client's round trip, for the roster. */
const ping: RoomMessage<number> = {
  name: 'ping',
  check: (value) => (Number.isFinite(value) && Number(value) >= 0 ? Math.min(Number(value), MAX_PING_MS) : undefined),
}

export const ROOM_MESSAGES = { pause, away, rollbacks, offer, rematch, ping } as const

export function sendToRoom<Content>(room: ClientRoom, { name }: RoomMessage<Content>, content: Content): void {
  room.send(name, content)
}

export function onRoomMessage<Content, C extends Client>(
  room: Pick<ServerRoom, 'onMessage'>,
  { name, check }: RoomMessage<Content>,
  take: (client: C, content: Content) => void,
): void {
  room.onMessage(name, (client: C, value: unknown) => {
    const content = check(value)
    if (content !== undefined) take(client, content)
  })
}
