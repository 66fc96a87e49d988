/**
 * Every private member of Colyseus and `ws` that we use, each with its reason. No other file reaches one.
 *
 * A release may rename any of them without notice. So they are checked on the real objects before they are needed, and a missing one is
 * named: those of a room when it is created, those of sockets and of Redis' driver when a server starts, and those of a client again when
 * it joins, for rooms on other servers than ours. `npm run measure -- colyseus` tries the newest release.
 */

import { randomBytes } from 'node:crypto'
import { Duplex } from 'node:stream'
import type { Client, IRoomCache, Room } from '@colyseus/core'

type Member = {
  readonly name: string
  readonly type: 'object' | 'function' | 'boolean'
  /** What we need it for. */
  readonly reason: string
}

const ROOM: readonly Member[] = [
  {
    name: '_listing',
    type: 'object',
    reason: 'to count the players of a match that was taken over, and to list it again',
  },
  { name: '_reconnections', type: 'object', reason: 'to let players return with our own tokens' },
  { name: '_events', type: 'object', reason: 'to count a player who returns to a match that was taken over' },
  { name: '_onMessage', type: 'function', reason: 'to count every message and to read those of the match first' },
]
const CLIENT: readonly Member[] = [
  {
    name: '_enqueuedMessages',
    type: 'object',
    reason: 'to keep the seat of a client that is lost during the handshake',
  },
]
const SOCKET: readonly Member[] = [
  { name: '_socket', type: 'object', reason: 'to write a message in one piece' },
  { name: '_autoPong', type: 'boolean', reason: 'to stop answering the pings of a client that was cut' },
  { name: '_receiver', type: 'object', reason: 'to stop reading a client that sends too much' },
]
const RECEIVER: readonly Member[] = [
  { name: '_loop', type: 'boolean', reason: 'to stop reading a client that sends too much' },
  { name: '_write', type: 'function', reason: 'to stop reading a client that sends too much' },
]

/** A socket of Colyseus' WebSocket transport, which is one of `ws`. Other transports have less. */
export type Socket = {
  readonly readyState?: number
  readonly bufferedAmount?: number
  readonly extensions?: string
  on(event: FrameEvent, listener: (data: Uint8Array) => void): void
  removeListener(event: FrameEvent, listener: (data: Uint8Array) => void): void
  removeAllListeners(event: FrameEvent): void
  ping?(data: Uint8Array): void
  pause?(): void
  close(code: number, reason: string): void
  terminate?(): void
}

type FrameEvent = 'message' | 'ping' | 'pong'

type InnerSocket = Socket & {
  _autoPong?: boolean
  readonly _socket?: { write(bytes: Uint8Array): boolean } | null
  readonly _receiver?: { _loop: boolean; _write(bytes: unknown, encoding: unknown, done: () => void): void } | null
}

/** Call it when a room is created. */
export function checkRoom(room: object): void {
  check("Colyseus' Room", room, ROOM)
}

/** Call it when a client joins. A socket of another transport than that with `ws` is not checked: it is used by its public methods only. */
export function checkClient(client: Pick<Client, 'ref'>): void {
  check("Colyseus' Client", client, CLIENT)
  const socket: InnerSocket = socketOf(client)
  if (socket.terminate === undefined) return
  check("ws' WebSocket", socket, SOCKET)
  check("ws' Receiver", socket._receiver!, RECEIVER)
}

/** A server of `ws`, as far as it is needed to make a socket. */
type SocketServer<S> = {
  handleUpgrade(request: never, stream: Duplex, head: Buffer, take: (socket: S) => void): void
}

type ClientClass<S> = new (id: string, socket: S) => Pick<Client, 'ref'>

/** Call it when a server starts. It has no socket yet, so one is made over a stream in memory. */
export function checkSockets<S>(sockets: SocketServer<S>, ClientOf: ClientClass<S>): void {
  const Sockets = sockets.constructor as new (options: object) => SocketServer<S>
  const stream = new Duplex({ read() {}, write: (_bytes, _encoding, done) => done() })
  const headers = {
    upgrade: 'websocket',
    connection: 'upgrade',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  }
  const made: Pick<Client, 'ref'>[] = []
  new Sockets({ noServer: true, clientTracking: false }).handleUpgrade(
    { method: 'GET', url: '/', headers } as never,
    stream,
    Buffer.alloc(0),
    (socket) => made.push(new ClientOf('check', socket)),
  )
  try {
    if (made.length === 0) throw new Error('ws made no socket of a valid request, so it cannot be checked.')
    checkClient(made[0])
  } finally {
    stream.destroy()
  }
}

export function socketOf(client: Pick<Client, 'ref'>): Socket {
  return client.ref as unknown as Socket
}

/** The connection below an open socket of `ws`. Asked for every message to every client. */
export function streamOf(socket: Socket): { write(bytes: Uint8Array): boolean } | null | undefined {
  return (socket as InnerSocket)._socket
}

/** Answers no more pings. Those that were read already are still parsed, and `ws` makes an error with a stack for each answer it cannot send. */
export function stopPongs(socket: Socket): void {
  ;(socket as InnerSocket)._autoPong = false
}

/**
 * Reads nothing more of a socket, and leaves unparsed what was read: a piece of 64 kB is ten thousand pings, and until the socket
 * is gone there may be a hundred pieces. When it goes, `ws` would parse those that still wait, to find out why the other end closed.
 */
export function stopReading(socket: Pick<Socket, 'pause'>): void {
  const { _receiver: receiver } = socket as InnerSocket
  socket.pause?.()
  if (!receiver) return
  receiver._loop = false
  receiver._write = (_bytes, _encoding, done) => done()
}

/** What Colyseus keeps of a room for the matchmaker. */
export function listingOf(room: object): IRoomCache {
  return Reflect.get(room, '_listing')
}

/** Where Colyseus keeps the seats of lost connections, by token. */
export function lostSeatsOf(room: object): Record<string, readonly [sessionId: string, ...unknown[]]> {
  return Reflect.get(room, '_reconnections')
}

/** Lets Colyseus count a client that it has not seen join. */
export function countJoin(room: object, client: Client): void {
  Reflect.get(room, '_events').emit('join', client)
}

/** Makes Colyseus take a client for one that has finished the handshake: the seat of another could not be kept. */
export function skipHandshake(client: Client): void {
  Reflect.set(client, '_enqueuedMessages', undefined)
}

type Dispatch<C> = (client: C, frame: Uint8Array) => void

/** Puts a function in front of the one that gets every message to a room. */
export function wrapDispatch<C extends Client>(room: Room, wrap: (dispatch: Dispatch<C>) => Dispatch<C>): void {
  const inner = room as unknown as { _onMessage: Dispatch<C> }
  inner._onMessage = wrap(inner._onMessage.bind(room))
}

function check(owner: string, object: object, members: readonly Member[]): void {
  for (const { name, type, reason } of members) {
    const value = Reflect.get(object, name)
    const found = value === null ? 'null' : typeof value
    if (found === type) continue
    throw new Error(
      `${owner} has no private ${type} "${name}" (found: ${found}), which Hurtbox needs ${reason}. ` +
        'Install the releases it was tested with: ws 8, and @colyseus/* as in the package.json of @hurtbox/server.',
    )
  }
}
