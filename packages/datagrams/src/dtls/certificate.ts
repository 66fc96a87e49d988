/**
 * The certificate of a port: signed by itself, new with every start. Clients know it by its fingerprint, which they got over their socket, so no name
 * and no date in it says anything.
 */

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export type Certificate = { readonly der: Buffer; readonly key: KeyObject; readonly fingerprint: string }

const TAGS = {
  integer: 0x02,
  bits: 0x03,
  id: 0x06,
  text: 0x0c,
  date: 0x18,
  sequence: 0x30,
  set: 0x31,
  version: 0xa0,
} as const
/** The algorithm ecdsa-with-SHA256, 1.2.840.10045.4.3.2; the attribute commonName, 2.5.4.3. */
const ECDSA_SHA256 = Buffer.from('2a8648ce3d040302', 'hex')
const COMMON_NAME = Buffer.from('550403', 'hex')

export function createCertificate(): Certificate {
  const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der('sequence', der('id', ECDSA_SHA256))
  const commonName = der('sequence', der('id', COMMON_NAME), der('text', Buffer.from('hurtbox')))
  const name = der('sequence', der('set', commonName))
  const always = der(
    'sequence',
    der('date', Buffer.from('20000101000000Z')),
    der('date', Buffer.from('99991231235959Z')),
  )
  const serial = randomBytes(16)
  serial[0] = 0x40 | (serial[0] & 0x3f)
  const body = der(
    'sequence',
    der('version', der('integer', Buffer.of(2))),
    der('integer', serial),
    algorithm,
    name,
    always,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = der('bits', Buffer.of(0), sign('sha256', body, key))
  const whole = der('sequence', body, algorithm, signature)
  return { der: whole, key, fingerprint: fingerprintOf(whole) }
}

/** As descriptions have it: 32 bytes with colons between them. */
export function fingerprintOf(certificate: Uint8Array): string {
  return createHash('sha256').update(certificate).digest('hex').toUpperCase().match(/../g)!.join(':')
}

function der(tag: keyof typeof TAGS, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >>> 8, length & 0xff]
  return Buffer.concat([Buffer.of(TAGS[tag], ...size), body])
}
