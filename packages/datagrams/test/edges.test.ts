/** Points and signatures at the edges, of the classes that the vectors of Wycheproof have for ECDH and ECDSA over P-256: in whole handshakes. */

import { createECDH } from 'node:crypto'
import { expect, test } from 'vitest'
import { connectDirectly, createDirect, type Direct, fragmentOf, HANDSHAKE } from './client.ts'
import { hex } from './subjects.ts'

/** The field and the order of P-256. */
const P = hex('ffffffff00000001000000000000000000000000ffffffffffffffffffffffff')
const N = hex('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')
const ZERO = Buffer.alloc(32)
const ecdh = createECDH('prime256v1')
const point = ecdh.generateKeys()
const [x, y] = [point.subarray(1, 33), point.subarray(33)]
const otherCurve = createECDH('secp256k1').generateKeys()
const changed = (bytes: Buffer, at: number) =>
  Buffer.concat([bytes.subarray(0, at), Buffer.of(bytes[at] ^ 1), bytes.subarray(at + 1)])

test.each([
  ['not on the curve', changed(point, 64)],
  ['of another curve', otherCurve],
  ['0, 0', Buffer.concat([Buffer.of(4), ZERO, ZERO])],
  ['x is 0', Buffer.concat([Buffer.of(4), ZERO, y])],
  ['x is the prime', Buffer.concat([Buffer.of(4), P, y])],
  ['y is the prime', Buffer.concat([Buffer.of(4), x, P])],
  ['at infinity', Buffer.of(0)],
  ['empty', Buffer.alloc(0)],
  ['too short', point.subarray(0, 64)],
  ['too long', Buffer.concat([point, Buffer.of(0)])],
  ['of an unknown form', Buffer.concat([Buffer.of(5), point.subarray(1)])],
  ['compressed', Buffer.concat([Buffer.of(2 | (y[31] & 1)), x])],
  ['hybrid with the right sign', Buffer.concat([Buffer.of(6 | (y[31] & 1)), point.subarray(1)])],
  ['hybrid with the wrong sign', Buffer.concat([Buffer.of(6 | (1 - (y[31] & 1))), point.subarray(1)])],
])('[DG81] a point that is none, rightly signed, opens nothing: %s', (_, wrong) => {
  const direct = createDirect({ point: wrong })
  direct.client.start()
  direct.pump()
  expect([direct.client.isConnected, direct.connection.handshake.state, direct.refused.unfit]).toEqual([
    false,
    'Certificate',
    1,
  ])
})

const integer = (value: Buffer) => Buffer.concat([Buffer.of(2, value.length), value])
const sequence = (...parts: Buffer[]) => Buffer.concat([Buffer.of(0x30, Buffer.concat(parts).length), ...parts])
const positive = (value: Buffer) => integer(Buffer.concat([Buffer.of(0), value]))
const [zero, one] = [integer(Buffer.of(0)), integer(Buffer.of(1))]

test.each([
  ['0, 0', () => sequence(zero, zero)],
  ['0, 1', () => sequence(zero, one)],
  ['1, 0', () => sequence(one, zero)],
  ['1, 1', () => sequence(one, one)],
  ['the order, 1', () => sequence(positive(N), one)],
  ['1, the order', () => sequence(one, positive(N))],
  ['negative', () => sequence(integer(Buffer.of(0xff)), integer(Buffer.of(0xff)))],
  ['empty', () => Buffer.alloc(0)],
  ['no numbers', () => sequence()],
  ['one number', () => sequence(one)],
  ['a byte more', (right: Buffer) => Buffer.concat([right, Buffer.of(0)])],
  ['cut', (right: Buffer) => right.subarray(0, -1)],
  ['a bit changed', (right: Buffer) => changed(right, right.length - 1)],
  ['a length in the long form', (right: Buffer) => Buffer.concat([Buffer.of(0x30, 0x81), right.subarray(1)])],
] as const)('[DG81] a signature that is none opens nothing: %s', (_, change) => {
  const direct: Direct = createDirect({
    sendFlight(client, messages) {
      const sent = messages.map((message) => {
        if (message.type !== HANDSHAKE.certificateVerify) return message
        const wrong = change(message.body.subarray(4))
        return { ...message, body: Buffer.concat([Buffer.of(4, 3, 0, wrong.length), wrong]) }
      })
      direct.toServer(client.pack(sent))
    },
  })
  direct.client.start()
  direct.pump()
  expect([direct.client.isConnected, direct.connection.handshake.state, direct.refused.unfit]).toEqual([
    false,
    'Certificate',
    1,
  ])
})

test('[DG82] a client that wants to renegotiate is told that there is none, and goes on', () => {
  const direct = connectDirectly()
  const { client } = direct
  direct.toServer(
    client.protect(22, fragmentOf({ type: HANDSHAKE.clientHello, messageSeq: 6, body: Buffer.alloc(60) })),
  )
  client.sendMessage(Buffer.from('on'))
  direct.pump()
  expect([client.alerts, direct.isClosed, direct.delivered.map(String)]).toEqual([[Buffer.of(1, 100)], false, ['on']])
})
