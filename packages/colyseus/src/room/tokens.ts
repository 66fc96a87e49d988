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

/** What a client says that asks for its seat: the seat's token, a ticket to come with, and whether it is a page that was loaded anew. */
export type ReadClaim = { readonly token: string; readonly ticket: string; readonly isNewPage: boolean }

/** A plain client of Colyseus says its token alone, and comes with that. */
export function readClaim(text: unknown): ReadClaim {
  const [token = '', ticket = token, page] = typeof text === 'string' ? text.split('.') : []
  return { token, ticket, isNewPage: page === 'new' }
}

/** The seat that this token opens. */
export function seatOfToken<S extends Pick<SeatRecord, 'tokens'>>(seats: Iterable<S>, token: unknown): S | undefined {
  if (typeof token !== 'string') return undefined
  const hash = hashToken(token)
  for (const seat of seats) if (seat.tokens.includes(hash)) return seat
  return undefined
}
