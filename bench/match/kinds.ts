/** What plays the match: two ways of ours, two ways to write it on plain Colyseus, and sockets that do nothing else. */

import { defineGame } from 'hurtbox'
import type { AnyGame } from 'hurtbox/tools'
import { jetRaiders } from '../../games/jet-raiders/rules/index.ts'

export type Kind = 'terminals' | 'mirrors' | 'plain-a' | 'plain-b' | 'floor-terminals' | 'floor-mirrors'

export const KINDS: readonly { readonly kind: Kind; readonly label: string }[] = [
  { kind: 'terminals', label: 'Hurtbox, terminals' },
  { kind: 'mirrors', label: 'Hurtbox, mirrors' },
  { kind: 'plain-a', label: 'plain Colyseus A: bullets in the schema' },
  { kind: 'plain-b', label: 'plain Colyseus B: bullets sent once' },
  { kind: 'floor-terminals', label: 'floor of terminals: bare `ws`, same frames' },
  { kind: 'floor-mirrors', label: 'floor of mirrors: bare `ws`, same frames' },
]

export const TICK_RATE = 62.5

/** As many players as a room may have; more clients than that watch. */
const MAX_PLAYERS = 250

/** Jet Raiders, or for more players than it has seats the same rules with more seats. */
export function matchGame(players: number): AnyGame {
  const { declaration, behaviour }: AnyGame = jetRaiders
  const { seats } = declaration
  if (players <= seats.max) return jetRaiders
  return defineGame({ ...declaration, seats: { ...seats, max: Math.min(players, MAX_PLAYERS) } }, behaviour)
}
export const TICK_MS: number = 1000 / TICK_RATE

/** Frames of the same sizes and rates as those of a run: what a floor sends and receives. */
export type Frames = {
  /** Payload in bytes, frames a second, from and to one client. */
  readonly downBytes: number
  readonly downPerSecond: number
  readonly upBytes: number
  readonly upPerSecond: number
}

/** What a server process is asked for. Everything counts from its start. */
export type ServerReading = {
  readonly cpuMs: number
  readonly roomTicks: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly rssBytes: number
  /** After a collection: what is live, on the heap and outside of it. */
  readonly liveBytes: number
}

/** What a process of clients is asked for. */
export type ClientReading = {
  /** How often clients had their turn: as often as there are ticks, or they were short of time. */
  readonly acted: number
  readonly sent: number
  readonly sentBytes: number
  readonly received: number
  readonly receivedBytes: number
  readonly connected: number
}

/** What a player does in a tick: turns, thrusts and shoots by turns, each in its own time. */
export function inputOf(player: number, tick: number): { thrust: number; turn: number; shoot: boolean } {
  const phase = player * 37
  return {
    thrust: (tick + phase) % 200 < 150 ? 1 : 0,
    turn: (((tick + phase) >> 5) % 3) - 1,
    shoot: (tick + phase) % 130 < 65,
  }
}
