/** What the system is made of. */

import type { Mirror } from '../../src/client/mirror/state.ts'
import type { Return } from '../../src/client/return.ts'
import type { Terminal } from '../../src/client/terminal/terminal.ts'
import type { Keeper } from '../../src/host/keeper.ts'
import type { Host, Peer } from '../../src/host/state.ts'
import type { MatchLog, MatchRecord, SeatRecord } from '../../src/host/store.ts'
import type { Looks, ProcessView } from '../../src/host/takeover.ts'
import type { Mode } from '../../src/protocol/protocol.ts'
import type { Time } from './time.ts'

/** The room, and the id of its match. */
export const ID = 'room'
export const HASH_EVERY = 4

/** A promise that is broken on purpose: the simulation must notice. */
export type Breaks = 'fence' | 'word' | 'token'

export type System = {
  readonly breaks: Breaks | undefined
  readonly time: Time
  /** What must not be; empty when all is well. */
  readonly problems: string[]
  readonly counts: { kills: number; stops: number; handovers: number; takeovers: number; fenced: number }
  readonly store: Store
  /** The process that runs in each place. */
  readonly slots: Process[]
  processNumber: number
  readonly clients: readonly SystemClient[]
}

export type Store = {
  readonly matches: Map<string, StoredMatch>
  readonly leases: Map<string, { readonly view: ProcessView; readonly until: number }>
  /** Which epoch has logged each tick. */
  readonly loggedBy: Map<number, number>
  awayUntil: number
}

export type StoredMatch = {
  readonly record: MatchRecord
  epoch: number
  owner: string
  entries: { readonly bytes: Uint8Array; readonly isCheckpoint: boolean }[]
  seats: readonly SeatRecord[]
  replay: Uint8Array
}

export type Process = {
  readonly id: string
  readonly slot: number
  isAlive: boolean
  isLeaving: boolean
  stoppedUntil: number
  readonly rooms: Set<OwnedRoom>
  readonly looks: Looks
  /** Matches that it is beginning or taking. */
  readonly pending: Set<string>
  /** Requests to the store and its answers keep their order. */
  requestAt: number
  answerAt: number
  /** Requests that are not answered: how to fail each, oldest first. */
  readonly open: Set<() => void>
  /** The connection to the store has broken, and the process has not noticed yet. */
  isCutOff: boolean
}

export type Seat = { -readonly [K in keyof SeatRecord]: SeatRecord[K] } & {
  peer: Peer | undefined
  line: Line | undefined
}

export type OwnedRoom = {
  readonly process: Process
  readonly host: Host
  readonly log: MatchLog
  keeper: Keeper
  readonly seats: Seat[]
  readonly replay: Uint8Array[]
  isOpen: boolean
}

/** A connection between a client and a room. Messages of each direction keep their order. */
export type Line = {
  readonly client: SystemClient
  readonly room: OwnedRoom
  isOpen: boolean
  downAt: number
  upAt: number
}

export type SystemClient = {
  readonly number: number
  readonly mode: Mode
  readonly seat: number
  token: string
  readonly oldTokens: string[]
  line: Line | undefined
  returning: Return | undefined
  isAsking: boolean
  heardAt: number
  mirror: Mirror | undefined
  terminal: Terminal | undefined
  /** Confirmed states it has seen: after so many ticks, and their hash where it is known. */
  seenTick: number
  readonly seen: Map<number, string>
  returns: number
  clockSkew: number
}
