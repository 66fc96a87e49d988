/**
 * A simulated link: delays, loses, reorders and holds up messages as its conditions say, by a seed.
 *
 * Two sorts. Datagrams arrive when they arrive, in any order, or never. A stream (TCP, and so WebSockets) delivers all in
 * order, and a loss holds up everything behind it until it is sent again: a loss
 * of datagrams is a stall of a stream.
 */

import { purposeOf, unitAt } from 'hurtbox/math'
import type { Path } from '../protocol/protocol.ts'

export type LinkConditions = {
  readonly kind: Path
  /** One way, ms. */
  readonly latencyMs: number
  /** Up to this much is added, evenly spread, ms. */
  readonly jitterMs?: number
  /** Part of the messages that get lost, 0 to 1. */
  readonly loss?: number
  /**
   * How often a burst begins, and how long nothing gets through then, ms. By time and at random, because the weather of a line does not depend on
   * how much is sent.
   */
  readonly burstsPerMinute?: number
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
  /** On their way, by time of arrival. */
  readonly flying: { readonly at: number; readonly message: Uint8Array }[]
}

const LOSS = purposeOf('link loss')
const BURST = purposeOf('link burst')
const JITTER = purposeOf('link jitter')
const RESEND_MS = 250
const PART_MS = 100

export function createLink(conditions: LinkConditions, seed: number): VirtualLink {
  return { conditions, seed, sent: 0, lost: 0, bytes: 0, flying: [] }
}

export function send(link: VirtualLink, message: Uint8Array, now: number): void {
  const { conditions, seed, flying } = link
  const { kind, latencyMs, jitterMs = 0, loss = 0, resendMs = RESEND_MS } = conditions
  const chance = (purpose: number) => unitAt(seed, link.sent, 0, 0, purpose)
  link.sent++
  link.bytes += message.length
  const burstEndsAt = endOfBurst(link, now)
  const isLost = now < burstEndsAt || chance(LOSS) < loss
  if (isLost) link.lost++
  if (isLost && kind === 'datagram') return
  let at = now + latencyMs + jitterMs * chance(JITTER)
  if (isLost) at += Math.max(resendMs, burstEndsAt - now)
  if (kind === 'stream' && flying.length > 0) at = Math.max(at, flying[flying.length - 1].at)
  let place = flying.length
  while (place > 0 && flying[place - 1].at > at) place--
  flying.splice(place, 0, { at, message })
}

/** When the last burst that began ends; 0: none was in reach. Whether one begins is asked for each tenth of a second of the link's time. */
function endOfBurst({ conditions: { burstsPerMinute = 0, burstMs = 0 }, seed }: VirtualLink, now: number): number {
  if (burstsPerMinute === 0) return 0
  const part = Math.floor(now / PART_MS)
  const chance = (burstsPerMinute * PART_MS) / 60_000
  for (let each = part; (each + 1) * PART_MS + burstMs > now; each--) {
    // Of the same number: when in its part, given that there is one.
    const place = unitAt(seed, each, 0, 0, BURST) / chance
    const beginsAt = (each + place) * PART_MS
    if (place < 1 && now >= beginsAt) return beginsAt + burstMs
  }
  return 0
}

/** The messages that have arrived by now, in the order of their arrival. */
export function deliver(link: VirtualLink, now: number): Uint8Array[] {
  const { flying } = link
  let count = 0
  while (count < flying.length && flying[count].at <= now) count++
  return flying.splice(0, count).map(({ message }) => message)
}
