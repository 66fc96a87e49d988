/**
 * The host's side of terminals: one history of frames per viewpoint, sent to each viewer as a difference to the frame that
 * it has.
 *
 * Viewers with the same viewpoint and the same last frame get the same bytes, encoded once: a room without fog pays for one
 * terminal, however many there are. A viewer on a stream has what it was sent; one whose messages can be lost has what it
 * last acknowledged, and gets a full frame when that is too long ago.
 */

import type { AnyWorld } from 'hurtbox/tools'
import { type ByteWriter, createByteWriter, takeBytes, writeBytes, writeSigned, writeVarint } from 'hurtbox/wire'
import { writeDelta } from '../protocol/delta.ts'
import {
  createViewerIds,
  emptyFrame,
  type Frame,
  makeFrame,
  toSteps,
  type ViewerIds,
  type Viewpoint,
  viewpointOf,
} from '../protocol/frame.ts'
import { MESSAGES, writeMessage } from '../protocol/messages.ts'
import type { Path } from '../protocol/protocol.ts'
import type { Scheme } from '../protocol/scheme.ts'
import { writeBlock } from '../protocol/wire.ts'

/**
 * Frames that are kept for viewers that have not acknowledged newer ones. A viewer on a stream has the newest one, so one
 * before it is enough where all are on streams.
 */
const HISTORY: Readonly<Record<Path, number>> = { stream: 2, datagram: 64 }

/** The frames of one viewpoint, and the differences of the newest one to earlier ones. */
type FrameHistory = { readonly frames: Frame[]; readonly deltas: Map<Frame, Uint8Array>; readonly ids: ViewerIds }

type PendingEvent = { readonly tick: number; readonly event: number; readonly numbers: readonly number[] }

export type TerminalHost = {
  readonly scheme: Scheme
  readonly empty: Frame
  readonly histories: Map<string, FrameHistory>
  /** What happened since the last frame. */
  readonly pendingEvents: PendingEvent[]
  readonly writer: ByteWriter
  /** How many frames each history keeps. */
  kept: number
}

/** A viewer: its viewpoint, since when, and the frame that the next difference is based on. */
export type Viewer = { viewpoint: string; since: number; base: Frame }

export function createTerminalHost(scheme: Scheme): TerminalHost {
  return {
    scheme,
    empty: emptyFrame(scheme),
    histories: new Map(),
    pendingEvents: [],
    writer: createByteWriter(4096),
    kept: HISTORY.stream,
  }
}

export function createViewer(terminal: TerminalHost, path: Path): Viewer {
  keepFrames(terminal, path)
  return { viewpoint: '', since: 0, base: terminal.empty }
}

/** Keeps as many frames as a viewer on such a path may need. */
export function keepFrames(terminal: TerminalHost, path: Path): void {
  terminal.kept = Math.max(terminal.kept, HISTORY[path])
}

/** Notes what happened in the tick that has just run. */
export function noteEvents(terminal: TerminalHost, world: AnyWorld): void {
  terminal.scheme.events.forEach(({ kind, values }, event) => {
    const list = world.memory.events[kind]
    for (let n = 0; n < list.count; n++) {
      const numbers = values.map((value) => {
        const column = list.columns.find(({ name }) => name === value.column)!
        return toSteps(column.array[n * value.width + value.index], value)
      })
      terminal.pendingEvents.push({ tick: world.tick, event, numbers })
    }
  })
}

/** The frame of this tick from the viewpoint of a seat, and the viewpoint's name. */
export function frameOfSeat(
  terminal: TerminalHost,
  world: AnyWorld,
  seat: number,
): { readonly viewpoint: string; readonly history: FrameHistory; readonly frame: Frame } {
  const viewpoint = viewpointOf(terminal.scheme, world, seat)
  const key = viewpoint.seesAll ? 'all' : viewpoint.teams.join()
  const history = historyOf(terminal, key, viewpoint, world)
  return { viewpoint: key, history, frame: history.frames[history.frames.length - 1] }
}

/** The frame of this tick for one viewer, with `acknowledged` and `slack`: how its inputs arrive. */
export function frameFor(
  terminal: TerminalHost,
  viewer: Viewer,
  world: AnyWorld,
  seat: number,
  acknowledged: number,
  slack: number,
): Uint8Array {
  const { writer } = terminal
  const { viewpoint: key, history, frame: now } = frameOfSeat(terminal, world, seat)
  // After a change of team the viewer gets a full frame: what it has belongs to another history.
  if (viewer.viewpoint !== key) {
    viewer.base = terminal.empty
    viewer.since = world.tick
  }
  viewer.viewpoint = key
  const { base } = viewer
  const { tick, clock, paused } = now
  const distance = base === terminal.empty ? 0 : tick - base.tick
  writeMessage(writer, MESSAGES.frame, { tick, clock, paused, distance, acknowledged, slack })
  let delta = history.deltas.get(base)
  if (delta === undefined) {
    delta = deltaBetween(terminal, history, base, now)
    history.deltas.set(base, delta)
  }
  writeBytes(writer, delta)
  return takeBytes(writer)
}

/** The viewer has the newest frame (it was sent on a stream). */
export function acknowledgeNewest(terminal: TerminalHost, viewer: Viewer): void {
  const frames = terminal.histories.get(viewer.viewpoint)?.frames
  viewer.base = frames?.[frames.length - 1] ?? terminal.empty
}

/** The viewer has the frame of `tick`. If that is 0 or no longer kept, the next one is sent in full. */
export function acknowledgeFrame(terminal: TerminalHost, viewer: Viewer, tick: number): void {
  // A frame from before a change of team is not in this history, though one of the same tick may be.
  if (tick === viewer.base.tick || tick < viewer.since) return
  viewer.base = terminal.histories.get(viewer.viewpoint)?.frames.find((frame) => frame.tick === tick) ?? terminal.empty
}

/**
 * Codes of an input with the match's ids for those that the viewer knows things by. What it was never shown, or is gone, is
 * nothing: 0.
 */
export function codesOfMatch(terminal: TerminalHost, viewer: Viewer, codes: Uint32Array): Uint32Array {
  const { hasFog, thingFields } = terminal.scheme
  if (!hasFog || thingFields.length === 0) return codes
  const things = terminal.histories.get(viewer.viewpoint)?.ids.things
  const own = codes.slice()
  for (const field of thingFields) own[field] = things?.get(codes[field]) ?? 0
  return own
}

/** All viewers have been served: what happens from now on belongs to the next frame. */
export function endFrame(terminal: TerminalHost): void {
  terminal.pendingEvents.length = 0
}

function historyOf(terminal: TerminalHost, key: string, viewpoint: Viewpoint, world: AnyWorld): FrameHistory {
  const { scheme, histories } = terminal
  let history = histories.get(key)
  if (history === undefined) {
    history = { frames: [], deltas: new Map(), ids: createViewerIds() }
    histories.set(key, history)
  }
  const { frames, deltas } = history
  const last = frames[frames.length - 1]
  if (last?.tick === world.tick) return history
  const seen = makeFrame(scheme, world, viewpoint, last ?? terminal.empty, history.ids)
  frames.push({ ...seen, events: encodeEvents(terminal, seen, history.ids) })
  if (frames.length > terminal.kept) frames.shift()
  deltas.clear()
  return history
}

function deltaBetween(terminal: TerminalHost, history: FrameHistory, base: Frame, now: Frame): Uint8Array {
  const writer = createByteWriter(1024)
  writeDelta(writer, terminal.scheme, base, now)
  // A new viewer gets the events of this frame only.
  const missed = base === terminal.empty ? [now] : history.frames.filter(({ tick }) => tick > base.tick)
  const withEvents = missed.filter(({ events }) => events.length > 0)
  writeVarint(writer, withEvents.length)
  for (const { tick, events } of withEvents) {
    writeVarint(writer, now.tick - tick)
    writeBlock(writer, events)
  }
  return takeBytes(writer)
}

/** Pending events as bytes: ticks ago, kind, numbers. Events about things that the viewer does not see are left out. */
function encodeEvents({ scheme, pendingEvents }: TerminalHost, frame: Frame, { inSight }: ViewerIds): Uint8Array {
  const writer = createByteWriter()
  for (const { tick, event, numbers } of pendingEvents) {
    const { values } = scheme.events[event]
    const isThing = (number: number, i: number) => scheme.hasFog && values[i].kind === 'id' && number !== 0
    if (numbers.some((number, i) => isThing(number, i) && !inSight.has(number >>> 0))) continue
    writeVarint(writer, frame.tick - tick)
    writeVarint(writer, event)
    numbers.forEach((number, i) => {
      writeSigned(writer, isThing(number, i) ? inSight.get(number >>> 0)! : number)
    })
  }
  return takeBytes(writer)
}
