/**
 * Handshake messages as bytes: the presentation language of TLS (RFC 5246, 4) and the messages in it.
 *
 *   handshake header     RFC 6347, 4.2.2     ServerKeyExchange     RFC 8422, 5.4
 *   ClientHello          RFC 6347, 4.2.1     CertificateRequest    RFC 5246, 7.4.4
 *   HelloVerifyRequest   RFC 6347, 4.2.1     Certificate           RFC 5246, 7.4.2
 *   ServerHello          RFC 5246, 7.4.1.3   ClientKeyExchange     RFC 8422, 5.7
 *   CertificateVerify    RFC 5246, 7.4.8
 */

import { type CipherSuite, SUITES } from './ciphers/suites.ts'

export const HANDSHAKE_TYPE = {
  clientHello: 1,
  serverHello: 2,
  helloVerifyRequest: 3,
  certificate: 11,
  serverKeyExchange: 12,
  certificateRequest: 13,
  serverHelloDone: 14,
  certificateVerify: 15,
  clientKeyExchange: 16,
  finished: 20,
} as const

export const HANDSHAKE_HEADER_BYTES = 12
export const DTLS_1_2 = 0xfefd
/** What a HelloVerifyRequest says, whatever version is meant (RFC 6347, 4.2.1). */
const DTLS_1_0 = 0xfeff
/** TLS_EMPTY_RENEGOTIATION_INFO_SCSV (RFC 5746, 3.3), which clients may send in place of the extension. */
const RENEGOTIATION_INFO_SCSV = 0x00ff
const EXTENSION = {
  supportedGroups: 10,
  signatureAlgorithms: 13,
  extendedMasterSecret: 23,
  renegotiationInfo: 0xff01,
} as const
const NAMED_CURVE = 3
export const SECP256R1 = 23
export const ECDSA_SECP256R1_SHA256 = 0x0403
const CLIENT_CERTIFICATE_TYPE_ECDSA_SIGN = 64
export const NULL_COMPRESSION = 0

/** A whole message, as one fragment. */
export function handshakeMessage(type: number, messageSeq: number, body: Buffer): Buffer {
  const message = Buffer.alloc(HANDSHAKE_HEADER_BYTES + body.length)
  message[0] = type
  message.writeUIntBE(body.length, 1, 3)
  message.writeUInt16BE(messageSeq, 4)
  message.writeUIntBE(body.length, 9, 3)
  message.set(body, HANDSHAKE_HEADER_BYTES)
  return message
}

export type ClientHello = {
  readonly version: number
  readonly random: Buffer
  readonly cookie: Buffer
  /** What must be the same when it comes again with a cookie: version, random, session_id, cipher_suites, compression_methods (RFC 6347, 4.2.1). */
  readonly parameters: Buffer
  readonly cipherSuites: readonly number[]
  readonly compressionMethods: Buffer
  readonly supportedGroups: readonly number[]
  readonly signatureAlgorithms: readonly number[]
  readonly hasExtendedMasterSecret: boolean
  /** By the extension or the SCSV. */
  readonly hasRenegotiationInfo: boolean
}

/** Throws where it is malformed: too short, too long, or with an extension twice (RFC 5246, 7.4.1.4). */
export function readClientHello(body: Buffer): ClientHello {
  const hello = reader(body)
  const version = hello.uint16()
  const random = Buffer.from(hello.opaque(32))
  // session_id
  hello.vector(1)
  const beforeCookie = body.subarray(0, hello.at())
  const cookie = hello.vector(1)
  const afterCookie = hello.at()
  const cipherSuites = uint16sOf(hello.vector(2))
  const compressionMethods = hello.vector(1)
  const parameters = Buffer.concat([beforeCookie, body.subarray(afterCookie, hello.at())])
  const extensions = extensionsIn(hello.isAtEnd() ? Buffer.alloc(0) : hello.vector(2))
  if (!hello.isAtEnd()) throw new Error('A ClientHello is too long.')
  return {
    version,
    random,
    cookie,
    parameters,
    cipherSuites,
    compressionMethods,
    supportedGroups: listIn(extensions.get(EXTENSION.supportedGroups)),
    signatureAlgorithms: listIn(extensions.get(EXTENSION.signatureAlgorithms)),
    hasExtendedMasterSecret: extensions.has(EXTENSION.extendedMasterSecret),
    hasRenegotiationInfo: cipherSuites.includes(RENEGOTIATION_INFO_SCSV) || extensions.has(EXTENSION.renegotiationInfo),
  }
}

function extensionsIn(bytes: Buffer): Map<number, Buffer> {
  const extensions = new Map<number, Buffer>()
  const rest = reader(bytes)
  while (!rest.isAtEnd()) {
    const type = rest.uint16()
    if (extensions.has(type)) throw new Error('A ClientHello has an extension twice.')
    extensions.set(type, rest.vector(2))
  }
  return extensions
}

/** The first message of a client, with the cookie that it was given, if any. */
export function writeClientHello(random: Buffer, cookie: Buffer, cipherSuites: readonly number[]): Buffer {
  const extensions = Buffer.concat([
    extension(EXTENSION.supportedGroups, vector(2, uint16(SECP256R1))),
    extension(EXTENSION.signatureAlgorithms, vector(2, uint16(ECDSA_SECP256R1_SHA256))),
    extension(EXTENSION.extendedMasterSecret, Buffer.alloc(0)),
    extension(EXTENSION.renegotiationInfo, Buffer.of(0)),
  ])
  const noSessionId = Buffer.of(0)
  return Buffer.concat([
    uint16(DTLS_1_2),
    random,
    noSessionId,
    vector(1, cookie),
    vector(2, uint16(...cipherSuites)),
    vector(1, Buffer.of(NULL_COMPRESSION)),
    vector(2, extensions),
  ])
}

/** The cookie. */
export function readHelloVerifyRequest(body: Buffer): Buffer {
  const request = reader(body)
  // server_version
  request.uint16()
  return Buffer.from(request.vector(1))
}

export function writeHelloVerifyRequest(cookie: Buffer): Buffer {
  return Buffer.concat([uint16(DTLS_1_0), vector(1, cookie)])
}

/** There is no renegotiation, and who asks must be told so (RFC 5746, 3.6): with an empty `renegotiated_connection`. */
export function writeServerHello(random: Buffer, cipherSuite: number, hasRenegotiationInfo: boolean): Buffer {
  const extensions = Buffer.concat([
    ...(hasRenegotiationInfo ? [extension(EXTENSION.renegotiationInfo, Buffer.of(0))] : []),
    extension(EXTENSION.extendedMasterSecret, Buffer.alloc(0)),
  ])
  const noSessionId = Buffer.of(0)
  return Buffer.concat([
    uint16(DTLS_1_2),
    random,
    noSessionId,
    uint16(cipherSuite),
    Buffer.of(NULL_COMPRESSION),
    vector(2, extensions),
  ])
}

/** Throws for a cipher suite that was not offered. */
export function readServerHello(body: Buffer): { readonly random: Buffer; readonly suite: CipherSuite } {
  const hello = reader(body)
  // server_version
  hello.uint16()
  const random = Buffer.from(hello.opaque(32))
  // session_id
  hello.vector(1)
  const id = hello.uint16()
  const suite = SUITES.find((each) => each.id === id)
  if (suite === undefined) throw new Error('The server has chosen a cipher suite that it was not offered.')
  return { random, suite }
}

export function writeCertificate(der: Buffer): Buffer {
  return vector(3, vector(3, der))
}

/** The first of the chain, which says who it is. */
export function readCertificate(body: Buffer): Buffer {
  return reader(reader(body).vector(3)).vector(3)
}

/** ServerECDHParams, which the server signs. */
export function ecdhParams(publicPoint: Buffer): Buffer {
  return Buffer.concat([Buffer.of(NAMED_CURVE), uint16(SECP256R1), vector(1, publicPoint)])
}

export function writeServerKeyExchange(params: Buffer, signature: Buffer): Buffer {
  return Buffer.concat([params, uint16(ECDSA_SECP256R1_SHA256), vector(2, signature)])
}

/** What is signed, the point in it, and the signature. Throws for another curve or algorithm. */
export function readServerKeyExchange(body: Buffer): {
  readonly params: Buffer
  readonly point: Buffer
  readonly signature: Buffer
} {
  const exchange = reader(body)
  const curve = exchange.opaque(3)
  const point = exchange.vector(1)
  const params = body.subarray(0, exchange.at())
  const algorithm = exchange.uint16()
  if (curve[0] !== NAMED_CURVE || curve.readUInt16BE(1) !== SECP256R1 || algorithm !== ECDSA_SECP256R1_SHA256)
    throw new Error('The server has another curve or signature.')
  return { params, point, signature: exchange.vector(2) }
}

export function writeClientKeyExchange(point: Buffer): Buffer {
  return vector(1, point)
}

export function writeCertificateVerify(signature: Buffer): Buffer {
  return Buffer.concat([uint16(ECDSA_SECP256R1_SHA256), vector(2, signature)])
}

export function writeCertificateRequest(): Buffer {
  const noAuthorities = uint16(0)
  return Buffer.concat([
    vector(1, Buffer.of(CLIENT_CERTIFICATE_TYPE_ECDSA_SIGN)),
    vector(2, uint16(ECDSA_SECP256R1_SHA256)),
    noAuthorities,
  ])
}

/** Throws at the end of the bytes. */
export function reader(bytes: Buffer) {
  let at = 0
  const opaque = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('A handshake message is too short.')
    at += length
    return bytes.subarray(at - length, at)
  }
  return {
    opaque,
    uint16: () => opaque(2).readUInt16BE(0),
    /** Variable-length: bytes behind their length. */
    vector: (lengthBytes: number) => opaque(opaque(lengthBytes).readUIntBE(0, lengthBytes)),
    at: () => at,
    isAtEnd: () => at === bytes.length,
  }
}

function uint16sOf(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length >>> 1 }, (_, i) => bytes.readUInt16BE(2 * i))
}

/** The numbers of an extension that is a list of them. */
function listIn(extensionData: Buffer | undefined): number[] {
  return extensionData === undefined ? [] : uint16sOf(reader(extensionData).vector(2))
}

function uint16(...values: readonly number[]): Buffer {
  return Buffer.from(values.flatMap((value) => [value >>> 8, value & 0xff]))
}

function vector(lengthBytes: number, bytes: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes)
  length.writeUIntBE(bytes.length, 0, lengthBytes)
  return Buffer.concat([length, bytes])
}

function extension(type: number, data: Buffer): Buffer {
  return Buffer.concat([uint16(type), vector(2, data)])
}
