/**
 * What each player saw: the frames that clients reported, found by seat and tick, and drawn again from the replay.
 *
 * Nothing here is a guess. A mirror's frame is rebuilt by the code that made it: the confirmed ticks are those of the replay, the
 * player's inputs those of the track, and prediction, rollback and smoothing run as they ran there. A terminal's frame is made from
 * the frames that the host made for its viewpoint. Reports come from the clients, which may lie; so what is rebuilt says whether
 * the client's own hash agrees with it.
 */

import type { Session } from 'hurtbox'
import { createPlace, type EventNews, type Place, placeBetween } from 'hurtbox/picture'
import { type Replay, type ScreenFrame, sessionFromReplay, type Track } from 'hurtbox/replay'
import type { AnyWorld } from 'hurtbox/tools'
import type { Smoothing } from '../corrections.ts'
import type { Guess } from '../guess.ts'
import { MAX_LEAD_TICKS, type Mode, SPECTATOR } from '../protocol.ts'
import { createMirrorRuns, type MirrorRuns, showMirror, truthOf } from './mirror-screen.ts'
import { createTerminalFrames, showTerminalScreen, type TerminalFrames } from './terminal-screen.ts'

/** Frames of one client, one after the other without a gap. */
export type ScreenRun = {
  readonly seat: number
  readonly mode: Mode
  readonly frames: readonly ScreenFrame[]
  /** Hashes of states that the client sent, by the frame's place in `frames`. */
  readonly hashes: ReadonlyMap<number, number>
}

/** The screens of a match. */
export type Screens = {
  readonly session: Session
  readonly track: Track
  readonly runs: readonly ScreenRun[]
  readonly smoothing: Smoothing
  readonly mirrors: MirrorRuns
  readonly terminals: TerminalFrames
}

/** A frame of a client. */
export type FrameRef = { readonly run: ScreenRun; readonly at: number; readonly frame: ScreenFrame }

/** What a client showed in one frame. */
export type Screen = {
  readonly seat: number
  readonly mode: Mode
  readonly frame: ScreenFrame
  /** The states it was drawn between: predicted ones of a mirror, those a terminal was sent. */
  readonly before: AnyWorld
  readonly after: AnyWorld
  readonly alpha: number
  /** Where each thing was drawn, by its id on this screen. */
  readonly places: ReadonlyMap<number, Place>
  /** By how much this frame's correction moved each thing that it moved, by id. */
  readonly corrected: ReadonlyMap<number, number>
  /** What became known of events in this frame. Only mirrors predict. */
  readonly news: readonly EventNews[]
  /** Whether the client's own hash agreed, last time it sent one; undefined when it has sent none of this time. */
  readonly isProven: boolean | undefined
  /**
   * The id that a thing of the match has on this screen; 0 for one that is not there. `truth` is a state of the match that has it.
   * In fog ids are the viewer's own, and what a mirror has spawned in a prediction may have got another's id: that is found by what
   * it is and where it is.
   */
  idOf(id: number, truth: AnyWorld): number
}

/**
 * The screens that `track` knows of the match in `replay`. `smoothing` is what the clients drew corrections with, `guess` what they
 * predicted others with.
 */
export function readScreensOf(replay: Replay, track: Track, smoothing: Smoothing = {}, guess?: Guess): Screens {
  const session = sessionFromReplay(replay.game, replay)
  return {
    session,
    track,
    smoothing,
    runs: runsOf(track),
    mirrors: createMirrorRuns(session, track, guess),
    terminals: createTerminalFrames(session, track),
  }
}

/** When to look at a player's screen. */
export type Look =
  /** When the player had just given the input for the tick. */
  | 'acted'
  /** When what happened in the tick was first certain on this screen. */
  | 'learned'

/** The frame in which a player acted in `tick`, or learned of it; undefined when it reported none. */
export function findFrame({ runs }: Screens, seat: number, tick: number, look: Look): FrameRef | undefined {
  for (const run of runs) {
    if (run.seat !== seat) continue
    const isThere = (frame: ScreenFrame) =>
      look === 'acted' ? frame.inputsUpTo > tick : knownUpTo(run.mode, frame) > tick
    const at = run.frames.findIndex(isThere)
    // A run that begins after the tick says nothing about it.
    if (at > 0 || (at === 0 && run.frames[0].inputsUpTo - 1 <= tick)) return refOf(run, at)
  }
  return undefined
}

/** The frame so many frames before or after another one; the first or the last one where there are no more. */
export function frameBeside({ run, at }: FrameRef, by: number): FrameRef {
  return refOf(run, Math.min(Math.max(at + by, 0), run.frames.length - 1))
}

/** Draws a frame again. Throws when the replay ends before it. */
export function rebuildScreen(screens: Screens, { run, at }: FrameRef): Screen {
  return run.mode === 'mirror'
    ? showMirror(screens.mirrors, run, at, screens.smoothing)
    : showTerminalScreen(screens.terminals, run, at, screens.smoothing)
}

/** The truth at a tick, before it runs: a world of its own. */
export function truthAt({ session }: Screens, tick: number): AnyWorld {
  return truthOf(session, tick)
}

/** Where things are in a state. */
export function placeIn(world: AnyWorld, id: number): Place | undefined {
  const place = createPlace()
  return placeBetween({ before: world, after: world, alpha: 1 }, id, place) ? place : undefined
}

/** Up to where a frame shows what certainly happened. */
function knownUpTo(mode: Mode, { received, shown }: ScreenFrame): number {
  return mode === 'mirror' ? received : Math.floor(shown)
}

function refOf(run: ScreenRun, at: number): FrameRef {
  return { run, at, frame: run.frames[at] }
}

/** Clients may report anything. What no client of ours could have drawn is left out, and with it the frames up to the next report. */
function arePossible(frames: readonly ScreenFrame[], from: ScreenFrame | undefined, tick: number, mode: Mode): boolean {
  let earlier = from
  return frames.every((frame) => {
    const { received, before, after, inputsUpTo } = frame
    const furthest = mode === 'mirror' ? received + MAX_LEAD_TICKS : received
    const isPossible =
      received <= tick && before <= after && after <= furthest && inputsUpTo <= received + 2 * MAX_LEAD_TICKS
    const goesOn = earlier === undefined || (received >= earlier.received && after >= earlier.after)
    earlier = frame
    return isPossible && goesOn
  })
}

function runsOf({ clients }: Track): ScreenRun[] {
  const modes = new Map<number, Mode>()
  const runs: { seat: number; mode: Mode; frames: ScreenFrame[]; hashes: Map<number, number>; next: number }[] = []
  for (const client of clients) {
    const { seat } = client
    if (seat === SPECTATOR || client.what === 'went') continue
    if (client.what !== 'screens') {
      modes.set(seat, client.what === 'mirror came' ? 'mirror' : 'terminal')
      continue
    }
    const { first, frames, hash } = client.screens
    let run = runs.findLast((each) => each.seat === seat)
    const mode = modes.get(seat) ?? 'mirror'
    const from = run?.next === first && run.mode === mode ? run.frames.at(-1) : undefined
    if (!arePossible(frames, from, client.tick, mode)) continue
    if (run === undefined || from === undefined) {
      run = { seat, mode, frames: [], hashes: new Map(), next: first }
      runs.push(run)
    }
    run.frames.push(...frames)
    run.next = first + frames.length
    run.hashes.set(run.frames.length - 1, hash)
  }
  return runs
}
