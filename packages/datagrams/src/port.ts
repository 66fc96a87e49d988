/**
 * A UDP port to which browsers open data channels: WebRTC in TypeScript, with nothing native but Node itself.
 *
 *   demultiplexing of STUN and DTLS   RFC 7983, 7     host and srflx candidates   RFC 8445, 5.1.1
 *
 * As a lite agent the port has candidates, sends no connectivity checks and answers those of clients, by the ufrag and pwd of its answer. DTLS is taken only
 * from addresses of valid checks. So who has no answer gets nothing, and an address that has not answered gets less than three times the bytes that came in its name.
 */

import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { lookup, promises } from 'node:dns'
import { isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import {
  addConnection,
  closeAll,
  createAgent,
  forgetUnheard,
  guard,
  receiveCheck,
  receiveDatagram,
  removeConnection,
  runAllTimers,
} from './agent.ts'
import type { Abuse } from './budget.ts'
import {
  type ConnectionHandlers,
  closeConnection,
  createConnection,
  type RefusedPackets,
  sendOnChannel,
} from './connection.ts'
import { createCertificate } from './dtls/certificate.ts'
import { createCookies } from './dtls/cookie.ts'
import { type Candidate, readOffer, writeAnswer } from './ice/sdp.ts'
import { gatherServerReflexive, type ServerReflexive } from './ice/server-reflexive.ts'
import { type Address, isStun } from './ice/stun.ts'

export type PortOptions = PortCounts & {
  /** 0: any that is free. */
  readonly port: number
  readonly host: string
  /** Where clients find it, of the addresses that it has. Default: there. */
  readonly addresses?: (own: readonly Address[]) => readonly Address[]
  readonly stunServers: readonly Address[]
  /** The socket has failed, and all channels are closed. */
  onFailed(problem: string): void
  /** An error of ours, or of a handler. It has closed one channel. */
  readonly onError?: (error: unknown) => void
}

/** What was dropped, and clients that were closed because they sent too much, by the reason. */
export type PortCounts = { readonly refused: RefusedPackets; readonly abusers: Record<Abuse, number> }

export function createPortCounts(): PortCounts {
  return {
    refused: { strange: 0, tooLong: 0, beyondBudget: 0, crowded: 0, forged: 0, replayed: 0, unfit: 0, threw: 0 },
    abusers: { records: 0, crowded: 0, bytes: 0 },
  }
}

export type Port = {
  /** Answers the offer of a client. Throws where no data channel is offered. */
  open(offer: string, handlers: ChannelHandlers): Channel
  close(): void
}

/** A data channel, from the moment its offer was answered. What is sent before the client has opened it is lost. */
export type Channel = {
  /** The description that the client is to get. */
  readonly answer: string
  send(bytes: Uint8Array): void
  close(): void
}

/** A channel that is closed for what its client sent says so. */
export type ChannelHandlers = { onMessage(bytes: Uint8Array): void; onClosed(abuse?: Abuse): void }

/** Longer than any datagram that is not fragmented by IP. */
const MAX_DATAGRAM_BYTES = 1_500
/** What a client may send as one message: what fits into one packet of it. There is no reassembly; what is longer arrives as nothing. */
export const MAX_MESSAGE_BYTES = 1_100
/** A tenth of a second of 10,000 packets a second, each of which takes some 800 bytes of it. */
const RECEIVE_BUFFER_BYTES = 1 << 20
const TIMERS_MS = 100
const FORGET_MS = 1_000
/** Binding requests are repeated, which also keeps the bindings of a NAT (RFC 8445, 11). */
const GATHER_MS = 20_000
/** At the start STUN servers have a second to respond. */
const FIRST_GATHERINGS = 10
const FIRST_GATHERING_MS = 100

export async function openPort(options: PortOptions): Promise<Port> {
  const { port, host, addresses = (own) => own, stunServers, refused, abusers, onFailed, onError = () => {} } = options
  const certificate = createCertificate()
  const cookies = createCookies()
  const socket = await bind(port, host)
  const agent = createAgent(socket, refused, onError)
  // A server that cannot be reached does not respond; the port has its other candidates.
  const reflexive = gatherServerReflexive(stunServers, isIPv6(socket.address().address) ? 6 : 4, (message, to) => {
    socket.send(message, to.port, to.address, () => {})
  })

  socket.on('message', (datagram, from) => {
    try {
      receive(datagram, from)
    } catch (error) {
      // Before it is known whose it is. What is thrown out of an event would end the process.
      refused.threw++
      onError(error)
    }
  })
  socket.on('error', (error) => {
    close()
    onFailed(error.message)
  })

  function receive(datagram: Buffer, from: RemoteInfo): void {
    if (datagram.length > MAX_DATAGRAM_BYTES) refused.tooLong++
    // Forged: nobody can be answered there, and Node throws when it is tried.
    else if (from.port === 0) refused.strange++
    else if (!isStun(datagram)) receiveDatagram(agent, datagram, from)
    else if (!reflexive.receive(datagram, from)) receiveCheck(agent, datagram, from)
  }

  function open(offer: string, { onMessage, onClosed }: ChannelHandlers): Channel {
    const { fingerprint, mid } = readOffer(offer)
    const handlers: ConnectionHandlers = {
      send: (datagram, to) => socket.send(datagram, to.port, to.address),
      message: onMessage,
      closed(abuse) {
        if (abuse !== undefined) abusers[abuse]++
        removeConnection(agent, connection)
        onClosed(abuse)
      },
    }
    const connection = createConnection({ certificate, cookies, fingerprint, refused, handlers }, performance.now())
    addConnection(agent, connection)
    const { ufrag, pwd } = connection
    const answer = writeAnswer({
      mid,
      ufrag,
      pwd,
      fingerprint: certificate.fingerprint,
      candidates: candidatesOf(addresses(ownAddresses(socket)), reflexive),
      maxMessageBytes: MAX_MESSAGE_BYTES,
    })
    return {
      answer,
      send: (bytes) => guard(agent, connection, () => sendOnChannel(connection, bytes, performance.now())),
      close: () => closeConnection(connection),
    }
  }

  const timers = setInterval(() => runAllTimers(agent, performance.now()), TIMERS_MS).unref()
  const forgetting = setInterval(() => forgetUnheard(agent, performance.now()), FORGET_MS).unref()
  const gathering = setInterval(reflexive.gather, GATHER_MS).unref()

  function close(): void {
    clearInterval(timers)
    clearInterval(forgetting)
    clearInterval(gathering)
    closeAll(agent)
    try {
      socket.close()
    } catch {
      // It has failed, and is closed.
    }
  }

  for (let tries = 0; tries < FIRST_GATHERINGS && !reflexive.isComplete(); tries++) {
    reflexive.gather()
    await setTimeout(FIRST_GATHERING_MS)
  }
  return { open, close }
}

/** A name is looked up: a container may have one for the address that packets for it come to. */
export async function bind(port: number, host: string): Promise<Socket> {
  const { address, family } = await promises.lookup(host, { order: 'ipv4first' })
  const socket = createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    // Clients are addresses; Node would look up even those.
    lookup: (name, options, done) => (isIP(name) ? done(null, name, isIP(name)) : lookup(name, options, done)),
  })
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, address, () => {
      socket.off('error', reject)
      askForBuffer(socket)
      resolve(socket)
    })
  })
}

/** What comes while a room computes waits there, and all players share it: when it is full, everybody loses. Systems give less than is asked for. */
function askForBuffer(socket: Socket): void {
  try {
    socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES)
  } catch {
    // Some give nothing then.
  }
}

function candidatesOf(addresses: readonly Address[], reflexive: ServerReflexive): Candidate[] {
  return [
    ...addresses.map((each): Candidate => ({ ...each, type: 'host' })),
    ...reflexive.mappedAddresses().map((mapped): Candidate => ({ ...mapped, type: 'srflx' })),
  ]
}

function ownAddresses(socket: Socket): Address[] {
  const { address: boundTo, port } = socket.address()
  return addressesOf(boundTo).map((address) => ({ address, port }))
}

/** Where clients find a port that is bound to an address. */
export function addressesOf(host: string): readonly string[] {
  if (host !== '0.0.0.0' && host !== '::') return [host]
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const reachable = all.filter(({ internal, family, address }) => {
    return !internal && !address.startsWith('fe80') && (host === '::' || family === 'IPv4')
  })
  // A machine without a network still has itself.
  return reachable.length > 0 ? reachable.map(({ address }) => address) : ['127.0.0.1']
}
