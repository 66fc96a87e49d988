/**
 * Who a client is, is said by the fingerprint of its offer, and proved by the key of that certificate. Attacks on this hit other stacks: fingerprints that were compared
 * with themselves, one of several that was enough, a certificate of the chain in place of the client's, one that was changed after it was looked at.
 */

import { expect, test } from 'vitest'
import { createCertificate } from '../src/dtls/certificate.ts'
import { readOffer } from '../src/ice/sdp.ts'
import { createDirect, type Direct, HANDSHAKE, type Message } from './client.ts'

const [own, other] = [createCertificate(), createCertificate()]
const offer = (...lines: string[]) =>
  ['v=0', 'm=application 9 UDP/DTLS/SCTP webrtc-datachannel', 'a=mid:0', ...lines, ''].join('\r\n')
const sha256 = (value: string) => `a=fingerprint:sha-256 ${value}`
/** Of another length. */
const sha1 = `a=fingerprint:sha-1 ${Array(20).fill('AB').join(':')}`

test('[DG73] an offer has one SHA-256 fingerprint, wherever it is and however it is written', () => {
  const right = [
    offer(sha256(own.fingerprint)),
    offer(sha256(own.fingerprint.toLowerCase())),
    offer(`a=fingerprint:SHA-256 ${own.fingerprint}`),
    // For the session and for its channel.
    [sha256(own.fingerprint), offer(sha256(own.fingerprint))].join('\r\n'),
    [sha256(own.fingerprint), offer()].join('\r\n'),
    // Hashes that are not looked at.
    offer(sha1, sha256(own.fingerprint)),
    offer(sha256(own.fingerprint), sha1, `a=fingerprint:sha-512 ${Array(64).fill('AB').join(':')}`),
  ]
  for (const sdp of right) expect(readOffer(sdp).fingerprint, sdp).toBe(own.fingerprint)
})

test('[DG73] an offer without a SHA-256 fingerprint, with a malformed one, or with two that differ is refused', () => {
  const { fingerprint } = own
  const wrong = [
    offer(),
    offer(sha1),
    offer('a=fingerprint:'),
    offer('a=fingerprint:sha-256'),
    offer(sha256('')),
    offer(sha256('AB')),
    offer(sha256(fingerprint.slice(0, -3))),
    offer(sha256(`${fingerprint}:AB`)),
    offer(sha256(fingerprint.replaceAll(':', ''))),
    offer(sha256(fingerprint.replace(/^../, 'XY'))),
    offer(sha256(`${fingerprint} ${other.fingerprint}`)),
    offer(`a=fingerprint:md5 ${fingerprint}`),
    offer(`a=fingerprint:sha-512 ${fingerprint}`),
    offer(sha256(fingerprint), sha256(other.fingerprint)),
    offer(sha256(other.fingerprint), sha256(fingerprint)),
    [sha256(other.fingerprint), offer(sha256(fingerprint))].join('\r\n'),
    offer(sha256(fingerprint), sha256('AB')),
  ]
  for (const sdp of wrong) expect(() => readOffer(sdp), sdp).toThrow('fingerprint')
})

/** The Certificate message with these, the client's own first. */
function chainOf(...ders: readonly Buffer[]): Buffer {
  const length = (bytes: Buffer) => Buffer.of(0, bytes.length >>> 8, bytes.length & 0xff)
  const list = Buffer.concat(ders.flatMap((der) => [length(der), der]))
  return Buffer.concat([length(list), list])
}

/** A client that changes what it sends in its second flight, and sends it twice. */
function changing(
  change: (message: Message) => Message,
  options: { isHonestLater?: boolean; fingerprint?: string } = {},
): Direct {
  const direct: Direct = createDirect({
    certificate: own,
    ...(options.fingerprint !== undefined && { fingerprint: options.fingerprint }),
    sendFlight(client, messages) {
      for (let times = 0; times < 2; times++) {
        const isChanged = messages.length > 1 && !(options.isHonestLater && times === 1)
        direct.toServer(client.pack(isChanged ? messages.map(change) : messages))
      }
    },
  })
  direct.client.start()
  direct.pump()
  return direct
}

const withCertificate = (body: Buffer) => (message: Message) =>
  message.type === HANDSHAKE.certificate ? { ...message, body } : message

test.each([
  ['the certificate of another', chainOf(other.der)],
  ['its own behind that of another', chainOf(other.der, own.der)],
  ['none', chainOf()],
  ['an empty one', chainOf(Buffer.alloc(0))],
  ['its own with a bit changed', chainOf(Buffer.concat([own.der.subarray(0, -1), Buffer.of(own.der.at(-1)! ^ 1)]))],
  ['its own with a byte more', chainOf(Buffer.concat([own.der, Buffer.of(0)]))],
  ['its own, cut', chainOf(own.der.subarray(0, -1))],
])('[DG73] a client that shows %s opens nothing, however often, and its own afterwards does', (_, body) => {
  const direct = changing(withCertificate(body))
  expect([direct.client.isConnected, direct.connection.handshake.state]).toEqual([false, 'Certificate'])
  expect(direct.refused.unfit).toBe(2)
  expect(changing(withCertificate(body), { isHonestLater: true }).client.isOpen).toBe(true)
})

test.each([
  ['of another', other.fingerprint],
  ['of another case', own.fingerprint.toLowerCase()],
  ['empty', ''],
])('[DG73] the fingerprint is compared whole, with that of the offer: %s', (_, fingerprint) => {
  expect(changing((message) => message, { fingerprint }).client.isConnected).toBe(false)
})

test('[DG73] a certificate that was changed between two fragments or two flights is not mixed with the first', () => {
  // The first half of its own, then all of another; then the second half of its own.
  const halves = chainOf(own.der)
  const direct: Direct = createDirect({
    certificate: own,
    sendFlight(client, messages) {
      if (messages.length === 1) {
        direct.toServer(client.pack(messages))
        return
      }
      const [certificate, ...rest] = messages
      direct.toServer(client.pack([{ ...certificate, body: chainOf(other.der) }]))
      direct.toServer(client.pack(rest))
      expect(direct.connection.handshake.state).toBe('Certificate')
      // After its failure nothing of the flight is left: its certificate alone does not complete it.
      direct.toServer(client.pack([{ ...certificate, body: halves }]))
      expect(direct.connection.handshake.state).toBe('Certificate')
      direct.toServer(client.pack(rest))
    },
  })
  direct.client.start()
  direct.pump()
  expect(direct.client.isOpen).toBe(true)
})
