/** Every game of the repository in a room: two clients play it, and no input of a client makes it fail. */

import type { RoomConfig } from '@hurtbox/colyseus'
import { MESSAGES, writeMessage } from '@hurtbox/netcode'
import { addPeer, createHost, receive, stepHost } from '@hurtbox/netcode/host'
import { hashWorld } from 'hurtbox'
import { unitAt } from 'hurtbox/math'
import { loadModules } from 'hurtbox/module/node'
import { createByteWriter, idleCodes, takeBytes } from 'hurtbox/wire'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { playTogether, startServer, type TestServer } from '../../../packages/colyseus/test/server.ts'

// Real time: on a busy machine everything takes longer.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const { modules: games } = await loadModules()
const NONCE = 77
let server: TestServer

beforeAll(async () => {
  const rooms: Record<string, RoomConfig> = {}
  for (const { id, game, bots } of games) {
    rooms[id] = { game, bots, fill: Math.min(4, game.declaration.seats.max), hashEvery: 1 }
  }
  server = await startServer(rooms)
})
afterAll(() => server.close())

for (const { id, game, bots } of games) {
  test(`[RM1] two clients play ${id}, one a mirror where the game allows, one a terminal`, () =>
    playTogether(server, game, bots.length > 0 ? bots : [{ name: '', about: '', think: () => ({}) }], id))
}

for (const { id, game, bots } of games) {
  test(`[NC14] whatever codes a client of ${id} sends, no step throws and every number stays finite`, async () => {
    const host = createHost(game, { seed: 1, nonce: NONCE, bots, fill: game.declaration.seats.min, replay: false })
    const peers = [0, 1].map((seat) => addPeer(host, Math.min(seat, game.declaration.seats.max - 1), 'terminal'))
    const idle = idleCodes(game.input)
    const writer = createByteWriter()
    for (let tick = 0; tick < 150 && host.status === 'running'; tick++) {
      for (const [seat, peer] of peers.entries()) {
        const chance = (n: number) => unitAt(tick, seat, n, 0, 7)
        // Ends of ranges more often than not.
        const codes = Uint32Array.from(game.input.fields, ({ largestCode }, f) => {
          const part = chance(f)
          return part < 0.3 ? 0 : part < 0.6 ? largestCode : Math.floor(chance(f + 100) * (largestCode + 1))
        })
        const inputs = [{ sequence: tick + 1, tick, codes }]
        const packet = { nonce: NONCE, received: 0, seenAgo: tick, inputs }
        writeMessage(writer, MESSAGES.inputs, packet, { layout: game.input, idle })
        receive(host, peer, takeBytes(writer))
        peer.outbox.length = 0
      }
      stepHost(host)
      hashWorld(host.world)
    }
    expect(host.failure).toBeUndefined()
    expect(peers[1].counts).toMatchObject({ malformed: 0, late: 0 })
    expect(peers[1].counts.accepted).toBeGreaterThan(100)
  })
}
