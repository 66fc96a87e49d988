/** The state of a host: the match, its seats, and the peers that follow it. */

import type { Session } from 'hurtbox'
import type { ReplayOptions, ReplayWriter, ScreenReport } from 'hurtbox/replay'
import type { AnyBot, AnyGame, AnyWorld, Control, EncodedInputs, Result } from 'hurtbox/tools'
import type { ByteWriter, HeldInputs } from 'hurtbox/wire'
import type { Trail } from '../protocol/blame.ts'
import type { InputPacket } from '../protocol/input-packets.ts'
import type { Mode, Path } from '../protocol/protocol.ts'
import type { TerminalOptions } from '../protocol/scheme.ts'
import type { FullState } from '../protocol/welcome.ts'
import type { InputCounts, SeatBuffer } from './seat-buffer.ts'
import type { Sight } from './sight.ts'
import type { TerminalHost, Viewer } from './viewers.ts'

/**
 * What happens in the match to a player who is away: it stands idle, a bot plays for it, or it leaves the match until it is back. The seat
 * is kept in any case.
 */
export type WhenAway = 'idle' | 'bot' | 'leave'

export type HostOptions = {
  readonly seed?: number
  readonly options?: Readonly<Record<string, unknown>>
  readonly tuning?: Readonly<Record<string, number>>
  /** A number that no other match has: inputs carry it, so that those of one match are ignored in another. */
  readonly nonce?: number
  /** That of the match before in the same room: its last packets are still on their way, and are ignored. */
  readonly nonceBefore?: number
  /** Ticks between two hashes for mirrors. Default 16. */
  readonly hashEvery?: number
  /**
   * Fresh random bits for the world, every so many ticks. Mirrors get them with the tick in which they enter, so what a game
   * rolls by `world.entropy` cannot be known before. Default: none.
   */
  readonly entropy?: { readonly every: number; readonly bits: () => number }
  /** Bots for seats without a player. */
  readonly bots?: readonly AnyBot[]
  /** The bot of a seat. Default: they take turns. */
  readonly botOf?: (seat: number) => AnyBot | undefined
  /** How many seats are taken at all times, by bots if need be. Default 0. */
  readonly fill?: number
  readonly teamOf?: (seat: number) => number
  /** Default 'idle'. */
  readonly whenAway?: WhenAway
  /** How long a seat is kept for a player who is away: clients are told it with their welcome. Default 60. */
  readonly seatSeconds?: number
  readonly terminal?: TerminalOptions
  /** How to record the match; false for not at all. */
  readonly replay?: ReplayOptions | false
  /** Called with every packet of a player before it is used; ids in its inputs are those of the match. */
  readonly onPacket?: (peer: Peer, packet: InputPacket) => void
  /** Asks clients what they show, and is called with their reports. */
  readonly onScreens?: (peer: Peer, screens: ScreenReport) => void
  /** Called when a peer has come, and when it has gone. */
  readonly onPeer?: (peer: Peer, isHere: boolean) => void
}

export type Peer = {
  readonly mode: Mode
  path: Path
  /** Its seat; `SPECTATOR` for one that only watches. */
  readonly seat: number
  /** Messages to be sent, oldest first. The owner of the transport empties it. */
  readonly outbox: Uint8Array[]
  readonly counts: InputCounts
  /** The first confirmed tick it does not have, as far as is known. */
  nextTick: number
  /** Up to which tick it has the match, by its own report; 0 before its first message. */
  received: number
  readonly viewer: Viewer
  /** What it may claim to have seen. */
  readonly sight: Sight
  /** How early its inputs came since the last message, at worst. */
  slack: number
  /** When it was last sent the whole state; false alarms must not cost more than this. */
  stateSentAt: number
  wantsState: boolean
  /** Its trail to a state that differs, if it sent one. */
  trail: Trail
  /** It was sent the state because it asked, and may report the difference once. */
  owesDifference: boolean
  /** The tick in which it came, and how often it has reported what it shows since. */
  readonly cameAt: number
  screenReports: number
  /** Its reports of differences between its state and ours, newest last. */
  readonly differences: string[]
}

export type Seat = {
  readonly buffer: SeatBuffer
  player: 'nobody' | 'bot' | Peer
  /** The tick since which its player is away; undefined while it is here. */
  awaySince: number | undefined
  /** Its player is away and has left the match, and joins again when it is back. */
  isOut: boolean
}

export type Host = {
  readonly game: AnyGame
  readonly session: Session
  readonly world: AnyWorld
  readonly nonce: number
  readonly seats: readonly Seat[]
  readonly peers: Set<Peer>
  readonly terminal: TerminalHost
  /** 'over' when the game has ended, 'failed' when a rule threw; `failure` is the error. Nothing is stepped then. */
  status: 'running' | 'over' | 'failed'
  failure: unknown
  result: Result | undefined
  /** Bytes of the replay that were not taken yet. */
  readonly replay: Uint8Array[]
  readonly totals: { ticks: number; hashes: number; desyncs: number; statesSent: number }
  /** Controls for the next tick: joins, leaves, pauses. */
  readonly controls: Control[]
  readonly options: HostOptions
  readonly inside: Inside
}

export type Join = Extract<Control, { control: 'join' }>

/** What only the host's own modules need to know. */
type Inside = {
  readonly inputs: EncodedInputs
  readonly held: HeldInputs
  /** The recent confirmed ticks, encoded; `recent[i]` is tick `recentFrom + i`. */
  readonly recent: Uint8Array[]
  recentFrom: number
  /** Hashes of the state after so many ticks, for the recent ones that were hashed. */
  readonly hashes: { readonly tick: number; readonly hash: string }[]
  readonly writer: ReplayWriter | undefined
  readonly bytes: ByteWriter
  /** When a peer's trail was last looked at. */
  blamedAt: number
  readonly seenField: number
  /** Joins for the tick after the next, whose seats are still being left. */
  readonly joinsAfter: Join[]
  full: { tick: number; state: FullState } | undefined
}
