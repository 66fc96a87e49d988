/**
 * The beginning of a handshake as a client has it, up to the certificate of the server (RFC 6347, 4.2): whether records of DTLS get there and come back, and who
 * answers. It goes no further, so it needs no keys and no certificate of its own.
 */

import { randomBytes } from 'node:crypto'
import { fingerprintOf } from './certificate.ts'
import { SUITES } from './ciphers/suites.ts'
import {
  HANDSHAKE_TYPE,
  handshakeMessage,
  readCertificate,
  readHelloVerifyRequest,
  writeClientHello,
} from './messages.ts'
import { addFragment, eachFragment, type Reassembly, wholeBody } from './reassembly.ts'
import { CONTENT_TYPE, createRecordLayer, eachRecord, writeRecord } from './records.ts'

export type Introduction = {
  /** The ClientHello; also what is sent again when nothing comes. */
  hello(): Buffer
  /** Takes a datagram. True: a cookie was in it, so the ClientHello is to be sent again. */
  take(datagram: Buffer): boolean
  /** Of the certificate of the server, when it has come. */
  fingerprint: string | undefined
}

/** A server sends its certificate third, or second where it wants no cookie. */
const LAST_SEQ = 3
const EVERYTHING = { isFull: () => false, admits: () => true, decrypted() {} }

export function createIntroduction(): Introduction {
  const layer = createRecordLayer({ forged: 0, replayed: 0 })
  const reassembly: Reassembly = new Map()
  const random = randomBytes(32)
  const suites = SUITES.map(({ id }) => id)
  let cookie: Buffer = Buffer.alloc(0)
  const self: Introduction = {
    fingerprint: undefined,
    hello() {
      const body = writeClientHello(random, cookie, suites)
      const message = handshakeMessage(HANDSHAKE_TYPE.clientHello, cookie.length > 0 ? 1 : 0, body)
      return writeRecord(layer, CONTENT_TYPE.handshake, 0, message)
    },
    take(datagram) {
      const hadCookie = cookie.length > 0
      eachRecord(layer, datagram, EVERYTHING, (contentType, epoch, plaintext) => {
        if (contentType !== CONTENT_TYPE.handshake || epoch !== 0) return
        eachFragment(plaintext, (fragment) => {
          if (fragment.messageSeq <= LAST_SEQ) addFragment(reassembly, fragment)
        })
      })
      for (let seq = 0; seq <= LAST_SEQ; seq++) {
        const body = wholeBody(reassembly, seq)
        const type = reassembly.get(seq)?.type
        if (body === undefined) continue
        if (type === HANDSHAKE_TYPE.helloVerifyRequest) cookie = readHelloVerifyRequest(body)
        if (type === HANDSHAKE_TYPE.certificate) self.fingerprint = fingerprintOf(readCertificate(body))
      }
      return !hadCookie && cookie.length > 0
    },
  }
  return self
}
