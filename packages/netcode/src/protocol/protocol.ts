/** What the two ends of a match must agree on besides messages: versions, limits, modes. */

import { fingerprint } from 'hurtbox/replay'
import { SEEN_AGO } from 'hurtbox/rewind'
import { type AnyGame, declaredGame } from 'hurtbox/tools'

/** Raised with every change of a message. Ends with different versions refuse each other. */
export const PROTOCOL_VERSION = 5

/** The type of netcode messages on a connection that carries others too. */
export const NETCODE = 0

/** Seat number of spectators. */
export const SPECTATOR = 255

/** No message of a client is longer. Most have a few dozen bytes; orders of a strategy game can have hundreds each. */
export const MAX_CLIENT_MESSAGE = 4000
/** Inputs in one packet. */
export const MAX_PACKET_INPUTS = 32
/** An input for a tick further ahead than this is refused, and a client predicts no further. */
export const MAX_LEAD_TICKS = 128
/** Confirmed ticks in one message. */
export const MAX_MESSAGE_TICKS = 256

/** A client whose state differs from the host's asks for it this often. */
export const ASK_AGAIN_MS = 1000
/** A client without inputs to send reports at least this often up to which tick it has the match. */
export const HEARTBEAT_MS = 1000
/** What happened longer ago than this is not shown any more when it comes: after a stall all of it would come at once. */
export const STALE_MS = 500
/** The most ticks that one late screen frame catches up on. */
export const FRAME_CATCH_UP_TICKS = 8

/**
 * How long a seat is kept for a player who is away, seconds, unless a room says otherwise: a lost connection, a page that is hidden or
 * frozen. Clients are told it with their welcome, and look for their match for as long.
 */
export const SEAT_SECONDS = 60

/** An input that stays the same is sent at least this often. */
const SAME_INPUT_SECONDS = 0.05

/**
 * For how many ticks an input counts, unless another comes: the host repeats it, and the client sends the same one no more
 * often. Where inputs have the moment that the player saw, each tick has its own.
 */
export function repeatedTicks({ declaration, input }: AnyGame): number {
  if (input.fields.some(({ label }: { label: string }) => label === SEEN_AGO.field)) return 1
  return Math.max(1, Math.floor(SAME_INPUT_SECONDS * declaration.tickRate))
}

/** How a client follows the match: it steps the same world, or it shows the frames that it is sent. */
export type Mode = 'mirror' | 'terminal'

/** How messages arrive: in order and complete, or in any order, some of them lost. */
export type Path = 'stream' | 'datagram'

/**
 * After so long without a datagram the path is in doubt: a client sends its inputs by the socket as well, and a message on the socket
 * tells the host to answer there. Until then the client's lead makes up for what was lost. One value for both ends.
 */
export const PATH_DOUBT_MS = 150

/** Sent in the place of the slack of inputs when none came. */
export const NO_SLACK = 0x7fff

/** What a client sends to join: its protocol and its build of the game. */
export type Hello = { readonly protocol: number; readonly fingerprint: string }

export function helloOf(game: AnyGame): Hello {
  // As declared: how much space a room has is told by its welcome.
  return { protocol: PROTOCOL_VERSION, fingerprint: fingerprint(declaredGame(game)).hash }
}

/** Why a client cannot play here, in words for its player; undefined when it can. */
export function refusalOf(game: AnyGame, hello: unknown): string | undefined {
  return refusalBetween(game.declaration.id, helloOf(game), hello, 'server')
}

/** The same for a room elsewhere, by what its listing says. */
export function refusalOfRoom(game: string, own: Hello, hello: unknown): string | undefined {
  return refusalBetween(game, own, hello, 'room')
}

function refusalBetween(game: string, own: Hello, hello: unknown, what: 'server' | 'room'): string | undefined {
  const { protocol, fingerprint: theirs } = (hello ?? {}) as Partial<Hello>
  if (protocol !== own.protocol) {
    return `This ${what} speaks protocol ${own.protocol}, your game ${shown(protocol)}. Reload the page to get the current version.`
  }
  if (theirs !== own.fingerprint) {
    const cure =
      what === 'server' ? 'or restart the server if you changed the rules' : 'and open a new room if that does not help'
    return `This ${what} plays another build of ${game} (${own.fingerprint}) than yours (${shown(theirs)}). Reload the page, ${cure}.`
  }
  return undefined
}

function shown(value: unknown): string {
  if (value === undefined) return 'none'
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 32) : 'something else'
}
