/**
 * A port that is opened again when it fails. No RFC asks for this.
 *
 * If the socket of the port fails, all channels close, and the port is opened again after a while. `generation` then tells those who made offers before that
 * new ones will be answered.
 */

import type { Address } from './ice/stun.ts'
import { serversForClient } from './ice/turn.ts'
import { openNativePort } from './native.ts'
import { type Channel, type ChannelHandlers, createPortCounts, openPort, type Port, type PortCounts } from './port.ts'

/** Whose WebRTC: ours, or libdatachannel by the package `node-datachannel`, which must be installed then. */
export type Stack = 'own' | 'native'

export type DatagramOptions = {
  /** Default `own`. */
  readonly stack?: Stack
  /** The UDP port of all clients. */
  readonly port: number
  /** The address to listen on, or a name that this machine has for one. Default 127.0.0.1. */
  readonly host?: string
  /**
   * Where clients find the port, of the addresses that it has: others, or more, where ports are mapped. Asked for each client, because
   * addresses change. Default: those that it has.
   */
  readonly addresses?: (own: readonly Address[]) => readonly Address[]
  /** `stun:host:port`, `turn:host:port`, `turn:user:password@host:port`: for both ends. Default: none; nothing outside is asked. */
  readonly iceServers?: readonly string[]
  /** Shared with the TURN servers that are named without a user: each client gets credentials of its own, for some hours. */
  readonly iceSecret?: string
  /** Called when the port is open and when it has failed, with the reason. */
  readonly onState?: (isReady: boolean, problem?: string) => void
  /** Called with an error of the package or of a handler, which has closed one channel and no other. */
  readonly onError?: (error: unknown) => void
}

export type Datagrams = {
  readonly stack: Stack
  /** Grows each time the port is opened: channels of earlier ones are closed. */
  readonly generation: number
  readonly isReady: boolean
  /** For one client. */
  iceServers(): readonly string[]
  /** Packets that were dropped, by the reason. The native stack does not count what it drops. */
  readonly refused: Readonly<PortCounts['refused']>
  /** Clients whose channel was closed for what they sent, by the reason. The native stack closes none. */
  readonly abusers: Readonly<PortCounts['abusers']>
  /** Answers the offer of a client; undefined where that cannot be done. */
  open(offer: string, handlers: ChannelHandlers): Channel | undefined
  close(): void
}

/** Between two tries to open the port again, ms: the first, and at most. */
const RESTART_MS = 1_000
const MAX_RESTART_MS = 60_000
const STUN_PORT = 3478

/** Resolves to undefined when the port cannot be had; `onState` is told why. */
export async function startDatagrams(options: DatagramOptions): Promise<Datagrams | undefined> {
  const { stack = 'own', port, host = '127.0.0.1', addresses, iceServers = [], iceSecret, onState, onError } = options
  let opened: Port | undefined
  let restartMs = RESTART_MS
  let isClosed = false
  const service = {
    stack,
    generation: 0,
    isReady: false,
    iceServers: () => serversForClient(iceServers, iceSecret),
    ...createPortCounts(),
    open,
    close,
  }

  async function start(): Promise<string | undefined> {
    try {
      opened = await (stack === 'own' ? openPort : openNativePort)({
        port,
        host,
        ...(addresses !== undefined && { addresses }),
        stunServers: iceServers.flatMap(stunServerOf),
        refused: service.refused,
        abusers: service.abusers,
        onFailed,
        ...(onError !== undefined && { onError }),
      })
    } catch (error) {
      return (error as Error).message
    }
    if (isClosed) opened.close()
    else {
      service.isReady = true
      service.generation++
      onState?.(true)
    }
    return undefined
  }

  function onFailed(problem: string): void {
    service.isReady = false
    onState?.(false, problem)
    startAgain()
  }

  function startAgain(): void {
    const again = async () => {
      if (!isClosed && (await start()) !== undefined) startAgain()
    }
    setTimeout(again, restartMs).unref()
    restartMs = Math.min(2 * restartMs, MAX_RESTART_MS)
  }

  function open(offer: string, handlers: ChannelHandlers): Channel | undefined {
    try {
      return opened?.open(offer, handlers)
    } catch {
      // No data channel is offered.
      return undefined
    }
  }

  function close(): void {
    isClosed = true
    opened?.close()
  }

  const problem = await start()
  if (problem === undefined) return service
  onState?.(false, problem)
  return undefined
}

/** The transport address of a `stun:` URI (RFC 7064, 3.1). A `turn:` URI (RFC 7065) is for clients: their relayed candidates find the port. */
function stunServerOf(address: string): Address[] {
  const [, host, port = STUN_PORT] = /^stun:(?:\/\/)?(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(address) ?? []
  return host === undefined ? [] : [{ address: host.replaceAll(/[[\]]/g, ''), port: Number(port) }]
}
