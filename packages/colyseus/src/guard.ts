/**
 * Limits per client, so that one cannot harm the others: how much it may send, how much may be queued for it.
 *
 * Colyseus can limit messages, but a client that may reconnect keeps its socket while it floods. So we count every frame
 * ourselves, and cut a client that exceeds a limit: we send the reason, and destroy its socket shortly after.
 */

import { type Client, ClientState, type Room } from '@colyseus/core'

export type Limits = {
  /** Messages a second that a client may send for long. Default: one and a half per tick and ten more. */
  readonly messagesPerSecond?: number
  /** How many it may send at once: what a stalled connection has gathered. Default: four seconds of playing. */
  readonly messageBurst?: number
  /** Bytes that may wait for one client. Default 512 KiB. */
  readonly queueBytes?: number
  /** How long a player's client may be behind, seconds. Default 10. */
  readonly behindSeconds?: number
  /** Invalid messages after which a client is cut. Default 100. */
  readonly malformed?: number
}

/** Close codes of ours. */
export const CLOSE = { flood: 4008, slow: 4009, malformed: 4007 } as const
export type CutReason = keyof typeof CLOSE

const REASONS: Readonly<Record<CutReason, string>> = {
  flood: 'too many messages',
  slow: 'too slow to follow the match',
  malformed: 'messages that make no sense',
}

/** How long the socket of a cut client may take to close in good order, ms. */
const CLOSING_MS = 100

/** Control frames cost as much as messages: a ping is parsed and answered. */
const FRAME_EVENTS = ['message', 'ping', 'pong'] as const
type FrameEvent = (typeof FRAME_EVENTS)[number]

/** What the WebSocket transport keeps behind `client.ref`. */
type Socket = {
  readonly bufferedAmount?: number
  _autoPong?: boolean
  readonly _receiver?: { _loop: boolean }
  pause?(): void
  on(event: FrameEvent, listener: (data: unknown) => void): void
  removeAllListeners(event: FrameEvent): void
  close(code: number, reason: string): void
  terminate?(): void
}

/** Calls `onFrame` for every frame that the client sends: messages, pings and pongs. */
export function watchFrames(client: Client, onFrame: (bytes: number) => void): void {
  const listener = (data: unknown) => onFrame((data as Uint8Array).length)
  for (const event of FRAME_EVENTS) socketOf(client).on(event, listener)
}

const ROOM_DATA_BYTES = 17

/**
 * Gives messages of bytes with this type straight to `take`. Colyseus' own way to a handler costs more than reading the message,
 * and these come every tick from every client. Everything else goes its usual way.
 */
export function takeMessages<C extends Client>(
  room: Room,
  type: number,
  take: (client: C, bytes: Uint8Array) => void,
): void {
  const inner = room as unknown as { _onMessage(client: C, frame: Uint8Array): void }
  const dispatch = inner._onMessage
  inner._onMessage = (client, frame) => {
    const isOurs = frame[0] === ROOM_DATA_BYTES && frame[1] === type && client.state === ClientState.JOINED
    if (isOurs) take(client, frame.subarray(2))
    else dispatch.call(room, client, frame)
  }
}

/** Bytes that wait for the client. */
export function queuedBytes(client: Client): number {
  return socketOf(client).bufferedAmount ?? 0
}

/** Ends a connection for good. */
export function cut(client: Client, reason: CutReason): void {
  const socket = socketOf(client)
  for (const event of FRAME_EVENTS) socket.removeAllListeners(event)
  // Pings that were read already are still parsed, and `ws` makes an error with a stack for each answer it cannot send.
  socket._autoPong = false
  // Another client can still answer that it closes, and then it has read why.
  if (reason === 'flood') stopReading(socket)
  socket.close(CLOSE[reason], REASONS[reason])
  // A client that does not answer keeps a closing socket for half a minute, and may go on flooding it.
  setTimeout(() => socket.terminate?.(), CLOSING_MS).unref()
}

/**
 * Reads nothing more of a socket, and leaves unparsed what was read: a piece of 64 kB is ten thousand pings, and until the socket
 * is gone there may be a hundred pieces.
 */
export function stopReading(socket: Pick<Socket, '_receiver' | 'pause'>): void {
  socket.pause?.()
  if (socket._receiver !== undefined) socket._receiver._loop = false
}

function socketOf(client: Client): Socket {
  return client.ref as unknown as Socket
}
