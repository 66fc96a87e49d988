/** What a page gives to join a match, and the match it gets. */

import type { Client, Room } from '@colyseus/sdk'
import type { Mode } from '@hurtbox/netcode'
import type {
  CorrectionReading,
  DesyncReport,
  Guess,
  InputDelay,
  Mirror,
  NetworkReading,
  Smoothing,
  Terminal,
} from '@hurtbox/netcode/client'
import type { Game } from 'hurtbox'
import type { Match } from 'hurtbox/picture'
import type { AnyDeclaration, Declaration, JoinData } from 'hurtbox/tools'
import type { DatagramPath, PeerConnectionClass } from './datagrams.ts'

export type JoinChoices<D extends Declaration = AnyDeclaration> = {
  /** Name of the room. Default: the game's id. */
  readonly room?: string
  /** A certain room instead of any: to play with friends, or to watch. */
  readonly roomId?: string
  /** A seat that a queue has reserved: what its message `seat` says. Nothing else is asked for then. */
  readonly seat?: Parameters<Client['consumeSeatReservation']>[0]
  /** Opens a new room, even if others have free seats. */
  readonly create?: boolean
  readonly mode?: Mode
  readonly spectate?: boolean
  readonly name?: string
  /** Who plays, for servers that have accounts. */
  readonly token?: string
  /** What to bring along, by the fields of the game's declared `join`: `{ skin: 'red' }`. */
  readonly data?: Partial<JoinData<D>>
  /** Opens a room that no list shows; others join by `match.code`. */
  readonly private?: boolean
  /** The code of a private room, as it was typed. */
  readonly code?: string
  /** How corrections of predictions are drawn. */
  readonly smoothing?: Smoothing
  /** How long the player's inputs wait before they are seen, ms, in exchange for fewer corrections. Default 0. */
  readonly inputDelay?: InputDelay
  /** What other players do while their inputs are on the way. Default: they hold what they held, and press nothing. */
  readonly guess?: Guess<D>
  /**
   * Where data channels come from, for rooms that offer datagrams: the browser's class by default, in Node that of
   * `node-datachannel/polyfill`. `false` keeps to the socket.
   */
  readonly datagrams?: PeerConnectionClass | false
  /**
   * Whether the room is told when nobody looks at the page: its player is away then and keeps the seat. Default true; a page that knows
   * better calls `match.setAway` itself.
   */
  readonly watchPage?: boolean
}

/** Those that are of use once the room is joined. */
export type FollowChoices<D extends Declaration = AnyDeclaration> = Pick<
  JoinChoices<D>,
  'smoothing' | 'inputDelay' | 'guess' | 'datagrams' | 'watchPage'
>

/** A game, or the module of one, which also says how its events are to be shown. */
export type Playable<D extends Declaration> =
  | Game<D>
  | { readonly game: Game<D>; readonly meaning?: { readonly events?: object } }

export type Failure = {
  /** In a sentence: of a server under work all of the error, else the tick. */
  readonly message: string
  /** Where the replay up to the failure can be had. It comes a moment later, and only for those who may see it. */
  readonly replay: string | undefined
}

export type GameConnection<D extends Declaration = AnyDeclaration> = Match<D> & {
  /** Colyseus' room: roster, score and phase are in `room.state`. After a lost connection it is another object. */
  readonly room: Room
  /** Of a private room: what others join by. Empty for other rooms. */
  readonly code: string
  /** What drives the match, for tools; undefined until the host has said welcome. One of the two. */
  readonly mirror: Mirror | undefined
  readonly terminal: Terminal | undefined
  /**
   * 'away' while nobody looks at the page, and then until the room has said welcome, a moment. 'reconnecting' while the connection is lost and 'moved' while another process takes the match over: the client finds the match
   * again by itself, and a mirror plays on for a moment. 'failed' and 'ended' are final: a rule of the game threw on the server, and `failure`
   * says more; or the client has left, or was refused.
   */
  readonly status: 'joining' | 'playing' | 'away' | 'reconnecting' | 'moved' | 'failed' | 'ended'
  /** Why the match failed, once it has. */
  readonly failure: Failure | undefined
  /** Why the match ended for this client, once it has. */
  readonly ending: { readonly code: number; readonly reason: string } | undefined
  readonly traffic: { bytesIn: number; messagesIn: number; bytesOut: number; messagesOut: number }
  /** Round trip in ms; undefined before the first answer. */
  readonly rttMs: number | undefined
  /** How far ahead of the host the player is, how long inputs wait, how often they come late; also in words. */
  readonly network: NetworkReading
  /**
   * Whether this machine cannot keep up with predicting the match: a mirror then predicts fewer ticks ahead (`network.mostAhead`).
   * Leave out effects while it lasts.
   */
  readonly isSlow: boolean
  /** The path beside the socket: whether it works, its round trip and loss. */
  readonly datagrams: DatagramPath
  /**
   * How often a prediction was wrong, by how much the player's own thing was moved then, in units of the world, and what the
   * last correction moved by how much, by id.
   */
  readonly corrections: CorrectionReading
  /** How often the state differed from the host's, and where. */
  readonly desyncs: readonly DesyncReport[]
  /** The player is away: inputs are idle, nothing is sent, the seat is kept for a while. Called by itself, unless `watchPage` is false. */
  setAway(isAway: boolean): void
  /** Pauses or resumes the match. Only a player alone in the match can pause it; the pause ends when a second player joins. */
  pause(paused: boolean): void
  /** After a match: asks for the next one. It begins at once when every player of the room has asked. */
  rematch(): void
  /** Resolves when the host has said welcome. */
  whenPlaying(): Promise<void>
}
