/**
 * The host of a match: owns the world and the clock, takes inputs, steps, and has updates for its peers.
 *
 * It knows no sockets and no timers. Messages come in as bytes and go out as bytes in each peer's `outbox`; the owner
 * of the transport calls `stepHost` once per tick. The host never waits: a tick runs with the inputs that are there. What
 * entered it is confirmed then and there, recorded for the replay, and sent to mirrors; terminals get frames.
 */

import { createSession, HurtboxError, type Session } from 'hurtbox'
import { createReplayWriter, drainReplay, finishReplay, type LoggedMatch, type ReplayWriter } from 'hurtbox/replay'
import { SEEN_AGO } from 'hurtbox/rewind'
import { type AnyGame, advanceEncoded, createEncodedInputs, forgetBefore, resultOf, seatRow } from 'hurtbox/tools'
import { createByteWriter, createHeldInputs, type HeldInputs } from 'hurtbox/wire'
import { MAX_MESSAGE_TICKS, repeatedTicks } from '../protocol/protocol.ts'
import { schemeOf } from '../protocol/scheme.ts'
import { gatherInputs } from './inputs.ts'
import { fillSeats } from './peers.ts'
import { createSeatBuffer } from './seat-buffer.ts'
import type { Host, HostOptions } from './state.ts'
import { confirm, queueUpdates } from './updates.ts'
import { createTerminalHost, noteEvents } from './viewers.ts'

/** Ticks between two snapshots from which the recording could go on if a rule threw; the log before them is forgotten. */
const HOST_KEYFRAME_TICKS = 256

export function createHost(game: AnyGame, options: HostOptions = {}): Host {
  const { seed = 0, options: gameOptions = {}, tuning = {} } = options
  const session = createSession(game, { seed, options: gameOptions, tuning }, HOST_KEYFRAME_TICKS)
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
  const { inside, world, seats } = host
  inside.recent.push(...ticks.slice(-MAX_MESSAGE_TICKS))
  inside.recentFrom = from + ticks.length - inside.recent.length
  inside.hashes.push(...hashes.filter(({ tick }) => tick >= inside.recentFrom))
  for (const bytes of replay) record(host, bytes)
  for (let seat = 0; seat < seats.length; seat++) if (seatRow(world, seat) >= 0) seats[seat].player = 'bot'
  host.result = resultOf(world)
  if (host.result?.over) host.status = 'over'
  return host
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
      awaySince: undefined,
      isOut: false,
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

/** Runs one tick and puts updates into the outboxes of the peers. Never throws: a rule that does ends the match. */
export function stepHost(host: Host): void {
  if (host.status !== 'running') return
  const { session, inside, world } = host
  try {
    gatherInputs(host)
    advanceEncoded(session, inside.inputs)
    host.result = resultOf(world)
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
  queueUpdates(host)
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
  try {
    record(host, finishReplay(writer))
  } catch (error) {
    // A rule that is not the same each time may fail again, in a tick that went well before. What was recorded until then stays.
    if (host.status !== 'failed') throw error
  }
}

/** The bytes of the replay since the last call. */
export function takeReplay(host: Host): Uint8Array[] {
  return host.replay.splice(0)
}

function record(host: Host, bytes: Uint8Array): void {
  if (bytes.length > 0) host.replay.push(bytes)
}
