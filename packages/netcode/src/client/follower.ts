/**
 * What follows a match at a player's end: one interface, so that transports, pages and tests need not know which kind it is.
 *
 * A mirror steps the same world as the host and predicts; a terminal shows the frames that it is sent. Both are driven the same way:
 * give every message to `receive`, call `advance` once per frame, draw the `picture`, send what is in the `outbox`.
 */

import type { EventNews, EventPlans, Gap, Picture } from 'hurtbox/picture'
import type { AnyWorld } from 'hurtbox/tools'
import type { Mode, Path } from '../protocol/protocol.ts'
import type { Smoothing } from './mirror/corrections.ts'
import type { Guess } from './mirror/guess.ts'
import type { InputDelay } from './mirror/pace.ts'
import type { DesyncReport, Mirror } from './mirror/state.ts'
import type { NetworkReading } from './reading.ts'
import type { InputSender, OwnInput } from './sender.ts'
import type { Terminal } from './terminal/terminal.ts'

/** How a player wants to see the match. */
export type FollowerChoices = {
  /** When each kind of event is shown. Default: as the game declares it. */
  readonly plans?: EventPlans
  /** How corrections of predictions are drawn. */
  readonly smoothing?: Smoothing | undefined
  /** How long the player's inputs wait before they are seen, ms, in exchange for fewer corrections. Default 0. */
  readonly inputDelay?: InputDelay | undefined
  /** What other players do while their inputs are on the way. Default: they hold what they held, and press nothing. */
  readonly guess?: Guess | undefined
  /**
   * Tells the time, ms, as `performance.now` does. With it a mirror measures what stepping takes, and predicts fewer ticks ahead on a machine that
   * cannot keep up.
   */
  readonly timer?: (() => number) | undefined
}

/** Asked for the player's input of a tick; `world` is the newest state. */
export type ReadInput = (tick: number, world: AnyWorld) => OwnInput

/** What to draw now, and what is new since the last picture. */
export type FollowerPicture = Pick<Picture, 'before' | 'after' | 'alpha' | 'place' | 'key' | 'things'> & {
  readonly news: readonly EventNews[]
  /** Ticks whose events were missed. */
  readonly gaps: readonly Gap[]
  /** False while there is only the last picture from before a reconnect. */
  readonly isCurrent: boolean
}

/** How often a prediction was wrong, and by how much things were moved then, in units of the world. */
export type CorrectionReading = {
  readonly count: number
  /** By how much the player's own thing was moved: last and largest. */
  readonly last: number
  readonly largest: number
  /** What the last correction moved by how much, by id. */
  readonly things: ReadonlyMap<number, number>
}

export type Follower = {
  readonly mode: Mode
  readonly seat: number
  /** How long the room keeps the seat while its player is away. */
  readonly seatSeconds: number
  /** Messages to be sent, oldest first. The owner of the transport empties it. */
  readonly outbox: Uint8Array[]
  readonly sender: InputSender
  /** For tools that look inside: one of the two is there. */
  readonly mirror: Mirror | undefined
  readonly terminal: Terminal | undefined
  /** A message of the host. An invalid one is counted and changes nothing. */
  receive(message: Uint8Array, now: number): void
  /** Plays up to `now`, ms, and reads the inputs of the ticks that are due. */
  advance(now: number, read: ReadInput): void
  /** The same while the connection is lost: a mirror plays on, a terminal waits. */
  advanceAlone(now: number, read: ReadInput): void
  /** Undefined before there is anything to draw. */
  picture(now: number): FollowerPicture | undefined
  /** From now on messages travel by `path`, on which the part `loss` of the client's own packets gets lost. */
  usePath(path: Path, loss: number): void
  /** The player was away: what happened meanwhile is not shown when it comes, only missed. */
  skipMissed(): void
  /** What to offer to the host after a lost connection, so that it need not send the whole state. */
  offer(): Uint8Array | undefined
  network(): NetworkReading
  corrections(): CorrectionReading
  desyncs(): readonly DesyncReport[]
}
