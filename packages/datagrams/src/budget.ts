/**
 * What one client may make the port do. No RFC asks for this; browsers stay far below.
 *
 * A record costs, not a datagram: each one is decrypted, and may be answered. So records and bytes are counted, and what is above is dropped before
 * anything is decrypted. A client that stays above is closed: no honest one does, and its player goes on by the socket.
 */

import { type Bucket, createBucket, type Rate } from './bucket.ts'

export type Budget = {
  /** Records, and datagrams without any. */
  readonly mayTakeRecord: Bucket
  readonly mayTakeBytes: Bucket
  /** What may be dropped before the client is closed. */
  readonly mayExceed: Bucket
  /** Bytes of epoch 0: the client's part of the handshake. */
  unprotectedBytes: number
  /** Why it is to be closed. */
  abuse: Abuse | undefined
  readonly refused: RefusedByBudget
}

/** Too many records, more of them in one datagram than anybody sends, too many bytes, or a handshake without an end. */
export type Abuse = 'records' | 'crowded' | 'bytes' | 'handshake'

/** Datagrams and records beyond a budget, and records that came in a datagram with too many. */
export type RefusedByBudget = { beyondBudget: number; crowded: number }

/** Of epoch 1. Browsers put one into a datagram. */
export const MAX_PROTECTED_PER_DATAGRAM = 4
/**
 * Chromium and libdatachannel send at most 60 a second, 6 kB, for a game of 62.5 ticks, and 72 in the second after a stall. On a screen of 240 Hz it may be a packet for each frame and a SACK
 * for each of ours, 480. What a line has held up for two seconds comes at once.
 */
export const RECORD_RATE: Rate = { burst: 1_600, perSecond: 800 }
/** No less than a room takes: 300 datagrams a second of 1,100 bytes, and headers. */
export const BYTE_RATE: Rate = { burst: 800_000, perSecond: 400_000 }
/** Chromium's handshake has 2 to 3 kB, with retransmissions. This is twenty times as much. */
const MAX_UNPROTECTED_BYTES = 65_536
/**
 * A client that was held up for very long may lose some of what it sends at once, and is not closed for it. Who sends twice of what is allowed is closed after three seconds, who fills
 * datagrams with forty records after 23 of them. Who stays just above is not, and gets no more than the budget.
 */
const EXCESS_RATE: Rate = { burst: 800, perSecond: 80 }

export function createBudget(refused: RefusedByBudget): Budget {
  return {
    mayTakeRecord: createBucket(RECORD_RATE),
    mayTakeBytes: createBucket(BYTE_RATE),
    mayExceed: createBucket(EXCESS_RATE),
    unprotectedBytes: 0,
    abuse: undefined,
    refused,
  }
}

/** Whether a datagram is looked at. Pays for its first record, too. */
export function admitsDatagram(budget: Budget, bytes: number): boolean {
  if (!budget.mayTakeRecord()) return refuse(budget, 'records')
  return budget.mayTakeBytes(bytes) || refuse(budget, 'bytes')
}

/** Whether a record of epoch 1 is decrypted that has so many before it in its datagram. */
export function admitsProtected(budget: Budget, before: number): boolean {
  if (before >= MAX_PROTECTED_PER_DATAGRAM) return refuse(budget, 'crowded')
  return before === 0 || budget.mayTakeRecord() || refuse(budget, 'records')
}

/** Whether a record of epoch 0 is read. */
export function admitsUnprotected(budget: Budget, bytes: number): boolean {
  budget.unprotectedBytes += bytes
  if (budget.unprotectedBytes <= MAX_UNPROTECTED_BYTES) return true
  // It cannot be finished any more.
  budget.abuse ??= 'handshake'
  return refuse(budget, 'handshake')
}

function refuse(budget: Budget, abuse: Abuse): false {
  budget.refused[abuse === 'crowded' ? 'crowded' : 'beyondBudget']++
  if (!budget.mayExceed()) budget.abuse ??= abuse
  return false
}
