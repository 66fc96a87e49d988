/**
 * Offer and answer of a data channel (SDP), as browsers write and read them (JSEP, RFC 9429).
 *
 *   candidate, ice-lite, ice-ufrag, ice-pwd     RFC 8839, 5.1, 5.3, 5.4
 *   candidate priorities                        RFC 8445, 5.1.2
 *   fingerprint                                 RFC 8122, 5
 *   setup                                       RFC 8842, 5: the offerer is the DTLS client
 *   m=application UDP/DTLS/SCTP, sctp-port, max-message-size    RFC 8841, 4, 5, 6
 *   BUNDLE, mid                                 RFC 9143, 5888
 */

import type { Address } from './stun.ts'

export type Offer = {
  /** The SHA-256 of the client's certificate, as `fingerprintOf` writes it. */
  readonly fingerprint: string
  readonly mid: string
}

export type Candidate = Address & { readonly type: 'host' | 'srflx' }

export type Answer = {
  readonly mid: string
  readonly ufrag: string
  readonly pwd: string
  readonly fingerprint: string
  readonly candidates: readonly Candidate[]
  readonly maxMessageBytes: number
}

const SCTP_PORT = 5000
/** RFC 8445, 5.1.2.2. */
const TYPE_PREFERENCE = { host: 126, srflx: 100 } as const
const COMPONENT_ID = 1

/** An error says what is missing. Candidates in it are not read: an ICE lite agent sends no checks, so no address in an offer is contacted. */
export function readOffer(sdp: string): Offer {
  const lines = sdp.split(/\r?\n/)
  const attribute = (name: string) => lines.find((line) => line.startsWith(`a=${name}:`))?.slice(name.length + 3)
  if (!lines.some((line) => line.startsWith('m=application') && line.includes('DTLS/SCTP'))) {
    throw new Error('The offer has no data channel.')
  }
  const fingerprint = fingerprintIn(lines)
  if (attribute('setup') === 'passive') throw new Error('The offer has a=setup:passive, and so has this end.')
  const mid = attribute('mid') ?? '0'
  if (!/^[\w-]{1,16}$/.test(mid)) throw new Error('The mid of the offer is not 1 to 16 letters, digits, _ and -.')
  return { fingerprint, mid }
}

/** The one of SHA-256. Others are not looked at (RFC 8122, 5: a hash that one does not support). There is one certificate, so two that differ are a mistake or an attack. */
function fingerprintIn(lines: readonly string[]): string {
  const all = lines.flatMap((line) => {
    const [, hash, value] = /^a=fingerprint:(\S*)\s*(.*?)\s*$/.exec(line) ?? []
    return hash?.toLowerCase() === 'sha-256' ? [value.toUpperCase()] : []
  })
  const [fingerprint] = all
  if (fingerprint === undefined || !/^[\dA-F]{2}(:[\dA-F]{2}){31}$/.test(fingerprint))
    throw new Error('The offer has no SHA-256 fingerprint.')
  if (all.some((each) => each !== fingerprint)) throw new Error('The offer has two fingerprints that differ.')
  return fingerprint
}

export function writeAnswer({ mid, ufrag, pwd, fingerprint, candidates, maxMessageBytes }: Answer): string {
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    `a=group:BUNDLE ${mid}`,
    'a=ice-lite',
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${pwd}`,
    `a=fingerprint:sha-256 ${fingerprint}`,
    'a=setup:passive',
    `a=sctp-port:${SCTP_PORT}`,
    `a=max-message-size:${maxMessageBytes}`,
    ...candidates.map((candidate, i) => `a=${writeCandidate(candidate, i)}`),
    'a=end-of-candidates',
  ]
  return `${lines.join('\r\n')}\r\n`
}

export function writeCandidate({ address, port, type }: Candidate, index: number): string {
  const localPreference = 65_535 - index
  const priority = TYPE_PREFERENCE[type] * 2 ** 24 + localPreference * 2 ** 8 + 256 - COMPONENT_ID
  const related = type === 'srflx' ? ' raddr 0.0.0.0 rport 0' : ''
  return `candidate:${index + 1} ${COMPONENT_ID} UDP ${priority} ${address} ${port} typ ${type}${related}`
}
