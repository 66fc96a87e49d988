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
  /**
   * Bytes that may wait for one client: its connection is dropped then. A quarter of them waiting for one that says nothing: it is sent
   * nothing more until it reads again. Default 512 KiB.
   */
  readonly queueBytes?: number
  /** How long a client may be silent or behind, seconds. Default: `reconnectSeconds`, as long as its seat would be kept without a connection. */
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
const CONTROL_FRAMES = ['ping', 'pong'] as const
type FrameEvent = 'message' | (typeof CONTROL_FRAMES)[number]

/** What the WebSocket transport keeps behind `client.ref`. */
type Socket = {
  readonly bufferedAmount?: number
  _autoPong?: boolean
  readonly _receiver?: { _loop: boolean; _write(bytes: unknown, encoding: unknown, done: () => void): void }
  pause?(): void
  on(event: FrameEvent, listener: (data: unknown) => void): void
  removeListener(event: FrameEvent, listener: (data: unknown) => void): void
  removeAllListeners(event: FrameEvent): void
  close(code: number, reason: string): void
  terminate?(): void
}

/**
 * Calls `onFrame` for every frame that the client sends: pings, pongs, and messages until the function that is returned is called. From
 * then on `takeMessages` counts them: one listener is cheaper than two.
 */
export function watchFrames(client: Client, onFrame: (bytes: number) => void): () => void {
  const socket = socketOf(client)
  const listener = (data: unknown) => onFrame((data as Uint8Array).length)
  for (const event of CONTROL_FRAMES) socket.on(event, listener)
  socket.on('message', listener)
  return () => socket.removeListener('message', listener)
}

const ROOM_DATA_BYTES = 17

export type MessageTaker<C extends Client> = {
  /** Called for every message; false drops it. */
  mayPass(client: C, bytes: number): boolean
  /** Messages of bytes with this type. */
  readonly type: number
  take(client: C, bytes: Uint8Array): void
}

/**
 * Counts all messages to a room, and gives those of one type straight to `take`: Colyseus' own way to a handler costs more than reading
 * the message, and these come every tick from every client. Everything else goes its usual way.
 */
export function takeMessages<C extends Client>(room: Room, { mayPass, type, take }: MessageTaker<C>): void {
  const inner = room as unknown as { _onMessage(client: C, frame: Uint8Array): void }
  const dispatch = inner._onMessage
  inner._onMessage = (client, frame) => {
    if (!mayPass(client, frame.length)) return
    const isOurs = frame[0] === ROOM_DATA_BYTES && frame[1] === type && client.state === ClientState.JOINED
    if (isOurs) take(client, frame.subarray(2))
    else dispatch.call(room, client, frame)
  }
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

/** Ends a connection for good. */
export function cut(client: Client, reason: CutReason): void {
  const socket = socketOf(client)
  for (const event of ['message', ...CONTROL_FRAMES] as const) socket.removeAllListeners(event)
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
 * is gone there may be a hundred pieces. When it goes, `ws` would parse those that still wait, to find out why the other end closed.
 */
export function stopReading(socket: Pick<Socket, '_receiver' | 'pause'>): void {
  const { _receiver: parser } = socket
  socket.pause?.()
  if (parser === undefined) return
  parser._loop = false
  parser._write = (_bytes, _encoding, done) => done()
}

function socketOf(client: Client): Socket {
  return client.ref as unknown as Socket
}
