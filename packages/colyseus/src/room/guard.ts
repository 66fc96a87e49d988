/**
 * Limits per client, so that one cannot harm the others: how much it may send, how much may be queued for it.
 *
 * Colyseus can limit messages, but a client that may reconnect keeps its socket while it floods. So we count every frame
 * ourselves, and cut a client that exceeds a limit: we send the reason, and destroy its socket shortly after.
 */

import { type Client, ClientState, Protocol, type Room } from '@colyseus/core'
import { socketOf, stopPongs, stopReading, wrapDispatch } from './private-members.ts'

export type Limits = {
  /** Messages a second that a client may send for long. Default: one and a half per tick and ten more. */
  readonly messagesPerSecond?: number
  /** How many it may send at once: what a stalled connection has gathered. Default: four seconds of playing. */
  readonly messageBurst?: number
  /**
   * Bytes that may wait for one client: its connection is dropped then. A quarter of them waiting for one that is behind: it is sent
   * nothing more until it has read them. Default 512 KiB.
   */
  readonly queueBytes?: number
  /** How long a client that speaks may be behind, seconds. Default: `seatSeconds`, as long as its seat is kept without it. */
  readonly behindSeconds?: number
  /** Invalid messages after which a client is cut. Default 100. */
  readonly malformed?: number
}

/** Close codes of ours. */
export const CLOSE = { flood: 4008, slow: 4009, malformed: 4007, away: 4010 } as const
export type CutReason = keyof typeof CLOSE

/** What its client is told. */
export const REASONS: Readonly<Record<Exclude<CutReason, 'away'>, string>> = {
  flood: 'too many messages',
  slow: 'too slow to follow the match',
  malformed: 'messages that make no sense',
}

/** How long the socket of a cut client may take to close in good order, ms. */
const CLOSING_MS = 100

/** Control frames cost as much as messages: a ping is parsed and answered. */
const CONTROL_FRAMES = ['ping', 'pong'] as const

/**
 * Calls `onFrame` for every frame that the client sends: pings, pongs, and messages until the function that is returned is called. From
 * then on `takeMessages` counts them: one listener is cheaper than two.
 */
export function watchFrames(client: Client, onFrame: (bytes: number) => void): () => void {
  const socket = socketOf(client)
  const listener = (data: Uint8Array) => onFrame(data.length)
  for (const event of CONTROL_FRAMES) socket.on(event, listener)
  socket.on('message', listener)
  return () => socket.removeListener('message', listener)
}

export type MessageTaker<C extends Client> = {
  /** Called for every message; false drops it. */
  mayPass(client: C, bytes: number): boolean
  /** Messages of bytes with this type. */
  readonly type: number
  take(client: C, bytes: Uint8Array): void
}

/** The first byte of a message of bytes. */
export const ROOM_DATA_BYTES: number = Protocol.ROOM_DATA_BYTES

/**
 * Counts all messages to a room, and gives those of one type straight to `take`: Colyseus' own way to a handler costs more than reading
 * the message, and these come every tick from every client. Everything else goes its usual way.
 */
export function takeMessages<C extends Client>(room: Room, { mayPass, type, take }: MessageTaker<C>): void {
  wrapDispatch<C>(room, (dispatch) => (client, frame) => {
    if (!mayPass(client, frame.length)) return
    const isOurs = frame[0] === ROOM_DATA_BYTES && frame[1] === type && client.state === ClientState.JOINED
    if (isOurs) take(client, frame.subarray(2))
    else dispatch(client, frame)
  })
}

/** What of a connection knows how many bytes wait to be sent. */
export type Queue = { readonly bufferedAmount?: number }

export function queueOf(client: Client): Queue {
  return socketOf(client)
}

/** Ends a connection without a word, so that its client takes it for lost and comes back. What waits to be sent is forgotten. */
export function drop(client: Client): void {
  socketOf(client).terminate?.()
}

/** Ends a connection: its client is told why, in `words`, and may not come back. */
export function cut(client: Client, reason: CutReason, words: string): void {
  const socket = socketOf(client)
  for (const event of ['message', ...CONTROL_FRAMES] as const) socket.removeAllListeners(event)
  stopPongs(socket)
  // Another client can still answer that it closes, and then it has read why.
  if (reason === 'flood') stopReading(socket)
  socket.close(CLOSE[reason], words)
  // A client that does not answer keeps a closing socket for half a minute, and may go on flooding it.
  setTimeout(() => socket.terminate?.(), CLOSING_MS).unref()
}
