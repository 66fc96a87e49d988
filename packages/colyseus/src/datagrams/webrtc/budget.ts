/**
 * What one client may make the port do.
 *
 * A record costs, not a packet: each one is opened, and may be answered. So records and bytes are counted, and what is above is dropped before anything is
 * opened. A client that stays above is closed: no honest one does, and its player goes on by the socket.
 */

import { type Bucket, createBucket, type Rate } from '../../bucket.ts'

export type Budget = {
  /** Records, and packets without any. */
  readonly mayTake: Bucket
  readonly mayRead: Bucket
  /** What may be dropped before the client is closed. */
  readonly mayExceed: Bucket
  /** What it has said in the open: its part of the handshake. */
  openBytes: number
  /** Why it is to be closed. */
  abuse: Abuse | undefined
  readonly refused: RefusedByBudget
}

/** Too many records, more of them in one packet than anybody sends, too many bytes, or a handshake without an end. */
export type Abuse = 'records' | 'crowded' | 'bytes' | 'handshake'

/** Packets and records beyond a budget, and records that came in a packet with too many. */
export type RefusedByBudget = { beyondBudget: number; crowded: number }

/** Browsers put one into a packet. */
export const SEALED_A_PACKET = 4
/**
 * Chromium and libdatachannel send at most 60 a second, 6 kB, for a game of 62.5 ticks, and 72 in the second after a stall. On a screen of 240 Hz it may be a packet for each frame and one to acknowledge
 * each of ours, 480. What a line has held up for two seconds comes at once.
 */
export const RECORDS: Rate = { burst: 1_600, perSecond: 800 }
/** No less than a room takes: 300 datagrams a second of 1,100 bytes, and headers. */
export const BYTES: Rate = { burst: 800_000, perSecond: 400_000 }
/** Chromium's handshake has 2 to 3 kB, with what was lost said again. This is twenty times as much. */
const OPEN_BYTES = 65_536
/**
 * A client that was held up for very long may lose some of what it sends at once, and is not closed for it. Who sends twice of what is allowed is closed after three seconds, who fills
 * packets with forty records after 23 of them. Who stays just above is not, and gets no more than the budget.
 */
const EXCESS: Rate = { burst: 800, perSecond: 80 }

export function createBudget(refused: RefusedByBudget): Budget {
  return {
    mayTake: createBucket(RECORDS),
    mayRead: createBucket(BYTES),
    mayExceed: createBucket(EXCESS),
    openBytes: 0,
    abuse: undefined,
    refused,
  }
}

/** Whether a packet is looked at. Pays for its first record, too. */
export function admitsPacket(budget: Budget, bytes: number): boolean {
  if (!budget.mayTake()) return refuse(budget, 'records')
  return budget.mayRead(bytes) || refuse(budget, 'bytes')
}

/** Whether a sealed record is opened that has so many before it in its packet. */
export function admitsSealed(budget: Budget, before: number): boolean {
  if (before >= SEALED_A_PACKET) return refuse(budget, 'crowded')
  return before === 0 || budget.mayTake() || refuse(budget, 'records')
}

/** Whether a record in the open is read. */
export function admitsOpen(budget: Budget, bytes: number): boolean {
  budget.openBytes += bytes
  if (budget.openBytes <= OPEN_BYTES) return true
  // It cannot be finished any more.
  budget.abuse ??= 'handshake'
  return refuse(budget, 'handshake')
}

function refuse(budget: Budget, abuse: Abuse): false {
  budget.refused[abuse === 'crowded' ? 'crowded' : 'beyondBudget']++
  if (!budget.mayExceed()) budget.abuse ??= abuse
  return false
}
