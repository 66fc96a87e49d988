/**
 * The client's side of the handshake (RFC 6347, 4.2), for finding out whether one comes to its end with a port: whether records of DTLS get there and come back,
 * and who answers. Nothing is said in the connection.
 *
 * It takes what a server of channels sends (handshake.ts) and fails at everything else.
 */

import { createECDH, randomBytes, sign, timingSafeEqual, verify, X509Certificate } from 'node:crypto'
import { type Certificate, fingerprintOf } from './certificate.ts'
import { type CipherSuite, SUITES } from './ciphers/suites.ts'
import { deriveSecrets, type Secrets } from './keys.ts'
import {
  HANDSHAKE_TYPE,
  handshakeMessage,
  readCertificate,
  readHelloVerifyRequest,
  readServerHello,
  readServerKeyExchange,
  writeCertificate,
  writeCertificateVerify,
  writeClientHello,
  writeClientKeyExchange,
} from './messages.ts'
import { addFragment, eachFragment, type Reassembly, wholeBody } from './reassembly.ts'
import { CONTENT_TYPE, createRecordLayer, eachRecord, writeRecord } from './records.ts'

export type ClientHandshake = {
  /** The datagram to send now, and again while nothing comes. */
  flight(): Buffer
  /** Takes a datagram. True: there is another flight to send. Throws when the handshake has failed. */
  take(datagram: Buffer): boolean
  /** Both ends have said that they saw the same messages. */
  isDone: boolean
}

/** A server sends six messages, the first of them perhaps more than once. */
const MAX_AHEAD = 8
const EVERYTHING = { isFull: () => false, admits: () => true, decrypted() {} }

type Server = { random: Buffer; suite: CipherSuite; der: Buffer; point: Buffer }

/** `fingerprint`: of the certificate that the server must show. */
export function createClientHandshake(certificate: Certificate, fingerprint: string): ClientHandshake {
  const layer = createRecordLayer({ forged: 0, replayed: 0 })
  const reassembly: Reassembly = new Map()
  const random = randomBytes(32)
  const ecdh = createECDH('prime256v1')
  const server: Partial<Server> = {}
  let secrets: Secrets | undefined
  /** Without the ClientHello that had no cookie, and its answer (RFC 6347, 4.2.6). */
  let messages: Buffer[] = []
  let [nextSendSeq, nextReceiveSeq] = [0, 0]
  let flight = (): Buffer => Buffer.alloc(0)

  const add = (type: number, body: Buffer): Buffer => {
    const message = handshakeMessage(type, nextSendSeq++, body)
    messages.push(message)
    return message
  }
  const record = (message: Buffer) => writeRecord(layer, CONTENT_TYPE.handshake, 0, message)

  function greet(cookie: Buffer): void {
    const suites = SUITES.map(({ id }) => id)
    messages = []
    const hello = add(HANDSHAKE_TYPE.clientHello, writeClientHello(random, cookie, suites))
    flight = () => record(hello)
  }

  /** Answers ServerHelloDone. */
  function answer(): void {
    const { random: serverRandom, suite, point } = requireAll(server)
    const exchange = { ecdh, suite, randoms: Buffer.concat([random, serverRandom]), nextReceiveSeq: nextSendSeq }
    const open = [
      add(HANDSHAKE_TYPE.certificate, writeCertificate(certificate.der)),
      add(HANDSHAKE_TYPE.clientKeyExchange, writeClientKeyExchange(ecdh.generateKeys())),
    ]
    const signature = sign('sha256', Buffer.concat(messages), certificate.key)
    open.push(add(HANDSHAKE_TYPE.certificateVerify, writeCertificateVerify(signature)))
    secrets = deriveSecrets(exchange, point, messages)
    // They are named from the server's end.
    layer.write = secrets.read
    layer.read = secrets.write
    const finished = handshakeMessage(HANDSHAKE_TYPE.finished, nextSendSeq++, secrets.verifyData.client)
    flight = () =>
      Buffer.concat([
        ...open.map(record),
        writeRecord(layer, CONTENT_TYPE.changeCipherSpec, 0, Buffer.of(1)),
        writeRecord(layer, CONTENT_TYPE.handshake, 1, finished),
      ])
  }

  function receive(type: number, body: Buffer): void {
    if (type === HANDSHAKE_TYPE.helloVerifyRequest) {
      greet(readHelloVerifyRequest(body))
      return
    }
    messages.push(handshakeMessage(type, nextReceiveSeq - 1, body))
    if (type === HANDSHAKE_TYPE.serverHello) Object.assign(server, readServerHello(body))
    else if (type === HANDSHAKE_TYPE.certificate) {
      server.der = readCertificate(body)
      if (fingerprintOf(server.der) !== fingerprint) throw new Error('The certificate is not the one of the answer.')
    } else if (type === HANDSHAKE_TYPE.serverKeyExchange) {
      const { params, point, signature } = readServerKeyExchange(body)
      const signed = Buffer.concat([random, server.random ?? random, params])
      const { publicKey } = new X509Certificate(server.der ?? Buffer.alloc(0))
      if (!verify('sha256', signed, publicKey, signature)) throw new Error('The key is not signed by the certificate.')
      server.point = point
    } else if (type === HANDSHAKE_TYPE.serverHelloDone) answer()
    else if (type === HANDSHAKE_TYPE.finished) self.isDone = isEqual(body, secrets?.verifyData.server)
  }

  const self: ClientHandshake = {
    isDone: false,
    flight: () => flight(),
    take(datagram) {
      const before = flight
      eachRecord(layer, datagram, EVERYTHING, (contentType, epoch, plaintext) => {
        if (contentType !== CONTENT_TYPE.handshake) return
        eachFragment(plaintext, (fragment) => {
          const ahead = fragment.messageSeq - nextReceiveSeq
          const isProtected = fragment.type === HANDSHAKE_TYPE.finished
          if (ahead >= 0 && ahead < MAX_AHEAD && isProtected === (epoch === 1)) addFragment(reassembly, fragment)
        })
      })
      for (;;) {
        const body = wholeBody(reassembly, nextReceiveSeq)
        if (body === undefined) return flight !== before
        receive(reassembly.get(nextReceiveSeq++)!.type, body)
      }
    },
  }
  greet(Buffer.alloc(0))
  return self
}

function requireAll({ random, suite, der, point }: Partial<Server>): Server {
  if (random === undefined || suite === undefined || der === undefined || point === undefined)
    throw new Error('The server has left out a message.')
  return { random, suite, der, point }
}

function isEqual(said: Buffer, wanted: Buffer | undefined): boolean {
  return wanted !== undefined && said.length === wanted.length && timingSafeEqual(said, wanted)
}
