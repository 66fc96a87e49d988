/** Handshakes into which somebody forges packets, who knows the client's address but is not in between; and clients that are not what their offer said. */

import { createECDH, generateKeyPairSync } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { createRandom } from '../../hurtbox/test/random.ts'
import { nameOf, type Remote, receiveDtls } from '../src/connection.ts'
import { type Certificate, createCertificate, fingerprintOf } from '../src/dtls/certificate.ts'
import { createCookies } from '../src/dtls/cookie.ts'
import { readClientHello } from '../src/dtls/messages.ts'
import { CONTENT_TYPE, createRecordLayer, writeRecord } from '../src/dtls/records.ts'
import { createDirect, type Direct, fragmentOf, HANDSHAKE, type Message, remoteAt } from './client.ts'
import { addressesOfOneHint, SAME_UFRAG } from './worst.ts'

const HELLO_VERIFY_REQUEST = 3
const SERVER_HELLO = 2
const typesOf = (packets: readonly Buffer[]) => packets.map((packet) => packet[13])

/** What a ClientHello says that comes in the first packet of a client. */
function helloOf(direct: Direct, packets: readonly Buffer[]): ReturnType<typeof readClientHello> {
  expect(direct.sent.length).toBe(0)
  return readClientHello(Buffer.from(packets[0].subarray(25)))
}

test('[DG61] only a ClientHello with the cookie that was sent to its address is answered by the flight of the server', () => {
  const packets: Buffer[] = []
  const direct = createDirect({ onPacket: (packet) => void packets.push(packet) })
  const { client, connection, sent } = direct
  // It is known by no other address.
  connection.remotes.clear()
  client.start()
  direct.toServer(packets[0])
  client.take(sent[0])
  expect([typesOf(sent), connection.selectedRemote]).toEqual([[HELLO_VERIFY_REQUEST], undefined])
  const withCookie = packets[1]
  // From another address, with a bit changed anywhere in the cookie, with another random.
  receiveDtls(connection, Buffer.from(withCookie), remoteAt({ address: '192.0.2.9', port: 4_000 }), performance.now())
  receiveDtls(connection, Buffer.from(withCookie), remoteAt({ address: '192.0.2.1', port: 4_001 }), performance.now())
  for (const at of [27, 58, 61, 62, 77, 92]) {
    const changed = Buffer.from(withCookie)
    changed[at] ^= 1
    direct.toServer(changed)
  }
  expect(typesOf(sent)).toEqual(Array(9).fill(HELLO_VERIFY_REQUEST))
  expect(connection.handshake.state).toBe('ClientHello')
  // What is sent back in place of a hello is no longer than it.
  for (const request of sent) expect(request.length).toBeLessThan(packets[0].length)
  direct.toServer(withCookie)
  expect([typesOf(sent).at(-1), connection.selectedRemote?.port]).toEqual([SERVER_HELLO, 4_000])
})

test('[DG61] a cookie counts for one to two minutes, and on one connection', () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  try {
    const packets: Buffer[] = []
    const direct = createDirect({ onPacket: (packet) => void packets.push(packet) })
    direct.client.start()
    const hello = helloOf(direct, packets)
    for (const [age, isValid] of [
      [0, true],
      [59_000, true],
      [61_000, true],
      [121_000, false],
      [1_000_000, false],
    ] as const) {
      const cookies = createCookies()
      const withCookie = { ...hello, cookie: cookies.create('a', hello) }
      now += age
      // Asked for by others in between.
      cookies.create('b', hello)
      expect(cookies.isValid('a', withCookie), `${age} ms`).toBe(isValid)
      expect(cookies.isValid('b', withCookie)).toBe(false)
      // Firefox gives up at a longer one.
      expect(withCookie.cookie.length).toBeLessThanOrEqual(32)
    }
    const cookies = createCookies()
    const first = cookies.create('a', hello)
    now += 59_999
    expect(cookies.isValid('a', { ...hello, cookie: first })).toBe(true)
    now += 1
    cookies.create('a', hello)
    now += 59_999
    expect(cookies.isValid('a', { ...hello, cookie: first })).toBe(true)
    now += 1
    expect(cookies.isValid('a', { ...hello, cookie: first })).toBe(false)
  } finally {
    vi.restoreAllMocks()
  }
})

test('[DG61] a client that changes its address between the hellos is answered where its cookie was sent', () => {
  const packets: Buffer[] = []
  const direct = createDirect({ onPacket: (packet) => void packets.push(packet) })
  const { client, connection, sent } = direct
  const [first] = connection.remotes.values()
  client.start()
  direct.toServer(packets[0])
  client.take(sent[0])
  receiveDtls(connection, Buffer.from(packets[1]), remoteAt({ address: '192.0.2.2', port: 5_000 }), performance.now())
  expect([typesOf(sent).at(-1), connection.selectedRemote]).toEqual([SERVER_HELLO, first])
})

test('[DG61] a client whose addresses the checksum does not tell apart connects where its next cookie was sent', () => {
  const packets: Buffer[] = []
  const direct = createDirect({ onPacket: (packet) => void packets.push(packet) })
  const { client, connection, sent } = direct
  Object.assign(connection, { ufrag: SAME_UFRAG })
  const remotes = addressesOfOneHint().slice(0, 3).map(remoteAt)
  for (const remote of remotes) connection.remotes.set(nameOf(remote), remote)
  const from = (remote: Remote) => receiveDtls(connection, Buffer.from(packets.at(-1)!), remote, performance.now())
  client.start()
  from(remotes[0])
  client.take(sent.at(-1)!)
  // The cookie of another address.
  from(remotes[1])
  expect([typesOf(sent).at(-1), connection.selectedRemote]).toEqual([HELLO_VERIFY_REQUEST, undefined])
  client.take(sent.at(-1)!)
  from(remotes[1])
  expect([typesOf(sent).at(-1), connection.selectedRemote]).toEqual([SERVER_HELLO, remotes[1]])
})

/** Messages of somebody else, as he would forge them: with types and numbers that fit, others that do not, whole and in fragments. */
function forgeries(random: () => number): Buffer[] {
  const layer = createRecordLayer({ forged: 0, replayed: 0 })
  const stranger = createCertificate()
  const bodies = [
    Buffer.concat([Buffer.of(0, 0, stranger.der.length + 3, 0, 0, stranger.der.length), stranger.der]),
    Buffer.alloc(66, 4),
    Buffer.alloc(1),
    Buffer.alloc(300, 7),
  ]
  return Array.from({ length: 6 }, () => {
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]
    const message = {
      type: pick([...Object.values(HANDSHAKE), 99]),
      messageSeq: Math.floor(random() * 7),
      body: pick(bodies),
    }
    const fragment = random() < 0.5 ? fragmentOf(message) : fragmentOf(message, 0, Math.floor(message.body.length / 2))
    return writeRecord(layer, pick([CONTENT_TYPE.handshake, CONTENT_TYPE.handshake, CONTENT_TYPE.alert]), 0, fragment)
  })
}

test('[DG63] whatever is forged in epoch 0 during a handshake, the client connects by its own retransmissions', () => {
  let unfit = 0
  for (let seed = 1; seed <= 60; seed++) {
    const random = createRandom(seed)
    let last: readonly Message[] = []
    const direct: Direct = createDirect({
      sendFlight(client, messages) {
        last = messages
        for (const forged of forgeries(random)) direct.toServer(forged)
        for (const message of messages) {
          direct.toServer(client.pack([message]))
          if (random() < 0.5) direct.toServer(forgeries(random)[0])
        }
      },
    })
    const { client, connection } = direct
    client.start()
    direct.pump()
    // As a client does when its timer ends; by then the forger has something to say, too.
    for (let times = 0; times < 8 && !client.isOpen; times++) {
      for (const forged of forgeries(random)) direct.toServer(forged)
      direct.toServer(client.pack(last))
      direct.pump()
    }
    expect([client.isOpen, direct.isClosed, connection.handshake.state], `seed ${seed}`).toEqual([
      true,
      false,
      'connected',
    ])
    unfit += direct.refused.unfit
  }
  expect(unfit).toBeGreaterThan(100)
})

test.each([0, 1, 2])(
  '[DG63] a whole flight of the client with one forged message is dropped, and the flight itself is taken: message %i',
  (index) => {
    const stranger = createCertificate()
    const length = stranger.der.length
    const bodies = [
      Buffer.concat([
        Buffer.of(0, (length + 3) >>> 8, (length + 3) & 0xff, 0, length >>> 8, length & 0xff),
        stranger.der,
      ]),
      // A true point of the curve.
      Buffer.concat([Buffer.of(65), createECDH('prime256v1').generateKeys()]),
      Buffer.concat([Buffer.of(4, 3, 0, 70), Buffer.alloc(70, 1)]),
    ]
    const direct: Direct = createDirect({
      sendFlight(client, messages) {
        if (messages.length > 1) {
          const forged = messages.map((message, i) => (i === index ? { ...message, body: bodies[i] } : message))
          direct.toServer(client.pack(forged.slice(0, 3)))
          expect([direct.connection.handshake.state, direct.refused.unfit]).toEqual(['Certificate', 1])
        }
        direct.toServer(client.pack(messages))
      },
    })
    direct.client.start()
    direct.pump()
    expect([direct.client.isOpen, direct.isClosed]).toEqual([true, false])
  },
)

test('[DG63] a forged fragment with another length does not block a message', () => {
  const layer = createRecordLayer({ forged: 0, replayed: 0 })
  const direct: Direct = createDirect({
    sendFlight(client, messages) {
      for (const { type, messageSeq } of messages.slice(0, 3)) {
        const forged = fragmentOf({ type, messageSeq, body: Buffer.alloc(5_000) }, 0, 10)
        direct.toServer(writeRecord(layer, CONTENT_TYPE.handshake, 0, forged))
      }
      direct.toServer(client.pack(messages))
    },
  })
  direct.client.start()
  direct.pump()
  expect(direct.client.isOpen).toBe(true)
})

test.each([
  ['client_version of DTLS 1.0', { version: 0xfeff }, 70],
  ['client_version of TLS 1.2', { version: 0x0303 }, 70],
  ['no null compression', { compression: 1 }, 40],
] as const)('[DG64] a ClientHello is refused by its alert: %s', (_, options, alert) => {
  const direct = createDirect(options)
  direct.client.start()
  direct.pump()
  expect([direct.isClosed, direct.client.alerts]).toEqual([true, [Buffer.of(2, alert)]])
})

test('[DG64] a ClientHello without the extended master secret is refused', () => {
  const onPacket = (packet: Buffer) => {
    const at = packet.lastIndexOf(Buffer.of(0, 23, 0, 0))
    if (at > 0) packet.writeUInt16BE(0x7777, at)
  }
  const direct = createDirect({ onPacket })
  direct.client.start()
  direct.pump()
  expect([direct.isClosed, direct.client.alerts]).toEqual([true, [Buffer.of(2, 40)]])
})

test('[DG64] a ClientHello with an extension twice is dropped', () => {
  const direct = createDirect({ extensions: [Buffer.of(0, 23, 0, 0)] })
  direct.client.start()
  direct.pump()
  expect([direct.sent, direct.refused.unfit, direct.isClosed]).toEqual([[], 1, false])
})

/** The certificate with another key. Nobody looks at its signature. */
function withKey({ der }: Certificate, keys: ReturnType<typeof keyPair>): Certificate {
  const spki = keys.publicKey.export({ type: 'spki', format: 'der' })
  const own = der.indexOf(Buffer.from('3059301306072a8648ce3d0201', 'hex'))
  const sequence = (...parts: Buffer[]) => {
    const body = Buffer.concat(parts)
    return Buffer.concat([Buffer.of(0x30, 0x82, body.length >>> 8, body.length & 0xff), body])
  }
  const contentAt = (at: number) => at + (der[at + 1] < 0x80 ? 2 : 2 + (der[at + 1] & 0x7f))
  const tbs = sequence(der.subarray(contentAt(contentAt(0)), own), spki)
  const changed = sequence(tbs, der.subarray(own + 91))
  return { der: changed, key: keys.privateKey, fingerprint: fingerprintOf(changed) }
}

const keyPair = (curve: string) =>
  curve === 'RSA'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve: curve })

test.each(['RSA', 'P-384', 'secp256k1', 'P-256'])(
  '[DG64] a client is closed before anything of it is verified unless its key is one of P-256: %s',
  (curve) => {
    const direct = createDirect({ certificate: withKey(createCertificate(), keyPair(curve)) })
    direct.client.start()
    direct.pump()
    const isRight = curve === 'P-256'
    expect([direct.client.isOpen, direct.isClosed]).toEqual([isRight, !isRight])
    expect(direct.client.alerts).toEqual(isRight ? [] : [Buffer.of(2, 43)])
  },
)
