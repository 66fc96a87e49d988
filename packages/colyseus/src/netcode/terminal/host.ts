/**
 * The host's side of terminals: one picture per pair of eyes, told to each viewer against what it has.
 *
 * Viewers with the same eyes and the same last frame get the same bytes, encoded once: a room without fog pays for one
 * terminal, however many look on. A viewer on a stream has what it was sent; one whose messages can be lost has what it
 * last acknowledged, and gets everything when that is too long ago.
 */

import type { AnyWorld } from 'hurtbox/tools'
import { type ByteWriter, createByteWriter, takeBytes, writeBytes, writeVarint } from 'hurtbox/wire'
import { MESSAGES, writeMessage } from '../messages.ts'
import { writeBlock, writeSigned } from '../wire.ts'
import { writeDelta } from './delta.ts'
import { type Eyes, emptyFrame, eyesOf, type Frame, hasThing, makeFrame, toSteps } from './frame.ts'
import type { Scheme } from './scheme.ts'

/** Frames that are kept for viewers who have not acknowledged newer ones. */
const HISTORY = 64

/** What one pair of eyes has seen. */
type Picture = { readonly frames: Frame[]; readonly deltas: Map<Frame, Uint8Array> }

type Happening = { readonly tick: number; readonly event: number; readonly numbers: readonly number[] }

export type TerminalHost = {
  readonly scheme: Scheme
  readonly empty: Frame
  readonly pictures: Map<string, Picture>
  /** What happened since the last frame. */
  readonly happenings: Happening[]
  readonly writer: ByteWriter
}

/** A viewer: the eyes it looks with, since when, and the frame it is known to have. */
export type Viewer = { eyes: string; since: number; known: Frame }

export function createTerminalHost(scheme: Scheme): TerminalHost {
  return { scheme, empty: emptyFrame(scheme), pictures: new Map(), happenings: [], writer: createByteWriter(4096) }
}

export function createViewer(terminal: TerminalHost): Viewer {
  return { eyes: '', since: 0, known: terminal.empty }
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
      terminal.happenings.push({ tick: world.tick, event, numbers })
    }
  })
}

/** The frame of this tick for one viewer. `acknowledged` and `slack` tell it how its inputs arrive. */
export function frameFor(
  terminal: TerminalHost,
  viewer: Viewer,
  world: AnyWorld,
  seat: number,
  acknowledged: number,
  slack: number,
): Uint8Array {
  const { scheme, writer } = terminal
  const eyes = eyesOf(scheme, world, seat)
  const key = eyes.everything ? 'all' : eyes.sides.join()
  // New eyes (another team) start afresh: what the viewer has is another picture.
  if (viewer.eyes !== key) {
    viewer.known = terminal.empty
    viewer.since = world.tick
  }
  viewer.eyes = key
  const picture = pictureOf(terminal, key, eyes, world)
  const now = picture.frames[picture.frames.length - 1]
  const { known } = viewer

  const { tick, clock, paused } = now
  const distance = known === terminal.empty ? 0 : tick - known.tick
  writeMessage(writer, MESSAGES.frame, { tick, clock, paused, distance, acknowledged, slack })
  let delta = picture.deltas.get(known)
  if (delta === undefined) {
    delta = deltaBetween(terminal, picture, known, now)
    picture.deltas.set(known, delta)
  }
  writeBytes(writer, delta)
  return takeBytes(writer)
}

/** The viewer has the newest frame (it was sent on a stream). */
export function knowNewest(terminal: TerminalHost, viewer: Viewer): void {
  const frames = terminal.pictures.get(viewer.eyes)?.frames
  viewer.known = frames?.[frames.length - 1] ?? terminal.empty
}

/** The viewer says that it has the frame of `tick`; 0 or an unknown one: nothing. */
export function knowFrame(terminal: TerminalHost, viewer: Viewer, tick: number): void {
  // What it saw with other eyes is none of the frames kept here, though one of the same tick may be.
  if (tick === viewer.known.tick || tick < viewer.since) return
  viewer.known = terminal.pictures.get(viewer.eyes)?.frames.find((frame) => frame.tick === tick) ?? terminal.empty
}

/** All viewers have been served: what happens from now on belongs to the next frame. */
export function endFrame(terminal: TerminalHost): void {
  terminal.happenings.length = 0
}

function pictureOf(terminal: TerminalHost, key: string, eyes: Eyes, world: AnyWorld): Picture {
  const { scheme, pictures } = terminal
  let picture = pictures.get(key)
  if (picture === undefined) {
    picture = { frames: [], deltas: new Map() }
    pictures.set(key, picture)
  }
  const { frames, deltas } = picture
  const last = frames[frames.length - 1]
  if (last?.tick === world.tick) return picture
  const seen = makeFrame(scheme, world, eyes, last ?? terminal.empty, new Uint8Array(0))
  frames.push({ ...seen, events: encodeEvents(terminal, seen) })
  if (frames.length > HISTORY) frames.shift()
  deltas.clear()
  return picture
}

function deltaBetween(terminal: TerminalHost, picture: Picture, known: Frame, now: Frame): Uint8Array {
  const writer = createByteWriter(1024)
  writeDelta(writer, terminal.scheme, known, now)
  // Whoever starts is told what happens now, not what happened before.
  const missed = known === terminal.empty ? [now] : picture.frames.filter(({ tick }) => tick > known.tick)
  const telling = missed.filter(({ events }) => events.length > 0)
  writeVarint(writer, telling.length)
  for (const { tick, events } of telling) {
    writeVarint(writer, now.tick - tick)
    writeBlock(writer, events)
  }
  return takeBytes(writer)
}

/** The happenings as bytes: ticks ago, kind, numbers. Of what the viewer cannot see nothing is told. */
function encodeEvents({ scheme, happenings }: TerminalHost, frame: Frame): Uint8Array {
  const writer = createByteWriter()
  for (const { tick, event, numbers } of happenings) {
    const { values } = scheme.events[event]
    const isHidden = (number: number, i: number) => values[i].kind === 'id' && !hasThing(frame.tables[0], number >>> 0)
    if (scheme.hasFog && numbers.some(isHidden)) continue
    writeVarint(writer, frame.tick - tick)
    writeVarint(writer, event)
    for (const number of numbers) writeSigned(writer, number)
  }
  return takeBytes(writer)
}
