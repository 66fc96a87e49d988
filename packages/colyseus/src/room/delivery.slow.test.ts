/** Messages that are written straight to the socket are those that Colyseus and `ws` would have written. */

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type Client, ClientState } from '@colyseus/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { sendMessage } from './delivery.ts'

let server: WebSocketServer
let there: WebSocket
let here: WebSocket
const received: Buffer[] = []
beforeAll(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const connected = once(server, 'connection')
  there = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  there.on('message', (data: Buffer) => received.push(data))
  await once(there, 'open')
  here = (await connected)[0]
})
afterAll(() => {
  there?.terminate()
  server?.close()
})

/** A client of Colyseus' on this socket, as far as it is used here; `usual` counts what goes the usual way. */
function clientOn(ref: object, state: ClientState = ClientState.JOINED) {
  const usual: number[] = []
  const sendBytes = (type: number, bytes: Uint8Array) => {
    usual.push(bytes.length)
    here.send(Buffer.concat([Buffer.from([17, type]), bytes]))
  }
  return { client: { ref, state, sendBytes } as unknown as Client, usual }
}

test('[RM40] messages of every length arrive whole and in order, mixed with those of others', async () => {
  const { client, usual } = clientOn(here)
  const lengths = [0, 1, 122, 123, 124, 125, 126, 1000, 65_532, 65_533, 65_534, 70_000]
  for (const length of lengths) {
    sendMessage(client, 3, new Uint8Array(length).fill(length))
    here.send(`after ${length}`)
  }
  await expect.poll(() => received.length).toBe(2 * lengths.length)
  lengths.forEach((length, i) => {
    expect(received[2 * i]).toEqual(Buffer.concat([Buffer.from([17, 3]), Buffer.alloc(length, length)]))
    expect(String(received[2 * i + 1])).toBe(`after ${length}`)
  })
  expect(usual, 'what has another head').toEqual([65_534, 70_000])
})

test('[RM40] what is no plain open socket of a client in the room goes the usual way', () => {
  const ways: [object, ClientState?][] = [
    [{ readyState: 1, extensions: '' }],
    [{ readyState: 2, extensions: '', _socket: {} }],
    [{ readyState: 1, extensions: 'permessage-deflate', _socket: {} }],
    [{ readyState: 1, extensions: '', _socket: {} }, ClientState.JOINING],
  ]
  for (const [ref, state] of ways) {
    const { client, usual } = clientOn(ref, state)
    sendMessage(client, 3, new Uint8Array(5))
    expect(usual).toEqual([5])
  }
})
