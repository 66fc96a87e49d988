/** The handshake of data channels: with libdatachannel on a bad line, and with a client of ours that does things wrong. */

import { afterEach, expect, test, vi } from 'vitest'
import { createRandom } from '../../hurtbox/test/random.ts'
import { runTimers } from '../src/connection.ts'
import { createCertificate } from '../src/dtls/certificate.ts'
import { CHACHA_SUITE } from '../src/dtls/ciphers/chacha.ts'
import { GCM_SUITE } from '../src/dtls/ciphers/gcm.ts'
import { type CipherSuite, SUITES } from '../src/dtls/ciphers/suites.ts'
import { CONTENT_TYPE, writeRecord } from '../src/dtls/records.ts'
import {
  connectDirectly,
  createDirect,
  type Direct,
  dataOf,
  fragmentOf,
  HANDSHAKE,
  initOf,
  type Message,
  packetOf,
} from './client.ts'
import { type Line, openForeign, openTestPort, startProxy } from './ports.ts'

vi.setConfig({ testTimeout: 120_000 })

const SEEDS = process.env.HURTBOX_LONG ? 50 : 3
const within = { timeout: 60_000, interval: 20 }
const cleanups: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
})

async function openPort() {
  const port = await openTestPort()
  cleanups.push(() => port.close())
  return port
}

/** Loses 20 % of all packets, sends 10 % twice, and a third later than the next. */
function badLine(seed: number): Line {
  const random = createRandom(seed)
  return (packet, pass) => {
    const copies = random() < 0.2 ? 0 : random() < 0.1 ? 2 : 1
    for (let i = 0; i < copies; i++) {
      if (random() < 0.66) pass(packet)
      else setTimeout(pass, 30 * random(), packet)
    }
  }
}

/** Sends numbered messages both ways until five have come on each side; none comes twice, none is another. */
async function talk(foreign: Awaited<ReturnType<typeof openForeign>>, what: string): Promise<void> {
  let sent = 0
  await vi.waitUntil(() => {
    foreign.sendToServer(`up ${sent}`)
    foreign.sendToClient(`down ${sent++}`)
    return foreign.delivered.length >= 5 && foreign.got.length >= 5
  }, within)
  for (const [side, texts] of [
    ['up', foreign.delivered],
    ['down', foreign.got],
  ] as const) {
    expect(new Set(texts).size, what).toBe(texts.length)
    for (const text of texts) expect(text, what).toMatch(new RegExp(`^${side} \\d+$`))
  }
}

test('[DG20] a channel opens over a line that loses 20 %, repeats and reorders, and messages pass both ways', async () => {
  const port = await openPort()
  const all = Array.from({ length: SEEDS }, async (_, i) => {
    const seed = i + 1
    const proxy = await startProxy(port.number, badLine(2 * seed), badLine(2 * seed + 1))
    const foreign = await openForeign(port, { through: proxy.number })
    cleanups.push(foreign.close, proxy.close)
    await vi.waitUntil(() => foreign.isOpen, within).catch(() => expect.unreachable(`seed ${seed} did not open`))
    await talk(foreign, `seed ${seed}`)
  })
  await Promise.all(all)
})

test.each([CHACHA_SUITE, GCM_SUITE])('[DG20] a channel opens with each cipher alone: $id', async (suite) => {
  // Where the other is not offered.
  const direct = connectDirectly({ suites: [suite.id] })
  direct.client.sendMessage(Buffer.from('up'))
  direct.pump()
  expect(direct.delivered.map(String)).toEqual(['up'])
  expect(direct.connection.handshake.suite.id).toBe(suite.id)
  // Where the other is not known, and libdatachannel offers both.
  const known = SUITES as CipherSuite[]
  const all = known.splice(0, known.length, suite)
  cleanups.push(() => known.splice(0, 1, ...all))
  const created = all.map((each) => vi.spyOn(each, 'create'))
  const port = await openPort()
  const foreign = await openForeign(port)
  cleanups.push(foreign.close, () => vi.restoreAllMocks())
  await vi.waitUntil(() => foreign.isOpen, within)
  await talk(foreign, `suite ${suite.id}`)
  // A read state and a write state.
  expect(created.map(({ mock }) => mock.calls.length)).toEqual(all.map((each) => (each === suite ? 2 : 0)))
})

test('[DG21] a client whose certificate is not the one of its offer opens nothing', async () => {
  const port = await openPort()
  const { fingerprint } = createCertificate()
  const changeOffer = (offer: string) => offer.replace(/(a=fingerprint:sha-256 )\S+/, `$1${fingerprint}`)
  const foreign = await openForeign(port, { changeOffer })
  cleanups.push(foreign.close)
  await vi.waitUntil(() => port.refused.unfit > 0, within)
  expect([foreign.isOpen, foreign.delivered]).toEqual([false, []])
})

test('[DG21] a client that does not have the key of the certificate it shows opens nothing, and is closed when its time is over', () => {
  const [shown, other] = [createCertificate(), createCertificate()]
  const direct = createDirect({ certificate: { ...shown, key: other.key } })
  const { connection, client, refused } = direct
  client.start()
  direct.pump()
  expect([refused.unfit, connection.handshake.state, client.isConnected]).toEqual([1, 'Certificate', false])
  for (let passed = 0; passed < 31_500; passed += 100) runTimers(connection, connection.createdAt + passed)
  direct.pump()
  expect([direct.isClosed, client.isConnected, direct.delivered]).toEqual([true, false, []])
})

test('[DG21] a client that knows neither cipher is refused', () => {
  const direct = createDirect({ suites: [0xc02c, 0xc030] })
  direct.client.start()
  direct.pump()
  expect([direct.isClosed, direct.client.alerts]).toEqual([true, [Buffer.of(2, 40)]])
})

/** Records with the fragments of a message, each of some bytes. */
function inFragments(direct: Direct, message: Message, bytes: number): Buffer[] {
  const fragments: Buffer[] = []
  for (let at = 0; at === 0 || at < message.body.length; at += bytes) {
    const fragment = fragmentOf(message, at, Math.min(at + bytes, message.body.length))
    fragments.push(writeRecord(direct.client.layer, CONTENT_TYPE.handshake, 0, fragment))
  }
  return fragments
}

test('[DG20] messages in fragments, out of order, overlapping and repeated are put together', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = createRandom(seed)
    const direct: Direct = createDirect({
      sendFlight(client, messages) {
        const open = messages.filter(({ type }) => type !== HANDSHAKE.finished)
        const fragments = [7, 20, 64].flatMap((bytes) => open.flatMap((message) => inFragments(direct, message, bytes)))
        const shuffled = fragments.map((fragment) => [random(), fragment] as const).sort(([a], [b]) => a - b)
        for (const [, fragment] of shuffled) direct.toServer(fragment)
        for (const message of messages) if (message.type === HANDSHAKE.finished) direct.toServer(client.pack([message]))
      },
    })
    direct.client.start()
    direct.pump()
    expect(direct.client.isOpen, `seed ${seed}`).toBe(true)
  }
})

test('[DG20] the last flight arrives in any order of its packets, when it is retransmitted as often as clients do', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = createRandom(seed)
    const direct: Direct = createDirect({
      sendFlight(client, messages) {
        // Each message alone, again and again, and most are lost.
        for (let times = 0; times < 40 && !client.isConnected; times++) {
          const packets = messages.map((message) => client.pack([message]))
          for (const packet of packets.sort(() => random() - 0.5)) if (random() < 0.3) direct.toServer(packet)
          if (times % 4 === 3 && messages.length > 1) while (direct.sent.length > 0) client.take(direct.sent.pop()!)
        }
      },
    })
    direct.client.start()
    direct.pump()
    expect(direct.isClosed, `seed ${seed}`).toBe(false)
    expect(direct.connection.handshake.state, `seed ${seed}`).toBe('connected')
  }
})

test('[DG21] messages in the wrong order open nothing, and the right ones after them do', async () => {
  const orders: (readonly (readonly [number, number])[])[] = [
    // Types with the message_seq of others.
    [[HANDSHAKE.clientKeyExchange, 2]],
    [[HANDSHAKE.certificateVerify, 2]],
    [[HANDSHAKE.clientHello, 2]],
    [
      [HANDSHAKE.certificate, 2],
      [HANDSHAKE.certificateVerify, 3],
    ],
    [
      [HANDSHAKE.certificate, 2],
      [HANDSHAKE.certificate, 3],
    ],
    [
      [HANDSHAKE.certificate, 2],
      [HANDSHAKE.clientKeyExchange, 3],
      [HANDSHAKE.clientKeyExchange, 4],
    ],
    [[99, 2]],
  ]
  for (const order of orders) {
    const what = JSON.stringify(order)
    const direct: Direct = createDirect({
      sendFlight(client, messages) {
        if (messages.length > 1) {
          const body = (type: number) => messages.find((message) => message.type === type)?.body ?? Buffer.alloc(4)
          direct.toServer(client.pack(order.map(([type, messageSeq]) => ({ type, messageSeq, body: body(type) }))))
          const { handshake, isClosed } = direct.connection
          expect([handshake.state, isClosed, direct.refused.unfit], what).toEqual(['Certificate', false, 1])
        }
        direct.toServer(client.pack(messages))
      },
    })
    direct.client.start()
    direct.pump()
    expect(direct.client.isOpen, what).toBe(true)
  }
})

test('[DG21] CertificateVerify left out, or Finished in epoch 0, opens nothing', () => {
  for (const isWithoutCertificateVerify of [true, false]) {
    const direct: Direct = createDirect({
      isWithoutCertificateVerify,
      sendFlight(client, messages) {
        if (isWithoutCertificateVerify || messages.length === 1) direct.toServer(client.pack(messages))
        else {
          direct.toServer(client.pack(messages.slice(0, 3)))
          direct.toServer(writeRecord(client.layer, CONTENT_TYPE.handshake, 0, fragmentOf(messages[3])))
        }
      },
    })
    const { client, connection } = direct
    client.start()
    direct.pump()
    direct.toServer(client.protect(CONTENT_TYPE.applicationData, packetOf(0, initOf(client.tag, 1))))
    direct.pump()
    expect([client.isConnected, connection.handshake.state === 'connected', client.chunks]).toEqual([false, false, []])
  }
})

test('[DG21] after the handshake nothing of epoch 0 has any effect: no handshake message, no alert, no data', () => {
  const noted: Buffer[] = []
  const direct = connectDirectly({ onPacket: (packet) => void noted.push(packet) })
  const { client, connection } = direct
  direct.sent.length = 0
  const open = (type: number, body: Uint8Array) => direct.toServer(writeRecord(client.layer, type, 0, body))
  open(CONTENT_TYPE.alert, Buffer.of(2, 40))
  open(CONTENT_TYPE.alert, Buffer.of(1, 0))
  open(CONTENT_TYPE.applicationData, packetOf(client.serverTag, dataOf(client.nextTsn, Buffer.from('epoch 0'))))
  open(CONTENT_TYPE.changeCipherSpec, Buffer.of(1))
  open(99, Buffer.alloc(40))
  for (const type of Object.values(HANDSHAKE)) {
    for (let messageSeq = 0; messageSeq < 12; messageSeq++)
      open(CONTENT_TYPE.handshake, fragmentOf({ type, messageSeq, body: Buffer.alloc(50) }))
  }
  // Those of the handshake itself, once more: Finished is of epoch 1 and known.
  for (const packet of noted.slice(0, 2)) direct.toServer(packet)
  expect([direct.isClosed, direct.sent.length, connection.handshake.state]).toEqual([false, 0, 'connected'])
  client.sendMessage(Buffer.from('still here'))
  direct.pump()
  expect(direct.delivered.map(String)).toEqual(['still here'])
  direct.toServer(client.protect(CONTENT_TYPE.alert, Buffer.of(1, 0)))
  expect(direct.isClosed).toBe(true)
})

test('[DG20] who has not got the Finished of the server retransmits its flight, and gets it', () => {
  const direct = createDirect({
    sendFlight(client, messages) {
      direct.toServer(client.pack(messages))
      // Lost, and retransmitted: in a new record.
      if (messages.length > 1) direct.sent.length = 0
      if (messages.length > 1) direct.toServer(client.pack(messages))
    },
  })
  direct.client.start()
  // HelloVerifyRequest, then the flight of the server.
  direct.client.take(direct.sent[0])
  direct.client.take(direct.sent[1])
  expect(direct.sent.length).toBe(1)
  direct.client.take(direct.sent[0])
  expect(direct.client.isConnected).toBe(true)
})

test('[DG62] a flight that the client has not answered is retransmitted after 1, 2, 4 and 8 seconds, until it answers; 16 seconds after the fifth it is closed', () => {
  for (const answersTo of [2, 4, undefined]) {
    const direct: Direct = createDirect({ sendFlight: (client, messages) => direct.toServer(client.pack(messages)) })
    const { client, connection, sent } = direct
    client.start()
    client.take(sent.splice(0)[0])
    const [start] = [Math.round(connection.flightSentAt)]
    connection.flightSentAt = start
    connection.checkedAt = start + 40_000
    const sentAt: number[] = [0]
    let closedAt: number | undefined
    let already = sent.length
    expect(already).toBe(1)
    const end = answersTo === undefined ? 50_000 : 20_000
    for (let passed = 100; passed <= end && !direct.isClosed; passed += 100) {
      runTimers(connection, start + passed)
      if (direct.isClosed) closedAt = passed
      if (sent.length === already) continue
      sentAt.push(passed)
      if (sentAt.length === answersTo) {
        // With what is answered to it.
        for (let i = 0; i < sent.length; i++) client.take(sent[i])
        expect(client.isConnected).toBe(true)
      }
      already = sent.length
    }
    expect(sentAt).toEqual([0, 1_000, 3_000, 7_000, 15_000].slice(0, answersTo))
    if (answersTo === undefined) expect(closedAt).toBe(31_000)
  }
})

test('[DG62] a client that asks again gets the flight again, fifteen times', () => {
  let hello: readonly Message[] = []
  const direct: Direct = createDirect({
    sendFlight(client, messages) {
      hello = messages
      direct.toServer(client.pack(messages))
    },
  })
  const { client, sent } = direct
  client.start()
  client.take(sent.splice(0)[0])
  sent.length = 0
  for (let i = 0; i < 100; i++) direct.toServer(client.pack(hello))
  expect(sent.length).toBe(15)
})
