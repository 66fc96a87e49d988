/**
 * The WebSockets: Colyseus's transport with a guard at the door and one on every socket.
 *
 * At the door: the origin, the path, and how many sockets an address holds. On the socket: messages, pings and pongs are
 * counted before a room sees them, what waits to be sent is bounded, and pings carry a number that must come back. Colyseus counts
 * messages, too, but closes only after `onLeave` has settled, and a seat that may be taken again settles late; it takes
 * any pong for an answer, so a client that reads nothing and sends pongs of its own stays for ever. Here the socket goes at
 * once, whatever its room is waiting for.
 */

import { randomBytes } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { CloseCode } from '@colyseus/core'
import { WebSocketClient, WebSocketTransport } from '@colyseus/ws-transport'
import { checkSockets, stopPongs, stopReading } from '@hurtbox/colyseus'
import { createBucket } from '@hurtbox/datagrams'
import type { WebSocket } from 'ws'
import { addressOf } from './addresses.ts'
import type { Connections } from './connections.ts'
import type { Limits } from './limits.ts'
import type { Origins } from './origins.ts'
import { createHoldings, type Holdings } from './rates.ts'
import type { Reservations } from './reservations.ts'

/** What the sockets report. */
type SocketEvents = {
  /** A socket was refused or cut, and why, in one word. */
  onRefused(reason: string, address: string): void
  /** How many bytes a client sent and was sent within a second; called once a second for each. */
  onTraffic(receivedBytes: number, sentBytes: number): void
}

export type SocketOptions = {
  readonly limits: Limits
  readonly connections: Connections
  readonly origins: Origins
  readonly reservations: Reservations
  /** How many proxies of our own stand in front. */
  readonly proxies: number
  readonly events: SocketEvents
}

type Guard = {
  readonly socket: WebSocket
  readonly address: string
  /** The connection below: it counts bytes, frames and headers included. */
  readonly connection: IncomingMessage['socket']
  /** What the last ping carried, until it comes back; and how often we looked for it. */
  ping: Buffer | undefined
  looked: number
  receivedBytes: number
  sentBytes: number
  isCut: boolean
}

type UpgradeRefusal = { readonly status: string; readonly reason: string; readonly message?: string }

/** `/<process>/<room>`, as the SDK asks. Colyseus would also serve an echo on other paths. */
const ROOM_PATH = /^\/[A-Za-z0-9_-]{1,64}\/[A-Za-z0-9_-]{1,64}$/
const SESSION = /[?&]sessionId=([A-Za-z0-9_-]{1,64})(?:&|$)/
const NOT_FOUND: UpgradeRefusal = { status: '404 Not Found', reason: 'path' }
const FORBIDDEN: UpgradeRefusal = { status: '403 Forbidden', reason: 'origin' }
const TOO_MANY: UpgradeRefusal = { status: '429 Too Many Requests', reason: 'connections' }

/** The session id that an upgrade names; empty where it names none. */
function sessionOf({ url = '' }: IncomingMessage): string {
  return SESSION.exec(url)?.[1] ?? ''
}

const POLICY_VIOLATION = 1008
/** Time for the close frame to leave before the connection is cut. */
const CLOSE_MS = 200
/** The same where a client has no seat, and may be slow to read why. */
const NO_SEAT_MS = 1_000
const TRAFFIC_MS = 1_000

export class GuardedTransport extends WebSocketTransport {
  readonly #options: SocketOptions
  readonly #holdings: Holdings
  readonly #guards = new Set<Guard>()
  readonly #timers: readonly NodeJS.Timeout[]

  constructor(server: Server, options: SocketOptions) {
    const { messageBytes: maxPayload, messageFragments: maxFragments } = options.limits
    super({ noServer: true, maxPayload, maxFragments, pingInterval: 0 })
    checkSockets(this.wss, WebSocketClient)
    this.#options = options
    this.#holdings = createHoldings(options.limits.connectionsPerAddress)
    this.attachToServer(server)
    this.#timers = [
      setInterval(() => this.#pingAll(), options.limits.pingMs),
      setInterval(() => this.#reportTraffic(), TRAFFIC_MS),
    ]
  }

  /** Takes no more sockets and ends those that are still there. */
  override shutdown(): void {
    for (const timer of this.#timers) clearInterval(timer)
    super.shutdown()
    for (const { socket } of this.#guards) socket.terminate()
  }

  protected override listenForUpgrade(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, connection: Duplex, head: Buffer) => {
      connection.on('error', () => connection.destroy())
      if (!this.#options.connections.mayAsk(request)) {
        connection.destroy()
        return
      }
      const address = addressOf(request, this.#options.proxies)
      const refusal = this.#refusalOf(request) ?? (this.#holdings.hold(address) ? undefined : TOO_MANY)
      if (refusal) {
        const { status, reason, message = '' } = refusal
        this.#options.events.onRefused(reason, address)
        const length = Buffer.byteLength(message)
        const head = `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${length}`
        connection.end(`${head}\r\n\r\n${message}`)
        return
      }
      this.#options.connections.keep(request.socket)
      connection.once('close', () => this.#holdings.release(address))
      this.wss.handleUpgrade(request, connection, head, (socket) => {
        this.#options.reservations.taken(sessionOf(request))
        this.#guard(socket, request, address)
        this.wss.emit('connection', socket, request)
      })
    })
  }

  #refusalOf(request: IncomingMessage): UpgradeRefusal | undefined {
    if (!ROOM_PATH.test((request.url ?? '').split('?', 1)[0])) return NOT_FOUND
    const { origins, reservations } = this.#options
    if (origins.isAllowed(request, reservations.originOf(sessionOf(request)))) return undefined
    return { ...FORBIDDEN, message: origins.refuse(request) }
  }

  #guard(socket: WebSocket, request: IncomingMessage, address: string): void {
    const { limits } = this.#options
    const guard: Guard = {
      socket,
      address,
      connection: request.socket,
      ping: undefined,
      looked: 0,
      receivedBytes: request.socket.bytesRead,
      sentBytes: request.socket.bytesWritten,
      isCut: false,
    }
    this.#guards.add(guard)
    socket.on('close', () => this.#guards.delete(guard))
    const mayDeliver = createBucket(limits.messages)
    /** Whether the frame is within the budget. The first that is not cuts the socket. */
    const count = (): boolean => {
      if (guard.isCut) return false
      const isWithin = mayDeliver()
      if (!isWithin) this.#cut(guard, 'messages', 'too many messages')
      return isWithin
    }
    socket.on('message', count)
    // A ping costs as much as a message: it is parsed, and answered. Here, by the budget of the socket: after a cut `ws` would make an error for
    // each one left. Not by its option `autoPong`: releases differ in what a socket that has it off is like.
    stopPongs(socket)
    socket.on('ping', (data) => {
      if (count()) socket.pong(data)
    })
    socket.on('pong', (answer) => {
      if (guard.ping?.equals(answer)) guard.ping = undefined
      else count()
    })

    // `ws` waits half a minute for the answer of a client. Without a seat there is nothing to wait for.
    const close = socket.close
    socket.close = (code, reason) => {
      close.call(socket, code, reason)
      if (code === CloseCode.WITH_ERROR || code === CloseCode.FAILED_TO_RECONNECT) {
        setTimeout(() => socket.terminate(), NO_SEAT_MS).unref()
      }
    }

    // Asked on every send and not by a timer, so that the bound holds at any rate.
    const sendUnbounded = socket.send
    socket.send = (...args: unknown[]) => {
      if (socket.bufferedAmount > limits.queuedBytes) this.#drop(guard, 'slow')
      else Reflect.apply(sendUnbounded, socket, args)
    }
  }

  /** Closes with a reason the client can read, and ignores everything else from it. */
  #cut(guard: Guard, reason: string, message: string): void {
    const { socket } = guard
    guard.isCut = true
    socket.removeAllListeners('message')
    stopReading(socket)
    socket.close(POLICY_VIOLATION, message)
    setTimeout(() => socket.terminate(), CLOSE_MS).unref()
    this.#options.events.onRefused(reason, guard.address)
  }

  #drop(guard: Guard, reason: string): void {
    if (guard.socket.readyState !== guard.socket.OPEN) return
    guard.socket.terminate()
    this.#options.events.onRefused(reason, guard.address)
  }

  #pingAll(): void {
    for (const guard of this.#guards) {
      if (guard.ping === undefined) {
        guard.ping = randomBytes(4)
        guard.looked = 0
        guard.socket.ping(guard.ping)
      } else if (++guard.looked === this.#options.limits.silentPings) this.#drop(guard, 'silent')
    }
  }

  #reportTraffic(): void {
    for (const guard of this.#guards) {
      const { bytesRead, bytesWritten } = guard.connection
      this.#options.events.onTraffic(bytesRead - guard.receivedBytes, bytesWritten - guard.sentBytes)
      guard.receivedBytes = bytesRead
      guard.sentBytes = bytesWritten
    }
  }
}
