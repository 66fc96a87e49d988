/** Players who are away: what is played for them, how long their seat is kept, and what they are shown when they are back. */

import { listEvents, playerAt } from 'hurtbox'
import { unitAt } from 'hurtbox/math'
import { expect, test } from 'vitest'
import { follow } from '../src/client/follow.ts'
import type { Follower } from '../src/client/follower.ts'
import { comeBack, createAbsence, goAway, spentMs } from '../src/host/absence.ts'
import { createHost, stepHost } from '../src/host/host.ts'
import { addPeer, removePeer, suspendPeer } from '../src/host/peers.ts'
import { receive } from '../src/host/receive.ts'
import { acceptOffer } from '../src/host/returning.ts'
import type { Host, HostOptions, Peer } from '../src/host/state.ts'
import { MESSAGES, readMessage } from '../src/protocol/messages.ts'
import type { Mode } from '../src/protocol/protocol.ts'
import { RATE, tag, whimsical } from './support.ts'

const TICK_MS = 1000 / RATE

/** A player by a line without delay, against bots. */
function sit(mode: Mode, options: Partial<HostOptions> = {}) {
  const host = createHost(tag, { seed: 5, replay: false, bots: [whimsical], fill: 4, hashEvery: 1, ...options })
  const seat = 0
  let peer = addPeer(host, seat, mode)
  let follower: Follower = follow(tag, peer.outbox.shift()!, 0)!
  /** Events that happened, and those that the player was told, by tick. */
  const happened: number[] = []
  const shown = new Map<string, number>()
  const gaps: { from: number; to: number }[] = []
  const now = () => host.world.tick * TICK_MS
  const step = () => {
    stepHost(host)
    for (const { tick } of listEvents(host.world)) happened.push(tick)
  }
  return {
    host,
    happened,
    shown,
    gaps,
    get follower() {
      return follower
    },
    get peer() {
      return peer
    },
    play(ticks: number) {
      for (let i = 0; i < ticks; i++) {
        step()
        for (const bytes of peer.outbox.splice(0)) follower.receive(bytes, now())
        follower.advance(now(), () => ({ moveX: 1 }))
        for (const bytes of follower.outbox.splice(0)) receive(host, peer, bytes)
        this.look()
      }
    },
    /** One picture: how many events come with it. */
    look() {
      const { news, gaps: missed } = follower.picture(now()) ?? { news: [], gaps: [] }
      gaps.push(...missed)
      const fresh = news.filter(({ what }) => what === 'predicted')
      for (const { serial, event } of fresh) {
        expect(shown.has(`${serial}`), 'shown twice').toBe(false)
        shown.set(`${serial}`, event.tick)
      }
      return fresh.map(({ event }) => event.tick)
    },
    leave() {
      suspendPeer(host, peer)
    },
    wait(ticks: number) {
      for (let i = 0; i < ticks; i++) step()
    },
    /** The room says welcome; the first picture after that is looked at. */
    comeBack() {
      follower.skipMissed()
      const offer = follower.offer()
      peer = addPeer(host, seat, mode)
      const isShort = offer !== undefined && acceptOffer(host, peer, offer)
      stepHost(host)
      const earlier = follower
      for (const bytes of peer.outbox.splice(0)) {
        if (bytes[0] === MESSAGES.welcome.kind) follower = follow(tag, bytes, now(), { earlier })!
        else follower.receive(bytes, now())
      }
      follower.advance(now(), () => ({}))
      return { isShort, goesOn: follower === earlier }
    },
  }
}

test('[AW1] being away costs the room less than being there: nothing is made for a player who is away', () => {
  for (const mode of ['mirror', 'terminal'] as const) {
    const line = sit(mode)
    line.play(60)
    line.leave()
    line.wait(600)
    expect(line.peer.outbox).toEqual([])
    expect(line.host.peers.size).toBe(0)
  }
})

const heldBy = ({ world }: Host, seat: number) => playerAt(world, seat)
const xOf = (host: Host, seat: number) => heldBy(host, seat)?.thing?.x

test('[AW2] who is away stands idle, or a bot plays for it, or it leaves after 5 seconds and joins again; its seat is kept', () => {
  const moves = (whenAway: HostOptions['whenAway']) => {
    const line = sit('mirror', { whenAway: whenAway! })
    line.play(10)
    line.leave()
    line.wait(3)
    const places: (number | undefined)[] = []
    for (let i = 0; i < 90; i++) {
      line.wait(1)
      places.push(xOf(line.host, 0))
    }
    return { line, isMoving: new Set(places).size > 30 }
  }
  expect(moves('idle').isMoving).toBe(false)
  const { line: played, isMoving } = moves('bot')
  expect(isMoving).toBe(true)
  played.comeBack()
  expect(played.host.seats[0]).toMatchObject({ player: played.peer, awaySince: undefined })
  const { line } = moves('leave')
  const { host, peer } = line
  expect([heldBy(host, 0) !== undefined, host.seats[0].player]).toEqual([true, peer])
  line.wait(5 * RATE - 90)
  expect([heldBy(host, 0), host.seats[0].player, host.seats[0].isOut]).toEqual([undefined, peer, true])
  line.comeBack()
  line.play(2)
  expect([heldBy(host, 0) !== undefined, host.seats[0].isOut]).toEqual([true, false])
})

test('[AW2] who is away and out of the match gives its seat to a bot when its time is over, or leaves it empty', () => {
  for (const fill of [4, 0]) {
    const line = sit('mirror', { whenAway: 'leave', fill })
    line.play(10)
    line.leave()
    line.wait(6 * RATE)
    removePeer(line.host, line.peer)
    line.wait(2)
    expect(line.host.seats[0]).toMatchObject({ player: fill > 0 ? 'bot' : 'nobody', isOut: false })
    expect(heldBy(line.host, 0) !== undefined).toBe(fill > 0)
  }
})

test.each([
  ['mirror', 3],
  ['mirror', 30],
  ['terminal', 3],
] as const)(
  '[AW4] a %s that comes back after %i s has not missed the seat, and is shown nothing of the absence',
  (mode, seconds) => {
    const line = sit(mode)
    line.play(90)
    line.leave()
    line.wait(seconds * RATE)
    const { host, happened } = line
    const backAt = host.world.tick
    expect(happened.filter((tick) => tick > 90 && tick < backAt).length, 'there is something to miss').toBeGreaterThan(
      2,
    )
    const { isShort, goesOn } = line.comeBack()
    // A mirror goes on without the whole state if it was away for less than the ticks that the host keeps.
    expect([isShort, goesOn]).toEqual([mode === 'mirror' && seconds === 3, mode === 'mirror'])
    const first = line.look()
    expect(first.filter((tick) => tick < backAt)).toEqual([])
    line.play(90)
    expect([...line.shown.values()].filter((tick) => tick >= 95 && tick < backAt)).toEqual([])
    expect([...line.shown.values()].some((tick) => tick > backAt)).toBe(true)
    expect(line.gaps.some(({ from, to }) => from < backAt && to > 92)).toBe(true)
  },
)

test('[AW5] after a stall only what happened in the last half second is shown, and the rest is said to be missed', () => {
  for (const mode of ['mirror', 'terminal'] as const) {
    const line = sit(mode)
    line.play(60)
    const kept: Uint8Array[] = []
    const { peer, host } = line
    for (let i = 0; i < 4 * RATE; i++) {
      line.wait(1)
      kept.push(...peer.outbox.splice(0))
    }
    peer.outbox.push(...kept)
    line.play(1)
    // A terminal shows the past.
    const moment = line.follower.terminal?.inside.shownTick ?? host.world.tick
    const late = [...line.shown.values()].filter((tick) => tick > 64 && tick < moment - RATE / 2 - 4)
    expect(late, mode).toEqual([])
    line.play(60)
    expect(line.gaps.length, mode).toBeGreaterThan(0)
    expect([...line.shown.values()].some((tick) => tick > 64 + 4 * RATE)).toBe(true)
  }
})

test('[AW3] absence uses up the time of a seat and four times as much presence pays it back: waking up once a minute does not hold it', () => {
  const heldFor = (away: number, here: number) => {
    const absence = createAbsence()
    for (let at = 0, round = 1; round <= 500; round++) {
      goAway(absence, at)
      at += away
      if (spentMs(absence, at) > 60_000) return round
      comeBack(absence, at)
      at += here
    }
    return Number.POSITIVE_INFINITY
  }
  expect(heldFor(61_000, 0)).toBe(1)
  expect(heldFor(59_000, 1_000), 'once a minute, for a second').toBe(2)
  expect(heldFor(50_000, 10_000), 'ten seconds in between pay back forty').toBe(3)
  expect(heldFor(40_000, 10_000), 'who is here for a fifth of the time plays').toBe(Number.POSITIVE_INFINITY)
})

test('[AW3] whatever comes and goes, the time that is used up is what an account of every millisecond says', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const absence = createAbsence()
    let spent = 0
    let now = 0
    let isAway = false
    for (let i = 0; i < 40; i++) {
      if (unitAt(seed, i, 0, 0, 1) < 0.5) {
        isAway = !isAway
        if (isAway) goAway(absence, now)
        else comeBack(absence, now)
      }
      const ms = Math.floor(unitAt(seed, i, 1, 0, 1) * 400)
      for (let t = 0; t < ms; t++) spent = isAway ? spent + 1 : Math.max(0, spent - 4)
      now += ms
      expect(spentMs(absence, now), `seed ${seed}`).toBeCloseTo(spent, 6)
    }
  }
})

test('[AW14] packets of the match before a rematch are ignored and not counted as malformed; those of any other are', () => {
  const first = createHost(tag, { seed: 5, nonce: 11, replay: false })
  const follower = follow(tag, addPeer(first, 0, 'mirror').outbox[0], 0)!
  follower.advance(TICK_MS, () => ({ moveX: 1 }))
  const packet = follower.outbox.find(([kind]) => kind === MESSAGES.inputs.kind)!
  const counted = (nonceBefore: number) => {
    const next = createHost(tag, { seed: 6, nonce: 12, nonceBefore, replay: false })
    const peer = addPeer(next, 0, 'mirror')
    receive(next, peer, packet)
    return [peer.counts.malformed, peer.counts.accepted]
  }
  expect([counted(11), counted(10)]).toEqual([
    [0, 0],
    [1, 0],
  ])
})

test('[AW6] the welcome tells how long the seat is kept', () => {
  for (const seatSeconds of [undefined, 120]) {
    const host = createHost(tag, { seed: 1, replay: false, ...(seatSeconds && { seatSeconds }) })
    for (const mode of ['mirror', 'terminal'] as const) {
      const bytes = addPeer(host, 0, mode).outbox[0]
      expect(readMessage(bytes, MESSAGES.welcome, tag)?.seatSeconds).toBe(seatSeconds ?? 60)
      expect(follow(tag, bytes, 0)?.seatSeconds).toBe(seatSeconds ?? 60)
    }
  }
})

test('[AW7] a mirror that was away without knowing it goes on where its inputs say that it is; one that says nonsense gets the whole state', () => {
  const line = sit('mirror')
  line.play(60)
  const { host } = line
  const follower = follow(tag, addPeer(host, 1, 'mirror').outbox[0], 60 * TICK_MS)!
  follower.advance(61 * TICK_MS, () => ({ moveX: 1 }))
  const packet = follower.outbox.find(([kind]) => kind === MESSAGES.inputs.kind)!
  line.wait(30)
  const back: Peer = addPeer(host, 1, 'mirror')
  expect([acceptOffer(host, back, packet), back.nextTick]).toEqual([true, 60])
  expect(readMessage(back.outbox[0], MESSAGES.welcome, tag)?.state).toBeUndefined()
  const foreign = createHost(tag, { seed: 5, nonce: 99, replay: false })
  expect(acceptOffer(foreign, addPeer(foreign, 1, 'mirror'), packet), 'of another match').toBe(false)
  expect(acceptOffer(host, addPeer(host, 1, 'mirror'), packet.subarray(0, 5)), 'cut off').toBe(false)
  line.wait(300)
  expect(acceptOffer(host, addPeer(host, 1, 'mirror'), packet), 'too long ago').toBe(false)
})
