/** A rule that throws on the server, as every client hears of it. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { matchMaker } from '@colyseus/core'
import { defineGame } from 'hurtbox'
import { loadReplay, verifyReplay } from 'hurtbox/replay'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { declaration, fogTag, phases, tag, whimsical } from '../../../netcode/test/support.ts'
import { drive, heldWay, joinAll, playOn, roomOf, startServer, type TestServer, until } from '../../test/server.ts'
import { joinGame } from '../client/index.ts'
import type { GameConnection, JoinChoices } from '../client/types.ts'
import { type RoomView, replayFolder } from '../index.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

/** What is told in the next patch has come after so long, on a busy machine too. */
const AT_ONCE_MS = 1_000

/** Where the rule throws, as somebody in the folder of the project calls it. */
const lines = readFileSync(import.meta.filename, 'utf8').split('\n')
const trapLine = lines.findIndex((line) => line.trim().startsWith('if (tick >= sprungAt)')) + 1
const trapPlace = `(${relative(process.cwd(), import.meta.filename)}:${trapLine}:`

/** From this tick on the rule throws. */
let sprungAt = Number.POSITIVE_INFINITY
const trap = ({ tick }: { readonly tick: number }) => {
  if (tick >= sprungAt) throw new Error('sprung by rules.ts:7')
}
const game = defineGame(declaration, { ...tag.behaviour, phases: { ...phases, trap } })
const fog = defineGame(declaration, { ...fogTag.behaviour, phases: { ...phases, trap } })
const folder = mkdtempSync(join(tmpdir(), 'hurtbox-failure-'))
const ended: (string | undefined)[] = []
let server: TestServer

beforeAll(async () => {
  const replays = replayFolder(folder, { servedAt: 'replays/' })
  const rest = {
    bots: [whimsical],
    fill: 4,
    hashEvery: 1,
    replays,
    hooks: { onMatchEnd: (room: RoomView) => ended.push(room.replay) },
  }
  server = await startServer({
    work: { game, tellErrors: true, ...rest },
    tag: { game, track: true, ...rest },
    fog: { game: fog, ...rest },
    'fog-work': { game: fog, tellErrors: true, ...rest },
  })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

/** Players of a room, of which a rule throws when `spring` is called. */
async function sit(room: string, choices: readonly JoinChoices[], url = server.url) {
  const all = await joinAll(
    url,
    room.startsWith('fog') ? fog : game,
    choices.map((each, i) => ({ ...each, room, create: i === 0 })),
  )
  const players = drive(all, [whimsical])
  onTestFinished(async () => {
    sprungAt = Number.POSITIVE_INFINITY
    await players.stop()
  })
  await playOn(all, 4)
  const served = roomOf(all[0])
  return {
    all,
    served,
    async spring() {
      sprungAt = served.host.world.tick + 3
      await until('the rule has thrown', () => served.host.status === 'failed')
      sprungAt = Number.POSITIVE_INFINITY
      return performance.now()
    },
  }
}

const areTold = (all: readonly GameConnection[]) => all.every(({ status }) => status === 'failed')

test('[FM1] every client is told at once, with the sentence, file and line, and goes on drawing the last picture', async () => {
  const { all, spring } = await sit('work', [{ mode: 'mirror' }, { mode: 'terminal' }, { spectate: true }])
  const at = await spring()
  await until('all are told', () => areTold(all), AT_ONCE_MS)
  expect(performance.now() - at).toBeLessThan(AT_ONCE_MS)
  for (const each of all) {
    expect(each.failure?.message).toContain(`sprung by rules.ts:7 ${trapPlace}`)
    expect(each.ending).toEqual({ code: 4002, reason: each.failure?.message })
    expect(each.update(performance.now(), () => ({}))).toBeDefined()
  }
})

test('[FM2] where the operator does not tell errors, players are told the tick', async () => {
  const { all, served, spring } = await sit('tag', [{}])
  await spring()
  await until('it is told', () => areTold(all), AT_ONCE_MS)
  expect(all[0].failure?.message).toBe(`the game's own code failed in tick ${served.host.world.tick}`)
})

test('[FM3] nobody asks for a failed match again, whatever becomes of the connection, and nobody new is led into it', async () => {
  const way = await heldWay(server.url)
  let asked = 0
  way.mayPass = (sent) => {
    if (sent.startsWith('POST')) asked++
    return true
  }
  const { all, served, spring } = await sit('tag', [{}], way.url)
  const [ada] = all
  await spring()
  await until('it is told', () => areTold(all), AT_ONCE_MS)
  const before = asked
  await until('nobody is let in', () => served.locked)
  const { room: next } = await joinGame(server.url, game, { room: 'tag' })
  expect(next.roomId).not.toBe(ada.room.roomId)
  await next.leave()
  ;(ada.room.connection.transport as unknown as { ws: { close(): void } }).ws.close()
  await until('the connection is lost', () => !ada.room.connection.isOpen)
  // Longer than a client waits before it asks for its room.
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect([ada.status, asked - before]).toEqual(['failed', 0])
  await way.close()
})

test('[FM3] who was away when it failed is told on coming back', async () => {
  const way = await heldWay(server.url)
  const { all, spring } = await sit('tag', [{}])
  const bob = await joinGame(way.url, game, { roomId: all[0].room.roomId })
  const players = drive([bob], [whimsical])
  onTestFinished(() => players.stop())
  await bob.whenPlaying()
  way.mayPass = () => false
  ;(bob.room.connection.transport as unknown as { ws: { close(): void } }).ws.close()
  await until('Bob looks for the room', () => bob.status === 'reconnecting' && way.held.length > 0)
  await spring()
  way.mayPass = () => true
  for (const pass of way.held.splice(0)) pass()
  await until('Bob is told', () => bob.status === 'failed', 5_000)
  expect(bob.failure?.message).toMatch(/failed in tick/)
  await way.close()
})

test('[FM4] a replay up to the failure is offered to those who could have seen all of it, and to the operator', async () => {
  const { all, served, spring } = await sit('tag', [{ mode: 'mirror' }, { mode: 'terminal' }])
  await spring()
  await until('both have an address', () => all.every(({ failure }) => failure?.replay !== undefined), 10_000)
  const address = new URL(all[0].failure!.replay!)
  expect(address.origin).toBe(server.url)
  expect(address.pathname).toMatch(/^\/replays\/tag-.*\.hbr$/)
  expect(`/${ended.at(-1)}`).toBe(address.pathname)
  const replay = loadReplay(game, readFileSync(join(folder, address.pathname.slice('/replays/'.length))))
  expect(replay.log.length).toBe(served.host.world.tick)
  expect(verifyReplay(game, replay).mismatch).toBeUndefined()
})

test('[FM4] of a game with fog only a server under work offers it', async () => {
  const hidden = await sit('fog', [{}])
  await hidden.spring()
  await until('it is told', () => areTold(hidden.all), AT_ONCE_MS)
  const shown = await sit('fog-work', [{}])
  await shown.spring()
  await until('an address', () => shown.all[0].failure?.replay !== undefined, 10_000)
  expect(hidden.all[0].failure?.replay).toBeUndefined()
  // The operator finds it in the log.
  expect(ended.at(-2)).toMatch(/^replays\/tag-.*\.hbr$/)
  expect(await matchMaker.query({ name: 'fog', locked: false })).toEqual([])
})
