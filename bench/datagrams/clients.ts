/** Clients of the datagram benchmark: `node clients.ts <url> <mode> <rooms> <clients>`. Each message names the path to take from then on. */

import { loadModule } from 'hurtbox/module/node'
import { botInput } from 'hurtbox/tools'
import { type GameConnection, joinGame, type PeerConnectionClass } from '../../packages/colyseus/src/client/index.ts'
import { until } from '../../packages/colyseus/test/server.ts'
import { RTCPeerConnection } from '../../packages/datagrams/test/channels.ts'
import type { Path } from './main.ts'

const [url, mode, rooms, perRoom] = process.argv.slice(2)
const { game, bots } = await loadModule('jet-raiders')
const datagrams = RTCPeerConnection as unknown as PeerConnectionClass
const all: GameConnection[] = []
for (let room = 0; room < Number(rooms); room++) {
  const first = await joinGame(url, game, { mode: mode as 'mirror', datagrams, create: true })
  all.push(first)
  for (let i = 1; i < Number(perRoom); i++) {
    all.push(await joinGame(url, game, { mode: mode as 'mirror', datagrams, roomId: first.room.roomId }))
  }
}
setInterval(() => {
  for (const each of all) {
    each.update(performance.now(), (_tick, world) => botInput(bots[each.seat % bots.length], world, each.seat, 1))
  }
}, 16)
await take('datagram')
process.on('disconnect', () => process.exit())
process.on('message', async (path: Path) => {
  await take(path)
  process.send!(path)
})
process.send!('playing')

async function take(path: Path): Promise<void> {
  for (const { datagrams: lane } of all) lane.isWanted = path === 'datagram'
  await until(path, () => all.every(({ network }) => network.path === path))
}
