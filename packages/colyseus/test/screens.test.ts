/** What each player saw: rebuilt from replay and track, compared with what the clients really drew. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashWorld } from 'hurtbox'
import { purposeOf, unitAt } from 'hurtbox/math'
import { createPlace, type Place, placeBetween } from 'hurtbox/picture'
import { drainTrack, loadReplay, readTrack } from 'hurtbox/replay'
import { type AnyGame, botInput } from 'hurtbox/tools'
import { createByteWriter, takeBytes } from 'hurtbox/wire'
import { afterAll, expect, test } from 'vitest'
import { replayFolder } from '../src/index.ts'
import { createTracker, notePacket, notePeer, noteScreens, type Tracker } from '../src/match/tracking.ts'
import {
  addPeer,
  advanceMirror,
  advanceTerminal,
  createHost,
  createLink,
  createMirror,
  createTerminal,
  deliver,
  drawnPlace,
  finishHost,
  type LinkConditions,
  MESSAGES,
  type Mirror,
  mirrorAlpha,
  readScreensOf,
  rebuildScreen,
  receive,
  receiveAtMirror,
  receiveAtTerminal,
  type Screen,
  type Screens,
  send,
  showTerminal,
  stepHost,
  suspendPeer,
  type Terminal,
  takeReplay,
  writeMessage,
} from '../src/netcode/index.ts'
import { drive, joinAll, roomOf, slowWay, startServer, until } from './server.ts'
import { fogTag, RATE, tag, whimsical } from './support.ts'

const PICK = purposeOf('screens pick')

/** What a client really drew in one frame. */
type Drawn = {
  readonly before: string
  readonly after: string
  readonly alpha: number
  readonly places: ReadonlyMap<number, Place>
}

function drawnBy(client: Mirror | Terminal, alpha: number): Drawn {
  const isMirror = 'world' in client
  const { before } = client
  const after = isMirror ? client.world : client.after
  const places = new Map<number, Place>()
  for (const id of after.tables.things.id.subarray(0, after.tables.things.count) as Uint32Array) {
    const place = createPlace()
    if (isMirror) drawnPlace(client.corrections, { before, after, alpha }, id, place)
    else placeBetween({ before, after, alpha }, id, place)
    places.set(id, place)
  }
  return { before: hashWorld(before), after: hashWorld(after), alpha, places }
}

function expectSame(screen: Screen, drawn: Drawn, what: string): void {
  expect(hashWorld(screen.before), `${what}, before`).toBe(drawn.before)
  expect(hashWorld(screen.after), `${what}, after`).toBe(drawn.after)
  expect(screen.alpha, `${what}, alpha`).toBe(drawn.alpha)
  expect([...screen.places.keys()], `${what}, things`).toEqual([...drawn.places.keys()])
  for (const [id, { x, y, z, facingX, facingY }] of drawn.places) {
    const place = screen.places.get(id)!
    const offs = [place.x - x, place.y - y, place.z - z, place.facingX - facingX, place.facingY - facingY]
    expect(Math.max(...offs.map(Math.abs)), `${what}, thing ${id}`).toBeLessThan(1e-9)
  }
}

type Played = {
  readonly screens: Screens
  /** By seat, for each time its client came: some of its frames, by number. */
  readonly drawn: ReadonlyMap<number, readonly ReadonlyMap<number, Drawn>[]>
}

/** Some frames, and the two after each. */
function isPicked(seed: number, seat: number, frame: number): boolean {
  return frame < 3 || [0, 1, 2].some((back) => unitAt(seed, frame - back, seat, 2, PICK) < 0.02)
}

/** A match in virtual time: seats 0 and 1 are mirrors, 2 and 3 terminals, all over this link; seat 3 is away for a while. */
function play(game: AnyGame, link: LinkConditions, ticks: number, seed: number): Played {
  const tracker: { current?: Tracker } = {}
  const host = createHost(game, {
    seed,
    bots: [whimsical],
    fill: 6,
    onPacket: (peer, packet) => notePacket(tracker.current!, peer, packet),
    onScreens: (peer, report) => noteScreens(tracker.current!, peer, report),
    onPeer: (peer, isHere) => notePeer(tracker.current!, peer, isHere),
  })
  tracker.current = createTracker(host.session)
  const drawn = new Map<number, Map<number, Drawn>[]>()
  const tickMs = 1000 / RATE
  const join = (seat: number, now: number) => {
    drawn.set(seat, [...(drawn.get(seat) ?? []), new Map()])
    const peer = addPeer(host, seat, seat < 2 ? 'mirror' : 'terminal', link.kind)
    const welcome = peer.outbox.shift()!
    const client =
      seat < 2 ? createMirror(game, welcome, now + link.latencyMs, link.kind) : createTerminal(game, welcome, link.kind)
    const socket = createLink({ kind: 'stream', latencyMs: link.latencyMs }, seed + 90 + seat)
    const [up, down] = [createLink(link, seed + seat), createLink(link, seed + 50 + seat)]
    return { peer, client, up, down, socket, from: now }
  }
  const clients = [0, 1, 2, 3].map((seat) => join(seat, 0))
  for (let step = 0; step < ticks * 4; step++) {
    const now = (step * tickMs) / 4
    if (step === ticks) {
      suspendPeer(host, clients[3].peer)
      clients[3] = { ...clients[3], from: Number.POSITIVE_INFINITY }
    }
    if (step === ticks + 200) clients[3] = join(3, now)
    for (const { up, socket, peer } of clients) {
      for (const bytes of [...deliver(up, now), ...deliver(socket, now)]) {
        if (host.peers.has(peer)) receive(host, peer, bytes)
      }
    }
    if (step % 4 === 0) {
      stepHost(host)
      for (const { peer, down } of clients) for (const bytes of peer.outbox.splice(0)) send(down, bytes, now)
    }
    for (const { client, peer, up, down, socket, from } of clients) {
      const { seat } = peer
      for (const bytes of deliver(down, now)) {
        if ('world' in client) receiveAtMirror(client, bytes, now)
        else receiveAtTerminal(client, bytes, now)
      }
      // Frames at a rate of their own, with a stall now and then.
      const isStalled = unitAt(seed, Math.floor(now / 900), seat, 0, PICK) < 0.06
      if (now < from + link.latencyMs || isStalled || unitAt(seed, step, seat, 1, PICK) < 0.2) continue
      const read = (_tick: number, world: unknown) => botInput(whimsical, world as never, seat, seed)
      const frame = client.screens!.first + client.screens!.frames.length
      let alpha = 1
      if ('world' in client) {
        advanceMirror(client, now, read)
        alpha = mirrorAlpha(client)
      } else {
        alpha = showTerminal(client, now)?.alpha ?? 1
        advanceTerminal(client, now, read)
      }
      // Reports go by the socket, whatever path the inputs take.
      for (const bytes of client.outbox.splice(0)) send(bytes[0] === MESSAGES.screens.kind ? socket : up, bytes, now)
      const hasDrawn = client.screens!.first + client.screens!.frames.length > frame
      if (hasDrawn && isPicked(seed, seat, frame)) drawn.get(seat)!.at(-1)!.set(frame, drawnBy(client, alpha))
    }
  }
  finishHost(host)
  const replay = loadReplay(game, new Uint8Array(Buffer.concat(takeReplay(host))))
  const track = readTrack(game, drainTrack(tracker.current.writer))
  expect(track.problem).toBeUndefined()
  return { screens: readScreensOf(replay, track), drawn }
}

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
  const played = play(tag, link, 330, 11)
  const screens = [...compare(played, 0, 11), ...compare(played, 1, 11)]
  expect(screens.length).toBeGreaterThan(40)
  expect(screens.filter(({ isProven }) => isProven).length).toBeGreaterThan(30)
  // Predicted far ahead of what was confirmed, and wrong at times: otherwise this proves little.
  expect(screens.some(({ frame }) => frame.after - frame.received >= 5)).toBe(true)
  expect(screens.some(({ corrected }) => corrected.size > 0)).toBe(true)
})

test.each(BAD)("[DI2] a terminal's frame is rebuilt from the two it was drawn between: $kind", (link) => {
  for (const [game, seed] of [
    [tag, 21],
    [fogTag, 22],
  ] as const) {
    const played = play(game, link, 330, seed)
    const screens = [...compare(played, 2, seed), ...compare(played, 3, seed)]
    expect(screens.filter(({ isProven }) => isProven).length).toBeGreaterThan(30)
    expect(screens.some(({ alpha }) => alpha > 0.2 && alpha < 0.8)).toBe(true)
    expect(played.screens.runs.filter(({ seat }) => seat === 3).length, 'it came back').toBe(2)
  }
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
  tracker.current = createTracker(host.session)
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
