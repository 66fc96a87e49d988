/**
 * What a server has done for an address, counted where the work is done: by Node's own channels and in the parser of `ws`.
 *
 * A guard is worth what it keeps from being done. How many ticks a match loses depends on the machine; how many requests and frames were
 * parsed does not, so a guard that lets some more through is found by counting, also on a machine with much else to do.
 */

import crypto from 'node:crypto'
import { Socket as UdpSocket } from 'node:dgram'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { Socket } from 'node:net'
import * as ws from 'ws'
import { SUITES } from '../../packages/datagrams/src/dtls/ciphers/suites.ts'
import { addressKey } from '../../packages/server/src/addresses.ts'

/** Of one address, since its first connection. */
export type Work = {
  readonly seconds: number
  /** Connections that were let in, at a time. */
  readonly mostOpen: number
  /** Connections on which a request was parsed, and on which one was refused for there being too many. */
  readonly asking: number
  readonly refused: number
  readonly requests: number
  /** Requests on one connection behind the one that was refused. */
  readonly mostBehindRefused: number
  /** Seats that were given. */
  readonly seats: number
  /** Replays that were sent at a time. */
  readonly mostDownloads: number
}

/** Frames that one WebSocket sent, of whichever address, and in how many seconds. */
export type SocketFrames = { readonly frames: number; readonly seconds: number }

type Tally = { -readonly [Name in keyof Work]: Work[Name] } & { startedAt: number; open: number; downloads: number }

export type WorkCounter = {
  workFor(address: string): Work
  /** Of every WebSocket there was. */
  frames(): readonly SocketFrames[]
}

const EMPTY = { mostOpen: 0, asking: 0, refused: 0, requests: 0, mostBehindRefused: 0, seats: 0, mostDownloads: 0 }

/** Counts from now on, in this process. */
export function countWork(): WorkCounter {
  const tallies = new Map<string, Tally>()
  const tallyOf = (address: string): Tally => {
    const key = addressKey(address)
    const known = tallies.get(key)
    if (known !== undefined) return known
    const tally = { ...EMPTY, seconds: 0, startedAt: performance.now(), open: 0, downloads: 0 }
    tallies.set(key, tally)
    return tally
  }
  subscribe('net.server.socket', (message) => countConnection(tallyOf, (message as { socket: Socket }).socket))
  const behind = new WeakMap<Socket, number>()
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    countRequest(tallyOf(request.socket.remoteAddress ?? ''), request, response, behind)
  })
  const frames = countFrames()
  return {
    workFor(address) {
      const { startedAt, open: _open, downloads: _downloads, ...work } = tallyOf(address)
      return { ...work, seconds: (performance.now() - startedAt) / 1000 }
    },
    frames: () =>
      [...frames].map(({ frames, startedAt, endedAt }) => ({ frames, seconds: (endedAt - startedAt) / 1000 })),
  }
}

function countConnection(tallyOf: (address: string) => Tally, socket: Socket): void {
  // What is refused is destroyed by now.
  if (socket.destroyed) return
  const tally = tallyOf(socket.remoteAddress ?? '')
  tally.mostOpen = Math.max(tally.mostOpen, ++tally.open)
  socket.once('close', () => tally.open--)
}

function countRequest(
  tally: Tally,
  { socket, url = '' }: IncomingMessage,
  response: ServerResponse,
  behind: WeakMap<Socket, number>,
): void {
  tally.requests++
  const before = behind.get(socket)
  if (before === undefined) {
    tally.asking++
    behind.set(socket, Number.NEGATIVE_INFINITY)
  } else {
    behind.set(socket, before + 1)
    tally.mostBehindRefused = Math.max(tally.mostBehindRefused, before + 1)
  }
  const writeHead = response.writeHead
  response.writeHead = (...args: unknown[]) => {
    const [status, headers] = args as [number, Readonly<Record<string, unknown>> | undefined]
    // There are other reasons for 429; this one ends the connection.
    if (status === 429 && headers?.connection === 'close' && !Number.isFinite(behind.get(socket))) {
      behind.set(socket, 0)
      tally.refused++
    }
    if (status === 200 && url.startsWith('/matchmake/')) tally.seats++
    if (status === 200 && url.startsWith('/replays/')) {
      tally.mostDownloads = Math.max(tally.mostDownloads, ++tally.downloads)
      response.once('close', () => tally.downloads--)
    }
    return Reflect.apply(writeHead, response, args)
  }
}

type Counted = { frames: number; readonly startedAt: number; endedAt: number }
type Parser = { emit(event: string, ...args: unknown[]): boolean }

/** Counts what the parser of each WebSocket finds, whether somebody listens or not. */
function countFrames(): ReadonlySet<Counted> {
  const all = new Set<Counted>()
  const byParser = new WeakMap<object, Counted>()
  const { prototype } = (ws as unknown as { Receiver: { prototype: Parser } }).Receiver
  const { emit } = prototype
  prototype.emit = function (this: Parser, event, ...args) {
    if (event === 'message' || event === 'ping' || event === 'pong') {
      const now = performance.now()
      const counted = byParser.get(this) ?? { frames: 0, startedAt: now, endedAt: now }
      counted.frames++
      counted.endedAt = now
      byParser.set(this, counted)
      all.add(counted)
    }
    return emit.call(this, event, ...args)
  }
  return all
}

/** What packets have made a UDP port do. */
export type PacketWork = {
  /** Records that were decrypted, true or not. */
  opened: number
  /** Of connectivity checks, and of cookies. */
  hmacs: number
  /** Signatures that were made: one for each handshake. */
  signatures: number
  /** Packets that were sent. */
  sent: number
}

type Counter = (...args: never[]) => unknown

/** Counts from now on, in this process. */
export function countPackets(): Readonly<PacketWork> {
  const work: PacketWork = { opened: 0, hmacs: 0, signatures: 0, sent: 0 }
  const count = <T extends object>(of: T, name: keyof T, what: keyof PacketWork) => {
    const original = of[name] as Counter
    const counting = function (this: unknown, ...args: never[]) {
      work[what]++
      return Reflect.apply(original, this, args)
    }
    of[name] = counting as T[keyof T]
  }
  count(crypto, 'createHmac', 'hmacs')
  count(crypto, 'sign', 'signatures')
  syncBuiltinESMExports()
  count(UdpSocket.prototype, 'send', 'sent')
  for (const suite of SUITES as unknown as { create: (typeof SUITES)[number]['create'] }[]) {
    const { create } = suite
    suite.create = (...args) => {
      const aead = create(...args)
      count(aead, 'decrypt', 'opened')
      return aead
    }
  }
  return work
}
