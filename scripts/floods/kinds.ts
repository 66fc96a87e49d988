/** What an attacker from one address sends, and what it is told. */

import type { PacketWork, SocketFrames, Work } from './work.ts'

/** Of the UDP port. */
export type PacketKind =
  | 'gcm-forged'
  | 'gcm-true'
  | 'chacha-forged'
  | 'chacha-true'
  | 'comes-again'
  | 'checks-of-seat'
  | 'hellos'
  | 'handshakes'
  | 'checks-known'
  | 'strange-checks'
  | 'strange-records'
  | 'in-their-names'

export type FloodKind =
  | 'messages'
  | 'pings'
  | 'requests'
  | 'half-open'
  | 'ipv6'
  | 'reservations'
  | 'downloads'
  | PacketKind

export type Flood = {
  readonly kind: FloodKind
  readonly label: string
  /** By one seat with a data channel, which is to cost less than 5 % of a core. */
  readonly isSeat?: true
  /** Its addresses are those of the players: only in a network namespace, where packets can be changed. */
  readonly isMasked?: true
}

export const FLOODS: readonly Flood[] = [
  { kind: 'messages', label: 'messages on sockets with a seat' },
  { kind: 'pings', label: 'ping frames on sockets with a seat' },
  { kind: 'requests', label: 'pipelined requests' },
  { kind: 'half-open', label: 'half-open requests' },
  { kind: 'ipv6', label: 'half-open requests, every IPv6 address of the loopback' },
  { kind: 'reservations', label: 'reservations of seats in the room' },
  { kind: 'downloads', label: 'replay downloads, half of them never read' },
  { kind: 'gcm-forged', label: 'UDP from a seat: forged small records, AES-GCM', isSeat: true },
  { kind: 'gcm-true', label: 'UDP from a seat: true small records, AES-GCM', isSeat: true },
  { kind: 'chacha-forged', label: 'UDP from a seat: forged small records, ChaCha20', isSeat: true },
  { kind: 'chacha-true', label: 'UDP from a seat: true small records, ChaCha20', isSeat: true },
  { kind: 'comes-again', label: 'UDP from seats of one address, the next when one is closed: true small records' },
  { kind: 'checks-of-seat', label: 'UDP from a seat: its own connectivity checks', isSeat: true },
  { kind: 'hellos', label: 'UDP from a seat: hellos of handshakes that do not go on', isSeat: true },
  { kind: 'handshakes', label: 'UDP from seats of one address: whole handshakes' },
  { kind: 'checks-known', label: 'UDP from strangers: connectivity checks with a known name' },
  { kind: 'strange-checks', label: 'UDP from strangers: connectivity checks with an unknown name' },
  { kind: 'strange-records', label: 'UDP from strangers: records' },
  { kind: 'in-their-names', label: 'UDP with the addresses of the players: records, checks, hellos', isMasked: true },
]

/** What is flooded: the server, where a seat can be had, or a sink that reads everything and answers nothing. */
export type Target = {
  readonly port: number
  readonly roomId?: string
  readonly seat?: string
  readonly replay?: string
  /** Addresses of ours: what comes from there arrives as if it came from a player. */
  readonly masks?: readonly string[]
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
  readonly packets: PacketWork
  /** Datagrams of players that arrived. */
  readonly datagramsIn: number
  /** Of this process. */
  readonly cpuMs: number
}

export type PlayersReading = {
  readonly roomId: string
  readonly lost: number
  /** Datagrams that arrived. */
  readonly datagrams: number
}

export const TICK_RATE = 62.5
