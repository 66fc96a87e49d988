/** Datagrams of 1,500 bytes that are as expensive as they can be, by the stage of their client, and what each may make the port do at most. */

import type { Socket } from 'node:dgram'
import type { Random } from '../../hurtbox/test/random.ts'
import { addConnection, createAgent, receiveCheck } from '../src/agent.ts'
import { type Connection, nameOf } from '../src/connection.ts'
import { SUITES } from '../src/dtls/ciphers/suites.ts'
import { createCookies, hintOf } from '../src/dtls/cookie.ts'
import { readClientHello } from '../src/dtls/messages.ts'
import { CONTENT_TYPE, writeRecord } from '../src/dtls/records.ts'
import type { Address } from '../src/ice/stun.ts'
import {
  bindingRequestOf,
  CHUNK,
  connectDirectly,
  createDirect,
  type Direct,
  dataOf,
  fragmentOf,
  HANDSHAKE,
  liftBudget,
  type Message,
  packetOf,
  remoteAt,
  sackOf,
  uint32,
} from './client.ts'

/** Operations of node:crypto, and Buffers and views of them. */
export type Work = { readonly crypto: number; readonly memory: number }

const DATAGRAM_BYTES = 1_500
const [CHACHA, GCM] = SUITES.map(({ id }) => id)

/** By the kind of datagram. */
export const WORST: Readonly<Record<string, Work>> = {
  'empty records': { crypto: 0, memory: 250 },
  'hellos without a cookie': { crypto: 25, memory: 650 },
  'hellos with a forged cookie': { crypto: 50, memory: 500 },
  'hellos with a cookie that may be of every address': { crypto: 50, memory: 500 },
  'fragments of one byte': { crypto: 0, memory: 200 },
  'flights with the right certificate': { crypto: 8, memory: 60 },
  'forged records, ChaCha': { crypto: 0, memory: 90 },
  'forged records, GCM': { crypto: 4, memory: 90 },
  'true records with a HEARTBEAT, GCM': { crypto: 8, memory: 130 },
  'true records of empty messages': { crypto: 0, memory: 360 },
  'true records of SACKs and FORWARD TSNs': { crypto: 0, memory: 120 },
  'noise and spoiled records': { crypto: 4, memory: 60 },
  'checks that are answered': { crypto: 2, memory: 25 },
  'checks with hundreds of names': { crypto: 1, memory: 10 },
}

/** Each on a client of its own, with no budget but that of a datagram: `take` hands it to the port. */
export function worstPackets(name: string, random: Random, count: number): { readonly take: () => void }[] {
  return Array.from({ length: count }, () => {
    if (name.startsWith('checks')) return checking(name, createDirect())
    const direct = directFor(name)
    const datagram = filled(() => partOf(name, direct, random))
    return { take: () => direct.toServer(datagram) }
  })
}

/** By the agent, which is what takes checks. */
function checking(name: string, { connection, refused }: Direct): { readonly take: () => void } {
  const check = checkOf(name, connection)
  const onError = (error: unknown) => {
    throw error
  }
  const agent = createAgent({ send() {} } as unknown as Socket, refused, onError)
  addConnection(agent, connection)
  const from = { address: '192.0.2.7', port: 7_000, family: 'IPv4', size: check.length } as const
  return { take: () => receiveCheck(agent, check, from) }
}

/** One that is answered is signed. The others are anybody's. */
function checkOf(name: string, { ufrag, pwd }: Connection): Buffer {
  if (name.endsWith('answered')) return bindingRequestOf(ufrag, pwd, true, `${ufrag}:${'x'.repeat(1_400)}`)
  const check = bindingRequestOf(ufrag, 'another pwd', false)
  const empty = Buffer.of(0, 6, 0, 0)
  const names = Buffer.concat(Array.from({ length: (DATAGRAM_BYTES - check.length) >> 2 }, () => empty))
  const all = Buffer.concat([check.subarray(0, -24), names, check.subarray(-24)])
  all.writeUInt16BE(all.length - 20, 2)
  return all
}

function filled(next: () => Buffer): Buffer {
  const parts: Buffer[] = []
  let bytes = 0
  for (let tries = 0; tries < 400; tries++) {
    const part = next()
    if (part.length === 0 || bytes + part.length > DATAGRAM_BYTES) break
    parts.push(part)
    bytes += part.length
  }
  return Buffer.concat(parts)
}

function directFor(name: string): Direct {
  const suites = [name.endsWith('GCM') ? GCM : CHACHA]
  if (name.startsWith('hellos') || name.startsWith('fragments') || name === 'empty records') {
    const direct = createDirect({ suites })
    if (name.endsWith('every address')) Object.assign(direct.connection, { ufrag: SAME_UFRAG })
    // As many addresses as a client may have.
    for (const address of name.endsWith('every address') ? addressesOfOneHint() : firstPorts()) {
      const remote = remoteAt(address)
      direct.connection.remotes.set(nameOf(remote), remote)
    }
    return direct
  }
  if (name.startsWith('flights')) {
    const direct: Direct = createDirect({
      suites,
      sendFlight(client, messages) {
        if (messages.length === 1) direct.toServer(client.pack(messages))
        else lastFlights.set(direct, messages)
      },
    })
    direct.client.start()
    direct.pump()
    return direct
  }
  const direct = connectDirectly({ suites })
  liftBudget(direct)
  return direct
}

function firstPorts(): Address[] {
  return Array.from({ length: 15 }, (_, i) => ({ address: '192.0.2.9', port: i + 1 }))
}

export const SAME_UFRAG = 'ufrag'
let ofOneHint: Address[] | undefined

/** A client can choose its addresses: here so that the cheap look at a cookie does not tell them apart. */
export function addressesOfOneHint(): Address[] {
  if (ofOneHint !== undefined) return ofOneHint
  const wanted = hintOf(`${SAME_UFRAG} ${nameOf({ address: '192.0.2.1', port: 1 })}`)
  ofOneHint = []
  for (let host = 1; ofOneHint.length < 15; host++) {
    for (let port = 1; port < 65_536 && ofOneHint.length < 15; port++) {
      const address = { address: `192.0.2.${host}`, port }
      if (hintOf(`${SAME_UFRAG} ${nameOf(address)}`) === wanted) ofOneHint.push(address)
    }
  }
  return ofOneHint
}

const lastFlights = new WeakMap<Direct, readonly Message[]>()

function partOf(name: string, direct: Direct, random: Random): Buffer {
  const { client } = direct
  const record = (type: number, body: Buffer) => writeRecord(client.layer, type, 0, body)
  const ofHandshake = (message: Message, from?: number, to?: number) =>
    record(CONTENT_TYPE.handshake, fragmentOf(message, from, to))
  if (name === 'empty records') return record(CONTENT_TYPE.handshake, Buffer.alloc(0))
  if (name.startsWith('hellos')) {
    const messageSeq = Math.floor(random() * 8)
    return ofHandshake({ type: HANDSHAKE.clientHello, messageSeq, body: helloWith(name, direct, random) })
  }
  if (name.startsWith('fragments')) {
    const message = { type: HANDSHAKE.clientHello, messageSeq: Math.floor(random() * 8), body: Buffer.alloc(8_192) }
    const at = Math.floor(random() * 8_191)
    return ofHandshake(message, at, at + 1)
  }
  if (name.startsWith('flights')) {
    const flight = lastFlights.get(direct)!.slice(0, 3)
    // Right but for the signature, which is looked at last.
    const [certificate, exchange, verify] = flight
    const body = Buffer.from(verify.body)
    body[body.length - 1] ^= 1 + Math.floor(random() * 255)
    return Buffer.concat([certificate, exchange, { ...verify, body }].map((message) => ofHandshake(message)))
  }
  if (name.startsWith('forged')) {
    const forged = client.protect(CONTENT_TYPE.applicationData, Buffer.alloc(Math.floor(random() * 30)))
    forged[forged.length - 1] ^= 1
    return forged
  }
  if (name.startsWith('noise')) {
    const noise = client.protect(
      Math.floor(random() * 256),
      Buffer.from(Array.from({ length: 40 }, () => Math.floor(random() * 256))),
    )
    noise[Math.floor(random() * noise.length)] ^= 1 << Math.floor(random() * 8)
    return noise
  }
  const sealed = (...chunks: readonly ReturnType<typeof dataOf>[]) =>
    client.protect(CONTENT_TYPE.applicationData, packetOf(client.serverTag, ...chunks))
  if (name.includes('HEARTBEAT')) return sealed({ type: CHUNK.heartbeat, flags: 0, body: Buffer.alloc(0) })
  if (name.includes('empty messages'))
    return sealed(...Array.from({ length: 20 }, () => dataOf(client.nextTsn++, Buffer.alloc(0))))
  return sealed(
    ...Array.from({ length: 30 }, (_, i) => {
      client.nextTsn += 30
      return i % 2 === 0
        ? sackOf(direct.connection.association.nextTsn, [1, 9])
        : { type: CHUNK.forwardTsn, flags: 0, body: uint32(client.nextTsn) }
    }),
  )
}

/** Of another port: right in form. */
const cookies = createCookies()

/** As short as one can be. */
function helloWith(name: string, { connection }: Direct, random: Random): Buffer {
  const front = Buffer.alloc(35)
  front.writeUInt16BE(0xfefd)
  front.writeUInt32BE(Math.floor(random() * 2 ** 32), 2)
  const rest = Buffer.of(0, 2, 0xcc, 0xa9, 1, 0)
  if (name.includes('without')) return Buffer.concat([front, Buffer.of(0), rest])
  const remotes = [...connection.remotes.keys()]
  const place = `${connection.ufrag} ${remotes[Math.floor(random() * remotes.length)]}`
  const cookie = cookies.create(place, { ...readClientHello(Buffer.concat([front, Buffer.of(0), rest])) })
  return Buffer.concat([front, Buffer.of(cookie.length), cookie, rest])
}
