/**
 * Whether a server can be reached again, asked by a socket.
 *
 * Chromium makes at most six connections to a server for requests. Those that it has begun into a dead network it keeps, also when the requests
 * are given up, and they are tried ever more rarely; new requests wait for them. A socket that is closed before it is open is gone, so the next
 * one is a fresh try. Not too often: Chromium makes sockets wait when many have failed. Firefox lets go of requests, and needs none of this.
 */

import type { Client } from '@colyseus/sdk'

type Socket = { onopen: unknown; onerror: unknown; close(): void }
type Browser = {
  readonly navigator?: { readonly connection?: unknown }
  readonly WebSocket?: new (url: string) => Socket
}

/** What a system does with the beginning of a connection that is not answered: it tries every second at first, later more rarely. */
const TRY_MS = 4_000

/** Tries until the signal, and calls back when the server has opened the socket or refused it. Of browsers only Chromium tells of its network. */
export function watchLine({ settings }: Client, signal: AbortSignal, onReached: () => void): void {
  const { navigator, WebSocket: SocketClass } = globalThis as Browser
  if (navigator?.connection === undefined || SocketClass === undefined || signal.aborted) return
  const { secure, hostname, port, pathname = '' } = settings
  const socket = new SocketClass(`${secure ? 'wss' : 'ws'}://${hostname}${port ? `:${port}` : ''}${pathname}/`)
  const end = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
    socket.onopen = socket.onerror = null
    socket.close()
  }
  const timer = setTimeout(() => {
    end()
    watchLine({ settings } as Client, signal, onReached)
  }, TRY_MS)
  signal.addEventListener('abort', end)
  socket.onopen = socket.onerror = () => {
    end()
    onReached()
  }
}
