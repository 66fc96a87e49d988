/** What is left of the secrets of a channel: nothing that the language lets one overwrite. */

import { expect, test } from 'vitest'
import { closeConnection } from '../src/connection.ts'
import { CHACHA_SUITE } from '../src/dtls/ciphers/chacha.ts'
import { type CipherSuite, SUITES } from '../src/dtls/ciphers/suites.ts'
import { writeRecord } from '../src/dtls/records.ts'
import { connectDirectly } from './client.ts'

test.each(SUITES)(
  '[DG74] the key block is overwritten when the keys were made, and the keys when the channel is closed: cipher $id',
  (suite) => {
    const given: Uint8Array[] = []
    const known = suite as { create: CipherSuite['create'] }
    const { create } = known
    known.create = (key, fixedIv) => {
      given.push(key, fixedIv)
      return create(key, fixedIv)
    }
    try {
      const { connection, client } = connectDirectly({ suites: [suite.id] })
      const { handshake, layer } = connection
      // Those of the client of the test are the two that were made after the server's, and are kept by it.
      const ofServer = given.filter((bytes) => bytes.every((byte) => byte === 0))
      expect(ofServer.length).toBe(4)
      expect([handshake.ecdh, handshake.messages]).toEqual([undefined, []])
      const { read } = layer
      const record = client.protect(23, Buffer.alloc(40))
      closeConnection(connection)
      expect([layer.read, layer.write, handshake.verifyData]).toEqual([undefined, undefined, undefined])
      // What is left of the key decrypts nothing.
      expect(read!.decrypt(record.subarray(0, 13), record.subarray(13))).toBe(false)
      expect(() => writeRecord(layer, 23, 1, Buffer.alloc(1))).toThrow('no keys')
    } finally {
      known.create = create
    }
  },
)

test('[DG74] a key of ChaCha20-Poly1305 that was forgotten is one of zeros', () => {
  const aead = CHACHA_SUITE.create(Buffer.alloc(32, 7), Buffer.alloc(12, 9))
  const zeros = CHACHA_SUITE.create(Buffer.alloc(32), Buffer.alloc(12))
  aead.forget()
  const [one, other] = [Buffer.alloc(40), Buffer.alloc(40)]
  aead.encrypt(Buffer.alloc(13), one)
  zeros.encrypt(Buffer.alloc(13), other)
  expect(one).toEqual(other)
})
