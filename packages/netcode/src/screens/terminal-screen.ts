/**
 * A terminal's frame, drawn again: from the two frames of the host that it was drawn between.
 *
 * What is in a frame depends on the frames before it (things that fly straight are not sent again) and on the ids that a viewpoint
 * has given. So the host's frames are all made again, from the first terminal on.
 */

import { findRow, HurtboxError, type Session } from 'hurtbox'
import { createPlace, type Place, placeBetween } from 'hurtbox/picture'
import type { Track, TrackedClient } from 'hurtbox/replay'
import { type AnyWorld, createEmptyWorld, replayTo } from 'hurtbox/tools'
import type { Smoothing } from '../client/mirror/corrections.ts'
import { alphaBetween, layOut } from '../client/terminal/terminal.ts'
import { createTerminalHost, endFrame, frameOfSeat, type TerminalHost } from '../host/viewers.ts'
import type { Frame, ViewerIds } from '../protocol/frame.ts'
import { schemeOf, type TerminalOptions } from '../protocol/scheme.ts'
import { shortHash } from '../protocol/short-hash.ts'
import { truthOf } from './mirror-screen.ts'
import type { Screen, ScreenRun } from './screens.ts'

type Seen = { readonly frame: Frame; readonly ids: ViewerIds }

/** The host's frames for all terminals of a match, made as far as they were asked for. */
export type TerminalFrames = {
  readonly session: Session
  readonly host: TerminalHost
  /** Terminals that came and went, by tick. */
  readonly moves: readonly TrackedClient[]
  nextMove: number
  /** How many terminals are here, by seat. */
  readonly here: Map<number, number>
  /** The truth, as far as it was played; undefined at first. */
  world: AnyWorld | undefined
  /** Frames by seat and tick. */
  readonly made: Map<number, Map<number, Seen>>
}

export function createTerminalFrames(session: Session, { clients, terminal }: Track): TerminalFrames {
  const modes = new Map<number, boolean>()
  const moves: TrackedClient[] = []
  for (const client of clients) {
    if (client.what === 'screens') continue
    if (client.what !== 'went') modes.set(client.seat, client.what === 'terminal came')
    if (modes.get(client.seat)) moves.push(client)
  }
  const host = createTerminalHost(schemeOf(session.game, terminal as TerminalOptions))
  return { session, host, moves, nextMove: 0, here: new Map(), world: undefined, made: new Map() }
}

export function showTerminalScreen(frames: TerminalFrames, run: ScreenRun, at: number, { wrap }: Smoothing): Screen {
  const frame = run.frames[at]
  const { seat } = run
  const [before, after] = [frame.before, frame.after].map((tick) => worldOf(frames, seat, tick))
  const alpha = alphaBetween(before, after, frame.shown)
  const shown = { before, after, alpha }
  const places = new Map<number, Place>()
  const { things } = after.tables
  for (let row = 0; row < things.count; row++) {
    const place = createPlace()
    if (placeBetween(shown, things.id[row], place, wrap)) places.set(things.id[row], place)
  }
  const { ids } = seenAt(frames, seat, frame.after)
  return {
    seat,
    mode: 'terminal',
    frame,
    ...shown,
    places,
    corrected: new Map(),
    news: [],
    isProven: provenAt(frames, run, at),
    idOf: (id) => {
      const own = frames.host.scheme.hasFog ? (ids.byThing.get(id) ?? 0) : id
      return findRow(things, own) >= 0 ? own : 0
    },
  }
}

/** Whether the newest hash that the client had sent by then agrees. */
function provenAt(frames: TerminalFrames, { hashes, frames: drawn, seat }: ScreenRun, at: number): boolean | undefined {
  for (let i = at; i >= 0; i--) {
    const hash = hashes.get(i)
    if (hash !== undefined) return shortHash(worldOf(frames, seat, drawn[i].after)) === hash
  }
  return undefined
}

/** A frame as the terminal laid it out. Terminals do not know the seed. */
function worldOf(frames: TerminalFrames, seat: number, tick: number): AnyWorld {
  const { game, setup } = frames.session
  const world: AnyWorld = createEmptyWorld(game, { ...setup, seed: 0 } as never)
  layOut(frames.host.scheme, seenAt(frames, seat, tick).frame, world)
  return world
}

function seenAt(frames: TerminalFrames, seat: number, tick: number): Seen {
  makeUpTo(frames, tick)
  const seen = frames.made.get(seat)?.get(tick)
  if (seen !== undefined) return seen
  throw new HurtboxError(
    'bad-replay',
    `the terminal of seat ${seat} reports a frame of tick ${tick}, which it was not sent. Is the track of another match?`,
  )
}

function makeUpTo(frames: TerminalFrames, tick: number): void {
  const { session, host, made } = frames
  const { every } = host.scheme
  frames.world ??= truthOf(session, Math.min(frames.moves[0]?.tick ?? 0, session.log.length))
  const { world } = frames
  while (world.tick < Math.min(tick, session.log.length)) {
    replayTo(session, world, world.tick + 1)
    if (world.tick % every !== 0) continue
    moveUpTo(frames, world.tick)
    for (const [seat, count] of frames.here) {
      if (count === 0) continue
      const { frame, history } = frameOfSeat(host, world, seat)
      const own = made.get(seat) ?? new Map()
      made.set(seat, own)
      own.set(world.tick, { frame, ids: history.ids })
    }
    endFrame(host)
  }
}

/** Terminals that had come or gone before `tick` was sent. */
function moveUpTo(frames: TerminalFrames, tick: number): void {
  const { moves, here } = frames
  for (; moves[frames.nextMove]?.tick < tick; frames.nextMove++) {
    const { seat, what } = moves[frames.nextMove]
    here.set(seat, (here.get(seat) ?? 0) + (what === 'went' ? -1 : 1))
  }
}
