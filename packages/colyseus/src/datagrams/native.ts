/**
 * The process that holds the data channels. Started by service.ts; talks to its parent only.
 *
 * `node-datachannel` is native code and can abort the process it runs in, which a worker thread would not contain. Here that costs the
 * players their datagrams and not the match. It knows nothing of rooms: ids, descriptions, bytes.
 */

import { createSocket } from 'node:dgram'
import { isIPv6, Socket } from 'node:net'
import type { DataChannel, PeerConnection } from 'node-datachannel'
import { type Addressed, createFrameReader, joinFrames, MAX_FRAME_BYTES, MAX_PIPED, PIPE } from './frames.ts'

/** From the parent. What is sent and received does not go this way, but as frames through a pipe. */
export type ToNative =
  | { readonly kind: 'start'; readonly settings: NativeSettings }
  | { readonly kind: 'open'; readonly id: number; readonly offer: string }
  | { readonly kind: 'close'; readonly id: number }

/** To the parent. */
export type FromNative =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly problem: string }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: string }
  | { readonly kind: 'closed'; readonly id: number }

export type NativeSettings = {
  readonly port: number
  readonly host: string
  /** The address that clients see, where it is another. */
  readonly publicAddress?: string
  readonly iceServers: readonly string[]
}

type Peer = { readonly connection: PeerConnection; channel: DataChannel | undefined; isAnswered: boolean }

/** What waits for one client; more is dropped, since it would come too late anyway. */
const MAX_BUFFERED = 64 * 1024
/**
 * Datagrams of different players come one by one, and to wake up for each costs more than all the rest. So when there was something to do,
 * this thread sleeps for so long, and then does all that has come meanwhile.
 */
const NAP_MS = 3
/**
 * How long an acknowledgement of SCTP may wait for something to travel with, as long as browsers let theirs wait. The library's 20 ms make a packet of
 * nearly each, and nothing here waits for them.
 */
const ACKNOWLEDGE_WITHIN_MS = 200

if (process.send !== undefined) {
  process.on('message', (message: ToNative) => {
    if (message.kind === 'start')
      start(message.settings).catch((error: Error) => tell({ kind: 'failed', problem: error.message }))
  })
  // The parent is gone.
  process.on('disconnect', () => process.exit())
}

async function start(settings: NativeSettings): Promise<void> {
  const native = await import('node-datachannel')
  await requirePort(settings)
  native.setSctpSettings({ delayedSackTime: ACKNOWLEDGE_WITHIN_MS })
  const peers = new Map<number, Peer>()
  const pipe = new Socket({ fd: PIPE, readable: true, writable: true })
  // The parent is gone, and soon this process is.
  pipe.on('error', () => {})
  let received: Addressed[] = []
  const alarm = new Int32Array(new SharedArrayBuffer(4))
  let isBusy = false
  const finishTurn = () => {
    isBusy = false
    if (received.length > 0 && pipe.writableLength < MAX_PIPED) pipe.write(joinFrames(received))
    received = []
    Atomics.wait(alarm, 0, 0, NAP_MS)
  }
  const noteWork = () => {
    if (!isBusy) setImmediate(finishTurn)
    isBusy = true
  }
  const close = (id: number) => {
    const peer = peers.get(id)
    if (!peers.delete(id)) return
    peer?.connection.close()
    tell({ kind: 'closed', id })
  }
  const open = (id: number, offer: string) => {
    const connection = new native.PeerConnection(`player ${id}`, {
      iceServers: [...settings.iceServers],
      bindAddress: settings.host,
      enableIceUdpMux: true,
      portRangeBegin: settings.port,
      portRangeEnd: settings.port,
      maxMessageSize: 4096,
    })
    const peer: Peer = { connection, channel: undefined, isAnswered: false }
    peers.set(id, peer)
    connection.onGatheringStateChange((state) => {
      const description = state === 'complete' && !peer.isAnswered ? connection.localDescription() : undefined
      if (!description) return
      peer.isAnswered = true
      tell({ kind: 'answer', id, answer: withPublicAddress(description.sdp, settings) })
    })
    connection.onStateChange((state) => {
      if (state === 'closed' || state === 'failed' || state === 'disconnected') close(id)
    })
    connection.onDataChannel((channel) => {
      // One is enough.
      if (peer.channel !== undefined) return channel.close()
      peer.channel = channel
      channel.onMessage((data) => {
        if (typeof data === 'string' || data.byteLength > MAX_FRAME_BYTES) return
        noteWork()
        received.push([id, data instanceof ArrayBuffer ? new Uint8Array(data) : data])
      })
      channel.onClosed(() => close(id))
    })
    // Only those that find us are answered: an offer may name addresses of others.
    connection.setRemoteDescription(withoutCandidates(offer), 'offer')
  }
  process.on('message', (message: ToNative) => {
    if (message.kind === 'open') {
      try {
        open(message.id, message.offer)
      } catch {
        peers.delete(message.id)
        tell({ kind: 'closed', id: message.id })
      }
    } else if (message.kind === 'close') close(message.id)
  })
  const read = createFrameReader((id, bytes) => {
    noteWork()
    const channel = peers.get(id)?.channel
    if (channel?.isOpen() && channel.bufferedAmount() < MAX_BUFFERED) channel.sendMessageBinary(bytes)
  })
  pipe.on('data', read)
  tell({ kind: 'ready' })
}

/** The native code takes the port with the first player, and would not say that it cannot. */
function requirePort({ port, host }: NativeSettings): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
    socket.once('error', reject)
    socket.bind(port, host, () => socket.close(() => resolve()))
  })
}

function tell(message: FromNative): void {
  if (process.connected) process.send!(message)
}

function withoutCandidates(sdp: string): string {
  return sdp
    .split(/\r?\n/)
    .filter((line) => !line.startsWith('a=candidate'))
    .join('\r\n')
}

/** Adds the address that clients see to those that the machine knows of itself. */
function withPublicAddress(sdp: string, { publicAddress, port }: NativeSettings): string {
  if (publicAddress === undefined) return sdp
  const candidate = `a=candidate:99 1 UDP 1677729535 ${publicAddress} ${port} typ host\r\n`
  const end = sdp.indexOf('a=end-of-candidates')
  return end < 0 ? sdp + candidate : sdp.slice(0, end) + candidate + sdp.slice(end)
}
