/** The parts of WebRTC whose results are known: ciphers, checksums, signatures, keys and certificates, by published vectors and by Node's own. */

import { createCipheriv, createDecipheriv, randomBytes, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { createRandom, type Random } from '../../hurtbox/test/random.ts'
import { crc32, crc32c } from '../src/crc.ts'
import { createCertificate } from '../src/dtls/certificate.ts'
import { CHACHA_SUITE } from '../src/dtls/ciphers/chacha.ts'
import { GCM_SUITE } from '../src/dtls/ciphers/gcm.ts'
import { prf } from '../src/dtls/prf.ts'
import { bindingResponse, hasIntegrity, octetsOf, readBindingRequest, readMappedAddress } from '../src/ice/stun.ts'
import { hex, openByOurs } from './subjects.ts'

const TAG_BYTES = 16
const HEADER_BYTES = 13
const bytesOf = (random: Random, length: number) =>
  Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))

/** Node's nonce for a record: the number at the front of its header is part of it. */
const NONCES = {
  chacha: (nonce: Buffer, header: Buffer) => nonce.map((byte, i) => (i < 4 ? byte : byte ^ header[i - 4])),
  gcm: (nonce: Buffer, header: Buffer) => Buffer.concat([nonce, header.subarray(0, 8)]),
}

/** What Node makes of it: ciphertext and tag. */
function encryptByNode(name: 'chacha' | 'gcm', key: Buffer, nonce: Buffer, header: Buffer, plain: Buffer): Buffer {
  const options = { authTagLength: TAG_BYTES }
  const cipher =
    name === 'gcm'
      ? createCipheriv('aes-128-gcm', key, NONCES.gcm(nonce, header), options)
      : createCipheriv('chacha20-poly1305', key, NONCES.chacha(nonce, header), options)
  cipher.setAAD(header, { plaintextLength: plain.length })
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

const CIPHERS = [
  { name: 'chacha', suite: CHACHA_SUITE },
  { name: 'gcm', suite: GCM_SUITE },
] as const

test.each(CIPHERS)(
  '[DG18] records are encrypted and decrypted as by Node, whatever their length: $name',
  ({ name, suite }) => {
    for (let seed = 1; seed <= 1_000; seed++) {
      const random = createRandom(seed)
      // Every length up to some blocks, then any; every fourth of ones only, where carries run furthest.
      const length = seed <= 200 ? seed - 1 : Math.floor(random() * 1_301)
      const of = (bytes: number) => (seed % 4 === 0 ? Buffer.alloc(bytes, 0xff) : bytesOf(random, bytes))
      const key = bytesOf(random, suite.keyBytes)
      const [nonce, header, plain] = [of(suite.fixedIvBytes), of(HEADER_BYTES), of(length)]
      const cipher = suite.create(key, nonce)
      const body = Buffer.concat([Buffer.alloc(cipher.explicitNonceBytes), plain, Buffer.alloc(cipher.tagBytes)])
      cipher.encrypt(header, body)
      const encrypted = body.subarray(cipher.explicitNonceBytes)
      if (!encrypted.equals(encryptByNode(name, key, nonce, header, plain)))
        expect.unreachable(`seed ${seed} is encrypted otherwise`)
      const isDecrypted = cipher.decrypt(header, body) && encrypted.subarray(0, length).equals(plain)
      if (!isDecrypted) expect.unreachable(`seed ${seed} is decrypted otherwise`)
    }
  },
)

test.each(CIPHERS)(
  '[DG18] a record with one bit changed, in header, body or tag, is refused and left as it came: $name',
  ({ suite }) => {
    const random = createRandom(7)
    for (const length of [0, 1, 15, 16, 17, 63, 64, 65, 130]) {
      const cipher = suite.create(bytesOf(random, suite.keyBytes), bytesOf(random, suite.fixedIvBytes))
      const header = bytesOf(random, HEADER_BYTES)
      const whole = Buffer.concat([
        Buffer.alloc(cipher.explicitNonceBytes),
        bytesOf(random, length),
        Buffer.alloc(TAG_BYTES),
      ])
      cipher.encrypt(header, whole)
      for (let bit = 0; bit < 8 * (HEADER_BYTES + whole.length); bit++) {
        const changed = Buffer.concat([header, whole])
        changed[bit >>> 3] ^= 1 << (bit & 7)
        const before = Buffer.from(changed)
        const isTaken = cipher.decrypt(changed.subarray(0, HEADER_BYTES), changed.subarray(HEADER_BYTES))
        if (isTaken || !changed.equals(before)) expect.unreachable(`bit ${bit} of ${length} bytes`)
      }
    }
  },
)

test('[DG18] ChaCha20-Poly1305 encrypts the example of RFC 8439, 2.8.2', () => {
  const header = hex('50515253c0c1c2c3c4c5c6c7')
  // A record's number is mixed into the nonce, and the header of the example stands where that is.
  const nonce = hex('070000004041424344454647').map((byte, i) => (i < 4 ? byte : byte ^ header[i - 4]))
  const key = Buffer.from(Array.from({ length: 32 }, (_, i) => 0x80 + i))
  const text =
    "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
  const body = Buffer.concat([Buffer.from(text), Buffer.alloc(TAG_BYTES)])
  CHACHA_SUITE.create(key, nonce).encrypt(header, body)
  expect(body.subarray(0, 16).toString('hex')).toBe('d31a8d34648e60db7b86afbc53ef7ec2')
  expect(body.subarray(-TAG_BYTES).toString('hex')).toBe('1ae10b594f09e26a7e902ecbd0600691')
})

test('[DG18] two ciphers at work in turn do not disturb each other', () => {
  const [first, second] = [1, 2].map((seed) => {
    const random = createRandom(seed)
    const [key, nonce] = [bytesOf(random, 32), bytesOf(random, 12)]
    return { cipher: CHACHA_SUITE.create(key, nonce), key, nonce }
  })
  for (let i = 0; i < 20; i++) {
    const header = randomBytes(HEADER_BYTES)
    for (const { cipher, key, nonce } of [first, second]) {
      const plain = randomBytes(5 * i)
      const body = Buffer.concat([plain, Buffer.alloc(TAG_BYTES)])
      cipher.encrypt(header, body)
      const node = createDecipheriv('chacha20-poly1305', key, NONCES.chacha(nonce, header), {
        authTagLength: TAG_BYTES,
      })
      node.setAAD(header, { plaintextLength: plain.length })
      node.setAuthTag(body.subarray(-TAG_BYTES))
      expect(Buffer.concat([node.update(body.subarray(0, -TAG_BYTES)), node.final()])).toEqual(plain)
    }
  }
})

test('[DG19] checksums are those of the catalogue', () => {
  const digits = Buffer.from('123456789')
  expect([crc32(digits), crc32c(digits)].map((value) => value.toString(16))).toEqual(['cbf43926', 'e3069283'])
  expect([crc32(Buffer.alloc(0)), crc32c(Buffer.alloc(0))]).toEqual([0, 0])
})

test('[DG19] the CRC-32C is that of RFC 3720, B.4', () => {
  const up = Buffer.from(Array.from({ length: 32 }, (_, i) => i))
  const read10 = hex(`01c00000 00000000 00000000 00000000 14000000 00000400
    00000014 00000018 28000000 00000000 02000000 00000000`)
  const all = [Buffer.alloc(32), Buffer.alloc(32, 0xff), up, Buffer.from(up).reverse(), read10]
  const expected = [0x8a9136aa, 0x62a8ab43, 0x46dd794e, 0x113fdb5c, 0xd9963a56]
  expect(all.map(crc32c)).toEqual(expected)
})

test('[DG19] checksums of every length are those of the definition, bit by bit', () => {
  const simple = (polynomial: number, bytes: Uint8Array) => {
    let value = 0xffffffff
    for (const byte of bytes) {
      value ^= byte
      for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1
    }
    return ~value >>> 0
  }
  for (let length = 0; length < 100; length++) {
    const bytes = randomBytes(length)
    expect([crc32(bytes), crc32c(bytes)], bytes.toString('hex')).toEqual([
      simple(0xedb88320, bytes),
      simple(0x82f63b78, bytes),
    ])
  }
})

test('[DG18] AES-128-GCM opens test case 4 of its specification', () => {
  const sealed = {
    key: hex('feffe9928665731c6d6a8f9467308308'),
    iv: hex('cafebabefacedbaddecaf888'),
    aad: hex('feedfacedeadbeeffeedfacedeadbeefabaddad2'),
    ciphertext: hex(`42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e
      21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091`),
    tag: hex('5bc94fbc3221a5db94fae95ae7121a47'),
  }
  const opened = openByOurs(GCM_SUITE, sealed)
  expect(opened?.toString('hex')).toBe(
    'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72' +
      '1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
  )
  expect(openByOurs(GCM_SUITE, { ...sealed, tag: Buffer.alloc(16) })).toBeUndefined()
})

/** RFC 5769, 2.1. Its USERNAME is evtj:h6vY. */
const SAMPLE = hex(`
  00010058 2112a442 b7e7a701bc34d686fa87dfae
  80220010 5354554e207465737420636c69656e74
  00240004 6e0001ff
  80290008 932ff9b151263b36
  00060009 6576746a3a68367659202020
  00080014 9aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a2
  80280004 e57a3bcf`)
const PASSWORD = 'VOkJxbRl1RmTxUk/WvJxBt'

test('[DG19] the sample request of RFC 5769, 2.1 is read, and its MESSAGE-INTEGRITY holds for its pwd alone', () => {
  const request = readBindingRequest(SAMPLE)!
  expect([request.ufrag, request.hasUseCandidate]).toEqual(['evtj', false])
  expect(request.transactionId).toEqual(SAMPLE.subarray(8, 20))
  expect(hasIntegrity(request, PASSWORD)).toBe(true)
  expect(hasIntegrity(request, PASSWORD.replace('V', 'W'))).toBe(false)
  const signedBytes = SAMPLE.length - 8
  for (let at = 0; at < signedBytes; at++) {
    const changed = Buffer.from(SAMPLE)
    changed[at] ^= 0x10
    const read = readBindingRequest(changed)
    // A length behind which MESSAGE-INTEGRITY is no longer found, or its own bytes.
    expect(read !== undefined && hasIntegrity(read, PASSWORD), `byte ${at}`).toBe(false)
  }
})

test('[DG19] the sample response of RFC 5769, 2.2 is read as one to its request, and its MESSAGE-INTEGRITY and FINGERPRINT hold', () => {
  const response = hex(`
    0101003c 2112a442 b7e7a701bc34d686fa87dfae
    8022000b 7465737420766563746f7220
    00200008 0001a147e112a643
    00080014 2b91f599fd9e90c38c7489f92af9ba53f06be7d7
    80280004 c07d4c96`)
  expect(readMappedAddress(response, SAMPLE.subarray(0, 20))).toEqual({ address: '192.0.2.1', port: 32_853 })
  expect(readMappedAddress(response, Buffer.concat([SAMPLE.subarray(0, 19), Buffer.of(0)]))).toBeUndefined()
  const integrityAt = response.length - 8 - 20
  expect(hasIntegrity({ ...readBindingRequest(SAMPLE)!, message: response, integrityAt }, PASSWORD)).toBe(true)
  expect((response.readUInt32BE(response.length - 4) ^ 0x5354554e) >>> 0).toBe(crc32(response.subarray(0, -8)))
})

test('[DG19] attributes after MESSAGE-INTEGRITY are ignored', () => {
  // USE-CANDIDATE, and a USERNAME for another ufrag.
  const message = Buffer.concat([SAMPLE, hex('00250000 00060008 6f746865723a6162')])
  message.writeUInt16BE(message.length - 20, 2)
  const request = readBindingRequest(message)!
  expect([request.ufrag, request.hasUseCandidate, hasIntegrity(request, PASSWORD)]).toEqual(['evtj', false, true])
})

test('[DG19] a binding response has XOR-MAPPED-ADDRESS as in the samples of RFC 5769, 2.2 and 2.3, MESSAGE-INTEGRITY and FINGERPRINT', () => {
  const request = readBindingRequest(SAMPLE)!
  const addresses = [
    ['192.0.2.1', '00200008 0001a147 e112a643'],
    ['::ffff:192.0.2.1', '00200008 0001a147 e112a643'],
    ['2001:db8:1234:5678:11:2233:4455:6677', '00200014 0002a147 0113a9faa5d3f179bc25f4b5bed2b9d9'],
  ]
  for (const [address, expected] of addresses) {
    const answer = bindingResponse(request, { address, port: 32_853 }, PASSWORD)
    expect(answer.subarray(20, 20 + hex(expected).length), address).toEqual(hex(expected))
    expect(answer.readUInt16BE(2)).toBe(answer.length - 20)
    const message = Buffer.from(answer)
    const integrityAt = 20 + hex(expected).length + 4
    expect(hasIntegrity({ ...request, message, integrityAt }, PASSWORD), address).toBe(true)
    const fingerprint = answer.readUInt32BE(answer.length - 4)
    expect((fingerprint ^ 0x5354554e) >>> 0, address).toBe(crc32(answer.subarray(0, -8)))
  }
})

test('[DG19] addresses of both families become octets', () => {
  const cases: [string, string][] = [
    ['10.0.255.1', '0a00ff01'],
    ['::ffff:10.0.255.1', '0a00ff01'],
    ['::', '00'.repeat(16)],
    ['::1', `${'00'.repeat(15)}01`],
    ['fe80::1%eth0', `fe80${'00'.repeat(13)}01`],
    ['2001:db8::8:800:200c:417a', '20010db80000000000080800200c417a'],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
    ['1::', `0001${'00'.repeat(14)}`],
  ]
  for (const [address, expected] of cases) {
    expect(Buffer.from(octetsOf(address)).toString('hex'), address).toBe(expected)
  }
  expect(() => octetsOf('somewhere')).toThrow('no IP address')
})

test('[DG19] the PRF of TLS 1.2 with SHA-256 is that of the known test vector', () => {
  const made = prf(hex('9bbe436ba940f017b17652849a71db35'), 'test label', hex('a0ba9f936cda311827a6f796ffd5198c'), 100)
  expect(made.toString('hex')).toBe(
    'e3f229ba727be17b8d122620557cd453c2aab21d07c3d495329b52d4e61edb5a6b301791e90d35c9c9a46b4e14baf9af' +
      '0fa022f7077def17abfd3797c0564bab4fbc91666e9def9b97fce34f796789baa48082d122ee42c5a72e5a5110fff70187347b66',
  )
})

test('[DG19] a certificate is read by Node, is signed by itself, and its fingerprint is the one that Node computes', () => {
  for (let i = 0; i < 3; i++) {
    const { der, key, fingerprint } = createCertificate()
    const read = new X509Certificate(der)
    expect(read.verify(read.publicKey)).toBe(true)
    expect(read.checkPrivateKey(key)).toBe(true)
    expect(read.fingerprint256).toBe(fingerprint)
    expect(read.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1')
    // A UTCTime up to 2049, a GeneralizedTime from then on (RFC 5280, 4.1.2.5).
    const validity = Buffer.concat([hex('3020170d'), Buffer.from('000101000000Z'), hex('180f'), Buffer.from('9999')])
    expect(der.includes(validity)).toBe(true)
  }
})
