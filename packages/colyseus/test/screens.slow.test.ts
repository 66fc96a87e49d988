/** What each player saw: rebuilt from replay and track, compared with what the clients really drew. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MESSAGES, writeMessage } from '@hurtbox/netcode'
import { readScreensOf, rebuildScreen, type Screen } from '@hurtbox/netcode/disputes'
import {
  addPeer,
  createHost,
  createTracker,
  finishHost,
  notePeer,
  noteScreens,
  receive,
  stepHost,
  type Tracker,
  takeReplay,
} from '@hurtbox/netcode/host'
import type { LinkConditions } from '@hurtbox/netcode/links'
import { drainTrack, loadReplay, readTrack } from 'hurtbox/replay'
import { createByteWriter, takeBytes } from 'hurtbox/wire'
import { afterAll, expect, test } from 'vitest'
import { type Drawn, drawnBy, expectSame, heldTag, type Played, play } from '../../netcode/test/disputes.ts'
import { fogTag, tag, whimsical } from '../../netcode/test/support.ts'
import { replayFolder } from '../src/index.ts'
import { drive, joinAll, roomOf, slowWay, startServer, until } from './server.ts'

/** Compares frames of a seat, some one after the other, some anywhere. */
function compare({ screens, drawn }: Played, seat: number, seed: number): Screen[] {
  const runs = screens.runs.filter((run) => run.seat === seat)
  const found: Screen[] = []
  for (const [n, run] of runs.entries()) {
    const picked = [...drawn.get(seat)![n]].filter(([index]) => index < run.frames.length)
    // Most of them one after the other, some from anywhere.
    for (const [index, expected] of [...picked, ...picked.filter((_, i) => i % 9 === 0).reverse()]) {
      const screen = rebuildScreen(screens, { run, at: index, frame: run.frames[index] })
      expectSame(screen, expected, `seed ${seed}, seat ${seat}, frame ${index}`)
      expect(screen.isProven, `seed ${seed}, seat ${seat}, frame ${index}, proof`).not.toBe(false)
      found.push(screen)
    }
  }
  return found
}

const BAD: readonly LinkConditions[] = [
  { kind: 'stream', latencyMs: 90, jitterMs: 30 },
  { kind: 'datagram', latencyMs: 90, jitterMs: 30, loss: 0.05 },
]

test.each(BAD)("[DI1] a mirror's frame is rebuilt to the bit, with its corrections: $kind", (link) => {
  // Over the stream by a game whose clients leave out what is held, over datagrams by one whose inputs all differ.
  const played = play(link.kind === 'stream' ? heldTag : tag, link, 280, 11)
  const screens = [...compare(played, 0, 11), ...compare(played, 1, 11)]
  expect(screens.length).toBeGreaterThan(40)
  expect(screens.filter(({ isProven }) => isProven).length).toBeGreaterThan(30)
  // Predicted far ahead of what was confirmed, and wrong at times: otherwise this proves little.
  expect(screens.some(({ frame }) => frame.after - frame.received >= 5)).toBe(true)
  expect(screens.some(({ corrected }) => corrected.size > 0)).toBe(true)
})

test.each(BAD)("[DI2] a terminal's frame is rebuilt from the two it was drawn between: $kind", (link) => {
  const [game, seed] = link.kind === 'stream' ? [tag, 21] : [fogTag, 22]
  const played = play(game, link, 280, seed)
  const screens = [...compare(played, 2, seed), ...compare(played, 3, seed)]
  expect(screens.filter(({ isProven }) => isProven).length).toBeGreaterThan(30)
  expect(screens.some(({ alpha }) => alpha > 0.2 && alpha < 0.8)).toBe(true)
  expect(played.screens.runs.filter(({ seat }) => seat === 3).length, 'it came back').toBe(2)
})

const folder = mkdtempSync(join(tmpdir(), 'hurtbox-screens-'))
const server = await startServer({
  tag: { game: tag, bots: [whimsical], fill: 4, track: true, replays: replayFolder(folder), afterMatch: 'close' },
})
const way = await slowWay(server.url, 60)

afterAll(async () => {
  await way.close()
  await server.close()
  rmSync(folder, { recursive: true })
})

test('[DI3] two real clients over a slow link: what is rebuilt from the files of the room is what they drew', async () => {
  const all = await joinAll(way.url, tag, [{ create: true, mode: 'mirror' }, { mode: 'terminal' }])
  const drawn = new Map<number, Map<number, Drawn>>(all.map(({ seat }) => [seat, new Map()]))
  const players = drive(
    all.map((each) => ({
      ...each,
      seat: each.seat,
      leave: () => each.leave(),
      update(now: number, read: never) {
        const client = (each.mirror ?? each.terminal)!
        const frame = client.screens!.first + client.screens!.frames.length
        const picture = each.update(now, read)
        const hasDrawn = client.screens!.first + client.screens!.frames.length > frame
        if (picture && hasDrawn && frame % 20 < 2) drawn.get(each.seat)!.set(frame, drawnBy(client, picture.alpha))
        return picture
      },
    })) as never,
    [whimsical],
  )
  const reported = () => all.every(({ mirror, terminal }) => (mirror ?? terminal)!.screens!.first > 250)
  await until('some reports', reported)
  const room = roomOf(all[0])
  await players.stop()
  await room.disconnect()
  await until('the files are whole', () => readdirSync(folder).filter((name) => !name.endsWith('.part')).length === 2)
  const [replayBytes, trackBytes] = readdirSync(folder)
    .sort()
    .map((name) => new Uint8Array(readFileSync(join(folder, name))))
  const screens = readScreensOf(loadReplay(tag, replayBytes), readTrack(tag, trackBytes))
  for (const { seat } of all) {
    const [run] = screens.runs.filter((each) => each.seat === seat)
    let compared = 0
    for (const [at, expected] of drawn.get(seat)!) {
      if (at >= run.frames.length) continue
      const screen = rebuildScreen(screens, { run, at, frame: run.frames[at] })
      expectSame(screen, expected, `${run.mode}, frame ${at}`)
      if (screen.isProven) compared++
    }
    expect(compared, run.mode).toBeGreaterThan(5)
  }
})

test('[DI4] reports that nobody asked for count as malformed, a flood of them is dropped, impossible ones are left out', () => {
  const report = (first: number, received: number, after: number) => {
    const writer = createByteWriter()
    const frame = { atMs: 0, received, before: after, after, shown: after, inputsUpTo: after }
    writeMessage(writer, MESSAGES.screens, { first, frames: [frame], hash: 1 })
    return takeBytes(writer)
  }
  const untracked = createHost(tag, { seed: 1 })
  const stranger = addPeer(untracked, 0, 'mirror')
  receive(untracked, stranger, report(0, 0, 0))
  expect(stranger.counts.malformed).toBe(1)

  const tracker: { current?: Tracker } = {}
  const host = createHost(tag, {
    seed: 1,
    onScreens: (peer, screens) => noteScreens(tracker.current!, peer, screens),
    onPeer: (peer, isHere) => notePeer(tracker.current!, peer, isHere),
  })
  tracker.current = createTracker(host.session, () => performance.now())
  const peer = addPeer(host, 0, 'mirror')
  for (let i = 0; i < 10; i++) stepHost(host)
  receive(host, peer, report(0, 5, 8))
  receive(host, peer, report(1, 11, 12))
  receive(host, peer, report(1, 6, 2_000_000_000))
  receive(host, peer, report(1, 4, 8))
  receive(host, peer, report(1, 6, 9))
  for (let i = 0; i < 100; i++) receive(host, peer, report(7 + i, 6, 9))
  expect(peer.counts.malformed).toBe(0)
  finishHost(host)
  const track = readTrack(tag, drainTrack(tracker.current.writer))
  const reports = track.clients.filter(({ what }) => what === 'screens')
  expect(reports.length).toBeLessThan(25)
  const replay = loadReplay(tag, new Uint8Array(Buffer.concat(takeReplay(host))))
  const [run] = readScreensOf(replay, track).runs
  expect(run.frames.map(({ received, after }) => [received, after])).toEqual([
    [5, 8],
    [6, 9],
  ])
})
