/** What client and port tell each other about themselves (SDP): the names and passwords of ICE, fingerprints, and where the port is found. */

import type { Address } from './stun.ts'

export type Offer = {
  /** The SHA-256 of the client's certificate, as `fingerprintOf` writes it. */
  readonly fingerprint: string
  /** What the client calls this part of the connection. */
  readonly mid: string
}

export type Candidate = Address & { readonly kind: 'host' | 'srflx' }

export type Answer = {
  readonly mid: string
  readonly name: string
  readonly password: string
  readonly fingerprint: string
  readonly candidates: readonly Candidate[]
  readonly maxMessageBytes: number
}

/** An error says what is missing. Addresses in it are not read: only who finds the port is answered. */
export function readOffer(sdp: string): Offer {
  const lines = sdp.split(/\r?\n/)
  const attribute = (name: string) => lines.find((line) => line.startsWith(`a=${name}:`))?.slice(name.length + 3)
  if (!lines.some((line) => line.startsWith('m=application') && line.includes('DTLS/SCTP'))) {
    throw new Error('The offer has no data channel.')
  }
  const [algorithm, fingerprint] = attribute('fingerprint')?.trim().split(/\s+/) ?? []
  if (algorithm?.toLowerCase() !== 'sha-256' || fingerprint === undefined) {
    throw new Error('The offer has no fingerprint of SHA-256.')
  }
  if (attribute('setup') === 'passive') throw new Error('The offer wants to be called, and so does this end.')
  const mid = attribute('mid') ?? '0'
  if (!/^[\w-]{1,16}$/.test(mid)) throw new Error('The offer has a strange name for its part.')
  return { fingerprint: fingerprint.toUpperCase(), mid }
}

export function writeAnswer({ mid, name, password, fingerprint, candidates, maxMessageBytes }: Answer): string {
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
    `a=ice-ufrag:${name}`,
    `a=ice-pwd:${password}`,
    `a=fingerprint:sha-256 ${fingerprint}`,
    'a=setup:passive',
    'a=sctp-port:5000',
    `a=max-message-size:${maxMessageBytes}`,
    ...candidates.map(writeCandidate),
    'a=end-of-candidates',
  ]
  return `${lines.join('\r\n')}\r\n`
}

function writeCandidate({ address, port, kind }: Candidate, index: number): string {
  // Addresses of the machine before those that others see, and the first before the second.
  const priority = (kind === 'host' ? 126 : 100) * 0x1000000 + (65_535 - index) * 0x100 + 255
  const origin = kind === 'srflx' ? ' raddr 0.0.0.0 rport 0' : ''
  return `a=candidate:${index + 1} 1 UDP ${priority} ${address} ${port} typ ${kind}${origin}`
}
