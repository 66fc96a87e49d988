/** Players who come back all at once, and those who come back in vain, on a server with its own limits. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CloseCode, logger, matchMaker } from '@colyseus/core'
import { type GameConnection, joinGame } from '@hurtbox/colyseus/client'
import { serve } from '@hurtbox/server'
import { defineGame } from 'hurtbox'
import { defineModule } from 'hurtbox/module'
import type { AnyGame } from 'hurtbox/tools'
import { expect, test, vi } from 'vitest'
import { tag, whimsical } from '../../netcode/test/support.ts'

vi.setConfig({ testTimeout: 120_000 })

const PLAYERS = 40
const SEATS = 8

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + 60_000; !isSo(); ) {
    if (performance.now() > end) throw new Error(`not within a minute: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function withServer(options: object, run: (url: string, refused: () => Promise<number>) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'hurtbox-returns-'))
  const server = await serve({
    games: [defineModule({ game: tag, bots: [whimsical], room: { fill: 0 } })],
    port: 0,
    dataDir: folder,
    replays: false,
    udp: 'off',
    signals: false,
    logLevel: 'silent',
    say: () => {},
    ...options,
  })
  const refused = async () => {
    const { values } = await server.metrics.refused.get()
    return values.reduce((sum, { value }) => sum + value, 0)
  }
  try {
    await run(server.url, refused)
  } finally {
    await server.close()
    rmSync(folder, { recursive: true })
  }
}

const idle = () => ({})
const isBack = ({ status }: GameConnection) => status === 'playing'

test('[AW12] forty players behind one address come back when all connections end at once, and none is refused', async () => {
  // A busy machine is no part of it.
  const limits = { load: 10, loopDelayMs: 60_000 }
  await withServer({ limits }, async (url, refused) => {
    const players: GameConnection[] = []
    for (let i = 0; i < PLAYERS; i++) {
      const first = i % SEATS === 0
      const where = first ? { create: true } : { roomId: players[i - (i % SEATS)].room.roomId }
      const player = await joinGame(url, tag, where)
      await player.whenPlaying()
      players.push(player)
    }
    const before = players.map(({ seat, room }) => [seat, room.roomId])
    const connections = players.map(({ room }) => room)
    const timer = setInterval(() => {
      for (const each of players) each.update(performance.now(), idle)
    }, 50)
    for (const { roomId } of new Set(connections)) {
      for (const { ref } of matchMaker.getLocalRoomById(roomId).clients)
        (ref as unknown as { terminate(): void }).terminate()
    }
    await until('all are back', () => players.every((each, i) => isBack(each) && each.room !== connections[i]))
    expect(players.map(({ seat, room }) => [seat, room.roomId])).toEqual(before)
    expect(await refused()).toBe(0)
    clearInterval(timer)
    await Promise.all(players.map((each) => each.leave()))
  })
})

test('[AW13] where there is no way back the return ends at the first answer, with the true sentence, and Colyseus gives no advice in the log', async () => {
  const ended = async (player: GameConnection) => {
    const timer = setInterval(() => player.update(performance.now(), idle), 20)
    await until('it has ended', () => player.status === 'ended')
    clearInterval(timer)
    return player.ending?.reason
  }
  await withServer({ matches: false, seatSeconds: 3 }, async (url) => {
    const logged = vi.spyOn(logger, 'info')
    const [ada, bob] = [await joinGame(url, tag, { create: true }), await joinGame(url, tag, {})]
    await Promise.all([ada.whenPlaying(), bob.whenPlaying()])
    // Its page is frozen until its seat is gone.
    const room = matchMaker.getLocalRoomById(bob.room.roomId) as unknown as {
      host: { peers: Set<unknown>; seats: { player: unknown }[] }
    }
    bob.setAway(true)
    const timer = setInterval(() => ada.update(performance.now(), idle), 20)
    await until('the seat is given away', () => room.host.seats[bob.seat].player === 'nobody')
    expect(await ended(bob)).toBe('your seat was given away after 3 s')
    // The room closes as if its match went elsewhere, and it goes nowhere.
    clearInterval(timer)
    await matchMaker.getLocalRoomById(ada.room.roomId).disconnect(CloseCode.MAY_TRY_RECONNECT)
    // The process of the test is young or old, as it happens.
    expect(['the match has ended', 'the server was restarted, and the match has ended']).toContain(await ended(ada))
    expect(logged.mock.calls.join('\n')).not.toContain('allowReconnection')
  })
})

test('[AW6] a seat is kept for 60 seconds, 120 in private rooms and those for one player, or for as long as module or server say', async () => {
  const { declaration, behaviour }: AnyGame = tag
  const seats = (id: string, max: number) =>
    defineGame({ ...declaration, id, seats: { ...declaration.seats, max } }, behaviour)
  const room = { fill: 0 }
  const games = [
    defineModule({ game: seats('eight', 8), bots: [], room }),
    defineModule({ game: seats('one', 1), bots: [], room }),
    defineModule({ game: seats('patient', 8), bots: [], room: { ...room, seatSeconds: 90 } }),
  ]
  const kept = async (url: string) => {
    const found: Record<string, number | undefined> = {}
    for (const { game } of games) {
      for (const isPrivate of [false, true]) {
        const player = await joinGame(url, game, { create: true, private: isPrivate })
        const room = matchMaker.getLocalRoomById(player.room.roomId) as unknown as {
          host: { options: { seatSeconds?: number } }
        }
        found[`${isPrivate ? 'private ' : ''}${game.declaration.id}`] = room.host.options.seatSeconds
        await player.leave()
      }
    }
    return found
  }
  const about = { 'private one': 120, one: 120, 'private patient': 90, patient: 90 }
  await withServer({ games }, async (url) => {
    expect(await kept(url)).toEqual({ ...about, eight: 60, 'private eight': 120 })
  })
  await withServer({ games, seatSeconds: 30 }, async (url) => {
    expect(new Set(Object.values(await kept(url)))).toEqual(new Set([30]))
  })
})
