/**
 * Floods of the UDP port: from seats, from strangers, and in the name of the honest players.
 *
 * A seat sends two thousand packets a second, full ones where it sends records: 24 Mbit/s, and more than twice of what it may. Strangers send ten thousand
 * small ones. A sink gets the same packets, encrypted with keys of nobody.
 */

import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { type GameConnection, joinGame, type PeerConnectionClass } from '@hurtbox/colyseus/client'
import jetRaiders from '../../games/jet-raiders/index.ts'
import { ANSWER } from '../../packages/colyseus/src/datagrams/names.ts'
import { ROOM_MESSAGES, sendToRoom } from '../../packages/colyseus/src/room-messages.ts'
import { type CipherSuite, SUITES } from '../../packages/datagrams/src/dtls/ciphers/suites.ts'
import {
  bindingRequestOf,
  CHUNK,
  createClient,
  packetOf,
  type TestClient,
} from '../../packages/datagrams/test/client.ts'
import { credentialsIn, offerOf, peerConnectionOf } from '../../packages/datagrams/test/ports.ts'
import { FLOODS, type PacketKind, type Target } from './kinds.ts'

const SEAT_PER_SECOND = 2_000
const STRANGERS_PER_SECOND = 10_000
const BATCH_MS = 5
const OPEN_MS = 5_000
const DATA = 23
const MAX_PACKET_BYTES = 1_500
const [CHACHA, GCM] = SUITES
/** Strangers send from as many addresses. */
const STRANGERS = 64
/** As many channels as a seat may offer at once. */
export const OFFERS = 4

export type PacketAttack = { readonly kind: PacketKind; readonly target: Target; readonly from: string }

/** What one socket sends. */
type Source = { readonly sockets: readonly Socket[]; packet(): Buffer; isCut?(): boolean; close(): void }

/** Floods until it is over or the server has closed what it came by. Returns the bytes that it has sent. */
export async function floodPackets(attack: PacketAttack, isOver: () => boolean): Promise<number> {
  const { kind, target } = attack
  if (kind === 'handshakes') return floodHandshakes(attack, isOver)
  const source = await openSource(attack)
  if (source === undefined) {
    await delay(100)
    return 0
  }
  const isSeat = kind === 'comes-again' || FLOODS.some((flood) => flood.kind === kind && flood.isSeat)
  const bytes = await sendAll(source, target.port, isSeat ? SEAT_PER_SECOND : STRANGERS_PER_SECOND, isOver)
  source.close()
  return bytes
}

async function openSource({ kind, target, from }: PacketAttack): Promise<Source | undefined> {
  switch (kind) {
    case 'gcm-forged':
    case 'gcm-true':
    case 'chacha-forged':
    case 'chacha-true': {
      const seat = await takeSeat(target, from, kind.startsWith('gcm') ? GCM : CHACHA)
      const packet = kind.endsWith('forged') ? () => forgedPacket(0) : () => truePacket(seat!.client)
      // It goes on when its channel was closed.
      return seat && { ...seat, packet }
    }
    case 'comes-again': {
      const seat = await takeSeat(target, from, GCM)
      return seat && { ...seat, packet: () => truePacket(seat.client), isCut: () => seat.client.alerts.length > 0 }
    }
    case 'checks-of-seat': {
      const seat = await takeSeat(target, from, CHACHA)
      return seat && { ...seat, packet: () => bindingRequestOf(seat.ufrag, seat.pwd) }
    }
    case 'hellos': {
      const seat = await takeSeat(target, from, CHACHA, { isKnownOnly: true })
      const hello = helloOf()
      return seat && { ...seat, packet: () => hello }
    }
    case 'checks-known': {
      // A seat gives the name of its channel away.
      const seat = await takeSeat(target, from, CHACHA)
      if (seat === undefined) return undefined
      const sockets = await bindAll(addressesOf(from))
      const close = () => {
        seat.close()
        closeAll(sockets)
      }
      return { sockets, packet: () => bindingRequestOf(seat.ufrag, 'another password'), close }
    }
    case 'strange-checks':
      return strangers(from, () => bindingRequestOf('0123456789ab', 'a password'))
    case 'strange-records':
      return strangers(from, () => forgedPacket(0, 1))
    case 'in-their-names': {
      const sockets = await bindAll(target.masks ?? [])
      const near = () => Math.floor(Math.random() * 20_000)
      const hello = helloOf()
      const packets = [
        () => forgedPacket(near(), 4),
        () => forgedPacket(0, 4),
        () => bindingRequestOf('0123456789ab', 'a password'),
        () => hello,
      ]
      let n = 0
      // Each mask sends each of them.
      const packet = () => packets[Math.floor(n++ / sockets.length) % packets.length]()
      return { sockets, packet, close: () => closeAll(sockets) }
    }
    case 'handshakes':
      return undefined
  }
}

async function strangers(from: string, packet: () => Buffer): Promise<Source> {
  const sockets = await bindAll(addressesOf(from))
  return { sockets, packet, close: () => closeAll(sockets) }
}

function addressesOf(from: string): string[] {
  const [, , third, fourth] = from.split('.').map(Number)
  return Array.from({ length: STRANGERS }, (_, i) => `127.${64 + i}.${third}.${fourth}`)
}

function bindAll(addresses: readonly string[]): Promise<Socket[]> {
  return Promise.all(addresses.map(bind))
}

function closeAll(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.close()
}

async function bind(address: string): Promise<Socket> {
  const socket = createSocket('udp4').bind(0, address)
  socket.on('error', () => {})
  await once(socket, 'listening')
  return socket
}

/** At its rate: while it is busy with some, more become due. */
function sendAll(source: Source, port: number, perSecond: number, isOver: () => boolean): Promise<number> {
  return new Promise((resolve) => {
    const { sockets, packet, isCut } = source
    const startedAt = performance.now()
    let [packets, bytes] = [0, 0]
    const timer = setInterval(() => {
      if (isOver() || isCut?.() || sockets.length === 0) {
        clearInterval(timer)
        resolve(bytes)
        return
      }
      const due = ((performance.now() - startedAt) / 1_000) * perSecond
      for (; packets < due; packets++) {
        const each = packet()
        bytes += each.length
        sockets[packets % sockets.length].send(each, port, '127.0.0.1', () => {})
      }
    }, BATCH_MS)
  })
}

// Seats

type Seat = {
  readonly client: TestClient
  readonly ufrag: string
  readonly pwd: string
  readonly sockets: readonly Socket[]
  close(): void
}

/** A spectator of the room with an open channel, or with one for which its address is known only; undefined where it gets none. */
async function takeSeat(
  { port, roomId }: Target,
  from: string,
  suite: CipherSuite,
  { isKnownOnly = false } = {},
): Promise<Seat | undefined> {
  const socket = await bind(from)
  const send = (packet: Buffer) => socket.send(packet, port, '127.0.0.1', () => {})
  const client = createClient(send, { suites: [suite.id] })
  const sockets = [socket]
  if (roomId === undefined) {
    client.layer.write = suite.create(randomBytes(suite.keyBytes), randomBytes(suite.fixedIvBytes))
    return { client, ufrag: '0123456789ab', pwd: 'a password', sockets, close: () => socket.close() }
  }
  const known = { ufrag: '', pwd: '' }
  const Peer = peerConnectionOf(isKnownOnly ? createClient(() => {}) : client, socket, send)
  class Noting extends Peer {
    override setRemoteDescription(description: { readonly sdp: string }) {
      Object.assign(known, credentialsIn(description.sdp))
      return super.setRemoteDescription(description)
    }
  }
  const connection = await joinAs(Noting as unknown as PeerConnectionClass, port, roomId)
  const close = () => {
    socket.close()
    void connection?.leave()
  }
  const isReady = () => (isKnownOnly ? known.ufrag !== '' : client.isOpen)
  if (connection !== undefined && (await within(OPEN_MS, isReady))) return { client, ...known, sockets, close }
  close()
  return undefined
}

function joinAs(datagrams: PeerConnectionClass, port: number, roomId: string): Promise<GameConnection | undefined> {
  const choices = { roomId, spectate: true, datagrams }
  return joinGame(`http://127.0.0.1:${port}`, jetRaiders.game, choices).catch(() => undefined)
}

/** Takes seats as fast as it gets them, and with each as many handshakes as it may. A sink gets the packets of them. */
async function floodHandshakes(
  { target: { port, roomId }, from }: PacketAttack,
  isOver: () => boolean,
): Promise<number> {
  const socket = await bind(from)
  const clients: TestClient[] = []
  let bytes = 0
  const send = (packet: Buffer) => {
    bytes += packet.length
    socket.send(packet, port, '127.0.0.1', () => {})
  }
  // All share the socket: a handshake that is over has made way for the next.
  const next = () => clients[clients.push(createClient(send)) - 1]
  if (roomId === undefined) {
    for (; !isOver(); await delay(10)) next().start()
    socket.close()
    return bytes
  }
  let answers: string[] = []
  const Peer = peerConnectionOf(next(), socket, send)
  const connection = await joinAs(Peer as unknown as PeerConnectionClass, port, roomId)
  if (connection === undefined) await delay(100)
  else {
    connection.room.onMessage(ANSWER, (sdp: string) => void answers.push(sdp))
    for (let offers = 0; offers < 3 * OFFERS && !isOver(); offers++) {
      await within(1_000, () => clients.at(-1)!.isOpen || isOver())
      answers = []
      const client = next()
      socket.removeAllListeners('message')
      socket.on('message', (packet) => (packet[0] >= 4 ? client.take(packet) : client.start()))
      sendToRoom(connection.room, ROOM_MESSAGES.offer, offerOf(client.certificate))
      await within(200, () => answers.length > 0 || isOver())
      const [answer] = answers
      if (answer === undefined) break
      const { ufrag, pwd } = credentialsIn(answer)
      send(bindingRequestOf(ufrag, pwd))
    }
    await connection.leave().catch(() => {})
  }
  socket.close()
  return bytes
}

async function within(ms: number, isTrue: () => boolean): Promise<boolean> {
  for (const end = performance.now() + ms; !isTrue(); await delay(5)) if (performance.now() > end) return false
  return true
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

// Packets

let forgedNumber = 2 ** 40

/** Records with a wrong tag, and sequence numbers from there on; 0: that were not seen. */
export function forgedPacket(first: number, records = 40): Buffer {
  const size = 13 + 24
  const packet = Buffer.alloc(records * size, 0x5a)
  for (let i = 0; i < records; i++) {
    packet.set([DATA, 0xfe, 0xfd, 0, 1], i * size)
    packet.writeUIntBE(first === 0 ? forgedNumber++ : first + i, i * size + 5, 6)
    packet.writeUInt16BE(24, i * size + 11)
  }
  return packet
}

/** Each record is a HEARTBEAT of its own, which asks to be answered. */
export function truePacket(client: TestClient): Buffer {
  const heartbeat = packetOf(client.serverTag, { type: CHUNK.heartbeat, flags: 0, body: Buffer.alloc(0) })
  const first = client.protect(DATA, heartbeat)
  const count = Math.floor(MAX_PACKET_BYTES / first.length)
  return Buffer.concat([first, ...Array.from({ length: count - 1 }, () => client.protect(DATA, heartbeat))])
}

/** A ClientHello without a cookie. */
function helloOf(): Buffer {
  const sent: Buffer[] = []
  createClient((packet) => void sent.push(packet)).start()
  return sent[0]
}
