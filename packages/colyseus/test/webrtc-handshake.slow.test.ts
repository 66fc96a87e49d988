/** The handshake of data channels: with libdatachannel on a bad line, and with a client of ours that does things wrong. */

import { afterEach, expect, test, vi } from 'vitest'
import { createRandom } from '../../hurtbox/test/random.ts'
import { createCertificate } from '../src/datagrams/webrtc/certificate.ts'
import { CHACHA_SUITE } from '../src/datagrams/webrtc/chacha.ts'
import { GCM_SUITE } from '../src/datagrams/webrtc/gcm.ts'
import { keepPeer } from '../src/datagrams/webrtc/peer.ts'
import { RECORDS, writeRecord } from '../src/datagrams/webrtc/records.ts'
import {
  connectDirectly,
  createDirect,
  type Direct,
  dataOf,
  initOf,
  MESSAGE,
  type Message,
  packetOf,
  pieceOf,
} from './webrtc-client.ts'
import { type Line, openForeign, openTestPort, startProxy } from './webrtc-ports.ts'

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
  expect(direct.peer.handshake.suite.id).toBe(suite.id)
  // Where the other is not known.
  vi.resetModules()
  vi.doMock('../src/datagrams/webrtc/ciphers.ts', () => ({ SUITES: [suite] }))
  const alone = await import('./webrtc-ports.ts')
  vi.doUnmock('../src/datagrams/webrtc/ciphers.ts')
  const port = await alone.openTestPort()
  const foreign = await alone.openForeign(port)
  cleanups.push(foreign.close, () => port.close())
  await vi.waitUntil(() => foreign.isOpen, within)
  await talk(foreign, `suite ${suite.id}`)
})

test('[DG21] a client whose certificate is not the one of its offer is refused and closed', async () => {
  const port = await openPort()
  const { fingerprint } = createCertificate()
  const changeOffer = (offer: string) => offer.replace(/(a=fingerprint:sha-256 )\S+/, `$1${fingerprint}`)
  const foreign = await openForeign(port, { changeOffer })
  cleanups.push(foreign.close)
  await vi.waitUntil(() => foreign.isClosed, within)
  expect([foreign.isOpen, foreign.delivered]).toEqual([false, []])
})

test('[DG21] a client that does not have the key of the certificate it shows is refused', () => {
  const [shown, other] = [createCertificate(), createCertificate()]
  const direct = createDirect({ certificate: { ...shown, key: other.key } })
  direct.client.start()
  direct.pump()
  expect([direct.isClosed, direct.client.isConnected]).toEqual([true, false])
})

test('[DG21] a client that knows neither cipher is refused', () => {
  const direct = createDirect({ suites: [0xc02c, 0xc030] })
  direct.client.start()
  direct.pump()
  expect([direct.isClosed, direct.client.alerts]).toEqual([true, [Buffer.of(2, 40)]])
})

/** Records with the pieces of a message, each of some bytes. */
function inPieces(direct: Direct, message: Message, bytes: number): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at === 0 || at < message.body.length; at += bytes) {
    const piece = pieceOf(message, at, Math.min(at + bytes, message.body.length))
    pieces.push(writeRecord(direct.client.layer, RECORDS.handshake, 0, piece))
  }
  return pieces
}

test('[DG20] messages in pieces, out of order, overlapping and repeated are put together', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = createRandom(seed)
    const direct: Direct = createDirect({
      say(client, messages) {
        const open = messages.filter(({ kind }) => kind !== MESSAGE.finished)
        const pieces = [7, 20, 64].flatMap((bytes) => open.flatMap((message) => inPieces(direct, message, bytes)))
        const shuffled = pieces.map((piece) => [random(), piece] as const).sort(([a], [b]) => a - b)
        for (const [, piece] of shuffled) direct.toServer(piece)
        for (const message of messages) if (message.kind === MESSAGE.finished) direct.toServer(client.pack([message]))
      },
    })
    direct.client.start()
    direct.pump()
    expect(direct.client.isOpen, `seed ${seed}`).toBe(true)
  }
})

test('[DG20] the last flight arrives in any order of its packets, when it is said as often as clients do', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = createRandom(seed)
    const direct: Direct = createDirect({
      say(client, messages) {
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
    expect(direct.peer.handshake.state, `seed ${seed}`).toBe('done')
  }
})

test('[DG21] messages in the wrong order close this client, and no other', async () => {
  const orders: (readonly (readonly [number, number])[])[] = [
    // Kinds under the numbers of others.
    [[MESSAGE.key, 1]],
    [[MESSAGE.proof, 1]],
    [[MESSAGE.hello, 1]],
    [
      [MESSAGE.certificate, 1],
      [MESSAGE.proof, 2],
    ],
    [
      [MESSAGE.certificate, 1],
      [MESSAGE.certificate, 2],
    ],
    [
      [MESSAGE.certificate, 1],
      [MESSAGE.key, 2],
      [MESSAGE.key, 3],
    ],
    [[99, 1]],
  ]
  const beside = connectDirectly()
  for (const order of orders) {
    const direct: Direct = createDirect({
      say(client, messages) {
        if (messages.length === 1) direct.toServer(client.pack(messages))
        else {
          const body = (kind: number) => messages.find((message) => message.kind === kind)?.body ?? Buffer.alloc(4)
          direct.toServer(client.pack(order.map(([kind, number]) => ({ kind, number, body: body(kind) }))))
        }
      },
    })
    direct.client.start()
    direct.pump()
    expect([direct.isClosed, direct.delivered.length], JSON.stringify(order)).toEqual([true, 0])
    beside.client.sendMessage(Buffer.from('still here'))
    beside.pump()
  }
  expect(beside.delivered.length).toBe(orders.length)
})

test('[DG21] a proof left out, or a last message that is not sealed, opens nothing', () => {
  for (const isWithoutProof of [true, false]) {
    const direct: Direct = createDirect({
      isWithoutProof,
      say(client, messages) {
        if (isWithoutProof || messages.length === 1) direct.toServer(client.pack(messages))
        else {
          direct.toServer(client.pack(messages.slice(0, 3)))
          direct.toServer(writeRecord(client.layer, RECORDS.handshake, 0, pieceOf(messages[3])))
        }
      },
    })
    const { client, peer } = direct
    client.start()
    direct.pump()
    direct.toServer(client.sealed(RECORDS.data, packetOf(0, initOf(client.tag, 1))))
    direct.pump()
    expect([client.isConnected, peer.handshake.state === 'done', client.chunks]).toEqual([false, false, []])
    expect(direct.isClosed).toBe(isWithoutProof)
  }
})

test('[DG21] after the handshake nothing in the open has any effect: no message of it, no alert, no data', () => {
  const noted: Buffer[] = []
  const direct = connectDirectly({ onPacket: (packet) => void noted.push(packet) })
  const { client, peer } = direct
  direct.sent.length = 0
  const open = (kind: number, body: Uint8Array) => direct.toServer(writeRecord(client.layer, kind, 0, body))
  open(RECORDS.alert, Buffer.of(2, 40))
  open(RECORDS.alert, Buffer.of(1, 0))
  open(RECORDS.data, packetOf(client.serverTag, dataOf(client.next, Buffer.from('in the open'))))
  open(RECORDS.changeCipher, Buffer.of(1))
  open(99, Buffer.alloc(40))
  for (const kind of Object.values(MESSAGE)) {
    for (let number = 0; number < 12; number++)
      open(RECORDS.handshake, pieceOf({ kind, number, body: Buffer.alloc(50) }))
  }
  // Those of the handshake itself, once more: the last one is sealed and known.
  for (const packet of noted.slice(0, 2)) direct.toServer(packet)
  expect([direct.isClosed, direct.sent.length, peer.handshake.state]).toEqual([false, 0, 'done'])
  client.sendMessage(Buffer.from('still here'))
  direct.pump()
  expect(direct.delivered.map(String)).toEqual(['still here'])
  direct.toServer(client.sealed(RECORDS.alert, Buffer.of(1, 0)))
  expect(direct.isClosed).toBe(true)
})

test('[DG20] who has not heard the last message of the server says its own again, and hears it', () => {
  const direct = createDirect({
    say(client, messages) {
      direct.toServer(client.pack(messages))
      // Lost, and said again: in a new record.
      if (messages.length > 1) direct.sent.length = 0
      if (messages.length > 1) direct.toServer(client.pack(messages))
    },
  })
  direct.client.start()
  direct.client.take(direct.sent[0])
  expect(direct.sent.length).toBe(1)
  direct.client.take(direct.sent[0])
  expect(direct.client.isConnected).toBe(true)
})

test('[DG20] what the client has not answered is said again, until it answers', () => {
  const direct = createDirect({ say: (client, messages) => direct.toServer(client.pack(messages)) })
  const { client, peer, sent } = direct
  client.start()
  // Lost. It is said again after a while, and not before.
  keepPeer(peer, peer.shookAt + 600)
  expect(sent.length).toBe(1)
  keepPeer(peer, peer.shookAt + 800)
  keepPeer(peer, peer.shookAt + 100)
  expect(sent.length).toBe(2)
  client.take(sent[1])
  client.take(sent[2])
  expect(client.isConnected).toBe(true)
  sent.length = 0
  keepPeer(peer, peer.shookAt + 5_000)
  expect(sent).toEqual([])
})
