/**
 * What Colyseus itself keeps in sync: the players, their scores, and where the match is.
 *
 * Flat and slow on purpose. The match travels in our own messages, tick by tick; this is for lobbies, score boards and
 * any plain Colyseus client.
 */

import { type SchemaType, schema, t } from '@colyseus/schema'

export const RosterEntry = schema({
  seat: t.uint8().default(0),
  name: t.string().default(''),
  team: t.uint8().default(0),
  isBot: t.boolean().default(false),
  /** A player who is away: its page is hidden or silent, or its connection is lost. Its seat is kept. */
  isAway: t.boolean().default(false),
  score: t.number().default(0),
  /** Round trip as its client measures it, ms; 0 while it is not known. */
  pingMs: t.uint16().default(0),
  /** After a match: whether the player wants another one. */
  wantsRematch: t.boolean().default(false),
})
export type RosterEntry = SchemaType<typeof RosterEntry>

/** `playing`, `paused`, `over` (`summary` says how), `failed` (a rule threw; `failure` says why). */
export type Phase = 'playing' | 'paused' | 'over' | 'failed'

export const MatchState = schema({
  game: t.string().default(''),
  phase: t.string().default('playing'),
  /** Counts the matches of this room, from 1. */
  match: t.uint32().default(0),
  winner: t.string().default(''),
  summary: t.string().default(''),
  /** Of a match that failed: why, as far as players are told. */
  failure: t.string().default(''),
  /** Of a match that failed: where its replay is, from the address of the server on; '' while it is not whole, and for those who may not see it. */
  replay: t.string().default(''),
  /** Of a private room: what other players join by. */
  code: t.string().default(''),
  spectators: t.uint8().default(0),
  /** By seat number. */
  roster: t.map(RosterEntry),
})
export type MatchState = SchemaType<typeof MatchState>
