/** What every host of a match gives to what draws it. */

import type { EventKind, EventRecord } from '../../world/events.ts'
import type { AnyDeclaration, Declaration, Game, IsAny } from '../../world/game.ts'
import type { Thing } from '../../world/handles/types.ts'
import type { InputSpecs } from '../../world/input.ts'
import type { PlayerInput } from '../../world/input-values.ts'
import type { World } from '../../world/world.ts'
import type { EventHandler, Gap } from './event-news.ts'
import { type Place, placeBetween, type Wrap } from './places.ts'

/** What to draw now. The worlds are for reading only. */
export type Picture<D extends Declaration = AnyDeclaration> = {
  readonly before: World<D>
  readonly after: World<D>
  /** How far between them: 0 is `before`, 1 is `after`. */
  readonly alpha: number
  /** Events to show now, each once: as soon as they are known, or when they are certain, as their kind wants it. */
  readonly events: readonly EventRecord<D>[]
  /** Events that were shown and did not happen, of kinds that are shown at once and taken back: the records that were shown. */
  readonly withdrawn: readonly EventRecord<D>[]
  /** Another match or another moment: forget trails and shakes. */
  readonly jumped: boolean
  /**
   * Writes where a thing is drawn into `out`: between the two states, not dragged along a teleport, and without a jump
   * where a prediction was corrected. False when it is not there.
   */
  place(id: number, out: Place): boolean
  /**
   * What to know a thing by while drawing: its id, or another number where a correction gave the id to another thing. The same
   * from frame to frame.
   */
  key(id: number): number
  /**
   * What to draw, where that is not all of `after`: things of others that are drawn as they were confirmed come from a state
   * of their own, and may be in it when they have left `after` already.
   */
  things?(): Iterable<Thing<D>>
}

/** A match that can be drawn and played by one seat, wherever it runs. */
export type Match<D extends Declaration = AnyDeclaration> = {
  readonly game: Game<D>
  /** The player's seat. */
  readonly seat: number
  /**
   * Plays up to `now` (milliseconds) and returns what to draw; undefined before there is anything. `read` is asked once for
   * each tick that is due.
   */
  update(now: number, read: (tick: number, world: World<D>) => SeatInput<D>): Picture<D> | undefined
  /** Calls the handlers once for each event of the kind. The function returned removes them. */
  on<const K extends EventKind<D>>(kind: K, handler: EventHandler<D, K>): () => void
  /** Called with ticks whose events were missed. The function returned removes it. */
  onGap(handler: (gap: Gap) => void): () => void
  leave(): Promise<void>
}

/** What a player does in a tick, by field of the game's input; what is left out is idle. */
export type SeatInput<D extends Declaration> =
  IsAny<D> extends true
    ? Readonly<Record<string, unknown>>
    : Omit<PlayerInput<D['input'] extends InputSpecs ? D['input'] : Record<never, never>>, 'seat'>

/** What is drawn of a moment, where nothing is corrected. */
type Moment<D extends Declaration> = Pick<Picture<D>, 'before' | 'after' | 'alpha'> &
  Partial<Pick<Picture<D>, 'events' | 'withdrawn' | 'jumped'>>

/** The picture of a moment that nothing predicts: in a replay, of a match in the page, in the past. `wrap`: sides of a plane that wraps around. */
export function pictureOf<D extends Declaration = AnyDeclaration>(moment: Moment<D>, wrap?: Wrap): Picture<D> {
  return {
    events: [],
    withdrawn: [],
    jumped: false,
    ...moment,
    place: (id, out) => placeBetween(moment as never, id, out, wrap),
    key: byId,
  }
}

const byId = (id: number) => id
