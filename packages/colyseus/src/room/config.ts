/** The configuration of a room: game, bots, limits, hooks. */

import type { Abuse, Datagrams } from '@hurtbox/datagrams'
import type { Hello, Mode, TerminalOptions } from '@hurtbox/netcode'
import type { Host, WhenAway } from '@hurtbox/netcode/host'
import type { LoadedModule } from 'hurtbox/module'
import { scoreOf } from 'hurtbox/module'
import { type AnyBot, type AnyGame, type AnyJoinData, type AnyThing, type AnyWorld, withCapacity } from 'hurtbox/tools'
import type { DatagramCounts } from '../datagrams/lanes.ts'
import type { CutReason, Limits } from './guard.ts'
import type { Auth } from './identity.ts'
import type { MatchKeeping } from './keeping.ts'
import type { LateTicks } from './lateness.ts'
import type { ReplaySink } from './replay-folder.ts'

export type RoomConfig = {
  readonly game: AnyGame
  /** Bots for seats without a player. */
  readonly bots?: readonly AnyBot[]
  /** The bot of a seat. Default: they take turns. */
  readonly botOf?: (seat: number) => AnyBot | undefined
  /** How many seats are taken at all times, by bots if need be. Default: the seats a match needs at least. */
  readonly fill?: number
  /** Modes that clients may ask for; the first is the default. A game with fog is always shown by terminals. */
  readonly modes?: readonly Mode[]
  readonly options?: Readonly<Record<string, unknown>>
  readonly tuning?: Readonly<Record<string, number>>
  /** Returns the seed of a match. Default: random. */
  readonly seed?: () => number
  readonly teamOf?: (seat: number) => number
  /** The score of a player for the roster. Default: 0 for everybody. */
  readonly scoreOf?: (player: AnyThing, world: AnyWorld) => number | undefined
  readonly terminal?: TerminalOptions
  /**
   * Ticks between two draws of fresh random bits, for games that roll by `world.entropy`: mirrors know the seed and every
   * stream, but not these bits before they are used. Each draw is 7 bytes to every mirror. Default: none;
   * the bits then follow from the seed, as they do offline.
   */
  readonly entropyEvery?: number
  /** Ticks between two hashes for mirrors. Default 16. */
  readonly hashEvery?: number
  /** The most spectators. Default 16. */
  readonly spectators?: number
  /**
   * How long a seat is kept for a player who is away, seconds: whose connection is lost, whose page is hidden or says nothing. Default 60, in
   * private rooms and those for one player 120.
   */
  readonly seatSeconds?: number
  /**
   * What happens in the match to a player who is away: it stands idle (default), a bot plays for it, or it leaves the match after 5 s and
   * joins again when it is back. Its seat is kept in any case.
   */
  readonly whenAway?: WhenAway
  /** What follows the end of a match, and after how many seconds. Default: the next match after 10. */
  readonly afterMatch?: 'rematch' | 'close'
  readonly afterMatchSeconds?: number
  /** Says who a player is. Default: everybody is a guest with a name. */
  readonly auth?: Auth
  /** Refuses what a player brings along, with a sentence; the declared fields are checked already. */
  readonly checkJoinData?: (data: AnyJoinData, game: AnyGame) => string | undefined
  readonly limits?: Limits
  /** Where the recordings of matches go. Default: nowhere. */
  readonly replays?: ReplaySink
  /** Whether what clients sent, and when, is kept beside each recording (`readTrack` of hurtbox/replay). Default false. */
  readonly track?: boolean
  /** Where running matches are kept, so that they survive the death of the process. Default: nowhere. */
  readonly matches?: MatchKeeping
  /** An unreliable path beside the socket: `startDatagrams`. Default: none. Read anew each time, so it may come later. */
  readonly datagrams?: Datagrams | undefined
  /**
   * Whether players are told the whole error when a rule throws, with the files it names, and get the replay of a game that hides
   * something from them: for servers under work. Default false: they are told the tick.
   */
  readonly tellErrors?: boolean
  readonly hooks?: RoomHooks
}

/** The room of a game as its module describes it; spread it into the configuration and add what is your own. */
export function roomConfigOf(module: LoadedModule): RoomConfig {
  const { game, bots, botOf, teamOf, room } = module
  const { fill = 0, modes, hide, show, derive, entropyEvery, checkJoinData, spectators, capacity = {} } = room ?? {}
  const { seatSeconds, whenAway } = room ?? {}
  const terminal = { ...(hide && { hide }), ...(show && { show }), ...(derive && { derive }) }
  return {
    game: withCapacity(game, capacity),
    bots,
    botOf,
    teamOf,
    fill,
    scoreOf: (player, world) => scoreOf(module, player, world),
    ...(modes && { modes }),
    ...(Object.keys(terminal).length > 0 && { terminal }),
    ...(entropyEvery !== undefined && { entropyEvery }),
    ...(spectators !== undefined && { spectators }),
    ...(seatSeconds !== undefined && { seatSeconds }),
    ...(whenAway && { whenAway }),
    ...(checkJoinData && { checkJoinData: checkJoinData as RoomConfig['checkJoinData'] & object }),
  }
}

/** For logs and metrics. Hooks see, they do not steer. */
export type RoomHooks = {
  /** After every tick; the world's events are those of the tick. */
  readonly onTick?: (room: RoomView, stepMs: number) => void
  /** Ticks of the room were late by more than one tick; told a moment later, when the cause is known. */
  readonly onLate?: (room: RoomView, late: LateTicks) => void
  /** Also when everybody has left in the middle of it: then `host.result` is not over. */
  readonly onMatchEnd?: (room: RoomView) => void
  readonly onCut?: (room: RoomView, reason: CutReason) => void
  /** The data channel of a seat was closed because its client sent too much: the first one. The client plays on by its socket. */
  readonly onAbuse?: (room: RoomView, seat: number, abuse: Abuse) => void
  /** How often a mirror rolled back since its last report, which comes every few seconds. Not checked: for statistics. */
  readonly onRollbacks?: (room: RoomView, rollbacks: number) => void
  /** A mirror had another state than the host; `difference` names tick, table and column. */
  readonly onDesync?: (room: RoomView, seat: number, difference: string) => void
}

/** What a hook may look at. */
export type RoomView = {
  readonly roomId: string
  readonly game: string
  readonly host: Host
  readonly world: AnyWorld
  readonly traffic: Traffic
  /** Number of the match in its room, from 1. */
  readonly match: number
  readonly startedAt: Date
  /** Where its replay is when the match has ended, from the address of the server on; undefined where it is kept nowhere. */
  readonly replay: string | undefined
  /** Everybody who has had a seat in this match, bots left out. */
  readonly players: readonly MatchPlayer[]
}

export type MatchPlayer = {
  readonly seat: number
  /** By `auth`; empty for guests. */
  readonly id: string
  readonly name: string
  /** The tick in which it gave the seat up; `undefined` for those who stayed. */
  leftAt: number | undefined
}

/** Payload of our own messages, and all frames that came in: by sockets, and by datagrams. */
export type Traffic = {
  bytesOut: number
  messagesOut: number
  bytesIn: number
  messagesIn: number
  readonly datagrams: DatagramCounts
}

/** What clients send when they join. */
export type JoinOptions = {
  readonly hello: Hello
  readonly mode?: Mode
  readonly spectate?: boolean
  readonly name?: string
  /** What to bring along, by the fields of the declared `join`. */
  readonly data?: unknown
  /** When it opens a room: one that is found by its code only. */
  readonly private?: boolean
}

/** Modes of a room: those asked for, as far as the game's fog allows. */
export function modesOf({ game, modes = ['mirror', 'terminal'] }: RoomConfig): readonly Mode[] {
  return game.behaviour.visible === undefined ? modes : ['terminal']
}

/** A seat kept for a day would be kept for ever. */
const MAX_SEAT_SECONDS = 86_400

export function checkConfig({ game, modes, entropyEvery = 1, seatSeconds = 60, whenAway = 'idle' }: RoomConfig): void {
  if (game?.layout === undefined) throw new TypeError('gameRoom needs { game }: what defineGame returned.')
  if (!Number.isInteger(entropyEvery) || entropyEvery < 1) {
    throw new TypeError(`entropyEvery is a number of ticks, at least 1, got ${entropyEvery}.`)
  }
  if (!(seatSeconds > 0 && seatSeconds <= MAX_SEAT_SECONDS)) {
    throw new TypeError(`seatSeconds is a number of seconds, up to ${MAX_SEAT_SECONDS}, got ${seatSeconds}.`)
  }
  if (!['idle', 'bot', 'leave'].includes(whenAway)) {
    throw new TypeError(`whenAway is one of idle, bot, leave, got ${whenAway}.`)
  }
  if (modes?.length === 0) throw new TypeError('modes must name at least one of mirror, terminal.')
}
