/** The roster: the slow part of the match that Colyseus keeps in sync, written from the host's state now and then. */

import { SPECTATOR } from '@hurtbox/netcode'
import type { Host } from '@hurtbox/netcode/host'
import { playerAt } from 'hurtbox'
import type { RoomConfig } from './config.ts'
import { type MatchState, type Phase, RosterEntry } from './state.ts'

/** A connected client: a seat (or `SPECTATOR`) and a name. */
type Present = {
  readonly seat: number
  readonly name: string
  readonly pingMs: number
  readonly wantsRematch: boolean
  readonly isAway: boolean
}

/** What the roster says at some tick. It is read when the tick has run, and shown when the tick may be told. */
export type RosterReading = {
  readonly phase: Phase
  readonly winner: string
  readonly summary: string
  readonly spectators: number
  readonly entries: readonly RosterLine[]
}

type RosterLine = {
  readonly seat: number
  readonly isBot: boolean
  /** Undefined keeps the name that was shown: the player's connection is lost. */
  readonly name: string | undefined
  readonly isAway: boolean
  readonly team: number | undefined
  readonly score: number
  readonly pingMs: number
  readonly wantsRematch: boolean
}

export function readRoster(host: Host, present: readonly Present[], scoreOf?: RoomConfig['scoreOf']): RosterReading {
  const { status, result, world } = host
  const entries = host.seats.flatMap(({ player: holder }, seat): RosterLine[] => {
    if (holder === 'nobody') return []
    const guest = present.find((each) => each.seat === seat)
    const player = playerAt(world, seat)
    const isBot = holder === 'bot'
    const name = guest?.name ?? (isBot ? seatName(seat) : undefined)
    const score = (player && scoreOf?.(player, world)) ?? 0
    const { pingMs = 0, wantsRematch = false, isAway = !isBot } = guest ?? {}
    return [{ seat, isBot, name, isAway, team: player?.team, score, pingMs, wantsRematch }]
  })
  return {
    phase: status === 'running' ? (world.paused ? 'paused' : 'playing') : status,
    winner: status === 'over' ? String(result?.winner ?? '') : '',
    summary: status === 'over' ? (result?.summary ?? '') : '',
    spectators: present.filter(({ seat }) => seat === SPECTATOR).length,
    entries,
  }
}

/** Most looks at a match find what the one before has found, and showing it costs more than looking. */
export function isSameRoster(a: RosterReading, b: RosterReading | undefined): boolean {
  return (
    a.entries.length === b?.entries.length &&
    isSame(a, { ...b, entries: a.entries }) &&
    a.entries.every((line, i) => isSame(line, b.entries[i]))
  )
}

function isSame<T extends object>(a: T, b: T): boolean {
  for (const name of Object.keys(a) as (keyof T)[]) if (a[name] !== b[name]) return false
  return true
}

export function showRoster(state: MatchState, { entries, ...rest }: RosterReading): void {
  Object.assign(state, rest)
  const seats = new Set(entries.map(({ seat }) => String(seat)))
  for (const key of [...state.roster.keys()]) if (!seats.has(key)) state.roster.delete(key)
  for (const { seat, isBot, name, isAway, team, score, pingMs, wantsRematch } of entries) {
    const key = String(seat)
    const entry = state.roster.get(key) ?? new RosterEntry()
    entry.seat = seat
    entry.isBot = isBot
    entry.isAway = isAway
    entry.pingMs = pingMs
    entry.wantsRematch = wantsRematch
    if (name !== undefined) entry.name = name
    if (team !== undefined) {
      entry.team = team
      entry.score = score
    }
    if (!state.roster.has(key)) state.roster.set(key, entry)
  }
}

/** What a player without a name is called, a person or a bot; views and the studio call it the same. */
export function seatName(seat: number): string {
  return `P${seat + 1}`
}

const NAME_LENGTH = 24

/** Names are shown to others: readable characters only, and a limited number of them. */
export function cleanName(name: unknown): string {
  if (typeof name !== 'string') return ''
  const readable = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim()
  // By code point: half of a surrogate pair is no text, and breaks the decoding of the roster at every client.
  return [...readable].slice(0, NAME_LENGTH).join('').trim()
}
