/**
 * The same records, whole and spoiled, for our record layer and for OpenSSL's: what one takes the other takes, what one drops the other drops (RFC 6347, 4.1.2.6, 4.1.2.7).
 *
 * OpenSSL is the server here. After the handshake both are sent records with the same sequence numbers, plaintexts and faults, each under its own keys. Each
 * plaintext is a token, so what was taken is read from what `s_server` prints.
 */

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import { createRandom, type Random } from '../../hurtbox/test/random.ts'
import { createCertificate } from '../src/dtls/certificate.ts'
import { type CipherSuite, SUITES } from '../src/dtls/ciphers/suites.ts'
import { CONTENT_TYPE, createRecordLayer, eachRecord, type RecordLayer, writeRecord } from '../src/dtls/records.ts'
import { freeUdpPort } from './channels.ts'
import { createClient, type TestClient } from './client.ts'
import { isOpensslInstalled, pemFilesOf } from './openssl.ts'

vi.setConfig({ testTimeout: 600_000 })
const PACKETS = process.env.HURTBOX_LONG === undefined ? 2_000 : 40_000
const cleanups: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanups.splice(0).reverse()) clean()
})

/** A client that is connected with `openssl s_server`. */
async function connect(
  suite: CipherSuite,
): Promise<{ client: TestClient; send(packet: Buffer): void; said(): string }> {
  const number = await freeUdpPort()
  const cipher = suite.keyBytes === 16 ? 'ECDHE-ECDSA-AES128-GCM-SHA256' : 'ECDHE-ECDSA-CHACHA20-POLY1305'
  const options = [
    '-dtls1_2',
    '-accept',
    `127.0.0.1:${number}`,
    '-listen',
    '-verify',
    '1',
    '-mtu',
    '1400',
    '-quiet',
    '-cipher',
    cipher,
  ]
  const server = spawn('openssl', ['s_server', ...options, ...pemFilesOf(createCertificate(), cleanups)])
  cleanups.push(() => void server.kill())
  let said = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (bytes) => void (said += bytes.toString('latin1')))
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  cleanups.push(() => socket.close())
  await once(socket, 'listening')
  const send = (packet: Buffer) => socket.send(packet, number, '127.0.0.1')
  const client = createClient(send, { suites: [suite.id] })
  socket.on('message', (packet) => client.take(packet))
  // It may not listen yet.
  await vi.waitUntil(
    () => {
      if (!client.isConnected && client.layer.nextSequenceNumber[0] < 20 && client.layer.write === undefined)
        client.start()
      return client.isConnected
    },
    { timeout: 20_000, interval: 300 },
  )
  return { client, send, said: () => said }
}

/** Our own layer, with a writer that has sent and a reader that has received as many records. */
function pairWith(suite: CipherSuite, sent: number): { writer: RecordLayer; take(packet: Buffer): string[] } {
  const [key, iv] = [randomBytes(suite.keyBytes), randomBytes(suite.fixedIvBytes)]
  const [writer, reader] = [0, 1].map(() => createRecordLayer({ forged: 0, replayed: 0 }))
  writer.write = suite.create(key, iv)
  reader.read = suite.create(key, iv)
  const take = (packet: Buffer) => {
    const taken: string[] = []
    eachRecord(
      reader,
      Buffer.from(packet),
      { isFull: () => false, admits: () => true, decrypted() {} },
      (type, epoch, plaintext) => {
        if (type === CONTENT_TYPE.applicationData && epoch === 1) taken.push(plaintext.toString('latin1'))
      },
    )
    return taken
  }
  for (let i = 0; i < sent; i++) take(writeRecord(writer, CONTENT_TYPE.applicationData, 1, Buffer.alloc(0)))
  return { writer, take }
}

/** Changes a datagram, in the same way for both. */
type Fault = (packet: Buffer) => Buffer

function faultOf(random: Random): Fault {
  const [kind, where, bit] = [Math.floor(random() * 9), random(), 1 << Math.floor(random() * 8)]
  const at = (packet: Buffer) => Math.floor(where * packet.length)
  const flipped = (packet: Buffer, index: number, mask: number) => {
    const copy = Buffer.from(packet)
    copy[index] ^= mask
    return copy
  }
  const faults: readonly Fault[] = [
    (packet) => flipped(packet, at(packet), bit),
    // In the header: version, epoch, sequence number, length.
    (packet) => flipped(packet, 1 + Math.floor(where * 12), bit),
    // Not all of it: OpenSSL takes an empty datagram for the end.
    (packet) => packet.subarray(0, 1 + at(packet)),
    (packet) => Buffer.concat([packet, Buffer.alloc(1 + Math.floor(where * 20), bit)]),
    (packet) => flipped(packet, packet.length - 1 - Math.floor(where * 16), bit),
    (packet) => Buffer.concat([Buffer.alloc(13), packet]),
    (packet) => Buffer.concat([packet, packet]),
    (packet) => Buffer.concat([flipped(packet, packet.length - 1, bit), packet]),
    // A record of another type that cannot be decrypted, then the packet.
    (packet) => Buffer.concat([flipped(packet, 0, 2), packet]),
  ]
  return faults[kind]
}

/** Its length leaves no room for what encryption adds. We drop such a record (DG26); OpenSSL 3.0.19 ends the connection. */
const isTooShort = (packet: Buffer, added: number) => packet.length >= 13 && packet.readUInt16BE(11) < added

test.runIf(isOpensslInstalled).each(SUITES)(
  '[DG159] what our record layer takes and drops, OpenSSL’s takes and drops: whole, spoiled, repeated, late and joined records: cipher $id',
  async (suite) => {
    const { client, send, said } = await connect(suite)
    await vi.waitUntil(() => said().length > 0, { timeout: 20_000 })
    const ours = pairWith(suite, client.layer.nextSequenceNumber[1])
    const { explicitNonceBytes, tagBytes } = ours.writer.write!
    const added = explicitNonceBytes + tagBytes
    const random = createRandom(suite.id)
    const taken = new Set<string>()
    let waiting: (readonly [Buffer, Buffer])[] = []
    const deliver = async ([theirs, own]: readonly [Buffer, Buffer]) => {
      for (const token of ours.take(own)) taken.add(token)
      send(theirs)
      // Loopback loses what its receiver has no room for.
      if (random() < 0.1) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    for (let i = 0; i < PACKETS; i++) {
      const plaintext = Buffer.from(`<${i}>${'.'.repeat(Math.floor(random() * 60))}\n`)
      const both = [client.layer, ours.writer].map((layer) =>
        writeRecord(layer, CONTENT_TYPE.applicationData, 1, plaintext),
      )
      const chance = random()
      const fault = faultOf(random)
      const spoiled = [fault(both[0]), fault(both[1])] as const
      const isSpoiled = chance >= 0.5 && !isTooShort(spoiled[0], added)
      const pair = isSpoiled ? spoiled : ([both[0], both[1]] as const)
      // Some come late: within the window of 64, at its edge, and behind it.
      if (chance > 0.9 || (chance > 0.4 && chance < 0.5)) waiting.push(pair)
      else await deliver(pair)
      // Repeated, or the whole one behind a spoiled one.
      if (random() < 0.1) await deliver([both[0], both[1]])
      if (waiting.length > 0 && random() < 0.03) {
        for (const late of waiting) await deliver(late)
        waiting = []
      }
    }
    const last = Buffer.from('<the last one>\n')
    await vi.waitUntil(
      () => {
        send(writeRecord(client.layer, CONTENT_TYPE.applicationData, 1, last))
        return said().includes('<the last one>')
      },
      { timeout: 30_000, interval: 200 },
    )
    const tokensIn = (text: string) => (text.match(/<\d+>/g) ?? []).toSorted()
    expect(tokensIn(said())).toEqual(tokensIn([...taken].join('')))
    console.log(`${PACKETS} packets: both took ${taken.size}`)
    expect(taken.size).toBeGreaterThan(PACKETS / 3)
    expect(taken.size).toBeLessThan(0.9 * PACKETS)
  },
)
