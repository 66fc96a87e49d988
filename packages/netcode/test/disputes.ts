/** Matches with a track in virtual time, and what their clients really drew. */

import { defineGame, hashWorld } from 'hurtbox'
import { purposeOf, unitAt } from 'hurtbox/math'
import { createPlace, type Place, placeBetween } from 'hurtbox/picture'
import { drainTrack, loadReplay, readTrack } from 'hurtbox/replay'
import { type AnyGame, botInput } from 'hurtbox/tools'
import { expect } from 'vitest'
import {
  advanceMirror,
  advanceTerminal,
  createMirror,
  createTerminal,
  drawnPlace,
  type Mirror,
  mirrorAlpha,
  receiveAtMirror,
  receiveAtTerminal,
  showTerminal,
  type Terminal,
} from '../src/client/index.ts'
import { readScreensOf, type Screen, type Screens } from '../src/disputes/index.ts'
import { addPeer, createHost, finishHost, receive, stepHost, suspendPeer, takeReplay } from '../src/host/index.ts'
import { createTracker, notePacket, notePeer, noteScreens, type Tracker } from '../src/host/tracking.ts'
import { MESSAGES } from '../src/index.ts'
import { createLink, deliver, type LinkConditions, send } from '../src/links/index.ts'
import { declaration, RATE, tag, phases as tagPhases, whimsical } from './support.ts'

/** The same game without lag compensation: there clients do not send what players only hold. */
export const heldTag = ((): AnyGame => {
  const { seenAgo: _seenAgo, ...input } = declaration.input
  const { zap: _zap, record: _record, ...phases } = tagPhases
  const { onJoin, onLeave } = tag.behaviour
  return defineGame(
    { ...declaration, id: 'held-tag', tables: {}, input } as never,
    { onJoin, onLeave, phases } as never,
  ) as unknown as AnyGame
})()

const PICK = purposeOf('screens pick')

/** What a client really drew in one frame. */
export type Drawn = {
  readonly before: string
  readonly after: string
  readonly alpha: number
  readonly places: ReadonlyMap<number, Place>
}

export function drawnBy(client: Mirror | Terminal, alpha: number): Drawn {
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

export function expectSame(screen: Screen, drawn: Drawn, what: string): void {
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

export type Played = {
  readonly screens: Screens
  /** By seat, for each time its client came: some of its frames, by number. */
  readonly drawn: ReadonlyMap<number, readonly ReadonlyMap<number, Drawn>[]>
}

/** Some frames, and the two after each. */
function isPicked(seed: number, seat: number, frame: number): boolean {
  return frame < 3 || [0, 1, 2].some((back) => unitAt(seed, frame - back, seat, 2, PICK) < 0.02)
}

/** A match in virtual time: seats 0 and 1 are mirrors, 2 and 3 terminals, all over this link; seat 3 is away for a while. */
export function play(game: AnyGame, link: LinkConditions, ticks: number, seed: number): Played {
  const tracker: { current?: Tracker } = {}
  const host = createHost(game, {
    seed,
    bots: [whimsical],
    fill: 6,
    onPacket: (peer, packet) => notePacket(tracker.current!, peer, packet),
    onScreens: (peer, report) => noteScreens(tracker.current!, peer, report),
    onPeer: (peer, isHere) => notePeer(tracker.current!, peer, isHere),
  })
  tracker.current = createTracker(host.session, () => performance.now())
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
    // A bad way up becomes longer for a while: inputs come late, and what a mirror holds is not what the host has yet.
    if (link.jitterMs !== undefined && (step === 2 * ticks || step === 3 * ticks)) {
      const latencyMs = link.latencyMs + (step === 2 * ticks ? 150 : 0)
      for (const { up } of clients) up.conditions = { ...link, latencyMs }
    }
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
