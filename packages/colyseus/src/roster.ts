/** The roster: the slow part of the match that Colyseus keeps in sync, written from the host's state now and then. */

import { playerAt } from 'hurtbox'
import type { RoomConfig } from './config.ts'
import type { Host } from './netcode/host.ts'
import { SPECTATOR } from './netcode/protocol.ts'
import { type MatchState, RosterEntry } from './state.ts'

/** A connected client: a seat (or `SPECTATOR`) and a name. */
type Present = { readonly seat: number; readonly name: string }

export function writeRoster(
  state: MatchState,
  host: Host,
  present: readonly Present[],
  scoreOf?: RoomConfig['scoreOf'],
): void {
  const { status, result, world } = host
  state.phase = status === 'running' ? (world.paused ? 'paused' : 'playing') : status
  if (status === 'over') {
    state.winner = String(result?.winner ?? '')
    state.summary = result?.summary ?? ''
  }
  state.spectators = present.filter(({ seat }) => seat === SPECTATOR).length
  host.seats.forEach(({ player: holder }, seat) => {
    const key = String(seat)
    if (holder === 'nobody') {
      state.roster.delete(key)
      return
    }
    const entry = state.roster.get(key) ?? new RosterEntry()
    const guest = present.find((each) => each.seat === seat)
    entry.seat = seat
    entry.isBot = holder === 'bot'
    entry.isConnected = guest !== undefined
    if (guest !== undefined) entry.name = guest.name
    else if (entry.isBot) entry.name = `bot ${seat + 1}`
    const player = playerAt(world, seat)
    if (player !== undefined) {
      entry.team = player.team
      entry.score = scoreOf?.(player, world) ?? 0
    }
    if (!state.roster.has(key)) state.roster.set(key, entry)
  })
}

const NAME_LENGTH = 24

/** Names are shown to others: readable characters only, and a limited number of them. */
export function cleanName(name: unknown): string {
  if (typeof name !== 'string') return ''
  const readable = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim()
  // By code point: half of a surrogate pair is no text, and breaks the decoding of the roster at every client.
  return [...readable].slice(0, NAME_LENGTH).join('').trim()
}
