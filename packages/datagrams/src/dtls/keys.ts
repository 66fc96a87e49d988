/**
 * From the client's point to the keys of both directions: RFC 8422, 5.10 (premaster secret), RFC 7627, 4 (master secret), RFC 5246, 6.3 (key block) and 7.4.9
 * (verify_data). Everything in between is overwritten as soon as it was used.
 */

import { createHash, type ECDH } from 'node:crypto'
import type { Aead, CipherSuite } from './ciphers/suites.ts'
import { HANDSHAKE_TYPE, handshakeMessage, reader } from './messages.ts'
import { prf } from './prf.ts'

const MASTER_SECRET_BYTES = 48
const VERIFY_DATA_BYTES = 12
const UNCOMPRESSED = 4

export type Secrets = {
  readonly read: Aead
  readonly write: Aead
  readonly verifyData: { readonly client: Buffer; readonly server: Buffer }
}

type KeyExchange = {
  readonly ecdh: ECDH | undefined
  readonly suite: CipherSuite
  readonly randoms: Buffer
  readonly nextReceiveSeq: number
}

/** `messages` are all up to CertificateVerify. Throws for what is no point of the curve in the uncompressed form, the only one there is (RFC 8422, 5.4.1). */
export function deriveSecrets(exchange: KeyExchange, point: Buffer, messages: readonly Buffer[]): Secrets {
  const { ecdh, suite, randoms, nextReceiveSeq } = exchange
  const { keyBytes, fixedIvBytes } = suite
  if (point[0] !== UNCOMPRESSED) throw new Error('A point is not in the uncompressed form.')
  const premasterSecret = ecdh!.computeSecret(point)
  // The session hash ends with ClientKeyExchange.
  const sessionHash = hashOf(messages.slice(0, -1))
  const masterSecret = prf(premasterSecret, 'extended master secret', sessionHash, MASTER_SECRET_BYTES)
  const serverThenClient = Buffer.concat([randoms.subarray(32), randoms.subarray(0, 32)])
  const keyBlock = prf(masterSecret, 'key expansion', serverThenClient, 2 * (keyBytes + fixedIvBytes))
  const keys = reader(keyBlock)
  const [clientWriteKey, serverWriteKey] = [keys.opaque(keyBytes), keys.opaque(keyBytes)]
  const read = suite.create(clientWriteKey, keys.opaque(fixedIvBytes))
  const write = suite.create(serverWriteKey, keys.opaque(fixedIvBytes))
  const client = prf(masterSecret, 'client finished', hashOf(messages), VERIFY_DATA_BYTES)
  // Three messages of this flight were in epoch 0.
  const finished = handshakeMessage(HANDSHAKE_TYPE.finished, nextReceiveSeq + 3, client)
  const server = prf(masterSecret, 'server finished', hashOf([...messages, finished]), VERIFY_DATA_BYTES)
  for (const secret of [premasterSecret, masterSecret, keyBlock]) secret.fill(0)
  return { read, write, verifyData: { client, server } }
}

function hashOf(messages: readonly Buffer[]): Buffer {
  const hash = createHash('sha256')
  for (const message of messages) hash.update(message)
  return hash.digest()
}
