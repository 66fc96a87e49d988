/**
 * How long a ping of the WebSocket takes to come back. The browser answers it and not the page, so a page cannot make its connection seem slower
 * than it is. Each carries a number that cannot be guessed, because an answer before the question would be no measurement.
 */

import { randomBytes } from 'node:crypto'
import type { Client } from '@colyseus/core'
import { socketOf } from './private-members.ts'

export type Pings = { sentAt: number; number: Buffer }

const PING_EVERY_MS = 1_000
const NUMBER_BYTES = 8
const OPEN = 1

/** `onRoundTrip` is called with each measurement, in ms. */
export function startPings(client: Client, onRoundTrip: (ms: number) => void): Pings {
  const pings: Pings = { sentAt: Number.NEGATIVE_INFINITY, number: Buffer.alloc(0) }
  socketOf(client).on('pong', (data) => {
    if (data.length !== NUMBER_BYTES || !pings.number.equals(data)) return
    pings.number = Buffer.alloc(0)
    onRoundTrip(performance.now() - pings.sentAt)
  })
  return pings
}

/** Asks again when it is time. A ping that has not come back by then is given up. */
export function keepPinging(client: Client, pings: Pings, now: number): void {
  const socket = socketOf(client)
  if (now - pings.sentAt < PING_EVERY_MS || socket.readyState !== OPEN) return
  pings.sentAt = now
  pings.number = randomBytes(NUMBER_BYTES)
  socket.ping?.(pings.number)
}
