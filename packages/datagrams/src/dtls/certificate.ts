/**
 * The certificate of a port (X.509, RFC 5280, 4.1): self-signed, new with every start. Clients trust it by its fingerprint (RFC 8122, 5), which they got
 * over their socket, so its names and dates say nothing (RFC 8827, 6.5).
 */

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export type Certificate = { readonly der: Buffer; readonly key: KeyObject; readonly fingerprint: string }

/** The identifier octets of DER (X.690) that occur here. */
const TAGS = {
  integer: 0x02,
  bitString: 0x03,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  version: 0xa0,
} as const
/** 1.2.840.10045.4.3.2 and 2.5.4.3. */
const ECDSA_WITH_SHA256 = Buffer.from('2a8648ce3d040302', 'hex')
const COMMON_NAME = Buffer.from('550403', 'hex')

export function createCertificate(): Certificate {
  const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der('sequence', der('objectIdentifier', ECDSA_WITH_SHA256))
  const commonName = der('sequence', der('objectIdentifier', COMMON_NAME), der('utf8String', Buffer.from('hurtbox')))
  const name = der('sequence', der('set', commonName))
  const validity = der(
    'sequence',
    // Up to 2049 it must be a UTCTime (RFC 5280, 4.1.2.5).
    der('utcTime', Buffer.from('000101000000Z')),
    der('generalizedTime', Buffer.from('99991231235959Z')),
  )
  const serial = randomBytes(16)
  serial[0] = 0x40 | (serial[0] & 0x3f)
  const tbsCertificate = der(
    'sequence',
    der('version', der('integer', Buffer.of(2))),
    der('integer', serial),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = der('bitString', Buffer.of(0), sign('sha256', tbsCertificate, key))
  const certificate = der('sequence', tbsCertificate, algorithm, signature)
  return { der: certificate, key, fingerprint: fingerprintOf(certificate) }
}

/** As in `a=fingerprint`: the SHA-256 in hex, with colons between the bytes. */
export function fingerprintOf(certificate: Uint8Array): string {
  return createHash('sha256').update(certificate).digest('hex').toUpperCase().match(/../g)!.join(':')
}

function der(tag: keyof typeof TAGS, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >>> 8, length & 0xff]
  return Buffer.concat([Buffer.of(TAGS[tag], ...size), body])
}
