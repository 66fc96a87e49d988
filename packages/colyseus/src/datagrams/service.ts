/**
 * Data channels for the rooms of a process: one UDP port, held by a process of its own (native.ts).
 *
 * If that process dies, the channels close, the rooms go on with their sockets, and another is started after a while; clients are then invited
 * again. `node-datachannel` is an optional peer dependency: without it `startDatagrams` says so and resolves to undefined.
 */

import { type ChildProcess, fork } from 'node:child_process'
import type { Duplex } from 'node:stream'
import { type Addressed, createFrameReader, joinFrames, MAX_PIPED, PIPE } from './frames.ts'
import type { FromNative, NativeSettings, ToNative } from './native.ts'

export type DatagramOptions = {
  /** The UDP port of all players. */
  readonly port: number
  /** The address to listen on. Default 127.0.0.1. */
  readonly host?: string
  /** The IP address that clients see, where a NAT stands in front. */
  readonly publicAddress?: string
  /** `stun:host:port`, `turn:user:password@host:port`: for both ends. Default: none; nothing outside is asked. */
  readonly iceServers?: readonly string[]
  /** Called when datagrams come or go, with the reason. */
  readonly onState?: (isReady: boolean, problem?: string) => void
}

export type Channel = { send(bytes: Uint8Array): void; close(): void }

export type ChannelHandlers = {
  onAnswer(answer: string): void
  onMessage(bytes: Uint8Array): void
  onClosed(): void
}

export type Datagrams = {
  /** Grows with every process that was started: who was invited by an earlier one is invited again. */
  readonly generation: number
  readonly isReady: boolean
  readonly iceServers: readonly string[]
  /** The process that holds the channels. */
  readonly pid: number | undefined
  /** Answers the offer of a client. */
  open(offer: string, handlers: ChannelHandlers): Channel
  close(): void
}

/** Between two starts, ms: the first, and at most. */
const RESTART_MS = 1_000
const MAX_RESTART_MS = 60_000

export async function startDatagrams(options: DatagramOptions): Promise<Datagrams | undefined> {
  const { port, host = '127.0.0.1', publicAddress, iceServers = [], onState } = options
  const settings: NativeSettings = { port, host, iceServers, ...(publicAddress !== undefined && { publicAddress }) }
  const channels = new Map<number, ChannelHandlers>()
  let child: ChildProcess | undefined
  let pending: Addressed[] = []
  let nextId = 1
  let restartMs = RESTART_MS
  let isClosed = false
  const service = { generation: 0, isReady: false, iceServers, pid: undefined as number | undefined, open, close }

  function tell(message: ToNative): void {
    if (child?.connected) child.send(message, () => {})
  }

  function flush(): void {
    const pipe = child?.stdio[PIPE] as Duplex | undefined
    if (pipe?.writable && pipe.writableLength < MAX_PIPED) pipe.write(joinFrames(pending))
    pending = []
  }

  function open(offer: string, handlers: ChannelHandlers): Channel {
    const id = nextId++
    channels.set(id, handlers)
    tell({ kind: 'open', id, offer })
    return {
      send(bytes) {
        // All that a tick of all rooms has to say is one piece for the other process.
        if (pending.length === 0) setImmediate(flush)
        pending.push([id, bytes])
      },
      close() {
        if (channels.delete(id)) tell({ kind: 'close', id })
      },
    }
  }

  function take(message: FromNative): void {
    if (message.kind === 'answer') channels.get(message.id)?.onAnswer(message.answer)
    else if (message.kind === 'closed') {
      const handlers = channels.get(message.id)
      channels.delete(message.id)
      handlers?.onClosed()
    }
  }

  /** Resolves to a problem, or to undefined when it is ready. */
  function start(): Promise<string | undefined> {
    return new Promise((resolve) => {
      const file = new URL(import.meta.url.endsWith('.ts') ? './native.ts' : './native.js', import.meta.url)
      const started = fork(file, { stdio: ['ignore', 'ignore', 'inherit', 'ipc', 'pipe'] })
      child = started
      const pipe = started.stdio[PIPE] as Duplex
      pipe.on(
        'data',
        createFrameReader((id, bytes) => channels.get(id)?.onMessage(bytes)),
      )
      // It is about to exit, which says all that matters.
      pipe.on('error', () => {})
      started.on('message', (message: FromNative) => {
        if (message.kind === 'ready') {
          service.isReady = true
          service.generation++
          service.pid = started.pid
          onState?.(true)
          resolve(undefined)
        } else if (message.kind === 'failed') {
          resolve(message.problem)
          started.kill()
        } else take(message)
      })
      started.on('exit', (code, signal) => {
        const wasReady = service.isReady && child === started
        service.isReady = false
        service.pid = undefined
        for (const handlers of [...channels.values()]) handlers.onClosed()
        channels.clear()
        resolve(`it ended with ${signal ?? code}`)
        if (isClosed || !wasReady) return
        onState?.(false, `the process of the datagrams ended with ${signal ?? code}`)
        setTimeout(() => void (isClosed || start()), restartMs).unref()
        restartMs = Math.min(2 * restartMs, MAX_RESTART_MS)
      })
      started.send({ kind: 'start', settings } satisfies ToNative)
    })
  }

  function close(): void {
    isClosed = true
    // It may have died, with the next one not started yet.
    if (child?.connected) child.disconnect()
    child = undefined
  }

  const problem = await start()
  if (problem === undefined) return service
  onState?.(false, problem)
  close()
  return undefined
}
