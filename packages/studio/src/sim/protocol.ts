/**
 * The messages between page and worker.
 *
 * The page owns the clock and asks for ticks; the worker owns the matches and answers with states. A state travels as the
 * packed bytes of a snapshot, transferred and not copied, and the page sends the buffer back with a later request, so that
 * a running match makes no garbage on either side.
 */

import type { EventRecord } from 'hurtbox'
import type { Verification } from 'hurtbox/replay'
import type { Difference, PhaseChanges, TraceEntry } from 'hurtbox/tools'
import type { DisputeAnswer, DisputeMatch, DisputeQuestion } from './disputes.ts'
import type { DummyDoes } from './dummy.ts'
import type { MeterCell } from './meter.ts'

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
      readonly beside?: Beside
      readonly input: HandInput | undefined
      readonly spare: ArrayBuffer | undefined
    }
  | {
      readonly type: 'seek'
      readonly sim: number
      readonly epoch: number
      readonly tick: number
      readonly beside?: Beside
    }
  | {
      readonly type: 'want'
      readonly sim: number
      readonly epoch: number
      readonly overlay: boolean
      readonly beside?: Beside
    }
  | { readonly type: 'ask'; readonly sim: number; readonly id: number; readonly question: Question }
  | { readonly type: 'stop'; readonly sim: number }

/** The match that goes along to the same tick, in the same frame: the other future. */
type Beside = number | undefined

export type Response =
  | Frame
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'refused'; readonly id: number; readonly message: string }
  | { readonly type: 'failed'; readonly sim: number; readonly message: string }
  /** How far a match has been played that is to begin later than at its beginning. */
  | { readonly type: 'progress'; readonly sim: number; readonly tick: number; readonly of: number }

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
  /** The other future at the same tick. */
  readonly beside?: Frame | undefined
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
  /** Of the heap of the worker; 0 where the browser does not tell. */
  readonly heapBytes: number
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
  /** How many ticks ago it was there, for the box of a victim that was judged where its attacker saw it. */
  ago: 14,
  fields: 15,
} as const

/** Whether what a box belongs to can be hurt now; what is out of the match has none to see. */
export const STATE = { exposed: 0, safe: 1, out: 2 } as const

/** The numbers of a contact in `Overlay.contacts`: ids of the two things (0 for the map), place, normal from a to b. */
/** `pushed`: 1 where a phase pushed the two apart, 0 where boxes met that rules are about. */
export const CONTACT = { a: 0, b: 1, x: 2, y: 3, z: 4, normalX: 5, normalY: 6, depth: 7, pushed: 8, fields: 9 } as const

export type Question =
  /** `b` is −1 less its place in the map for a wall. */
  | { readonly ask: 'why'; readonly tick: number; readonly a: number; readonly b: number }
  /** Looks through unseen ticks for some ms, and tells the marks from the place `from` in their list on. */
  | { readonly ask: 'survey'; readonly budgetMs: number; readonly from: number; readonly version: number }
  /** Mean ms by phase in equal parts of the ticks. */
  | { readonly ask: 'costs'; readonly from: number; readonly to: number; readonly buckets: number }
  /** What each phase of a tick changed on a thing. */
  | { readonly ask: 'changes'; readonly tick: number; readonly id: number }
  /** The packed state before a tick. */
  | { readonly ask: 'state'; readonly tick: number }
  | { readonly ask: 'meter'; readonly from: number; readonly to: number }
  /** How long the timers of players ran that were set between two ticks. */
  | { readonly ask: 'timers'; readonly from: number; readonly to: number }
  /** Where the match parts from the one that is `beside` it. */
  | { readonly ask: 'difference'; readonly beside: number; readonly from: number; readonly budgetMs: number }
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
  /** Another match with the same past and, from `tick` on, the same inputs but other tuning. */
  | {
      readonly ask: 'fork'
      readonly into: number
      readonly tick: number
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

/** The answers, by question. */
export type Answers = {
  why: readonly TraceEntry[]
  survey: SurveyAnswer
  costs: Float32Array<ArrayBuffer>
  changes: ChangesAnswer
  state: Uint8Array<ArrayBuffer>
  meter: readonly MeterCell[]
  timers: readonly TimerUse[]
  difference: DifferenceAnswer
  events: EventsAnswer
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
}

/** Names of the things that the sentences of these events speak of, by id, as `register.ts` keeps them. */
export type EventsAnswer = { readonly records: readonly EventRecord[]; readonly names: ReadonlyMap<number, string> }

export type SurveyAnswer = {
  readonly version: number
  readonly indexed: number
  readonly length: number
  readonly kinds: readonly string[]
  /** Tick, kind and seat of each mark from `from` on; from the first one if the version has changed. */
  readonly marks: Int32Array<ArrayBuffer>
  readonly from: number
}

/** A timer of things or players: how often it was set, and for how many ticks at least and at most. */
export type TimerUse = {
  readonly column: string
  readonly times: number
  readonly least: number
  readonly most: number
}

export type ChangesAnswer = {
  readonly tick: number
  readonly id: number
  /** By column, when the tick began; empty where the thing was not there yet. */
  readonly before: Readonly<Record<string, number>>
  readonly phases: readonly PhaseChanges[]
  /** What rules and pushes did to it. */
  readonly rules: readonly TraceEntry[]
}

/** `next`: where to look on, while nothing is found. */
export type DifferenceAnswer = {
  readonly next: number
  readonly found: { readonly tick: number; readonly phase: string; readonly cell: Difference } | undefined
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
