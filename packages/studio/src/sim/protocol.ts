/**
 * The messages between page and worker.
 *
 * The page owns the clock and asks for ticks; the worker owns the matches and answers with states. A state travels as the
 * packed bytes of a snapshot, transferred and not copied, and the page sends the buffer back with a later request, so that
 * a running match makes no garbage on either side.
 */

import type { EventRecord } from 'hurtbox'
import type { Verification } from 'hurtbox/replay'
import type { TraceEntry } from 'hurtbox/tools'
import type { DisputeAnswer, DisputeMatch, DisputeQuestion } from './disputes.ts'
import type { DummyDoes } from './dummy.ts'

/** How a match begins. Plain data: it also fits into an address. */
export type MatchSetup = {
  readonly game: string
  /** The scene it starts from; '' for the game's first. */
  readonly scene: string
  readonly seed: number
  readonly options?: Readonly<Record<string, unknown>>
  readonly tuning?: Readonly<Record<string, number>>
  /** The players by seat. Empty: the scene has its own players. */
  readonly seats: readonly Seat[]
  /** Ticks between two thoughts of a bot: the more, the slower it reacts. Default 1. */
  readonly botEvery?: number
}

/** `bot`: place in the game's list of bots, −1 for the person at the keyboard. */
export type Seat = { readonly seat: number; readonly team: number; readonly bot: number }

/** A player's input as plain values, without its seat. */
export type HandInput = Readonly<Record<string, unknown>>

/**
 * What came into a match from outside, in the tick it came: the hand of a person, tuning, a seat that changed its player. With the
 * setup it makes the match again.
 */
export type Outside = {
  readonly tick: number
  readonly input?: HandInput
  readonly tune?: { readonly name: string; readonly value: number }
  readonly sit?: { readonly seat: number; readonly bot: number }
}

export type Request =
  | {
      readonly type: 'start'
      readonly sim: number
      readonly epoch: number
      readonly setup: MatchSetup
      readonly tick: number
      /** What is to come from outside again, and how long the match is then: the same match under edited rules. */
      readonly again?: { readonly script: readonly Outside[]; readonly length: number } | undefined
    }
  /** Plays on to tick `to` and sends the state there. */
  | {
      readonly type: 'advance'
      readonly sim: number
      readonly epoch: number
      readonly to: number
      readonly input: HandInput | undefined
      readonly spare: ArrayBuffer | undefined
    }
  | { readonly type: 'seek'; readonly sim: number; readonly epoch: number; readonly tick: number }
  | { readonly type: 'want'; readonly sim: number; readonly epoch: number; readonly overlay: boolean }
  | { readonly type: 'ask'; readonly sim: number; readonly id: number; readonly question: Question }
  | { readonly type: 'stop'; readonly sim: number }

export type Response =
  | Frame
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'refused'; readonly id: number; readonly message: string }
  | { readonly type: 'failed'; readonly sim: number; readonly message: string }

/** The state before `tick` runs, and what the ticks since the last frame brought. */
export type Frame = {
  readonly type: 'frame'
  readonly sim: number
  readonly epoch: number
  readonly tick: number
  /** Ticks played so far: the end of the scrub bar. */
  readonly length: number
  /** The page asked to be here: nothing lies between this state and the one shown before. */
  readonly jumped: boolean
  readonly bytes: ArrayBuffer
  readonly byteLength: number
  /** '' while the match runs and hashing would cost too much. */
  readonly hash: string
  readonly over: boolean
  readonly summary: string
  readonly events: readonly EventRecord[]
  readonly figures: Figures
  readonly overlay: Overlay | undefined
}

/** Of the last tick. */
export type Figures = {
  readonly tickMs: number
  /** Milliseconds by phase, in the order of the answer to `phases`. */
  readonly phaseMs: readonly number[]
  readonly checks: number
  readonly contacts: number
  readonly hits: number
  readonly things: number
}

/** What was posed and what met in the last tick. */
export type Overlay = {
  /** Numbers per box, see `BOX`. */
  readonly boxes: Float64Array<ArrayBuffer>
  /** Numbers per contact, see `CONTACT`. */
  readonly contacts: Float64Array<ArrayBuffer>
  /** Shapes and volumes by number. */
  readonly shapes: readonly object[]
  readonly grids: readonly GridLines[]
}

export type GridLines = {
  readonly originX: number
  readonly originY: number
  readonly cellWidth: number
  readonly cellHeight: number
}

/** What boxes can be to the rules of their phase. */
export const ROLES = ['hurt', 'hit', 'push'] as const

/** The numbers of a box in `Overlay.boxes`. */
export const BOX = {
  id: 0,
  /** Place in `ROLES`. */
  role: 1,
  layer: 2,
  /** One of `STATE`. */
  state: 3,
  x: 4,
  y: 5,
  z: 6,
  radius: 7,
  sweepX: 8,
  sweepY: 9,
  sweepZ: 10,
  facingX: 11,
  facingY: 12,
  /** Place in `shapes`, −1 for a circle. */
  shape: 13,
  fields: 14,
} as const

/** Whether what a box belongs to can be hurt now; what is out of the match has none to see. */
export const STATE = { exposed: 0, safe: 1, out: 2 } as const

/** The numbers of a contact in `Overlay.contacts`: ids of the two things (0 for the map), place, normal from a to b. */
/** `pushed`: 1 where a phase pushed the two apart, 0 where boxes met that rules are about. */
export const CONTACT = { a: 0, b: 1, x: 2, y: 3, z: 4, normalX: 5, normalY: 6, depth: 7, pushed: 8, fields: 9 } as const

export type Question =
  | { readonly ask: 'why'; readonly tick: number; readonly a: number; readonly b: number }
  | { readonly ask: 'events'; readonly from: number }
  /** The tick of the next (1) or previous (−1) hit; −1 when there is none. */
  | { readonly ask: 'hit'; readonly from: number; readonly direction: 1 | -1 }
  | { readonly ask: 'tune'; readonly name: string; readonly value: number }
  /** Forgets what comes after this tick, so that the match goes on differently. */
  | { readonly ask: 'branch' }
  /** Puts a person (or a bot) on the seat from now on. */
  | { readonly ask: 'sit'; readonly seat: number; readonly bot: number }
  /** What the training partner does from now on. */
  | { readonly ask: 'dummy'; readonly does: DummyDoes; readonly field: string }
  /** Begins or ends the recording of what the training partner repeats; answers with its ticks. */
  | { readonly ask: 'record'; readonly isOn: boolean }
  /** Another match with the same past and, from this tick on, the same inputs but other tuning. */
  | {
      readonly ask: 'fork'
      readonly into: number
      readonly epoch: number
      readonly tuning: Readonly<Record<string, number>>
    }
  | { readonly ask: 'synctest'; readonly depth: number }
  | { readonly ask: 'save'; readonly keyframes: boolean }
  | { readonly ask: 'load'; readonly bytes: Uint8Array<ArrayBuffer>; readonly epoch: number }
  | { readonly ask: 'verify'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ask: 'phases' }
  | { readonly ask: 'script' }
  /** A match from its replay and its track, to look into a dispute. */
  | {
      readonly ask: 'open dispute'
      readonly bytes: Uint8Array<ArrayBuffer>
      readonly track: Uint8Array<ArrayBuffer> | undefined
    }
  | ({ readonly ask: 'tell dispute' } & DisputeQuestion)
  /** The packed states of the last `count` ticks up to and with the present one, oldest first. */
  | { readonly ask: 'states'; readonly count: number }

/** The answers, by question. */
export type Answers = {
  why: readonly TraceEntry[]
  events: readonly EventRecord[]
  hit: number
  tune: null
  branch: null
  sit: null
  dummy: null
  record: number
  fork: null
  synctest: SyncAnswer
  save: Uint8Array<ArrayBuffer>
  load: LoadAnswer
  verify: Verification
  phases: readonly string[]
  script: readonly Outside[]
  'open dispute': DisputeMatch
  'tell dispute': DisputeAnswer
  states: readonly Uint8Array<ArrayBuffer>[]
}

export type SyncAnswer = {
  readonly ok: boolean
  readonly ticks: number
  readonly rollbacks: number
  readonly message: string
  readonly tick: number
}

export type LoadAnswer = {
  readonly setup: MatchSetup
  readonly ticks: number
  readonly problems: readonly string[]
  readonly verification: Verification
}
