/**
 * The host of a match: owns the world and the clock, takes inputs, steps, and sends updates to its peers.
 *
 * It knows no sockets and no timers. Messages come in as bytes and go out as bytes in each peer's `outbox`; the owner
 * of the transport calls `stepHost` once per tick. The host never waits: a tick runs with the inputs that are there. What
 * entered it is confirmed then and there, recorded for the replay, and sent to mirrors; terminals get frames.
 */

import { createSession, HurtboxError, type Session } from 'hurtbox'
import {
  createReplayWriter,
  drainReplay,
  finishReplay,
  type LoggedMatch,
  type ReplayOptions,
  type ReplayWriter,
  type ScreenReport,
} from 'hurtbox/replay'
import { SEEN_AGO } from 'hurtbox/rewind'
import {
  type AnyBot,
  type AnyGame,
  type AnyWorld,
  advanceEncoded,
  type Control,
  createEncodedInputs,
  type EncodedInputs,
  forgetBefore,
  type Result,
  seatRow,
} from 'hurtbox/tools'
import {
  type ByteWriter,
  createByteReader,
  createByteWriter,
  createHeldInputs,
  type HeldInputs,
  readByte,
  takeBytes,
} from 'hurtbox/wire'
import { NO_TRAIL, type Trail } from '../protocol/blame.ts'
import type { InputPacket } from '../protocol/input-packets.ts'
import { MESSAGES, writeMessage } from '../protocol/messages.ts'
import {
  MAX_CLIENT_MESSAGE,
  MAX_MESSAGE_TICKS,
  type Mode,
  NO_SLACK,
  type Path,
  repeatedTicks,
  SPECTATOR,
} from '../protocol/protocol.ts'
import { schemeOf, type TerminalOptions } from '../protocol/scheme.ts'
import type { FullState } from '../protocol/welcome.ts'
import { gatherInputs, takePacket } from './inputs.ts'
import {
  clearSeatBuffer,
  createInputCounts,
  createSeatBuffer,
  type InputCounts,
  type SeatBuffer,
} from './seat-buffer.ts'
import { createSight, type Sight } from './sight.ts'
import { confirm, fullState, sendUpdates } from './updates.ts'
import {
  acknowledgeFrame,
  createTerminalHost,
  createViewer,
  keepFrames,
  noteEvents,
  type TerminalHost,
  type Viewer,
} from './viewers.ts'

export type HostOptions = {
  readonly seed?: number
  readonly options?: Readonly<Record<string, unknown>>
  readonly tuning?: Readonly<Record<string, number>>
  /** A number that no other match has: inputs carry it, so that those of one match are ignored in another. */
  readonly nonce?: number
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

type Seat = { readonly buffer: SeatBuffer; player: 'nobody' | 'bot' | Peer }

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

type Join = Extract<Control, { control: 'join' }>

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

/** Ticks between two snapshots from which the recording could go on if a rule threw; the log before them is forgotten. */
const KEYFRAME_EVERY = 256
const MAX_DIFFERENCES = 8
const SCREENS_PER_SECOND = 4
const SCREEN_BURST = 16

export function createHost(game: AnyGame, options: HostOptions = {}): Host {
  const { seed = 0, options: gameOptions = {}, tuning = {} } = options
  const session = createSession(game, { seed, options: gameOptions, tuning }, KEYFRAME_EVERY)
  const writer = options.replay === false ? undefined : createReplayWriter(session, options.replay)
  const host = hostOf(session, options, createHeldInputs(game), writer)
  requirePhases(host)
  fillSeats(host)
  // Now, while the world is in its first state: later the writer would need a world of its own for it.
  if (writer !== undefined) record(host, drainReplay(writer))
  return host
}

/**
 * Goes on with a match from its log. Every player of the world is a bot at first: add the peers of those who are awaited, then
 * call `dismissBots`.
 */
export function resumeHost(logged: LoggedMatch, options: HostOptions): Host {
  const { session, held, ticks, from, hashes, writer, replay } = logged
  const host = hostOf(session, options, held, options.replay === false ? undefined : writer)
  const { inside, world, seats, game } = host
  inside.recent.push(...ticks.slice(-MAX_MESSAGE_TICKS))
  inside.recentFrom = from + ticks.length - inside.recent.length
  inside.hashes.push(...hashes.filter(({ tick }) => tick >= inside.recentFrom))
  for (const bytes of replay) record(host, bytes)
  for (let seat = 0; seat < seats.length; seat++) if (seatRow(world, seat) >= 0) seats[seat].player = 'bot'
  host.result = game.behaviour.result?.(world)
  if (host.result?.over) host.status = 'over'
  return host
}

/** Where there are no bots, players who are not awaited leave. */
export function dismissBots(host: Host): void {
  if ((host.options.bots ?? []).length > 0) return
  host.seats.forEach((seat, number) => {
    if (seat.player !== 'bot') return
    seat.player = 'nobody'
    host.controls.push({ control: 'leave', seat: number })
  })
}

function hostOf(session: Session, options: HostOptions, held: HeldInputs, writer: ReplayWriter | undefined): Host {
  const { game, world } = session
  const { seed } = session.setup
  const seatCount: number = game.declaration.seats.max
  return {
    game,
    session,
    world,
    nonce: (options.nonce ?? seed) >>> 0,
    seats: Array.from({ length: seatCount }, () => ({
      buffer: createSeatBuffer(game.input, repeatedTicks(game)),
      player: 'nobody',
    })),
    peers: new Set(),
    terminal: createTerminalHost(schemeOf(game, options.terminal)),
    status: 'running',
    failure: undefined,
    result: undefined,
    replay: [],
    totals: { ticks: 0, hashes: 0, desyncs: 0, statesSent: 0 },
    controls: [],
    options,
    inside: {
      inputs: createEncodedInputs(world),
      held,
      recent: [],
      recentFrom: 0,
      hashes: [],
      writer,
      bytes: createByteWriter(1024),
      blamedAt: Number.NEGATIVE_INFINITY,
      seenField: game.input.fields.findIndex(({ label }: { label: string }) => label === SEEN_AGO.field),
      joinsAfter: [],
      full: undefined,
    },
  }
}

/** A phase that terminals are to run must be there; a misspelt one would silently be skipped. */
function requirePhases({ options, world }: Host): void {
  const known = world.memory.phases.map(({ name }) => name)
  for (const name of options.terminal?.derive ?? []) {
    if (known.includes(name)) continue
    throw new HurtboxError(
      'unknown-name',
      `${world.game.declaration.id} has no phase "${name}" for terminals to run. Known: ${known.join(', ')}.`,
    )
  }
}

/** Returns a seat for a new player: prefers a bot's seat, then an empty one; −1 if all are taken. */
export function freeSeat(host: Host): number {
  const wanted = (player: Seat['player']) => host.seats.findIndex((seat) => seat.player === player)
  const bot = wanted('bot')
  return bot >= 0 ? bot : wanted('nobody')
}

/** Adds a peer, as a player or as a spectator. Its welcome is in the outbox. */
export function addPeer(host: Host, seat: number, mode: Mode, path: Path = 'stream'): Peer {
  const peer: Peer = {
    mode,
    path,
    seat,
    outbox: [],
    counts: createInputCounts(),
    nextTick: host.world.tick,
    received: 0,
    viewer: createViewer(host.terminal, path),
    sight: createSight(),
    slack: NO_SLACK,
    stateSentAt: host.world.tick,
    wantsState: false,
    trail: NO_TRAIL,
    owesDifference: false,
    cameAt: host.world.tick,
    screenReports: 0,
    differences: [],
  }
  if (seat !== SPECTATOR) {
    if (host.seats[seat].player === 'nobody') sit(host, seat)
    host.seats[seat].player = peer
    clearSeatBuffer(host.seats[seat].buffer)
  }
  host.peers.add(peer)
  host.options.onPeer?.(peer, true)
  const { bytes } = host.inside
  const welcome = {
    nonce: host.nonce,
    mode,
    seat,
    game: host.game,
    setup: host.session.setup,
    terminal: { ...host.options.terminal, every: host.terminal.scheme.every },
    tracked: host.options.onScreens !== undefined && seat !== SPECTATOR,
    state: mode === 'mirror' ? fullState(host) : undefined,
  }
  writeMessage(bytes, MESSAGES.welcome, welcome, host.game)
  peer.outbox.push(takeBytes(bytes))
  return peer
}

/**
 * What the new player of a seat brings along: it goes with the join that is due. A player who has taken over the place of a bot
 * joins anew, so that `onJoin` hears of it: the bot leaves in the next tick, the player joins in the one after.
 */
export function bringAlong(host: Host, seat: number, data: Readonly<Record<string, number>>): void {
  const { controls, inside, options } = host
  const due = controls.findIndex((control) => control.control === 'join' && control.seat === seat)
  if (due >= 0) {
    controls[due] = { ...(controls[due] as Join), data }
    return
  }
  const team = options.teamOf?.(seat)
  controls.push({ control: 'leave', seat })
  inside.joinsAfter.push({ control: 'join', seat, ...(team !== undefined && { team }), data })
}

/** From now on messages to a peer arrive otherwise. What it has of the match is what it has said last. */
export function changePath(host: Host, peer: Peer, path: Path): void {
  if (peer.path === path) return
  peer.path = path
  keepFrames(host.terminal, path)
  if (peer.received === 0) return
  if (peer.mode === 'terminal') acknowledgeFrame(host.terminal, peer.viewer, peer.received)
  else peer.nextTick = Math.min(peer.received, host.world.tick)
}

/** Stops talking to a peer whose connection is gone. Its seat stays taken and idle until it returns or gives it up. */
export function suspendPeer(host: Host, peer: Peer): void {
  if (host.peers.delete(peer)) host.options.onPeer?.(peer, false)
  const seat = host.seats[peer.seat]
  if (seat?.player !== peer) return
  // Levels hold until replaced: without this the ship of a player without connection would fly on at full thrust.
  clearSeatBuffer(seat.buffer)
  seat.buffer.waiting.push({ sequence: 1, tick: host.world.tick, codes: host.inside.held.idle, seenAgo: 0 })
}

/** Removes a peer permanently. The seat goes to a bot when seats are to be filled, else the player leaves the match. */
export function removePeer(host: Host, peer: Peer): void {
  if (host.peers.delete(peer)) host.options.onPeer?.(peer, false)
  const seat = host.seats[peer.seat]
  if (seat?.player !== peer) return
  clearSeatBuffer(seat.buffer)
  const wasBot = withdrawJoin(host, peer.seat)
  const { bots = [], fill = 0 } = host.options
  const taken = host.seats.filter(({ player }) => player !== 'nobody').length
  if (bots.length > 0 && (taken <= fill || wasBot)) {
    seat.player = 'bot'
    return
  }
  seat.player = 'nobody'
  host.controls.push({ control: 'leave', seat: peer.seat })
}

/** Takes back a join that waits for a bot to leave; the bot stays. Returns whether there was one. */
function withdrawJoin({ controls, inside: { joinsAfter } }: Host, seat: number): boolean {
  const at = joinsAfter.findIndex((join) => join.seat === seat)
  if (at < 0) return false
  joinsAfter.splice(at, 1)
  const leaving = controls.findIndex((control) => control.control === 'leave' && control.seat === seat)
  controls.splice(leaving, 1)
  return true
}

/** A message of a peer. An invalid one is only counted as malformed. */
export function receive(host: Host, peer: Peer, message: Uint8Array): void {
  const reader = createByteReader(message)
  const kind = message.length <= MAX_CLIENT_MESSAGE ? readByte(reader) : 0
  const { inputs, desync, difference, screens } = MESSAGES
  switch (kind) {
    case inputs.kind: {
      const packet = inputs.read(reader, { layout: host.game.input, idle: host.inside.held.idle })
      if (packet?.nonce !== host.nonce) peer.counts.malformed++
      else takePacket(host, peer, packet)
      return
    }
    case desync.kind: {
      const trail = desync.read(reader)
      if (trail === undefined) peer.counts.malformed++
      else askForState(host, peer, trail)
      return
    }
    case difference.kind: {
      const text = difference.read(reader)
      if (text === undefined || !peer.owesDifference) peer.counts.malformed++
      else noteDifference(peer, text)
      peer.owesDifference = false
      return
    }
    case screens.kind: {
      const report = screens.read(reader)
      const { onScreens } = host.options
      if (report === undefined || onScreens === undefined || peer.seat === SPECTATOR) peer.counts.malformed++
      else if (mayReport(host, peer)) {
        peer.screenReports++
        onScreens(peer, report)
      }
      return
    }
    default:
      peer.counts.malformed++
  }
}

/** Reports come twice a second. Many more would only fill the disk. */
function mayReport({ world, game }: Host, { cameAt, screenReports }: Peer): boolean {
  const seconds = (world.tick - cameAt) / game.declaration.tickRate
  return screenReports < SCREEN_BURST + SCREENS_PER_SECOND * seconds
}

function askForState(host: Host, peer: Peer, trail: Trail): void {
  host.totals.desyncs++
  peer.wantsState = true
  peer.trail = trail
}

function noteDifference({ differences }: Peer, text: string): void {
  if (differences.push(printable(text)) > MAX_DIFFERENCES) differences.shift()
}

/** Runs one tick and sends updates. Never throws: a rule that does ends the match. */
export function stepHost(host: Host): void {
  if (host.status !== 'running') return
  const { session, inside, world } = host
  try {
    gatherInputs(host)
    advanceEncoded(session, inside.inputs)
    host.result = host.game.behaviour.result?.(world)
    noteEvents(host.terminal, world)
    confirm(host)
    if (inside.writer !== undefined) record(host, drainReplay(inside.writer))
    // A match may run for days, its log must not. Some past is left, in case a step has to be looked at.
    forgetBefore(session, session.keyframes.at(-2)?.tick ?? 0)
  } catch (error) {
    host.status = 'failed'
    host.failure = error
    return
  }
  host.totals.ticks++
  if (host.result?.over) host.status = 'over'
  sendUpdates(host)
}

/** Stops the match's clock, or lets it go on, from the next tick on. The last call of a tick counts, and is recorded. */
export function pauseHost(host: Host, paused: boolean): void {
  const before = host.controls.findIndex(({ control }) => control === 'pause')
  if (before >= 0) host.controls.splice(before, 1)
  if (host.world.paused !== paused) host.controls.push({ control: 'pause', paused })
}

/** The end of the replay. Nothing is recorded after that. */
export function finishHost(host: Host): void {
  if (host.status === 'running') host.status = 'over'
  const { writer } = host.inside
  if (writer === undefined || writer.state === 'finished' || writer.state === 'broken') return
  record(host, finishReplay(writer))
}

/** The bytes of the replay since the last call. */
export function takeReplay(host: Host): Uint8Array[] {
  return host.replay.splice(0)
}

/** Brings the number of taken seats to `fill`. */
function fillSeats(host: Host): void {
  const { bots = [], fill = 0 } = host.options
  if (bots.length === 0) return
  for (let seat = 0; seat < Math.min(fill, host.seats.length); seat++) {
    if (host.seats[seat].player !== 'nobody') continue
    sit(host, seat)
    host.seats[seat].player = 'bot'
  }
}

function sit(host: Host, seat: number): void {
  const team = host.options.teamOf?.(seat)
  // A player who left in this same tick is still there when it begins.
  const leaving = host.controls.findIndex((control) => control.control === 'leave' && control.seat === seat)
  if (leaving >= 0) host.controls.splice(leaving, 1)
  else host.controls.push({ control: 'join', seat, ...(team !== undefined && { team }) })
}

function record(host: Host, bytes: Uint8Array): void {
  if (bytes.length > 0) host.replay.push(bytes)
}

/** Text from strangers goes into logs: plain characters only. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 256)
}
