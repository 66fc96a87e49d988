/**
 * A flood of the UDP port from a seat: packets of 1,500 bytes full of small records of DTLS, forged and true by turns. A true one asks to be answered.
 *
 * AES-GCM, which costs the server most, and as many packets as a line of 24 Mbit/s carries.
 */

import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { type GameConnection, joinGame, type PeerConnectionClass } from '@hurtbox/colyseus/client'
import jetRaiders from '../../games/jet-raiders/index.ts'
import { GCM_SUITE } from '../../packages/datagrams/src/dtls/ciphers/gcm.ts'
import { CHUNK, createClient, packetOf, type TestClient } from '../../packages/datagrams/test/client.ts'
import { peerConnectionOf } from '../../packages/datagrams/test/ports.ts'
import type { Target } from './kinds.ts'

const PACKETS_PER_SECOND = 2_000
const BATCH_MS = 5
const OPEN_MS = 5_000
const DATA = 23
const FORGED = { records: 40, bytes: 24 }
const TRUE_RECORDS = 28

export type RecordsAttacker = {
  readonly client: TestClient
  send(packet: Buffer): void
  close(): void
}

/** A spectator of the room with an open channel; undefined where it does not get one. A sink gets the same packets, encrypted with keys of nobody. */
export async function openAttacker({ port, roomId }: Target, from: string): Promise<RecordsAttacker | undefined> {
  const socket = createSocket('udp4').bind(0, from)
  await once(socket, 'listening')
  const send = (packet: Buffer) => socket.send(packet, port, '127.0.0.1', () => {})
  const client = createClient(send, { suites: [GCM_SUITE.id] })
  const connection =
    roomId === undefined ? encryptForNobody(client) : await openChannel(client, socket, send, port, roomId)
  const close = () => {
    socket.close()
    void connection?.leave()
  }
  if (roomId === undefined || client.isOpen) return { client, send, close }
  close()
  return undefined
}

function encryptForNobody({ layer }: TestClient): undefined {
  layer.write = GCM_SUITE.create(randomBytes(GCM_SUITE.keyBytes), randomBytes(GCM_SUITE.fixedIvBytes))
}

async function openChannel(
  client: TestClient,
  socket: Socket,
  send: (packet: Buffer) => void,
  port: number,
  roomId: string,
): Promise<GameConnection | undefined> {
  const datagrams = peerConnectionOf(client, socket, send) as unknown as PeerConnectionClass
  const choices = { roomId, spectate: true, datagrams }
  const connection = await joinGame(`http://127.0.0.1:${port}`, jetRaiders.game, choices).catch(() => undefined)
  if (connection === undefined) return undefined
  const deadline = performance.now() + OPEN_MS
  while (!client.isOpen && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10))
  return connection
}

/** Sends at its rate until it is told to stop or its channel is closed. Returns the bytes. */
export function floodRecords(
  { client, send }: RecordsAttacker,
  isOver: () => boolean,
  { perSecond = PACKETS_PER_SECOND, kinds = [forgedPacket, truePacket] } = {},
): Promise<number> {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    let [packets, bytes] = [0, 0]
    const timer = setInterval(() => {
      if (isOver() || client.alerts.length > 0) {
        clearInterval(timer)
        resolve(bytes)
        return
      }
      // Now: while it is busy with these, more become due.
      const due = ((performance.now() - startedAt) / 1_000) * perSecond
      for (; packets < due; packets++) {
        const packet = kinds[packets % kinds.length](client)
        bytes += packet.length
        send(packet)
      }
    }, BATCH_MS)
  })
}

let forgedNumber = 2 ** 40

/** Records with a wrong tag, and sequence numbers that were not seen. */
export function forgedPacket(): Buffer {
  const size = 13 + FORGED.bytes
  const packet = Buffer.alloc(FORGED.records * size, 0x5a)
  for (let at = 0; at < packet.length; at += size) {
    packet.set([DATA, 0xfe, 0xfd, 0, 1], at)
    packet.writeUIntBE(forgedNumber++, at + 5, 6)
    packet.writeUInt16BE(FORGED.bytes, at + 11)
  }
  return packet
}

/** Each record is a HEARTBEAT of its own. */
export function truePacket(client: TestClient): Buffer {
  const heartbeat = packetOf(client.serverTag, { type: CHUNK.heartbeat, flags: 0, body: Buffer.alloc(0) })
  return Buffer.concat(Array.from({ length: TRUE_RECORDS }, () => client.protect(DATA, heartbeat)))
}
