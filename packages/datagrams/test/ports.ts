/** Ports of data channels on loopback: clients that come to them, and a proxy in between that does to packets what a test wants. */

import { createSocket, type Socket } from 'node:dgram'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Certificate } from '../src/dtls/certificate.ts'
import type { Address } from '../src/ice/stun.ts'
import { createPortCounts, openPort, type Port, type PortCounts } from '../src/port.ts'
import { freeUdpPort, RTCPeerConnection } from './channels.ts'
import { bindingRequestOf, type ClientOptions, createClient, type TestClient } from './client.ts'

export type TestPort = Port &
  PortCounts & {
    readonly number: number
    /** Its own socket. */
    readonly socket: Socket
    /** Errors that were reported. */
    readonly errors: unknown[]
    /** Hands it a packet as if it came from that address. */
    take(packet: Buffer, from: Address): void
  }

export async function openTestPort(): Promise<TestPort> {
  const number = await freeUdpPort()
  const onFailed = (problem: string) => {
    throw new Error(problem)
  }
  const sockets: Socket[] = []
  const note = (message: unknown) => void sockets.push((message as { socket: Socket }).socket)
  subscribe('udp.socket', note)
  const counts = createPortCounts()
  const errors: unknown[] = []
  const onError = (error: unknown) => void errors.push(error)
  const port = await openPort({ port: number, host: '127.0.0.1', stunServers: [], ...counts, onFailed, onError })
  unsubscribe('udp.socket', note)
  const socket = sockets.find((each) => isBoundTo(each, number))!
  const take = (packet: Buffer, from: Address) => void socket.emit('message', Buffer.from(packet), from)
  return { ...port, number, socket, ...counts, errors, take }
}

function isBoundTo(socket: Socket, port: number): boolean {
  try {
    return socket.address().port === port
  } catch {
    // Another one, that is closed or not bound yet.
    return false
  }
}

export function offerOf({ fingerprint }: Certificate): string {
  const lines = ['m=application 9 UDP/DTLS/SCTP webrtc-datachannel', 'a=mid:0', 'a=setup:actpass']
  return [...lines, `a=fingerprint:sha-256 ${fingerprint}`, ''].join('\r\n')
}

export function credentialsIn(answer: string): { ufrag: string; pwd: string } {
  const [ufrag, pwd] = ['ufrag', 'pwd'].map((key) => new RegExp(`a=ice-${key}:(\\S+)`).exec(answer)![1])
  return { ufrag, pwd }
}

export type Visitor = {
  readonly client: TestClient
  readonly socket: Socket
  readonly delivered: Buffer[]
  readonly ufrag: string
  readonly pwd: string
  isClosed: boolean
  /** How many of its connectivity checks were answered. */
  responses: number
  send(packet: Buffer): void
  check(hasUseCandidate?: boolean): void
  close(): void
  readonly channel: ReturnType<Port['open']>
}

/** Somebody with an offer that was answered, who has sent no connectivity check yet. Its handshake starts with the first response. */
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
    ...credentialsIn(channel.answer),
    isClosed: false,
    responses: 0,
    send,
    check: (hasUseCandidate) => send(bindingRequestOf(visitor.ufrag, visitor.pwd, hasUseCandidate)),
    close() {
      channel.close()
      socket.close()
    },
    channel,
  }
  socket.on('message', (packet) => {
    if (packet[0] >= 4) client.take(packet)
    else if (++visitor.responses === 1) client.start()
  })
  return visitor
}

/** An RTCPeerConnection around a client of tests: as much of one as the SDK asks for. */
export function peerConnectionOf(client: TestClient, socket: Socket, send: (packet: Buffer) => void) {
  let isStarted = false
  socket.on('message', (packet) => {
    if (packet[0] >= 4) client.take(packet)
    else if (!isStarted) {
      isStarted = true
      client.start()
    }
  })
  return class {
    readonly localDescription = { sdp: offerOf(client.certificate) }
    readonly iceGatheringState = 'complete'
    onicegatheringstatechange = undefined
    createDataChannel = () => ({ readyState: 'connecting', close() {} })
    createOffer = async () => ({})
    setLocalDescription = async () => {}
    async setRemoteDescription({ sdp }: { readonly sdp: string }) {
      const { ufrag, pwd } = credentialsIn(sdp)
      send(bindingRequestOf(ufrag, pwd))
    }
    close() {}
  }
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
  readonly answer: string
  readonly isOpen: boolean
  isClosed: boolean
  /** How often the server was told that it is closed. */
  closings: number
  sendToServer(text: string): void
  sendString(text: string): void
  sendToClient(text: string): void
  closeServer(): void
  closeClient(): void
  close(): void
}

export type ForeignOptions = {
  /** Where it finds the port; default: where it is. */
  readonly through?: number
  /** What the server reads of its offer. */
  readonly changeOffer?: (offer: string) => string
  /** Called after a message was noted. */
  readonly onMessage?: () => void
}

/** A client of libdatachannel, that opens a channel as games do. */
export async function openForeign(
  port: Pick<TestPort, 'open' | 'number'>,
  { through, changeOffer, onMessage }: ForeignOptions = {},
): Promise<Foreign> {
  const connection = new RTCPeerConnection({ iceServers: [] })
  const data = connection.createDataChannel('hurtbox', { ordered: false, maxRetransmits: 0 })
  data.binaryType = 'arraybuffer'
  data.onmessage = ({ data: bytes }) => void foreign.got.push(Buffer.from(bytes as ArrayBuffer).toString())
  await connection.setLocalDescription(await connection.createOffer())
  const offer = connection.localDescription!.sdp
  const channel = port.open(changeOffer?.(offer) ?? offer, {
    onMessage(bytes) {
      foreign.delivered.push(Buffer.from(bytes).toString())
      onMessage?.()
    },
    onClosed() {
      foreign.isClosed = true
      foreign.closings++
    },
  })
  const foreign: Foreign = {
    delivered: [],
    got: [],
    answer: channel.answer,
    get isOpen() {
      return data.readyState === 'open'
    },
    isClosed: false,
    closings: 0,
    sendToServer: (text) => data.send(new TextEncoder().encode(text)),
    sendString: (text) => data.send(text),
    sendToClient: (text) => channel.send(Buffer.from(text)),
    closeServer: () => channel.close(),
    closeClient: () => data.close(),
    close() {
      channel.close()
      connection.close()
    },
  }
  const sdp = channel.answer.replaceAll(` ${port.number} typ`, ` ${through ?? port.number} typ`)
  await connection.setRemoteDescription({ type: 'answer', sdp })
  return foreign
}
