/** Returning to a match: what a mirror offers and gets, and when a client asks for its room. */

import { hashWorld } from 'hurtbox'
import { botInput } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import { receiveAtMirror } from '../src/client/mirror/confirm.ts'
import { advanceMirror } from '../src/client/mirror/mirror.ts'
import { offerOf, resumeMirror } from '../src/client/mirror/returning.ts'
import { createMirror, type Mirror } from '../src/client/mirror/state.ts'
import { askLater, isHopeless, patienceMs, startReturn } from '../src/client/return.ts'
import { createTerminal, receiveAtTerminal, showTerminal } from '../src/client/terminal/terminal.ts'
import { createHost, finishHost, stepHost } from '../src/host/host.ts'
import { addPeer, suspendPeer } from '../src/host/peers.ts'
import { receive } from '../src/host/receive.ts'
import { acceptOffer } from '../src/host/returning.ts'
import type { Host, Peer } from '../src/host/state.ts'
import { queueLast } from '../src/host/updates.ts'
import { MESSAGES, readMessage } from '../src/protocol/messages.ts'
import { SEAT_SECONDS, SPECTATOR } from '../src/protocol/protocol.ts'
import { RATE, tag, whimsical } from './support.ts'

const TICK_MS = 1000 / RATE

/** A host with one mirror that follows it, without any delay. */
function startMatch(seed: number) {
  const host = createHost(tag, { seed, nonce: seed, bots: [whimsical], fill: 3, hashEvery: 4, replay: false })
  const peer = addPeer(host, 0, 'mirror')
  return { host, peer, mirror: createMirror(tag, peer.outbox.shift()!, 0) }
}

function play(host: Host, peer: Peer | undefined, mirror: Mirror, ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    const now = host.world.tick * TICK_MS
    advanceMirror(mirror, now, (_tick, world) => botInput(whimsical, world, 0, 1))
    const packets = mirror.outbox.splice(0)
    if (peer !== undefined) for (const packet of packets) receive(host, peer, packet)
    stepHost(host)
    for (const message of peer?.outbox.splice(0) ?? []) receiveAtMirror(mirror, message, now)
  }
}

function welcomeBack(host: Host, mirror: Mirror, offer: Uint8Array | undefined) {
  const peer = addPeer(host, 0, 'mirror')
  const isAccepted = offer !== undefined && acceptOffer(host, peer, offer)
  const message = peer.outbox.shift()!
  const welcome = readMessage(message, MESSAGES.welcome, tag)!
  const isBack = resumeMirror(mirror, welcome, host.world.tick * TICK_MS)
  return { peer, isAccepted, isBack, bytes: message.length, welcome }
}

test('[FB4] a mirror that was away gets the ticks it missed and goes on with the world it shows', () => {
  const { host, peer, mirror } = startMatch(3)
  play(host, peer, mirror, 60)
  const shown = mirror.world.tick
  const { tick } = mirror.confirmed
  suspendPeer(host, peer)
  play(host, undefined, mirror, 20)
  const open = mirror.sender.open.length
  expect(open).toBeGreaterThan(0)
  const back = welcomeBack(host, mirror, offerOf(mirror))
  expect(back).toMatchObject({ isAccepted: true, isBack: true, welcome: { state: undefined } })
  expect(mirror.confirmed.tick, 'nothing is replaced').toBe(tick)
  expect(mirror.world.tick).toBeGreaterThanOrEqual(shown)
  // What was not confirmed is sent again, with the first packet.
  advanceMirror(mirror, (host.world.tick + 30) * TICK_MS, () => ({}))
  receive(host, back.peer, mirror.outbox.shift()!)
  expect(back.peer.counts.accepted).toBeGreaterThan(Math.min(open, 20))
  play(host, back.peer, mirror, 60)
  expect(mirror.stats.mismatches).toBe(0)
  expect(mirror.confirmed.tick).toBe(host.world.tick)
  expect(hashWorld(mirror.confirmed)).toBe(hashWorld(host.world))
})

test('[PL20] what comes back, or comes in, when the match is over gets its last state at once', () => {
  const { host, peer, mirror } = startMatch(3)
  play(host, peer, mirror, 60)
  suspendPeer(host, peer)
  play(host, undefined, mirror, 20)
  finishHost(host)
  const back = welcomeBack(host, mirror, offerOf(mirror))
  expect(back.isAccepted).toBe(true)
  queueLast(host, back.peer)
  for (const message of back.peer.outbox.splice(0)) receiveAtMirror(mirror, message, host.world.tick * TICK_MS)
  expect(hashWorld(mirror.confirmed)).toBe(hashWorld(host.world))
  // Nothing more is said, however often: it has all.
  queueLast(host, back.peer)
  expect(back.peer.outbox).toEqual([])

  const watcher = addPeer(host, SPECTATOR, 'terminal')
  queueLast(host, watcher)
  const [welcome, frame] = watcher.outbox.splice(0)
  const terminal = createTerminal(tag, welcome)
  receiveAtTerminal(terminal, frame, 0)
  expect(showTerminal(terminal, 0)!.after.tick).toBe(host.world.tick)
})

test('[FB4] a mirror of another history, or away for too long, gets the whole state', () => {
  const { host, peer, mirror } = startMatch(3)
  play(host, peer, mirror, 60)
  mirror.inside.verifiedHash = mirror.inside.verifiedHash!.replace(/./g, '0')
  const other = welcomeBack(host, mirror, offerOf(mirror))
  expect(other).toMatchObject({ isAccepted: false, isBack: true })
  expect(other.welcome.state).toBeDefined()
  suspendPeer(host, other.peer)
  play(host, undefined, mirror, 400)
  const late = welcomeBack(host, mirror, offerOf(mirror))
  expect(late).toMatchObject({ isAccepted: false, isBack: true })
  play(host, late.peer, mirror, 40)
  expect(hashWorld(mirror.confirmed)).toBe(hashWorld(host.world))
})

test('[FB4] an offer of another match, of the future, or of nothing is not accepted', () => {
  const { host, peer, mirror } = startMatch(3)
  play(host, peer, mirror, 60)
  const offer = offerOf(mirror)!
  const elsewhere = startMatch(4)
  play(elsewhere.host, elsewhere.peer, elsewhere.mirror, 60)
  expect(welcomeBack(elsewhere.host, mirror, offer)).toMatchObject({ isAccepted: false, isBack: false })
  const young = startMatch(3)
  play(young.host, young.peer, young.mirror, 20)
  expect(welcomeBack(young.host, mirror, offer), 'the match went back').toMatchObject({
    isAccepted: false,
    isBack: false,
  })
  for (const bytes of [
    Uint8Array.of(),
    Uint8Array.of(4),
    offer.subarray(0, -1),
    Uint8Array.of(1, ...offer.subarray(1)),
  ]) {
    expect(acceptOffer(host, addPeer(host, 1, 'mirror'), bytes)).toBe(false)
  }
  expect(acceptOffer(host, addPeer(host, 1, 'terminal'), offer), 'a terminal has no world to go on with').toBe(false)
})

test('[FB5] the first question is asked at once, the next at growing intervals, and they end', () => {
  const returning = startReturn(1_000, SEAT_SECONDS)
  expect(returning.nextAt).toBe(1_000)
  const delays: number[] = []
  let now = returning.nextAt
  while (!isHopeless(returning, now)) {
    askLater(returning, now, 0.5)
    delays.push(returning.nextAt - now)
    now = returning.nextAt
  }
  expect(delays[0]).toBe(100)
  const patience = [0, 1, 2, 3, 99].map((asked) => patienceMs({ ...returning, asked }))
  expect(patience).toEqual([1_500, 2_250, 3_375, 5_062.5, 10_000])
  expect([...delays].sort((a, b) => a - b)).toEqual(delays)
  expect(Math.max(...delays)).toBe(600)
  // As long as a seat is kept, and the moment that a room takes to notice the loss.
  expect(now - returning.since).toBeGreaterThan(SEAT_SECONDS * 1000)
  expect(now - returning.since).toBeLessThan((SEAT_SECONDS + 10) * 1000)
  const lost = startReturn(0, SEAT_SECONDS)
  lost.missing = 99
  expect(isHopeless(lost, 9_000), 'a room that is about to be taken over').toBe(false)
  expect(isHopeless(lost, 11_000)).toBe(true)
})

test('[RM50] a room that says that the seat is gone is believed within a second, however long it was looked for', () => {
  for (const askedBefore of [0, 40]) {
    const returning = startReturn(0, SEAT_SECONDS)
    let now = 0
    for (let i = 0; i < askedBefore; i++) {
      askLater(returning, now, 0.5)
      now = returning.nextAt
    }
    expect(isHopeless(returning, now)).toBe(false)
    const from = now
    // Both tokens, twice.
    for (let refusal = 1; refusal <= 4; refusal++) {
      expect(isHopeless(returning, now), `refusal ${refusal}`).toBe(false)
      returning.refused++
      askLater(returning, now, 1)
      if (refusal < 4) now = returning.nextAt
    }
    expect(isHopeless(returning, now)).toBe(true)
    expect(now - from).toBeLessThan(1_000)
  }
})
