/** Ports of data channels on loopback: clients that come to them, and a proxy in between that does to packets what a test wants. */

import { createSocket, type Socket } from 'node:dgram'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Certificate } from '../src/datagrams/webrtc/certificate.ts'
import { createPortCounts, openPort, type Port, type PortCounts } from '../src/datagrams/webrtc/port.ts'
import type { Address } from '../src/datagrams/webrtc/stun.ts'
import { freeUdpPort, RTCPeerConnection } from './channels.ts'
import { type ClientOptions, createClient, questionOf, type TestClient } from './webrtc-client.ts'

export type TestPort = Port &
  PortCounts & {
    readonly number: number
    /** Its own socket. */
    readonly socket: Socket
    /** Hands it a packet as if it came from that address. */
    take(packet: Buffer, from: Address): void
  }

export async function openTestPort(): Promise<TestPort> {
  const number = await freeUdpPort()
  const onFailed = (problem: string) => {
    throw new Error(problem)
  }
  let socket!: Socket
  const note = (message: unknown) => ({ socket } = message as { socket: Socket })
  subscribe('udp.socket', note)
  const counts = createPortCounts()
  const opening = openPort({ port: number, host: '127.0.0.1', stunServers: [], ...counts, onFailed })
  unsubscribe('udp.socket', note)
  const port = await opening
  const take = (packet: Buffer, from: Address) => void socket.emit('message', Buffer.from(packet), from)
  return { ...port, number, socket, ...counts, take }
}

export function offerOf({ fingerprint }: Certificate): string {
  const lines = ['m=application 9 UDP/DTLS/SCTP webrtc-datachannel', 'a=mid:0', 'a=setup:actpass']
  return [...lines, `a=fingerprint:sha-256 ${fingerprint}`, ''].join('\r\n')
}

/** The name and the password in an answer. */
export function namesIn(answer: string): { name: string; password: string } {
  const [name, password] = ['ufrag', 'pwd'].map((key) => new RegExp(`a=ice-${key}:(\\S+)`).exec(answer)![1])
  return { name, password }
}

export type Visitor = {
  readonly client: TestClient
  readonly socket: Socket
  readonly delivered: Buffer[]
  readonly name: string
  readonly password: string
  isClosed: boolean
  /** How many answers to its questions it got. */
  answers: number
  send(packet: Buffer): void
  ask(isChosen?: boolean): void
  close(): void
  readonly channel: ReturnType<Port['open']>
}

/** Somebody with an offer that was answered, who has not asked for a way yet. It starts its handshake with the first answer. */
export async function createVisitor(port: TestPort, options: ClientOptions = {}): Promise<Visitor> {
  const socket = await bindSocket()
  const send = (packet: Buffer) => socket.send(packet, port.number, '127.0.0.1')
  const client = createClient(send, options)
  const channel = port.open(offerOf(client.certificate), {
    onMessage: (bytes) => void visitor.delivered.push(Buffer.from(bytes)),
    onClosed: () => void (visitor.isClosed = true),
  })
  const visitor: Visitor = {
    client,
    socket,
    delivered: [],
    ...namesIn(channel.answer),
    isClosed: false,
    answers: 0,
    send,
    ask: (isChosen) => send(questionOf(visitor.name, visitor.password, isChosen)),
    close() {
      channel.close()
      socket.close()
    },
    channel,
  }
  socket.on('message', (packet) => {
    if (packet[0] >= 4) client.take(packet)
    else if (++visitor.answers === 1) client.start()
  })
  return visitor
}

// A proxy

/** Passes a packet on, at once or later, as often as it is called; or not at all. */
export type Line = (packet: Buffer, pass: (packet: Buffer) => void) => void

export type Proxy = {
  readonly number: number
  /** Goes on from another port, as after a NAT has forgotten. */
  move(): Promise<void>
  close(): void
}

/** Stands between one client and a port. */
export async function startProxy(target: number, toServer: Line, toClient: Line): Promise<Proxy> {
  const front = await bindSocket()
  let client = 0
  let isClosed = false
  const openBack = async () => {
    const socket = await bindSocket()
    socket.on('message', (packet) => {
      toClient(packet, (each) => isClosed || client === 0 || front.send(each, client, '127.0.0.1'))
    })
    return socket
  }
  let back = await openBack()
  front.on('message', (packet, from) => {
    client = from.port
    toServer(packet, (each) => isClosed || back.send(each, target, '127.0.0.1'))
  })
  return {
    number: front.address().port,
    async move() {
      const old = back
      back = await openBack()
      old.close()
    },
    close() {
      isClosed = true
      front.close()
      back.close()
    },
  }
}

async function bindSocket(): Promise<Socket> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return socket
}

// The clients of others

export type Foreign = {
  readonly delivered: string[]
  readonly got: string[]
  readonly isOpen: boolean
  isClosed: boolean
  sendToServer(text: string): void
  sendToClient(text: string): void
  close(): void
}

export type ForeignOptions = {
  /** Where it finds the port; default: where it is. */
  readonly through?: number
  /** What the server reads of its offer. */
  readonly changeOffer?: (offer: string) => string
}

/** A client of libdatachannel, that opens a channel as games do. */
export async function openForeign(port: TestPort, { through, changeOffer }: ForeignOptions = {}): Promise<Foreign> {
  const connection = new RTCPeerConnection({ iceServers: [] })
  const data = connection.createDataChannel('hurtbox', { ordered: false, maxRetransmits: 0 })
  data.binaryType = 'arraybuffer'
  data.onmessage = ({ data: bytes }) => void foreign.got.push(Buffer.from(bytes as ArrayBuffer).toString())
  await connection.setLocalDescription(await connection.createOffer())
  const offer = connection.localDescription!.sdp
  const channel = port.open(changeOffer?.(offer) ?? offer, {
    onMessage: (bytes) => void foreign.delivered.push(Buffer.from(bytes).toString()),
    onClosed: () => void (foreign.isClosed = true),
  })
  const foreign: Foreign = {
    delivered: [],
    got: [],
    get isOpen() {
      return data.readyState === 'open'
    },
    isClosed: false,
    sendToServer: (text) => data.send(new TextEncoder().encode(text)),
    sendToClient: (text) => channel.send(Buffer.from(text)),
    close() {
      channel.close()
      connection.close()
    },
  }
  const sdp = channel.answer.replaceAll(` ${port.number} typ`, ` ${through ?? port.number} typ`)
  await connection.setRemoteDescription({ type: 'answer', sdp })
  return foreign
}
