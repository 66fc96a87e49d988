/**
 * A UDP port to which browsers open data channels: WebRTC in TypeScript, with nothing native but Node itself.
 *
 * Clients find the port by ICE, whose "lite" side this is: it names its addresses, looks for nobody, and answers questions that are signed with
 * the password of the description. Anything else is heard only from where such a question came, and answers go only there. So who
 * forges an address, or has no description, gets nothing.
 */

import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { lookup } from 'node:dns'
import { isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import type { Abuse } from './budget.ts'
import { createCertificate } from './certificate.ts'
import { type Candidate, readOffer, writeAnswer } from './description.ts'
import { createOutside } from './outside.ts'
import {
  admits,
  closePeer,
  createPeer,
  keepPeer,
  type Peer,
  type PeerHandlers,
  type RefusedPackets,
  sendToPeer,
  takeFromPeer,
} from './peer.ts'
import { type Address, answerTo, isSigned, isStun, readQuestion } from './stun.ts'

export type PortOptions = PortCounts & {
  /** 0: any that is free. */
  readonly port: number
  readonly host: string
  /** The address that clients see, where it is another. */
  readonly publicAddress?: string
  /** Whom to ask how the port is seen from outside. */
  readonly stunServers: readonly Address[]
  /** The socket has failed, and all channels are closed. */
  onFailed(problem: string): void
}

/** What was dropped, and clients that were closed because they sent too much, by the reason. */
export type PortCounts = { readonly refused: RefusedPackets; readonly abusers: Record<Abuse, number> }

export function createPortCounts(): PortCounts {
  return {
    refused: { strange: 0, tooLong: 0, beyondBudget: 0, crowded: 0, forged: 0, replayed: 0 },
    abusers: { records: 0, crowded: 0, bytes: 0, handshake: 0 },
  }
}

export type Port = {
  /** Answers the offer of a client. Throws where no data channel is offered. */
  open(offer: string, handlers: ChannelHandlers): Channel
  close(): void
}

export type Channel = { readonly answer: string; send(bytes: Uint8Array): void; close(): void }

/** A channel that is closed for what its client sent says so. */
export type ChannelHandlers = { onMessage(bytes: Uint8Array): void; onClosed(abuse?: Abuse): void }

/** Longer than any packet that travels in one piece. */
const MAX_PACKET_BYTES = 1_500
/** What a client may send as one message. All of ours are shorter; longer ones are counted and dropped. */
const MAX_MESSAGE_BYTES = 4_096
/** From how many places one client may come: its networks, and what NATs make of them. */
const MAX_ORIGINS = 16
const KEEP_MS = 100
/** STUN servers are asked again and again, which also keeps open what a NAT has opened for their answers. */
const ASK_AGAIN_MS = 20_000
/** At the start they have a second to answer. */
const FIRST_TRIES = 10
const FIRST_TRY_MS = 100

export async function openPort({
  port,
  host,
  publicAddress,
  stunServers,
  refused,
  abusers,
  onFailed,
}: PortOptions): Promise<Port> {
  const certificate = createCertificate()
  const socket = await bind(port, host)
  const byName = new Map<string, Peer>()
  const byOrigin = new Map<string, Peer>()
  // One that cannot be reached does not answer; the port has its other addresses.
  const outside = createOutside(stunServers, (packet, to) => socket.send(packet, to.port, to.address, () => {}))

  socket.on('message', (packet, from) => {
    if (packet.length > MAX_PACKET_BYTES) refused.tooLong++
    // Forged: nobody can be answered there, and Node throws when it is tried.
    else if (from.port === 0) refused.strange++
    else if (isStun(packet)) takeStun(packet, from)
    else {
      const peer = byOrigin.get(originOf(from))
      if (peer === undefined) refused.strange++
      else if (admits(peer, packet)) takeFromPeer(peer, packet, from, performance.now())
    }
  })
  socket.on('error', (error) => {
    close()
    onFailed(error.message)
  })

  function takeStun(packet: Buffer, from: RemoteInfo): void {
    if (outside.take(packet)) return
    const question = readQuestion(packet)
    const peer = question && byName.get(question.name)
    if (question === undefined || peer === undefined || !isSigned(question, peer.password)) {
      refused.strange++
      return
    }
    if (!admits(peer, packet)) return
    const origin = originOf(from)
    if (!byOrigin.has(origin) && peer.origins.size < MAX_ORIGINS) {
      peer.origins.add(origin)
      byOrigin.set(origin, peer)
    }
    // Where another client is: the address is forged.
    if (byOrigin.get(origin) !== peer) {
      refused.strange++
      return
    }
    peer.heardAt = performance.now()
    if (question.isChosen || peer.way === undefined) peer.way = from
    socket.send(answerTo(question, from, peer.password), from.port, from.address)
  }

  function open(offer: string, { onMessage, onClosed }: ChannelHandlers): Channel {
    const { fingerprint, mid } = readOffer(offer)
    const peerHandlers: PeerHandlers = {
      send: (packet, to) => socket.send(packet, to.port, to.address),
      message: onMessage,
      closed(abuse) {
        if (abuse !== undefined) abusers[abuse]++
        byName.delete(peer.name)
        for (const origin of peer.origins) byOrigin.delete(origin)
        onClosed(abuse)
      },
    }
    const peer = createPeer({ certificate, fingerprint, refused, handlers: peerHandlers }, performance.now())
    byName.set(peer.name, peer)
    const { address: boundTo, port: boundPort } = socket.address()
    const addresses = [...addressesOf(boundTo), ...(publicAddress === undefined ? [] : [publicAddress])]
    const own = addresses.map((address): Candidate => ({ address, port: boundPort, kind: 'host' }))
    const seen = outside.seen().map((address): Candidate => ({ ...address, kind: 'srflx' }))
    const { name, password } = peer
    const answer = writeAnswer({
      mid,
      name,
      password,
      fingerprint: certificate.fingerprint,
      candidates: [...own, ...seen],
      maxMessageBytes: MAX_MESSAGE_BYTES,
    })
    return {
      answer,
      send: (bytes) => sendToPeer(peer, bytes, performance.now()),
      close: () => closePeer(peer),
    }
  }

  const keeping = setInterval(() => {
    const now = performance.now()
    for (const peer of byName.values()) keepPeer(peer, now)
  }, KEEP_MS).unref()
  const asking = setInterval(outside.ask, ASK_AGAIN_MS).unref()

  function close(): void {
    clearInterval(keeping)
    clearInterval(asking)
    for (const peer of [...byName.values()]) closePeer(peer)
    try {
      socket.close()
    } catch {
      // It has failed, and is closed.
    }
  }

  for (let tries = 0; tries < FIRST_TRIES && !outside.isKnown(); tries++) {
    outside.ask()
    await setTimeout(FIRST_TRY_MS)
  }
  return { open, close }
}

function originOf({ address, port }: Address): string {
  return `${address} ${port}`
}

function bind(port: number, host: string): Promise<Socket> {
  const socket = createSocket({
    type: isIPv6(host) ? 'udp6' : 'udp4',
    // Clients are addresses; Node would look up even those.
    lookup: (name, options, done) => (isIP(name) ? done(null, name, isIP(name)) : lookup(name, options, done)),
  })
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, host, () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

/** Where clients find a port that is bound to an address. */
function addressesOf(host: string): readonly string[] {
  if (host !== '0.0.0.0' && host !== '::') return [host]
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const reachable = all.filter(({ internal, family, address }) => {
    return !internal && !address.startsWith('fe80') && (host === '::' || family === 'IPv4')
  })
  // A machine without a network still has itself.
  return reachable.length > 0 ? reachable.map(({ address }) => address) : ['127.0.0.1']
}
