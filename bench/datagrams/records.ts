/**
 * What one seat can make the UDP port do: `npm run measure -- datagrams --records`.
 *
 * Packets that are as expensive as they can be, handed to one connection without a network: full of small records, forged or true and each with a HEARTBEAT, and
 * records full of chunks. Counted is CPU time, for a packet and for each record that is decrypted, and what one seat takes of a core
 * when it sends as many as its budget allows. Receiving and sending packets is not in it; `npm run measure -- floods` has both.
 */

import {
  BYTE_RATE,
  BYTES_PER_WORK,
  FAR_RATE,
  MAX_PROTECTED_PER_DATAGRAM,
  NEAR_RATE,
  RECORD_RATE,
} from '../../packages/datagrams/src/budget.ts'
import { SUITES } from '../../packages/datagrams/src/dtls/ciphers/suites.ts'
import {
  CHUNK,
  connectDirectly,
  type Direct,
  dataOf,
  liftBudget,
  packetOf,
  uint32,
} from '../../packages/datagrams/test/client.ts'
import { median } from '../statistics.ts'

type Shape = { readonly label: string; readonly records: number; record(direct: Direct): Buffer }

const ROUNDS = 5
const PACKETS = 300
const DATA = 23
const CIPHERS = { ChaCha: SUITES[0].id, GCM: SUITES[1].id }

/** A record with a wrong tag, and a sequence number that was not seen. */
function forged(bodyBytes: number): Shape['record'] {
  let number = 2 ** 40
  return () => {
    const record = Buffer.alloc(13 + bodyBytes, 0x5a)
    record.set([DATA, 0xfe, 0xfd, 0, 1])
    record.writeUIntBE(number++, 5, 6)
    record.writeUInt16BE(bodyBytes, 11)
    return record
  }
}

function heartbeat({ client }: Direct): Buffer {
  return client.protect(DATA, packetOf(client.serverTag, { type: CHUNK.heartbeat, flags: 0, body: Buffer.alloc(0) }))
}

function messages({ client }: Direct): Buffer {
  const chunks = Array.from({ length: 80 }, () => dataOf(client.nextTsn++, Buffer.alloc(0)))
  return client.protect(DATA, packetOf(client.serverTag, ...chunks))
}

/** Each gives up nearly a whole window of numbers. */
function forwards({ client }: Direct): Buffer {
  const chunks = Array.from({ length: 170 }, () => {
    client.nextTsn += 1_023
    return { type: CHUNK.forwardTsn, flags: 0, body: uint32(client.nextTsn - 1) }
  })
  return client.protect(DATA, packetOf(client.serverTag, ...chunks))
}

const SHAPES: readonly (Shape & { readonly cipher: keyof typeof CIPHERS })[] = [
  { cipher: 'GCM', label: 'forged, 24 bytes', records: 40, record: forged(24) },
  { cipher: 'GCM', label: 'true, a heartbeat', records: 28, record: heartbeat },
  { cipher: 'ChaCha', label: 'forged, 16 bytes', records: 51, record: forged(16) },
  { cipher: 'ChaCha', label: 'true, a heartbeat', records: 33, record: heartbeat },
  { cipher: 'GCM', label: 'forged, 24 bytes', records: 4, record: forged(24) },
  { cipher: 'GCM', label: 'true, a heartbeat', records: 4, record: heartbeat },
  { cipher: 'ChaCha', label: 'forged, 16 bytes', records: 4, record: forged(16) },
  { cipher: 'ChaCha', label: 'true, a heartbeat', records: 4, record: heartbeat },
  { cipher: 'GCM', label: 'true, a heartbeat', records: 1, record: heartbeat },
  { cipher: 'GCM', label: 'forged, 1,400 bytes', records: 1, record: forged(1_400) },
  { cipher: 'ChaCha', label: 'forged, 1,400 bytes', records: 1, record: forged(1_400) },
  { cipher: 'ChaCha', label: 'true, 80 empty messages', records: 1, record: messages },
  { cipher: 'ChaCha', label: 'true, 170 windows given up', records: 1, record: forwards },
]

/** µs of CPU for a packet, in one round, and its bytes. */
function measure({ cipher, records, record }: (typeof SHAPES)[number]): {
  readonly us: number
  readonly bytes: number
} {
  const direct = connectDirectly({ suites: [CIPHERS[cipher]] })
  // More is measured than may be sent at once.
  liftBudget(direct)
  const packetsOf = (count: number) =>
    Array.from({ length: count }, () => Buffer.concat(Array.from({ length: records }, () => record(direct))))
  for (const packet of packetsOf(PACKETS)) direct.toServer(packet)
  const packets = packetsOf(PACKETS)
  const before = process.cpuUsage()
  for (const packet of packets) direct.toServer(packet)
  const { user, system } = process.cpuUsage(before)
  return { us: (user + system) / PACKETS, bytes: packets[0].length }
}

console.log('| a packet | µs | µs a record that is opened | a second allowed | of a core |')
console.log('|---|---:|---:|---:|---:|')
for (const shape of SHAPES) {
  const rounds = Array.from({ length: ROUNDS }, () => measure(shape))
  const us = median(rounds.map((round) => round.us))
  const opened = Math.min(shape.records, MAX_PROTECTED_PER_DATAGRAM)
  const { bytes } = rounds[0]
  // What cannot be decrypted has a budget of work of its own, near to the client's sequence number and far from it.
  const work = opened * (1 + bytes / shape.records / BYTES_PER_WORK)
  const allowed = shape.label.startsWith('forged')
    ? (NEAR_RATE.perSecond + FAR_RATE.perSecond) / work
    : Math.min(RECORD_RATE.perSecond / opened, BYTE_RATE.perSecond / bytes)
  const cells = [
    `${shape.cipher}, ${shape.records} × ${shape.label}`,
    us.toFixed(1),
    (us / opened).toFixed(1),
    allowed.toFixed(0),
    `${((us * allowed) / 10_000).toFixed(1)} %`,
  ]
  console.log(`| ${cells.join(' | ')} |`)
}
