/**
 * The first step of a client alone: connectivity checks to every address of an answer (RFC 8445, 7.2.4), for finding out which of them packets reach and come back
 * from. It needs nothing native, opens no channel, and so is no client to play with.
 *
 * Checks are answered to whoever has the pwd of the answer. Half of them are as long as the longest packets of a channel, because some lines lose just those.
 */

import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { type Address, createCheck, isResponseTo } from './stun.ts'

/** What came of the checks to one address. */
export type Checked = Address & {
  readonly sent: number
  readonly answered: number
  /** Of the checks that are as long as the longest packets of a channel. */
  readonly longAnswered: number
  /** The median; undefined without a response. */
  readonly rttMs: number | undefined
}

export type CheckOptions = {
  /** How many checks to each address. Default 20. */
  readonly count?: number
  /** How long the last response is waited for. Default 1,000 ms. */
  readonly waitMs?: number
}

/** Less than a port verifies of an address that it knows, which it does after the first one (budget.ts). */
const EVERY_MS = 25
/** What a record with a message of 1,100 bytes takes in UDP. */
const LONG_BYTES = 1_200
const MAX_ADDRESSES = 8

/** The description of a client that checks and does no more: a port answers it as any other. */
export function createCheckOffer(): string {
  const hex = [...randomBytes(32)].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase())
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
    `a=fingerprint:sha-256 ${hex.join(':')}`,
    'a=setup:active',
    'a=sctp-port:5000',
  ]
  return `${lines.join('\r\n')}\r\n`
}

/** Sends checks to the addresses in the answer to an offer, all at the same time; resolves when the last responses had their time. */
export async function checkAddresses(
  offer: string,
  answer: string,
  options: CheckOptions = {},
): Promise<readonly Checked[]> {
  const valueIn = (sdp: string, name: string) => new RegExp(`^a=ice-${name}:(\\S+)`, 'm').exec(sdp)?.[1] ?? ''
  const names = { username: `${valueIn(answer, 'ufrag')}:${valueIn(offer, 'ufrag')}`, pwd: valueIn(answer, 'pwd') }
  const candidates = [...answer.matchAll(/^a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ/gim)].map(
    ([, address, port]): Address => ({ address, port: Number(port) }),
  )
  return Promise.all(candidates.slice(0, MAX_ADDRESSES).map((to) => checkAddress(to, names, options)))
}

async function checkAddress(
  to: Address,
  { username, pwd }: { readonly username: string; readonly pwd: string },
  { count = 20, waitMs = 1_000 }: CheckOptions,
): Promise<Checked> {
  const waiting = new Map<Buffer, { readonly isLong: boolean; readonly sentAt: number }>()
  const tripsMs: number[] = []
  let longAnswered = 0
  const socket = createSocket(isIPv6(to.address) ? 'udp6' : 'udp4')
  // A network that is not there is an address that does not answer.
  socket.on('error', () => {})
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
  socket.close()
  const rttMs = tripsMs.sort((a, b) => a - b)[tripsMs.length >> 1]
  return { ...to, sent: count, answered: tripsMs.length, longAnswered, rttMs }
}

function send(socket: Socket, check: Buffer, { address, port }: Address): void {
  socket.send(check, port, address, () => {})
}
