/**
 * The other stack behind the face of a port: libdatachannel, by the optional package `node-datachannel`, in this process.
 *
 * It shares no line of cryptography and nearly none of protocol with ours, so who reads of a flaw in one can change to the other. It has no budgets of records
 * and counts nothing that was dropped (budget.ts), costs more for each datagram, and does not say when its socket fails.
 *
 * Its threads may close a connection at any time, and a remote candidate that comes then makes it throw ("Got a remote candidate without ICE transport"). So it
 * never gets one: of an offer it sees a description that is written anew, and clients are found by their connectivity checks, as by a lite agent.
 * No address in an offer is contacted.
 */

import { setTimeout } from 'node:timers/promises'
import type { DataChannel, PeerConnection, RtcConfig } from 'node-datachannel'
import { readOffer, writeCandidate } from './ice/sdp.ts'
import type { Address } from './ice/stun.ts'
import {
  addressesOf,
  bind,
  type Channel,
  type ChannelHandlers,
  MAX_MESSAGE_BYTES,
  type Port,
  type PortOptions,
} from './port.ts'

type Library = typeof import('node-datachannel')

/** What waits for one client; more is dropped, since it would come too late anyway. */
const MAX_BUFFERED_BYTES = 64 * 1024
/** How long a SACK waits for DATA to travel with, as in browsers. The 20 ms of the library make a packet of nearly each. */
const SACK_DELAY_MS = 200
/** At the start STUN servers have a second to respond. */
const GATHERINGS = 10
const GATHERING_MS = 100
const EMPTY = new Uint8Array(0)

export async function openNativePort(options: PortOptions): Promise<Port> {
  const { addresses = (own) => own, stunServers, onError = () => {}, refused } = options
  const library = await load()
  library.setSctpSettings({ delayedSackTime: SACK_DELAY_MS })
  const { address: host, port } = await freePort(options)
  const settings: RtcConfig = {
    iceServers: [],
    enableIceUdpMux: true,
    portRangeBegin: port,
    portRangeEnd: port,
    maxMessageSize: MAX_MESSAGE_BYTES,
    bindAddress: host,
  }
  const holder = await holdPort(library, { ...settings, iceServers: stunServers.map(stunUri) })
  const own = () => addressesOf(host).map((address) => ({ address, port }))
  const channels = new Set<Channel>()
  const onThrown = (error: unknown) => {
    refused.threw++
    onError(error)
  }

  function open(offer: string, handlers: ChannelHandlers): Channel {
    const description = descriptionOf(offer)
    const connection = new library.PeerConnection('client', settings)
    const onClosed: ChannelHandlers['onClosed'] = () => {
      channels.delete(channel)
      handlers.onClosed()
    }
    const serving = serve(connection, { ...handlers, onClosed, onThrown })
    try {
      connection.setRemoteDescription(description, 'offer')
    } catch (error) {
      connection.close()
      throw error
    }
    const reflexive = candidatesIn(holder.localDescription()?.sdp ?? '').filter((line) => line.includes(' typ srflx'))
    const answer = withCandidates(connection.localDescription()!.sdp, [
      ...addresses(own()).map((each, i) => `a=${writeCandidate({ ...each, type: 'host' }, i)}`),
      ...reflexive,
    ])
    const channel = { answer, ...serving }
    channels.add(channel)
    return channel
  }

  return {
    open,
    close() {
      for (const channel of [...channels]) channel.close()
      holder.close()
    },
  }
}

async function load(): Promise<Library> {
  try {
    return await import('node-datachannel')
  } catch (error) {
    const [why] = (error as Error).message.split('\n')
    throw new Error(
      `the native stack is the package node-datachannel, which cannot be loaded (${why}); npm install node-datachannel`,
    )
  }
}

/** The library takes the port with the first connection, and does not say why it cannot. */
async function freePort({ port, host }: PortOptions): Promise<Address> {
  const socket = await bind(port, host)
  const bound = socket.address()
  await new Promise<void>((resolve) => socket.close(() => resolve()))
  return bound
}

/** A connection to nobody, so that the port is had from the start to the end, and STUN servers are asked for all. */
async function holdPort(library: Library, settings: RtcConfig): Promise<PeerConnection> {
  const holder = new library.PeerConnection('port', settings)
  try {
    holder.createDataChannel('')
  } catch (error) {
    holder.close()
    throw error
  }
  for (let tries = 0; tries < GATHERINGS && holder.gatheringState() !== 'complete'; tries++)
    await setTimeout(GATHERING_MS)
  return holder
}

type Serving = ChannelHandlers & { onThrown(error: unknown): void }

/** What is thrown in a callback of native code would end the process. */
function serve(
  connection: PeerConnection,
  { onMessage, onClosed, onThrown }: Serving,
): Pick<Channel, 'send' | 'close'> {
  let channel: DataChannel | undefined
  let isClosed = false
  const close = () => {
    if (isClosed) return
    isClosed = true
    connection.close()
    try {
      onClosed()
    } catch (error) {
      onThrown(error)
    }
  }
  const receive = (data: string | Buffer | ArrayBuffer) => {
    if (isClosed) return
    try {
      // As in our own stack: a string is handed on as nothing.
      onMessage(typeof data === 'string' ? EMPTY : data instanceof ArrayBuffer ? new Uint8Array(data) : data)
    } catch (error) {
      onThrown(error)
      close()
    }
  }
  connection.onStateChange((state) => {
    if (state === 'closed' || state === 'failed' || state === 'disconnected') close()
  })
  connection.onDataChannel((opened) => {
    // One is enough.
    if (channel !== undefined) return opened.close()
    channel = opened
    opened.onMessage(receive)
    opened.onClosed(close)
  })
  return {
    send(bytes) {
      if (isClosed || channel === undefined) return
      try {
        if (channel.bufferedAmount() < MAX_BUFFERED_BYTES) channel.sendMessageBinary(bytes)
      } catch {
        // A thread has closed it just now, and says so next.
      }
    },
    close,
  }
}

/** What the library is told of an offer: no candidates, one fingerprint, one section. The offerer is the DTLS client. Throws where no data channel is offered. */
function descriptionOf(offer: string): string {
  const { fingerprint, mid } = readOffer(offer)
  const valueIn = (name: string, form: RegExp) => {
    const value = new RegExp(`^a=${name}:(.*?)\\s*$`, 'm').exec(offer)?.[1] ?? ''
    if (form.test(value)) return value
    throw new Error(`The offer has no ${name}.`)
  }
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    `a=group:BUNDLE ${mid}`,
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    `a=ice-ufrag:${valueIn('ice-ufrag', /^[A-Za-z\d+/]{4,256}$/)}`,
    `a=ice-pwd:${valueIn('ice-pwd', /^[A-Za-z\d+/]{22,256}$/)}`,
    `a=fingerprint:sha-256 ${fingerprint}`,
    'a=setup:active',
    `a=sctp-port:${valueIn('sctp-port', /^\d{1,5}$/)}`,
  ]
  return `${lines.join('\r\n')}\r\n`
}

function candidatesIn(sdp: string): string[] {
  return sdp.split(/\r?\n/).filter((line) => line.startsWith('a=candidate:'))
}

/** In the place of those that the library knows of. */
function withCandidates(sdp: string, candidates: readonly string[]): string {
  const lines = sdp.split(/\r?\n/).filter((line) => line !== '' && !/^a=(candidate|end-of-candidates)/.test(line))
  return `${[...lines, ...candidates, 'a=end-of-candidates'].join('\r\n')}\r\n`
}

function stunUri({ address, port }: Address): string {
  return `stun:${address.includes(':') ? `[${address}]` : address}:${port}`
}
