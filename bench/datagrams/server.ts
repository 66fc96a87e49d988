/** The server of the datagram benchmark, `node server.ts own|native`: says where it is, and answers every message with the CPU time that it has taken. */

import type { AddressInfo } from 'node:net'
import { defineRoom, defineServer } from '@colyseus/core'
import { WebSocketTransport } from '@colyseus/ws-transport'
import { gameRoom, roomConfigOf } from '@hurtbox/colyseus'
import { type Stack, startDatagrams } from '@hurtbox/datagrams'
import { loadModule } from 'hurtbox/module/node'
import { freeUdpPort } from '../../packages/datagrams/test/channels.ts'
import type { ServerReading } from './main.ts'

const service = await startDatagrams({ stack: process.argv[2] as Stack, port: await freeUdpPort() })
if (service === undefined) throw new Error('The UDP port cannot be had.')
let ticks = 0
const hooks = { onTick: () => void ticks++ }
const config = { ...roomConfigOf(await loadModule('jet-raiders')), modes: ['mirror', 'terminal'] as const }
const transport = new WebSocketTransport()
const rooms = { 'jet-raiders': defineRoom(gameRoom({ ...config, datagrams: service, hooks })) }
await defineServer({ rooms, transport, greet: false }).listen(0, '127.0.0.1')

process.on('disconnect', () => process.exit())
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send!({ cpuMs: (user + system) / 1000, ticks } satisfies ServerReading)
})
process.send!({ url: `http://127.0.0.1:${(transport.server!.address() as AddressInfo).port}` })
