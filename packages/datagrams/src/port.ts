/**
 * A UDP port to which browsers open data channels: WebRTC in TypeScript, with nothing native but Node itself.
 *
 *   ICE lite                    RFC 8445, 2.5, 7.3     demultiplexing of STUN and DTLS   RFC 7983, 7
 *   host and srflx candidates   RFC 8445, 5.1.1
 *
 * As a lite agent the port has candidates, sends no connectivity checks and answers those of clients, by the ufrag and pwd of its answer. DTLS is taken only
 * from addresses of valid checks, and sent only there. So who forges an address, or has no answer, gets nothing.
 */

import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { lookup } from 'node:dns'
import { isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import type { Abuse } from './budget.ts'
import {
  admits,
  type Connection,
  type ConnectionHandlers,
  closeConnection,
  createConnection,
  nameOf,
  type RefusedPackets,
  receiveDtls,
  runTimers,
  sendOnChannel,
} from './connection.ts'
import { createCertificate } from './dtls/certificate.ts'
import { createCookies } from './dtls/cookie.ts'
import { type Candidate, readOffer, writeAnswer } from './ice/sdp.ts'
import { gatherServerReflexive, type ServerReflexive } from './ice/server-reflexive.ts'
import { type Address, bindingResponse, hasIntegrity, isStun, readBindingRequest } from './ice/stun.ts'

export type PortOptions = PortCounts & {
  /** 0: any that is free. */
  readonly port: number
  readonly host: string
  /** The IP address that clients see, where it is another. */
  readonly publicAddress?: string
  readonly stunServers: readonly Address[]
  /** The socket has failed, and all channels are closed. */
  onFailed(problem: string): void
}

/** What was dropped, and clients that were closed because they sent too much, by the reason. */
export type PortCounts = { readonly refused: RefusedPackets; readonly abusers: Record<Abuse, number> }

export function createPortCounts(): PortCounts {
  return {
    refused: { strange: 0, tooLong: 0, beyondBudget: 0, crowded: 0, forged: 0, replayed: 0, unfit: 0 },
    abusers: { records: 0, crowded: 0, bytes: 0, handshake: 0 },
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
/** What a client may send as one message. All of ours are shorter; longer ones are counted and dropped. */
const MAX_MESSAGE_BYTES = 4_096
/** From how many addresses one client may come: its networks, and what NATs make of them. */
const MAX_REMOTES = 16
const TIMERS_MS = 100
/** Binding requests are repeated, which also keeps the bindings of a NAT (RFC 8445, 11). */
const GATHER_MS = 20_000
/** At the start STUN servers have a second to respond. */
const FIRST_GATHERINGS = 10
const FIRST_GATHERING_MS = 100

export async function openPort(options: PortOptions): Promise<Port> {
  const { port, host, publicAddress, stunServers, refused, abusers, onFailed } = options
  const certificate = createCertificate()
  const cookies = createCookies()
  const socket = await bind(port, host)
  const agent = createAgent(socket, refused)
  // A server that cannot be reached does not respond; the port has its other candidates.
  const reflexive = gatherServerReflexive(stunServers, (message, to) => {
    socket.send(message, to.port, to.address, () => {})
  })

  socket.on('message', (datagram, from) => {
    if (datagram.length > MAX_DATAGRAM_BYTES) refused.tooLong++
    // Forged: nobody can be answered there, and Node throws when it is tried.
    else if (from.port === 0) refused.strange++
    else if (!isStun(datagram)) agent.receiveDtls(datagram, from)
    else if (!reflexive.receive(datagram)) agent.receiveCheck(datagram, from)
  })
  socket.on('error', (error) => {
    close()
    onFailed(error.message)
  })

  function open(offer: string, { onMessage, onClosed }: ChannelHandlers): Channel {
    const { fingerprint, mid } = readOffer(offer)
    const handlers: ConnectionHandlers = {
      send: (datagram, to) => socket.send(datagram, to.port, to.address),
      message: onMessage,
      closed(abuse) {
        if (abuse !== undefined) abusers[abuse]++
        agent.remove(connection)
        onClosed(abuse)
      },
    }
    const connection = createConnection({ certificate, cookies, fingerprint, refused, handlers }, performance.now())
    agent.add(connection)
    const { ufrag, pwd } = connection
    const answer = writeAnswer({
      mid,
      ufrag,
      pwd,
      fingerprint: certificate.fingerprint,
      candidates: candidatesOf(socket, publicAddress, reflexive),
      maxMessageBytes: MAX_MESSAGE_BYTES,
    })
    return {
      answer,
      send: (bytes) => sendOnChannel(connection, bytes, performance.now()),
      close: () => closeConnection(connection),
    }
  }

  const timers = setInterval(() => {
    const now = performance.now()
    for (const connection of agent.connections()) runTimers(connection, now)
  }, TIMERS_MS).unref()
  const gathering = setInterval(reflexive.gather, GATHER_MS).unref()

  function close(): void {
    clearInterval(timers)
    clearInterval(gathering)
    for (const connection of [...agent.connections()]) closeConnection(connection)
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

/** The ICE lite agent: connections by their ufrag and by the addresses of their valid checks. */
function createAgent(socket: Socket, refused: RefusedPackets) {
  const byUfrag = new Map<string, Connection>()
  const byRemote = new Map<string, Connection>()

  /** A connectivity check (RFC 8445, 7.3). */
  function receiveCheck(message: Buffer, from: RemoteInfo): void {
    const request = readBindingRequest(message)
    const connection = request && byUfrag.get(request.ufrag)
    if (request === undefined || connection === undefined || !hasIntegrity(request, connection.pwd)) {
      refused.strange++
      return
    }
    if (!admits(connection, message)) return
    const remote = nameOf(from)
    if (!byRemote.has(remote) && connection.remotes.size < MAX_REMOTES) {
      connection.remotes.set(remote, from)
      byRemote.set(remote, connection)
    }
    // Where another client is: the address is forged.
    if (byRemote.get(remote) !== connection) {
      refused.strange++
      return
    }
    connection.consentAt = performance.now()
    socket.send(bindingResponse(request, from, connection.pwd), from.port, from.address)
  }

  return {
    receiveCheck,
    receiveDtls(datagram: Buffer, from: RemoteInfo): void {
      const connection = byRemote.get(nameOf(from))
      if (connection === undefined) refused.strange++
      else if (admits(connection, datagram)) receiveDtls(connection, datagram, from, performance.now())
    },
    connections: () => byUfrag.values(),
    add(connection: Connection): void {
      byUfrag.set(connection.ufrag, connection)
    },
    remove({ ufrag, remotes }: Connection): void {
      byUfrag.delete(ufrag)
      for (const remote of remotes.keys()) byRemote.delete(remote)
    },
  }
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

function candidatesOf(socket: Socket, publicAddress: string | undefined, reflexive: ServerReflexive): Candidate[] {
  const { address: boundTo, port } = socket.address()
  const addresses = [...addressesOf(boundTo), ...(publicAddress === undefined ? [] : [publicAddress])]
  return [
    ...addresses.map((address): Candidate => ({ address, port, type: 'host' })),
    ...reflexive.mappedAddresses().map((mapped): Candidate => ({ ...mapped, type: 'srflx' })),
  ]
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
