/**
 * `npm run measure -- press`: which source files one button press crosses, from `match.update` to the picture that shows it confirmed.
 *
 * A server, a room and a mirror run in this process over a real socket. V8 counts the calls of each function between the press and the
 * frame that shows it confirmed by the host; timers of the SDK and of other rooms are not of our sources and not listed.
 */

import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { defineRoom, defineServer } from '@colyseus/core'
import { WebSocketTransport } from '@colyseus/ws-transport'
import { gameRoom } from '@hurtbox/colyseus'
import { joinGame } from '@hurtbox/colyseus/client'
import { button, declareGame, defineGame, players } from 'hurtbox'

const packages = fileURLToPath(new URL('../packages/', import.meta.url))

const game = defineGame(
  declareGame({
    id: 'presses',
    tickRate: 30,
    seats: { min: 1, max: 1 },
    layers: { dot: [] },
    players: { presses: 'u32' },
    input: { fire: button() },
  }),
  {
    phases: {
      count(world) {
        for (const player of players(world)) if (player.fire) player.presses++
      },
    },
  },
)

const rooms = { presses: defineRoom(gameRoom({ game })) }
const server = defineServer({ rooms, transport: new WebSocketTransport(), greet: false })
await server.listen(0, '127.0.0.1')
const { port } = server.transport.server!.address() as { port: number }
const match = await joinGame(`http://127.0.0.1:${port}`, game, { mode: 'mirror', datagrams: false })
await match.whenPlaying()

let fire = false
const frame = () => match.update(performance.now(), () => ({ fire }))
const confirmed = () => match.mirror!.confirmed.tables.players.presses[0]
await frames(60)

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
await session.post('Profiler.takePreciseCoverage')
fire = true
while (confirmed() === 0) await frames(1)
const { result } = await session.post('Profiler.takePreciseCoverage')

const crossed = result
  .filter(({ url }) => url.startsWith(`file://${packages}`))
  .map(({ url, functions }) => ({
    file: url.slice(`file://${packages}`.length),
    // The first is the module itself, which has run before.
    called: functions.filter(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0),
  }))
  .filter(({ called }) => called.length > 0)
const outside = crossed.filter(({ file }) => !file.startsWith('hurtbox/')).sort((a, b) => (a.file < b.file ? -1 : 1))
for (const { file, called } of outside) {
  console.log(`${file.padEnd(52)} ${called.map(({ functionName }) => functionName).join(', ')}`)
}
console.log(`\n${outside.length} files outside the engine, ${crossed.length - outside.length} of the engine.`)
await match.leave()
await server.gracefullyShutdown(false)

async function frames(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    frame()
    await new Promise((go) => setTimeout(go, 16))
  }
}
