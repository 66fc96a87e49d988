/**
 * What one client, and those who forge its address, may make the port do. No RFC asks for this; browsers stay far below.
 *
 * A record costs, not a datagram: each one is decrypted, and may be answered. A record that could be decrypted is the client's for certain: it counts against
 * the client, and who stays above is closed, since no honest client does. One that could not be decrypted may be anybody's: it counts apart, and nobody is
 * closed for it. So what others forge uses up nothing of what the client may send.
 */

import { type Bucket, createBucket, createMeter, type Meter, type Rate } from './bucket.ts'

export type Budget = {
  /** Of records that were decrypted. */
  readonly records: Meter
  readonly bytes: Meter
  /** What may be dropped of these before the client is closed. */
  readonly mayExceed: Bucket
  /** Work on records that could not be decrypted: with sequence numbers near to the client's newest, and far from it. */
  readonly near: Meter
  readonly far: Meter
  /** Bytes of epoch 0. */
  readonly mayTakeUnprotected: Bucket
  /** Connectivity checks, from addresses that the client is known by and from others. */
  readonly mayCheck: { readonly known: Bucket; readonly unknown: Bucket }
  /** Of the datagram at hand: records that were looked at, and that were decrypted. */
  attempted: number
  decrypted: number
  /** Why the client is to be closed. */
  abuse: Abuse | undefined
  readonly refused: RefusedByBudget
}

/** Too many records, more of them in one datagram than anybody sends, or too many bytes. */
export type Abuse = 'records' | 'crowded' | 'bytes'

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
/**
 * A client that was held up for very long may lose some of what it sends at once, and is not closed for it. Who sends twice of what is allowed is closed after three seconds, who fills
 * datagrams with 28 true records after 34 of them. Who stays just above is not, and gets no more than the budget.
 */
const EXCESS_RATE: Rate = { burst: 800, perSecond: 80 }
/**
 * A forger who does not see the client's packets does not know its sequence number. So work on numbers far from the newest may run out, and what the client itself sends is still near: it
 * sends as many in four seconds, at most. When it has lost more, its next records are far, too. They compete with the forged ones until one is decrypted, which then is the newest.
 */
const NEAR = 1_024
export const NEAR_RATE: Rate = { burst: 1_000, perSecond: 1_000 }
export const FAR_RATE: Rate = { burst: 500, perSecond: 500 }
/** A long record takes as much work as several short ones. */
export const BYTES_PER_WORK = 256
/** Chromium's handshake has 2 to 3 kB, with retransmissions. This is twenty times as much. */
const UNPROTECTED_RATE: Rate = { burst: 65_536, perSecond: 4_096 }
/** Chromium checks each candidate pair every 2.5 seconds, and up to fifty times a second while nothing comes. Each costs an HMAC. */
const KNOWN_CHECK_RATE: Rate = { burst: 200, perSecond: 100 }
const UNKNOWN_CHECK_RATE: Rate = { burst: 50, perSecond: 25 }

export function createBudget(refused: RefusedByBudget): Budget {
  return {
    records: createMeter(RECORD_RATE),
    bytes: createMeter(BYTE_RATE),
    mayExceed: createBucket(EXCESS_RATE),
    near: createMeter(NEAR_RATE),
    far: createMeter(FAR_RATE),
    mayTakeUnprotected: createBucket(UNPROTECTED_RATE),
    mayCheck: { known: createBucket(KNOWN_CHECK_RATE), unknown: createBucket(UNKNOWN_CHECK_RATE) },
    attempted: 0,
    decrypted: 0,
    abuse: undefined,
    refused,
  }
}

export function beginDatagram(budget: Budget): void {
  budget.attempted = 0
  budget.decrypted = 0
}

/** Whether as many records of epoch 1 were looked at as are of one datagram. */
export function isDatagramFull({ attempted }: Budget): boolean {
  return attempted >= MAX_PROTECTED_PER_DATAGRAM
}

/** Whether a record of epoch 1 is decrypted. `ahead`: by how much its sequence number is above the newest. */
export function admitsProtected(budget: Budget, bytes: number, ahead: number): boolean {
  if (isDatagramFull(budget)) {
    if (budget.decrypted > 0) return exceed(budget, 'crowded')
    return refuse(budget, 'crowded')
  }
  budget.attempted++
  if (!budget.records.has()) return exceed(budget, 'records')
  if (!budget.bytes.has(bytes)) return exceed(budget, 'bytes')
  if (!workOf(budget, ahead).has()) return refuse(budget, 'beyondBudget')
  return true
}

/** What a record of epoch 1 was that was admitted. */
export function noteDecrypted(budget: Budget, isTrue: boolean, bytes: number, ahead: number): void {
  if (isTrue) {
    budget.records.spend()
    budget.bytes.spend(bytes)
    budget.decrypted++
  } else workOf(budget, ahead).spend(1 + bytes / BYTES_PER_WORK)
}

function workOf({ near, far }: Budget, ahead: number): Meter {
  return Math.abs(ahead) <= NEAR ? near : far
}

/** Whether a record of epoch 0 is read. */
export function admitsUnprotected(budget: Budget, bytes: number): boolean {
  return budget.mayTakeUnprotected(bytes) || refuse(budget, 'beyondBudget')
}

/** Whether the MESSAGE-INTEGRITY of a connectivity check is computed. */
export function admitsCheck(budget: Budget, isFromKnown: boolean): boolean {
  const { known, unknown } = budget.mayCheck
  return (isFromKnown ? known() : unknown()) || refuse(budget, 'beyondBudget')
}

function refuse({ refused }: Budget, reason: keyof RefusedByBudget): false {
  refused[reason]++
  return false
}

/** By the client itself. */
function exceed(budget: Budget, abuse: Abuse): false {
  if (!budget.mayExceed()) budget.abuse ??= abuse
  return refuse(budget, abuse === 'crowded' ? 'crowded' : 'beyondBudget')
}
