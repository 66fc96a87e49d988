/**
 * Coming back to a seat, in whatever process the match is now.
 *
 * The store has only hashes: a reader of the store cannot take a seat. A token is replaced whenever it was used. Until the
 * client has the new one, the old one is good as well, because the process may die between the two.
 */

import { createHash } from 'node:crypto'
import type { SeatRecord } from '@hurtbox/netcode/host'

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** The seat that this token opens. */
export function seatOfToken<S extends Pick<SeatRecord, 'tokens'>>(seats: Iterable<S>, token: unknown): S | undefined {
  if (typeof token !== 'string') return undefined
  const hash = hashToken(token)
  for (const seat of seats) if (seat.tokens.includes(hash)) return seat
  return undefined
}
