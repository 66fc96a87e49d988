/**
 * Datagrams, from the invitation to the echo: the addresses that the server tells are asked one by one, so that the one to mend can be named.
 *
 * Checks of ICE, which come back as an echo does, and a handshake of DTLS need nothing installed. Where a class for real channels is given, one is opened with
 * it.
 */

import { lookup } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GameConnection, PeerConnectionClass } from '@hurtbox/colyseus/client'
import { type Checked, type CheckOffer, checkAddresses, createCheckOffer } from '@hurtbox/datagrams'
import { type Finding, judge } from './finding.ts'
import type { Visit } from './outside.ts'

type Exchange = { readonly offer: string; readonly answer: string }

export type UdpProbe = {
  /** For `joinGame`. */
  readonly Connection: PeerConnectionClass
  /** Of the offer, where no real channel is opened. */
  readonly certificate: CheckOffer['certificate'] | undefined
  /** The offer, and what the server has answered to it. */
  exchanged(): Exchange | undefined
}

const LOOK_MS = 20
const MUCH_LOSS = 0.05

/** A connection that hands its answer over: the given one, or one that opens nothing. */
export function createUdpProbe(Real: PeerConnectionClass | undefined): UdpProbe {
  let exchange: Exchange | undefined
  const note: Note = (offer, answer) => {
    exchange ??= { offer, answer }
  }
  const exchanged = () => exchange
  if (Real !== undefined) return { Connection: noting(Real, note), certificate: undefined, exchanged }
  const { sdp, certificate } = createCheckOffer()
  return { Connection: offering(sdp, note), certificate, exchanged }
}

type Note = (offer: string, answer: string) => void

function noting(Real: PeerConnectionClass, note: Note): PeerConnectionClass {
  return class extends (Real as new (config: never) => InstanceType<PeerConnectionClass>) {
    override async setRemoteDescription(description: { type: 'answer'; sdp: string }): Promise<void> {
      note(this.localDescription?.sdp ?? '', description.sdp)
      await super.setRemoteDescription(description)
    }
  } as PeerConnectionClass
}

function offering(sdp: string, note: Note): PeerConnectionClass {
  return class {
    readonly localDescription = { sdp }
    readonly iceGatheringState = 'complete'
    onicegatheringstatechange: unknown = undefined
    createDataChannel() {
      return { readyState: 'connecting', binaryType: '', onmessage: undefined, send() {}, close() {} }
    }
    async createOffer() {}
    async setLocalDescription() {}
    async setRemoteDescription(answer: { readonly sdp: string }) {
      note(sdp, answer.sdp)
    }
    close() {}
  }
}

export async function examineUdp(match: GameConnection, visit: Visit, probe: UdpProbe): Promise<readonly Finding[]> {
  const { ok, warning, wrong } = judge('datagrams')
  const until = performance.now() + visit.waitMs
  // The invitation comes with the seat.
  while (probe.exchanged() === undefined && performance.now() < until) {
    if (!match.datagrams.isOffered && performance.now() > until - visit.waitMs / 2) break
    await sleep(LOOK_MS)
  }
  const exchange = probe.exchanged()
  if (!match.datagrams.isOffered) return [ok('off: everything goes by the socket (--udp-port opens them)')]
  if (exchange === undefined)
    return [wrong('The server invites to datagrams and does not answer: look for its UDP port in its log.')]
  const checked = await checkAddresses(exchange.offer, exchange.answer, {
    waitMs: Math.min(2_000, visit.waitMs),
    ...(probe.certificate && { certificate: probe.certificate }),
  })
  const heard = checked.filter(({ answered }) => answered > 0)
  if (heard.length === 0) return [wrong(await unheard(checked, visit))]
  const best = heard.reduce((one, other) => (other.answered > one.answered ? other : one))
  const loss = 1 - best.answered / best.sent
  if (best.longAnswered === 0) {
    return [
      warning(
        'Short packets get through and those of 1,200 bytes do not: raise the MTU of the tunnel or bridge on the way to 1,280 at least.',
      ),
    ]
  }
  const shown = `${shownAddress(best)}, ${Math.round(best.rttMs!)} ms there and back, ${Math.round(loss * 100)} % lost`
  if (best.isConnected === false) {
    return [
      wrong(
        `${shownAddress(best)} answers checks, and no handshake comes to its end there: let the firewall pass all of UDP there, not STUN alone.`,
      ),
    ]
  }
  if (loss > MUCH_LOSS) return [warning(`${shown}: the line loses too much, look for the one that is full.`)]
  const isReal = probe.certificate === undefined
  if (isReal && !(await isOpen(match, visit.waitMs))) {
    return [wrong(`${shownAddress(best)} answers, and no channel opens: look for "channel" in the log of the server.`)]
  }
  return [ok(`${shown}, ${isReal ? 'a channel is open' : 'a handshake is done'}`)]
}

async function isOpen({ datagrams }: GameConnection, waitMs: number): Promise<boolean> {
  const until = performance.now() + waitMs
  while (datagrams.rttMs === undefined && performance.now() < until) await sleep(LOOK_MS)
  return datagrams.rttMs !== undefined
}

async function unheard(checked: readonly Checked[], { url }: Visit): Promise<string> {
  if (checked.length === 0)
    return 'The server tells no address for datagrams: --udp-address with a name or address that leads to it.'
  const told = checked.map(shownAddress).join(', ')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const own = await lookup(host, { all: true }).catch(() => [])
  if (!checked.some(({ address }) => own.some((each) => each.address === address))) {
    return `Players are told UDP ${told}, where ${host} is not: --udp-address ${url.hostname}:${checked[0].port} (UDP_ADDRESSES), with the UDP port as it is outside.`
  }
  return `No packet comes back from UDP ${told}: open it in the firewall and forward it, or give its number outside with --udp-address ${url.hostname}:<port>; unless the network here blocks UDP.`
}

function shownAddress({ address, port }: Checked): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}
