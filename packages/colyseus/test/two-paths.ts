/**
 * A match with both paths in virtual time: the code of both ends that chooses between socket and datagrams, over simulated links.
 *
 * Everything is real but sockets, data channels and the clock, so what a change of the path costs follows from the seed.
 */

import type { Room } from '@colyseus/sdk'
import type { ChannelHandlers, Datagrams } from '@hurtbox/datagrams'
import { createPortCounts } from '@hurtbox/datagrams'
import { MESSAGES } from '@hurtbox/netcode'
import { advanceMirror, createMirror, receiveAtMirror, usePath } from '@hurtbox/netcode/client'
import { addPeer, createHost, receive, stepHost } from '@hurtbox/netcode/host'
import { createLink, deliver, type LinkConditions, send } from '@hurtbox/netcode/links'
import { type AnyBot, type AnyGame, botInput } from 'hurtbox/tools'
import { vi } from 'vitest'
import { joinDatagrams, type PeerConnectionClass } from '../src/client/datagrams.ts'
import { createDatagramCounts } from '../src/datagrams/lanes.ts'
import { acceptChannel, checkPath, heardOnSocket, invite, sendDatagram } from '../src/room/datagrams.ts'
import { createGuest, type GameClient } from '../src/room/guest.ts'

/** What happens to the way of the datagrams. */
export type Way = { cutUp: boolean; cutDown: boolean; readonly path: ReturnType<typeof joinDatagrams> }

export type Played = {
  readonly mismatches: number
  /** By how much a correction moved the player's own thing at most. */
  readonly largestCorrection: number
  /** Between two messages with new ticks, at most, ms. */
  readonly longestGapMs: number
  /** How often the host changed its path. */
  readonly changes: number
}

export type TwoPaths = {
  readonly game: AnyGame
  readonly bot: AnyBot
  readonly seconds: number
  readonly seed: number
  readonly link: Omit<LinkConditions, 'kind'>
  /** Called before every step of time; `now` is in ms since the beginning. */
  readonly interfere: (now: number, way: Way) => void
}

const STEPS_PER_TICK = 4
const FRAME_MS = 1000 / 60
/** No clock of a program begins at 0. */
const START_MS = 1_000
/** A client that has just come does not know its lead yet. */
const SETTLED_MS = 3_000

/** One player; the other seats are bots of the host. */
export async function playTwoPaths({ game, bot, seconds, seed, link, interfere }: TwoPaths): Promise<Played> {
  let now = START_MS
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  try {
    const host = createHost(game, { seed, bots: [bot], fill: 2, hashEvery: 8 })
    const peer = addPeer(host, 0, 'mirror')
    const mirror = createMirror(game, peer.outbox.shift()!, now)
    const datagramLink = { ...link, kind: 'datagram' } as const
    const [up, down] = [createLink(datagramLink, seed * 4), createLink(datagramLink, seed * 4 + 1)]
    const socketLink = { ...link, kind: 'stream' } as const
    const [socketUp, socketDown] = [createLink(socketLink, seed * 4 + 2), createLink(socketLink, seed * 4 + 3)]

    // The room's end of the wire, and the client's.
    let channel: ChannelHandlers | undefined
    const service: Datagrams = {
      generation: 1,
      isReady: true,
      iceServers: () => [],
      stack: 'own' as const,
      ...createPortCounts(),
      open(_offer, handlers) {
        channel = handlers
        return { answer: 'an answer', send: (bytes) => send(down, bytes, now), close() {} }
      },
      close() {},
    }
    let received: ((event: { data: ArrayBuffer }) => void) | undefined
    class Connection {
      readonly localDescription = { sdp: 'an offer' }
      readonly iceGatheringState = 'complete'
      createDataChannel = () => ({
        readyState: 'open',
        set onmessage(take: typeof received) {
          received = take
        },
        send: (bytes: Uint8Array) => send(up, bytes, now),
        close() {},
      })
      createOffer = async () => ({})
      setLocalDescription = async () => {}
      setRemoteDescription = async () => {}
      close() {}
    }
    const heard: Record<string, (content: never) => void> = {}
    const guest = createGuest({ seat: 0, tokens: [] } as never, { game } as never)
    const client = {
      userData: guest,
      send: (name: string, content: never) => heard[name]?.(content),
    } as unknown as GameClient
    Object.assign(guest, { client, peer })
    const room = { host, traffic: { datagrams: createDatagramCounts() } }
    const asked = {
      onMessage: (name: string, take: (content: never) => void) => void (heard[name] = take),
      send: (_name: string, offer: string) => acceptChannel(room, client, service, offer, () => {}),
    }
    const path = joinDatagrams(asked as unknown as Room, Connection as unknown as PeerConnectionClass, (bytes) =>
      receiveAtMirror(mirror, bytes, now),
    )
    invite(room, guest, service)
    for (let i = 0; i < 20; i++) await undefined

    const way: Way = { cutUp: false, cutDown: false, path }
    const { tickRate } = game.declaration
    let [changes, longestGapMs, largestCorrection] = [0, 0, 0]
    let [nextFrameAt, newsAt, confirmed, linkBefore] = [now + link.latencyMs, now, 0, peer.path]
    for (let step = 0; step < seconds * tickRate * STEPS_PER_TICK; step++) {
      now += 1000 / tickRate / STEPS_PER_TICK
      interfere(now - START_MS, way)
      for (const bytes of deliver(up, now)) if (!way.cutUp) channel?.onMessage(bytes)
      for (const bytes of deliver(socketUp, now)) {
        heardOnSocket(room, guest, peer)
        receive(host, peer, bytes)
      }
      if (step % STEPS_PER_TICK === 0) {
        checkPath(room, guest, peer)
        if (peer.path !== linkBefore) changes++
        linkBefore = peer.path
        stepHost(host)
        for (const bytes of peer.outbox.splice(0)) {
          if (peer.path !== 'datagram' || !sendDatagram(room, client, bytes)) send(socketDown, bytes, now)
        }
      }
      for (const bytes of deliver(down, now)) {
        if (!way.cutDown) received?.({ data: bytes.slice().buffer as ArrayBuffer })
      }
      for (const bytes of deliver(socketDown, now)) receiveAtMirror(mirror, bytes, now)
      if (mirror.confirmed.tick > confirmed) {
        longestGapMs = Math.max(longestGapMs, now - newsAt)
        newsAt = now
        confirmed = mirror.confirmed.tick
      }
      if (now < nextFrameAt) continue
      nextFrameAt += FRAME_MS
      advanceMirror(mirror, now, (_tick, world) => botInput(bot, world, peer.seat, seed))
      if (now - START_MS > SETTLED_MS) largestCorrection = Math.max(largestCorrection, mirror.stats.lastCorrection)
      // As the client's connection does it.
      usePath(mirror, path.update(now) ? 'datagram' : 'stream')
      for (const bytes of mirror.outbox.splice(0)) {
        const isSent = bytes[0] === MESSAGES.inputs.kind && path.send(bytes, mirror.sender.nonce)
        if (!isSent) send(socketUp, bytes, now)
      }
    }
    return { mismatches: mirror.stats.mismatches, largestCorrection, longestGapMs, changes }
  } finally {
    clock.mockRestore()
  }
}
