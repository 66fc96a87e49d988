/** The honest match: players through the SDK on datagrams, each with a bot at the controls. `node players.ts <port> <players>`. */

import { type GameConnection, joinGame, type PeerConnectionClass } from '@hurtbox/colyseus/client'
import { botInput } from 'hurtbox/tools'
import jetRaiders from '../../games/jet-raiders/index.ts'
import { RTCPeerConnection } from '../../packages/datagrams/test/channels.ts'
import type { PlayersReading } from './kinds.ts'

const [port, count] = process.argv.slice(2)
const FRAME_MS = 1000 / 60
const { game, bots = [] } = jetRaiders
const connections: GameConnection[] = []
process.on('disconnect', () => process.exit())

let datagrams = 0
/** Counts what arrives. */
class Counting extends RTCPeerConnection {
  override createDataChannel(label: string, options?: object) {
    const channel = super.createDataChannel(label, options)
    channel.addEventListener('message', () => datagrams++)
    return channel
  }
}

for (let i = 0; i < Number(count); i++) {
  const where = connections[0] && { roomId: connections[0].room.roomId }
  const mode = i % 2 === 0 ? 'mirror' : 'terminal'
  const connection = await joinGame(`http://127.0.0.1:${port}`, game, {
    name: `player ${i}`,
    mode,
    datagrams: Counting as unknown as PeerConnectionClass,
    ...where,
  })
  await connection.whenPlaying()
  connections.push(connection)
}
setInterval(() => {
  const now = performance.now()
  for (const connection of connections) {
    const bot = bots[connection.seat % bots.length]
    connection.update(now, (_tick, world) => botInput(bot, world, connection.seat, 1))
  }
}, FRAME_MS)

const read = (): PlayersReading => ({
  roomId: connections[0].room.roomId,
  lost: connections.filter(({ status }) => status !== 'playing').length,
  datagrams,
})
process.on('message', () => process.send!(read()))
while (connections.some(({ network }) => network.path !== 'datagram')) {
  await new Promise((resolve) => setTimeout(resolve, 20))
}
process.send!(read())
