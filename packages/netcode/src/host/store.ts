/**
 * Where the logs of running matches are kept, so that another process can go on with a match.
 *
 * A store knows nothing of games: it keeps entries in order (`hurtbox/replay` says what is in them), a record of how the match
 * began, who holds its seats, and the part of its replay that is final. Every owner of a match has an *epoch*, a number higher
 * than that of the owner before. Taking a match over is one step in the store, and after it every write of an
 * earlier owner fails with `Fenced`. That is the whole protocol: no clocks, no agreement between processes.
 *
 * Answers come by callback and in the order of the calls, so that the same code runs in virtual time.
 */

import type { AnyJoinData, Setup } from 'hurtbox/tools'
import type { Mode } from '../protocol/protocol.ts'

/** How a match began. Plain data; it does not change while the match runs. */
export type MatchRecord = {
  /** Id of the room, under which clients find the match again. */
  readonly id: string
  /** Name of the sort of room. */
  readonly room: string
  /** Which build of which rules may go on with it. */
  readonly fingerprint: string
  readonly setup: Setup
  readonly nonce: number
  /** Number of the match in its room, from 1. */
  readonly match: number
  /** Whether the room is found by its code only. */
  readonly isPrivate: boolean
  /** When it began, in ms since 1970. */
  readonly startedAt: number
}

/** Who holds a seat. Kept beside the log, in no replay, and removed with the match. */
export type SeatRecord = {
  readonly sessionId: string
  readonly seat: number
  readonly mode: Mode
  readonly name: string
  /** The account; empty for guests. */
  readonly id: string
  /** What the player has brought along. */
  readonly data: AnyJoinData | undefined
  /** Hashes of the tokens with which the player may return: the newest, and the one before until the newest has arrived. */
  readonly tokens: readonly string[]
}

/** A piece of the replay, and where in the file it belongs. */
export type ReplayPiece = { readonly at: number; readonly bytes: Uint8Array }

export type Done<T = void> = (error: Error | undefined, result: T) => void

/** The log of one match, as its owner sees it. */
export type MatchLog = {
  readonly epoch: number
  append(entry: Uint8Array, done: Done): void
  /** An entry from which the match can go on: what stands before it is forgotten once the piece of the replay is kept. */
  checkpoint(entry: Uint8Array, replay: ReplayPiece, done: Done): void
  keepSeats(seats: readonly SeatRecord[], done: Done): void
  /** The match is over: everything about it is removed. */
  remove(done: Done): void
  /** The owner writes no more; the match stays. */
  close(): void
}

export type TakenMatch = {
  readonly record: MatchRecord
  readonly seats: readonly SeatRecord[]
  /** From some checkpoint on, oldest first. */
  readonly entries: readonly Uint8Array[]
  /** The replay up to the last checkpoint. */
  readonly replay: Uint8Array
  readonly log: MatchLog
}

export type MatchStore = {
  /** Begins a match. An earlier one of the same id is forgotten, and its owner fenced. */
  create(record: MatchRecord, done: Done<MatchLog>): void
  /** Makes the caller the owner of a match; undefined when there is none of this id. */
  take(id: string, done: Done<TakenMatch | undefined>): void
}

/** No record is larger: it has the options and the tuning of a match. A larger one is not ours, and is not read. */
export const RECORD_BYTES = 1 << 20

/** Reads what a store has kept as the record of a match. Stores are shared with others and damaged by accidents: throws when it is none. */
export function parseRecord(matchId: string, text: string): MatchRecord {
  const record = JSON.parse(text) as MatchRecord | null
  const { id, room, fingerprint, setup } = record ?? {}
  const isRecord = id === matchId && typeof room === 'string' && typeof fingerprint === 'string'
  if (!isRecord || typeof setup !== 'object') throw new Error('its record is not that of a match')
  return record!
}

/** Another process owns the match now. */
export class Fenced extends Error {
  override readonly name = 'Fenced'
  constructor() {
    super('another process has taken the match over')
  }
}
