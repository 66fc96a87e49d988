/** What a kind of event is to people: the words, sounds and marks that hosts show for it, and when they show it. */

import type { EventOfKind } from '../../world/events.ts'
import type { AnyDeclaration, Declaration, IsAny } from '../../world/game.ts'

export type EventMeaning<D extends Declaration, K extends string> = {
  /** Marks on timelines, colours and counts go by this. */
  readonly is?: 'hit' | 'block' | 'kill' | 'pickup' | 'score' | 'spawn' | 'end' | 'other'
  /** Of a kill: the field with the id of the thing that died. Default: `victim`. */
  readonly victim?: FieldOf<D, K>
  /** The event as a sentence: `P3's bullet hit P6 for 30, 70 left`. `name` gives the name of a thing by its id. */
  sentence?(event: EventOfKind<D, K>, name: (id: number) => string): string
  /** What the server writes into its log for it, at `debug`; at any level it counts such events by kind. */
  log?(event: EventOfKind<D, K>): Readonly<Record<string, unknown>>
  /** Which sound of the set it makes. */
  readonly sound?: SoundName
  /**
   * When a client that predicts shows it: `at-once` (a muzzle flash), only when it is `confirmed` (a goal), or at once and
   * `taken-back` if it did not happen. Default: kills, scores and the end when they are confirmed, everything else at once.
   */
  readonly show?: 'at-once' | 'confirmed' | 'taken-back'
  /** Fields by which a client knows an event again that a better prediction moved or changed. Default: its ids. */
  readonly key?: readonly FieldOf<D, K>[]
  /** How far such an event may move, ms. Default 200. */
  readonly windowMs?: number
}

type FieldOf<D extends Declaration, K extends string> =
  IsAny<D> extends true ? AnyDeclaration : Exclude<keyof EventOfKind<D, K>, 'tick' | 'kind' | 'n'>

export type SoundName = 'shot' | 'hit' | 'block' | 'death' | 'pickup' | 'round' | 'win' | 'lowHealth'
