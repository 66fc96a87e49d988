/**
 * The first steps of a client alone: connectivity checks to every address of an answer (RFC 8445, 7.2.4), for finding out which of them packets reach and come back
 * from, and a handshake with the one that answers best. It needs nothing native, opens no channel, and so is no client to play with.
 *
 * Checks are answered to whoever has the pwd of the answer. Half of them are as long as the longest packets of a channel, because some lines lose just those.
 */

import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { type Certificate, createCertificate } from '../dtls/certificate.ts'
import { createClientHandshake } from '../dtls/client-handshake.ts'
import { type Address, bindingResponse, createCheck, isResponseTo, isStun, readBindingRequest } from './stun.ts'

/** What came of the checks to one address. */
export type Checked = Address & {
  readonly sent: number
  readonly answered: number
  /** Of the checks that are as long as the longest packets of a channel. */
  readonly longAnswered: number
  /** The median; undefined without a response. */
  readonly rttMs: number | undefined
  /** Whether a handshake came to its end there, with the certificates of offer and answer. Tried with the best address only. */
  readonly isConnected: boolean | undefined
}

export type CheckOptions = {
  /** How many checks to each address. Default 20. */
  readonly count?: number
  /** How long the last response is waited for, and then the end of the handshake. Default 1,000 ms. */
  readonly waitMs?: number
  /** Of the offer. Without it no connection is made, as where another client does: there is one for each offer. */
  readonly certificate?: Certificate
}

export type CheckOffer = { readonly sdp: string; readonly certificate: Certificate }

/** Less than a port verifies of an address that it knows, which it does after the first one (budget.ts). */
const EVERY_MS = 25
/** What a record with a message of 1,100 bytes takes in UDP. */
const LONG_BYTES = 1_200
const MAX_ADDRESSES = 8
/** As often as Chromium asks again (RFC 6347, 4.2.4.1 has a second). */
const FLIGHT_EVERY_MS = 200

/** The description of a client that checks and does no more: a port answers it as any other. */
export function createCheckOffer(): CheckOffer {
  const certificate = createCertificate()
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    'c=IN IP4 0.0.0.0',
    'a=mid:0',
    `a=ice-ufrag:${randomBytes(4).toString('hex')}`,
    `a=ice-pwd:${randomBytes(16).toString('hex')}`,
    `a=fingerprint:sha-256 ${certificate.fingerprint}`,
    'a=setup:active',
    'a=sctp-port:5000',
  ]
  return { sdp: `${lines.join('\r\n')}\r\n`, certificate }
}

/**
 * Sends checks to the addresses in the answer to an offer, all at the same time, and makes a connection with the one that answers best; resolves when the last
 * responses had their time.
 */
export async function checkAddresses(
  offer: string,
  answer: string,
  options: CheckOptions = {},
): Promise<readonly Checked[]> {
  const { waitMs = 1_000, certificate } = options
  const names = namesIn(offer, answer)
  const candidates = [...answer.matchAll(/^a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ/gim)].map(
    ([, address, port]): Address => ({ address, port: Number(port) }),
  )
  const lines = candidates.slice(0, MAX_ADDRESSES).map((to) => ({ to, socket: socketFor(to) }))
  try {
    const checked = await Promise.all(lines.map(({ to, socket }) => checkAddress(socket, to, names, options)))
    const most = Math.max(0, ...checked.map(({ answered }) => answered))
    const best = checked.findIndex(({ answered }) => answered === most)
    if (certificate === undefined || most === 0) return checked
    const { to, socket } = lines[best]
    const isConnected = await makeConnection(socket, to, names, certificate, waitMs)
    return checked.map((each, i) => (i === best ? { ...each, isConnected } : each))
  } finally {
    for (const { socket } of lines) socket.close()
  }
}

/** What both ends told each other. */
type Names = {
  readonly username: string
  readonly pwd: string
  /** Of the offer. */
  readonly ownPwd: string
  /** Of the answer. */
  readonly fingerprint: string
}

function namesIn(offer: string, answer: string): Names {
  const valueIn = (sdp: string, name: string) => new RegExp(`^a=${name}(\\S+)`, 'im').exec(sdp)?.[1] ?? ''
  const [ufrag, pwd, fingerprint] = ['ice-ufrag:', 'ice-pwd:', 'fingerprint:sha-256 ']
  return {
    username: `${valueIn(answer, ufrag)}:${valueIn(offer, ufrag)}`,
    pwd: valueIn(answer, pwd),
    ownPwd: valueIn(offer, pwd),
    fingerprint: valueIn(answer, fingerprint).toUpperCase(),
  }
}

function socketFor({ address }: Address): Socket {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  // A network that is not there is an address that does not answer.
  return socket.on('error', () => {})
}

async function checkAddress(
  socket: Socket,
  to: Address,
  { username, pwd }: Names,
  { count = 20, waitMs = 1_000 }: CheckOptions,
): Promise<Checked> {
  const waiting = new Map<Buffer, { readonly isLong: boolean; readonly sentAt: number }>()
  const tripsMs: number[] = []
  let longAnswered = 0
  socket.on('message', (message) => {
    for (const [check, { isLong, sentAt }] of waiting) {
      if (message.length < 20 || !isResponseTo(check, message)) continue
      waiting.delete(check)
      tripsMs.push(performance.now() - sentAt)
      if (isLong) longAnswered++
    }
  })
  for (let i = 0; i < count; i++) {
    const isLong = i % 2 === 1
    const check = createCheck(username, pwd, isLong ? LONG_BYTES : 0)
    waiting.set(check, { isLong, sentAt: performance.now() })
    send(socket, check, to)
    await setTimeout(EVERY_MS)
  }
  const until = performance.now() + waitMs
  while (waiting.size > 0 && performance.now() < until) await setTimeout(EVERY_MS)
  const rttMs = tripsMs.sort((a, b) => a - b)[tripsMs.length >> 1]
  return { ...to, sent: count, answered: tripsMs.length, longAnswered, rttMs, isConnected: undefined }
}

/** Whether a handshake is done in time. A server that is no lite agent asks back first, and wants its address nominated (RFC 8445, 8.1.1). */
async function makeConnection(
  socket: Socket,
  to: Address,
  { username, pwd, ownPwd, fingerprint }: Names,
  certificate: Certificate,
  waitMs: number,
): Promise<boolean> {
  const handshake = createClientHandshake(certificate, fingerprint)
  let hasFailed = false
  const tell = () => {
    send(socket, createCheck(username, pwd, 0, true), to)
    send(socket, handshake.flight(), to)
  }
  socket.on('message', (message) => {
    try {
      if (isStun(message)) {
        const request = readBindingRequest(message)
        if (request !== undefined) send(socket, bindingResponse(request, to, ownPwd), to)
      } else if (handshake.take(message)) send(socket, handshake.flight(), to)
    } catch {
      hasFailed = true
    }
  })
  tell()
  const again = setInterval(tell, FLIGHT_EVERY_MS)
  const until = performance.now() + waitMs
  while (!handshake.isDone && !hasFailed && performance.now() < until) await setTimeout(EVERY_MS)
  clearInterval(again)
  return handshake.isDone
}

function send(socket: Socket, packet: Buffer, { address, port }: Address): void {
  socket.send(packet, port, address, () => {})
}
