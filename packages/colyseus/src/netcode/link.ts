/**
 * A simulated link: delays, loses, reorders and holds up messages as its conditions say, by a seed.
 *
 * Two sorts. Datagrams arrive when they arrive, in any order, or never. A stream (TCP, and so WebSockets) delivers all in
 * order, and a loss holds up everything behind it until it is sent again: a loss
 * of datagrams is a stall of a stream.
 */

import { purposeOf, unitAt } from 'hurtbox/math'
import type { Link } from './protocol.ts'

export type LinkConditions = {
  readonly kind: Link
  /** One way, ms. */
  readonly latencyMs: number
  /** Up to this much is added, evenly spread, ms. */
  readonly jitterMs?: number
  /** Part of the messages that get lost, 0 to 1. */
  readonly loss?: number
  /** Part of the messages with which a burst begins, and how long nothing gets through then, ms. */
  readonly burstChance?: number
  readonly burstMs?: number
  /** How long a stream takes to notice a loss and send again, ms. Default 250. */
  readonly resendMs?: number
}

export type VirtualLink = {
  /** May be replaced while messages are on their way. */
  conditions: LinkConditions
  readonly seed: number
  sent: number
  lost: number
  bytes: number
  burstUntil: number
  /** On their way, by time of arrival. */
  readonly flying: { readonly at: number; readonly message: Uint8Array }[]
}

const LOSS = purposeOf('link loss')
const BURST = purposeOf('link burst')
const JITTER = purposeOf('link jitter')
const RESEND_MS = 250

export function createLink(conditions: LinkConditions, seed: number): VirtualLink {
  return { conditions, seed, sent: 0, lost: 0, bytes: 0, burstUntil: 0, flying: [] }
}

export function send(link: VirtualLink, message: Uint8Array, now: number): void {
  const { conditions, seed, flying } = link
  const { kind, latencyMs, jitterMs = 0, loss = 0, burstChance = 0, burstMs = 0, resendMs = RESEND_MS } = conditions
  const chance = (purpose: number) => unitAt(seed, link.sent, 0, 0, purpose)
  link.sent++
  link.bytes += message.length
  if (chance(BURST) < burstChance) link.burstUntil = now + burstMs
  const isLost = now < link.burstUntil || chance(LOSS) < loss
  if (isLost) link.lost++
  if (isLost && kind === 'datagram') return
  let at = now + latencyMs + jitterMs * chance(JITTER)
  if (isLost) at += Math.max(resendMs, link.burstUntil - now)
  if (kind === 'stream' && flying.length > 0) at = Math.max(at, flying[flying.length - 1].at)
  let place = flying.length
  while (place > 0 && flying[place - 1].at > at) place--
  flying.splice(place, 0, { at, message })
}

/** The messages that have arrived by now, in the order of their arrival. */
export function deliver(link: VirtualLink, now: number): Uint8Array[] {
  const { flying } = link
  let count = 0
  while (count < flying.length && flying[count].at <= now) count++
  return flying.splice(0, count).map(({ message }) => message)
}
