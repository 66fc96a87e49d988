/** Sockets that have no seat, of clients that do not answer when they are told so. */

import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConnection, reserve, startTestServer, type TestServer, until } from './support.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('[SV253] a socket without a seat is told why, and ended soon though its client never answers', async () => {
  const { processId, roomId } = JSON.parse((await reserve(server, 'create', 'echo')).body)
  const head = [
    `GET /${processId}/${roomId}?sessionId=nobody HTTP/1.1`,
    `Host: 127.0.0.1:${server.port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]
  const socket = await openConnection(server, `${head.join('\r\n')}\r\n\r\n`)
  let isClosed = false
  const bytes: Buffer[] = []
  socket.on('data', (piece) => bytes.push(piece))
  // It keeps its half open, as a client that ignores everything.
  once(socket, 'end').then(
    () => {
      isClosed = true
    },
    () => {
      isClosed = true
    },
  )
  // The library would wait for half a minute.
  await until('the socket has ended', () => isClosed, 10_000)
  // A close frame with the code 4002.
  expect(Buffer.concat(bytes).includes(Buffer.from([0x0f, 0xa2]))).toBe(true)
  socket.destroy()
})
