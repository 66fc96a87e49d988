/** What an attacker from one address sends, and what it is told. */

import type { SocketFrames, Work } from './work.ts'

export type FloodKind =
  | 'messages'
  | 'pings'
  | 'requests'
  | 'half-open'
  | 'ipv6'
  | 'reservations'
  | 'downloads'
  | 'records'

export const FLOODS: readonly { readonly kind: FloodKind; readonly label: string }[] = [
  { kind: 'messages', label: 'messages on sockets with a seat' },
  { kind: 'pings', label: 'ping frames on sockets with a seat' },
  { kind: 'requests', label: 'pipelined requests' },
  { kind: 'half-open', label: 'half-open requests' },
  { kind: 'ipv6', label: 'half-open requests, every IPv6 address of the loopback' },
  { kind: 'reservations', label: 'reservations of seats in the room' },
  { kind: 'downloads', label: 'replay downloads, half of them never read' },
  { kind: 'records', label: 'small records on the UDP port, forged and true, from a seat' },
]

/** What is flooded: the server, where a seat can be had, or a sink that reads everything and answers nothing. */
export type Target = {
  readonly port: number
  readonly roomId?: string
  readonly seat?: string
  readonly replay?: string
}

/** Starts a flood, until the attacker is told to stop. */
export type Attack = { readonly kind: FloodKind; readonly from: string; readonly target: Target }

export type AttackReport = { readonly connections: number; readonly sentMB: number; readonly seats: number }

/** By the server's own clock. */
export type ServerReading = {
  readonly ticks: number
  readonly atMs: number
  /** For the address that was asked about. */
  readonly work: Work
  readonly sockets: readonly SocketFrames[]
  /** Data channels that were closed because their client sent too much. */
  readonly abused: number
}

export type PlayersReading = { readonly roomId: string; readonly lost: number }

export const TICK_RATE = 62.5
