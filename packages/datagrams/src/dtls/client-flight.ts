/**
 * What the client sends in epoch 0 to prove who it is: Certificate (RFC 5246, 7.4.6), ClientKeyExchange (RFC 8422, 5.7) and CertificateVerify (RFC 5246, 7.4.8).
 *
 * The certificate is the one of the offer, and its key has signed everything up to here. So all that was read in the open is the client's own.
 */

import { verify, X509Certificate } from 'node:crypto'
import { ALERT, HandshakeFailure } from './alerts.ts'
import { fingerprintOf } from './certificate.ts'
import { ECDSA_SECP256R1_SHA256, readCertificate, reader } from './messages.ts'

export type ClientFlight = {
  /** Of the three messages, and the messages themselves. */
  readonly bodies: readonly Buffer[]
  readonly inOrder: readonly Buffer[]
  /** All messages before. */
  readonly before: readonly Buffer[]
  /** Of the certificate of the offer. */
  readonly fingerprint: string
}

/** The client's point of the key exchange; undefined or an error: not of this client. Throws a HandshakeFailure where its own certificate has a key of another kind. */
export function readClientFlight({ bodies, inOrder, before, fingerprint }: ClientFlight): Buffer | undefined {
  const [certificate, clientKeyExchange, certificateVerify] = bodies
  const der = readCertificate(certificate)
  if (fingerprintOf(der) !== fingerprint) return undefined
  const publicKey = keyOf(der)
  const digitallySigned = reader(certificateVerify)
  if (digitallySigned.uint16() !== ECDSA_SECP256R1_SHA256) return undefined
  // CertificateVerify itself is not signed.
  const signed = Buffer.concat([...before, ...inOrder.slice(0, -1)])
  if (!verify('sha256', signed, publicKey, digitallySigned.vector(2))) return undefined
  return reader(clientKeyExchange).vector(1)
}

/** Other keys take longer to verify: one of RSA with 16,384 bits, 7 ms. */
function keyOf(der: Buffer) {
  const { publicKey } = new X509Certificate(der)
  if (publicKey.asymmetricKeyDetails?.namedCurve === 'prime256v1') return publicKey
  throw new HandshakeFailure(ALERT.unsupportedCertificate, 'The key of the client is not one of P-256.')
}
