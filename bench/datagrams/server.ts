/** The server of the datagram benchmark: says where it is, and answers every message with the CPU time that it has taken. */

import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { defineRoom, defineServer } from '@colyseus/core'
import { WebSocketTransport } from '@colyseus/ws-transport'
import { gameRoom, roomConfigOf, startDatagrams } from '@hurtbox/colyseus'
import { loadModule } from 'hurtbox/module/node'
import { freeUdpPort } from '../../packages/colyseus/test/channels.ts'
import type { ServerReading } from './main.ts'

/** A hundredth of a second: what Linux counts the CPU time of a process in. */
const JIFFY_MS = 10

const service = await startDatagrams({ port: await freeUdpPort() })
if (service === undefined) throw new Error('there are no datagrams here: npm install node-datachannel')
let ticks = 0
const hooks = { onTick: () => void ticks++ }
const config = { ...roomConfigOf(await loadModule('jet-raiders')), modes: ['mirror', 'terminal'] as const }
const transport = new WebSocketTransport()
const rooms = { 'jet-raiders': defineRoom(gameRoom({ ...config, datagrams: service, hooks })) }
await defineServer({ rooms, transport, greet: false }).listen(0, '127.0.0.1')

process.on('disconnect', () => process.exit())
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  const stat = readFileSync(`/proc/${service.pid}/stat`, 'utf8')
  const [userJiffies, systemJiffies] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  const nativeMs = JIFFY_MS * (Number(userJiffies) + Number(systemJiffies))
  process.send!({ roomMs: (user + system) / 1000, nativeMs, ticks } satisfies ServerReading)
})
process.send!({ url: `http://127.0.0.1:${(transport.server!.address() as AddressInfo).port}` })
