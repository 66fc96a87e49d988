/**
 * `node echo-server.ts own|native|socket`: sends back what comes, on data channels of one of the stacks or on the WebSocket by which they are offered. Says where it is,
 * and answers every message of its parent with its CPU time and how many messages it has sent back.
 */

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type Stack, startDatagrams } from '@hurtbox/datagrams'
import { WebSocketServer } from 'ws'
import { freeUdpPort } from '../../packages/datagrams/test/channels.ts'

export type EchoReading = { readonly cpuMs: number; readonly messages: number }

const carrier = process.argv[2] as Stack | 'socket'
const service = carrier === 'socket' ? undefined : await startDatagrams({ stack: carrier, port: await freeUdpPort() })
let messages = 0
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('connection', (socket) => {
  socket.on('message', (data, isBinary) => {
    if (isBinary) {
      messages++
      socket.send(data)
      return
    }
    const channel = service!.open(String(data), {
      onMessage(bytes) {
        messages++
        channel!.send(bytes)
      },
      onClosed() {},
    })
    socket.send(channel!.answer)
  })
})
await once(server, 'listening')

process.on('disconnect', () => process.exit())
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send!({ cpuMs: (user + system) / 1000, messages } satisfies EchoReading)
})
process.send!({ url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` })
