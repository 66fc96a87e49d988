/** How clients get their channels: when one tries again, how many it may offer, and what a room counts of them. By a clock of the test. */

import type { Room } from '@colyseus/sdk'
import { type ChannelHandlers, createPortCounts, type Datagrams } from '@hurtbox/datagrams'
import { addPeer, changePath, createHost } from '@hurtbox/netcode/host'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tag } from '../../netcode/test/support.ts'
import { joinDatagrams, type PeerConnectionClass } from '../src/client/datagrams.ts'
import { DATAGRAM, writeDatagram } from '../src/datagrams/format.ts'
import { createDatagramCounts, sendOnLane } from '../src/datagrams/lanes.ts'
import { INVITATION } from '../src/datagrams/names.ts'
import { acceptChannel, checkPath, invite } from '../src/room/datagrams.ts'
import { createGuest, type GameClient, newLane } from '../src/room/guest.ts'

const FRAME_MS = 100
const START_MS = 1_000
let now = START_MS
beforeEach(() => {
  now = START_MS
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => void vi.restoreAllMocks())

/** A client that was invited, with channels that open at once and answer as the test says. */
async function invitedClient() {
  const heard: Record<string, (content: never) => void> = {}
  /** Those that were made, by the second; what is said on the last one comes here. */
  const made: number[] = []
  const line = { answers: false, open: 0 }
  class Connection {
    readonly localDescription = { sdp: 'an offer' }
    readonly iceGatheringState = 'complete'
    readonly channel = {
      readyState: 'open',
      onmessage: undefined as ((event: { data: ArrayBuffer }) => void) | undefined,
      send(bytes: Uint8Array) {
        if (!line.answers) return
        const answer = writeDatagram(DATAGRAM.probe, bytes[1] | (bytes[2] << 8), 0, new Uint8Array(2))
        this.onmessage?.({ data: answer.slice().buffer as ArrayBuffer })
      },
      close() {},
    }
    constructor() {
      made.push(seconds())
      line.open++
    }
    createDataChannel = () => this.channel
    createOffer = async () => ({})
    setLocalDescription = async () => {}
    setRemoteDescription = async () => {}
    close() {
      line.open--
    }
  }
  const room = { onMessage: (name: string, take: (content: never) => void) => void (heard[name] = take), send() {} }
  const path = joinDatagrams(room as unknown as Room, Connection as unknown as PeerConnectionClass, () => {})
  heard[INVITATION]({ iceServers: [], key: 'AAAA' } as never)
  for (let i = 0; i < 20; i++) await undefined
  const play = async (forSeconds: number) => {
    for (const end = now + 1_000 * forSeconds; now < end; ) {
      now += FRAME_MS
      path.update(now)
      await undefined
    }
  }
  return { path, line, made, play, hide: (forSeconds: number) => void (now += 1_000 * forSeconds) }
}

const seconds = () => (now - START_MS) / 1_000

test('[DG101] a client that hears nothing on its channel closes it after 30 seconds, and tries again after 30 more, then after twice as long each time up to five minutes', async () => {
  const { line, made, play, path } = await invitedClient()
  await play(29)
  expect([line.open, path.state]).toEqual([1, 'silent'])
  await play(2)
  expect([line.open, path.state]).toEqual([0, 'closed'])
  await play(1_500)
  const pauses = made.slice(1).map((at, i) => Math.round(at - made[i]))
  expect(pauses.slice(0, 6)).toEqual([60, 90, 150, 270, 330, 330])
  // Once it is heard, the next silence is one of the network: another channel at once, and the pauses begin again.
  line.answers = true
  const before = made.length
  await play(400)
  expect([path.state, line.open]).toEqual(['open', 1])
  line.answers = false
  const from = seconds()
  await play(100)
  expect(made.slice(-2).map((at) => Math.round(at - from))).toEqual([30, 90])
  expect(made.length - before).toBeLessThanOrEqual(3)
})

test('[DG101] a page that is hidden, or has switched datagrams off, gives up no channel', async () => {
  const { line, made, play, hide, path } = await invitedClient()
  line.answers = true
  await play(5)
  for (let times = 0; times < 3; times++) {
    hide(120)
    await play(20)
    expect([made.length, path.state]).toEqual([1, 'open'])
    path.isWanted = false
    await play(120)
    expect(path.state).toBe('closed')
    path.isWanted = true
    await play(20)
    expect([made.length, path.state]).toEqual([1, 'open'])
  }
})

/** A seat, and a port that answers every offer. */
function seat() {
  const opened: ChannelHandlers[] = []
  const service: Datagrams = {
    stack: 'own',
    generation: 1,
    isReady: true,
    iceServers: () => [],
    ...createPortCounts(),
    open(_offer, handlers) {
      opened.push(handlers)
      return { answer: 'an answer', send() {}, close() {} }
    },
    close() {},
  }
  const guest = createGuest({ seat: 3, tokens: [] } as never, { game: tag } as never)
  const invited: unknown[] = []
  const send = (name: string, content: unknown) => void (name === INVITATION && invited.push(content))
  const client = { userData: guest, send } as unknown as GameClient
  guest.client = client
  const host = createHost(tag, { seed: 1 })
  const peer = addPeer(host, 0, 'mirror')
  const room = { host, traffic: { datagrams: createDatagramCounts() } }
  const counts = () => {
    const { invited, offered, opened, unheard, lost } = room.traffic.datagrams
    return { invited, offered, opened, unheard, lost }
  }
  return {
    opened,
    guest,
    peer,
    invited,
    host,
    counts,
    reconnect: () => void (guest.lane = newLane()),
    invite: () => invite(room, guest, service),
    offer: () => acceptChannel(room, client, service, 'an offer', () => {}),
    check: () => checkPath(room, guest, peer),
    probe: () => opened.at(-1)!.onMessage(Buffer.from(writeDatagram(DATAGRAM.probe, 1, 1, guest.lane.key))),
    send: () => sendOnLane(guest.lane, new Uint8Array(9), { counts: room.traffic.datagrams, match: () => 1 }),
  }
}

test('[DG102] a seat may offer four channels at once and one in five seconds, on however many connections', () => {
  const { opened, offer, reconnect } = seat()
  const offers = (count: number) => {
    const before = opened.length
    for (let i = 0; i < count; i++) {
      offer()
      if (i % 3 === 0) reconnect()
    }
    return opened.length - before
  }
  expect(offers(50)).toBe(4)
  for (let times = 0; times < 6; times++) {
    now += 5_000
    expect(offers(50)).toBe(1)
  }
  now += 60_000
  expect(offers(50)).toBe(4)
})

test('[DG107] a client that is not on the path is invited anew after an hour, before its credentials expire; it is counted once', () => {
  const one = seat()
  const invitations = () => one.invited.length
  one.invite()
  now += 3_600_000
  one.invite()
  expect(invitations()).toBe(1)
  now += 1
  one.invite()
  one.invite()
  expect([invitations(), one.counts().invited]).toEqual([2, 1])
  one.offer()
  now += 3_600_001
  one.probe()
  one.invite()
  expect(invitations()).toBe(2)
  now += 30_001
  one.invite()
  expect([invitations(), one.counts().invited]).toEqual([3, 1])
})

test('[DG103] a room counts clients that were invited, have offered a channel, were heard on it, were not for half a minute, and were lost again', () => {
  const one = seat()
  one.invite()
  one.invite()
  expect(one.counts()).toEqual({ invited: 1, offered: 0, opened: 0, unheard: 0, lost: 0 })
  now += 60_000
  one.check()
  // Who offers none is not counted as unheard: a program without data channels.
  expect(one.counts()).toMatchObject({ offered: 0, unheard: 0 })
  one.offer()
  now += 29_999
  one.check()
  expect(one.counts()).toMatchObject({ offered: 1, unheard: 0 })
  now += 1
  for (let i = 0; i < 3; i++) one.check()
  // Its second try is not another client, and this one opens.
  one.offer()
  now += 60_000
  one.check()
  expect(one.counts()).toEqual({ invited: 1, offered: 1, opened: 0, unheard: 1, lost: 0 })
  one.probe()
  one.probe()
  expect(one.counts()).toMatchObject({ opened: 1 })
  expect(one.send()).toBe(true)
  changePath(one.host, one.peer, 'datagram')
  one.check()
  expect(one.counts()).toMatchObject({ lost: 0 })
  now += 601
  for (let i = 0; i < 3; i++) one.check()
  expect([one.counts(), one.peer.path]).toEqual([{ invited: 1, offered: 1, opened: 1, unheard: 1, lost: 1 }, 'stream'])
  // The next connection of the seat counts anew.
  one.reconnect()
  one.invite()
  one.offer()
  one.probe()
  expect(one.counts()).toEqual({ invited: 2, offered: 2, opened: 2, unheard: 1, lost: 1 })
})
