/** Harbour Brawl on a real server, by real sockets over a slow line: what two players are shown and told, compared with the server's replay. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type GameConnection, joinGame } from '@hurtbox/colyseus/client'
import { serve } from '@hurtbox/server'
import { each, listEvents, playerAt, seek } from 'hurtbox'
import { createPlace } from 'hurtbox/picture'
import { loadReplay, sessionFromReplay } from 'hurtbox/replay'
import { afterAll, expect, test } from 'vitest'
import { brawler } from '../game/bots.ts'
import module from '../game/index.ts'
import type { Harbour } from '../game/rules.ts'
import { startSlowLine } from './slow-line.ts'

/** The events that the page has a sound for once they are certain. */
const SOUNDS = ['damage', 'kill', 'flagHome'] as const
const FRAME_MS = 33

const folders: string[] = []
afterAll(() => folders.forEach((folder) => void rmSync(folder, { recursive: true, force: true })))

/** A player as the page is one, without the page: frames, inputs, handlers. */
function follow(match: GameConnection<Harbour>) {
  const told = { heard: [] as { tick: number; text: string }[], things: 0, notFinite: 0, from: 0 }
  told.from = match.mirror!.confirmed.tick
  for (const kind of SOUNDS) {
    match.on(kind, { confirmed: (event) => void told.heard.push({ tick: event.tick, text: JSON.stringify(event) }) })
  }
  const place = createPlace()
  const frame = () => {
    const picture = match.update(performance.now(), (_tick, world) => {
      const player = playerAt(world, match.seat)
      return player === undefined ? {} : brawler.think(world, player, 1)
    })
    if (picture === undefined) return
    for (const { id } of picture.things?.() ?? each(picture.after)) {
      if (!picture.place(id, place)) continue
      told.things++
      if (!Object.values(place).every(Number.isFinite)) told.notFinite++
    }
  }
  return { told, frame }
}

test('[EX4] two players on a real server over a slow line: every picture is finite, every event is heard once as the replay has it, nothing is out of sync', {
  timeout: 300_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'harbour-'))
  folders.push(folder)
  // A busy machine must not refuse rooms here.
  const limits = { load: 10, loopDelayMs: 60_000 }
  const server = await serve({ games: [module], port: 0, udp: 'off', dataDir: folder, logLevel: 'silent', limits })
  const line = await startSlowLine(Number(new URL(server.url).port))
  const matches: GameConnection<Harbour>[] = []
  try {
    const url = `http://127.0.0.1:${line.port}`
    matches.push(await joinGame(url, module, { private: true }))
    await matches[0].whenPlaying()
    matches.push(await joinGame(url, module, { code: matches[0].code }))
    await matches[1].whenPlaying()
    const players = matches.map(follow)
    const isDone = () => players.every(({ told }) => told.heard.length >= 30)
    while (!isDone()) {
      for (const { frame } of players) frame()
      await wait(FRAME_MS)
    }
    const ends = matches.map((match) => match.mirror!.confirmed.tick)
    expect(matches.map(({ desyncs }) => desyncs)).toEqual([[], []])
    // The line is as slow as it says.
    for (const { rttMs } of matches) expect(rttMs).toBeGreaterThan(150)
    for (const match of matches) await match.leave()
    await server.close()
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const happened = eventsIn(readFileSync(join(folder, names.find((name) => name.endsWith('.hbr'))!)))
    for (const [i, { told }] of players.entries()) {
      expect(told.notFinite).toBe(0)
      // Of some hundred frames; how many, the machine decides.
      expect(told.things).toBeGreaterThan(300)
      // Not the ticks at both ends, in the middle of which it was asked.
      const isInside = ({ tick }: { tick: number }) => tick > told.from + 2 && tick < ends[i] - 2
      const heard = told.heard.filter(isInside)
      expect(heard.length).toBeGreaterThan(20)
      expect(heard).toEqual(happened.filter(isInside))
    }
  } finally {
    line.close()
    await server.close()
  }
})

/** The events with a sound, as the server had them. */
function eventsIn(bytes: Uint8Array): { tick: number; text: string }[] {
  const replay = loadReplay(module.game, bytes)
  const session = sessionFromReplay(module.game, replay)
  const events: { tick: number; text: string }[] = []
  for (let tick = 1; tick <= replay.ticks; tick++) {
    seek(session, tick)
    for (const event of listEvents(session.world)) {
      if ((SOUNDS as readonly string[]).includes(event.kind)) {
        events.push({ tick: event.tick, text: JSON.stringify(event) })
      }
    }
  }
  return events
}
