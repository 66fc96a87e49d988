/** Private members of Colyseus and `ws`: all are there, a missing one is named, and one file reaches them. */

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { WebSocketClient } from '@colyseus/ws-transport'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { tag } from '../../../netcode/test/support.ts'
import { roomOf, startServer, type TestServer } from '../../test/server.ts'
import { type GameConnection, joinGame } from '../client/index.ts'
import { checkClient, checkRoom, checkSockets } from './private-members.ts'

const ROOM = ['_listing', '_reconnections', '_events', '_onMessage']
const SOCKET = ['_socket', '_autoPong', '_receiver']
const RECEIVER = ['_loop', '_write']

let server: TestServer
let match: GameConnection
beforeAll(async () => {
  server = await startServer({ tag: { game: tag } })
  match = await joinGame(server.url, tag)
  await match.whenPlaying()
})
afterAll(async () => {
  await match?.leave()
  await server.close()
})

/** The same object without one of its members. */
function without<T extends object>(object: T, name: string): T {
  return Object.create(object, { [name]: { value: undefined } })
}

/** A client whose socket has been changed before it is checked. */
function clientWith(change: (socket: WebSocket) => WebSocket): typeof WebSocketClient {
  return class extends WebSocketClient {
    constructor(id: string, socket: WebSocket) {
      super(id, change(socket))
    }
  }
}

const sockets = new WebSocketServer({ noServer: true })

test('[RM80] rooms, clients and sockets of the installed releases have every private member', () => {
  expect(() => checkRoom(roomOf(match))).not.toThrow()
  expect(() => checkSockets(sockets, WebSocketClient)).not.toThrow()
  // The client has passed its check when it joined. The queue of the handshake is gone since.
  const [client] = roomOf(match).clients
  expect(() => checkClient(Object.assign(Object.create(client), { _enqueuedMessages: [] }))).not.toThrow()
})

test.each(ROOM)('[RM81] a room without %s is named', (name) => {
  expect(() => checkRoom(without(roomOf(match), name))).toThrow(
    new RegExp(`^Colyseus' Room has no private \\w+ "${name}" .*, which Hurtbox needs to .*\\. Install `),
  )
})

test.each(SOCKET)('[RM81] a socket without %s is named when a server starts', (name) => {
  const broken = clientWith((socket) => without(socket, name))
  expect(() => checkSockets(sockets, broken)).toThrow(`ws' WebSocket has no private`)
  expect(() => checkSockets(sockets, broken)).toThrow(`"${name}"`)
})

test.each(RECEIVER)('[RM81] the receiver of a socket without %s is named when a server starts', (name) => {
  const broken = clientWith((socket) =>
    Object.create(socket, { _receiver: { value: without(Reflect.get(socket, '_receiver'), name) } }),
  )
  expect(() => checkSockets(sockets, broken)).toThrow(`ws' Receiver has no private`)
  expect(() => checkSockets(sockets, broken)).toThrow(`"${name}"`)
})

test('[RM81] a client without its queue is named', () => {
  class Broken extends WebSocketClient {
    constructor(id: string, socket: WebSocket) {
      super(id, socket)
      Reflect.deleteProperty(this, '_enqueuedMessages')
    }
  }
  expect(() => checkSockets(sockets, Broken)).toThrow('Colyseus\' Client has no private object "_enqueuedMessages"')
})

test('[RM81] a player is told why a room cannot be created', async () => {
  const { constructor: Room } = Object.getPrototypeOf(Object.getPrototypeOf(Object.getPrototypeOf(roomOf(match))))
  const dispatch = Room.prototype._onMessage
  try {
    Room.prototype._onMessage = undefined
    await expect(joinGame(server.url, tag, { create: true })).rejects.toThrow('"_onMessage"')
  } finally {
    Room.prototype._onMessage = dispatch
  }
})

test('[RM81] a player is told why it cannot join a room', async () => {
  const sockets = Object.getPrototypeOf(roomOf(match).clients[0].ref)
  try {
    // What sockets write to it is lost, as if they had another name for it.
    Object.defineProperty(sockets, '_autoPong', { get: () => undefined, set: () => {}, configurable: true })
    await expect(joinGame(server.url, tag)).rejects.toThrow('"_autoPong"')
  } finally {
    Reflect.deleteProperty(sockets, '_autoPong')
  }
})

test('[RM82] one file reaches the private members', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const names = [...ROOM, ...SOCKET, ...RECEIVER, '_enqueuedMessages', '_client']
  const uses = new RegExp(`\\b(${names.join('|')})\\b|Reflect\\.(get|set)\\(`)
  const files = globSync('{colyseus,netcode,server}/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
  expect(files.filter((file) => uses.test(readFileSync(root + file, 'utf8')))).toEqual([
    'colyseus/src/room/private-members.ts',
  ])
})
