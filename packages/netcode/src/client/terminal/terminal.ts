/**
 * A terminal: a client that shows what it is sent.
 *
 * Frames come about 20 times a second. It shows the time a little before the newest, so that there are nearly always two
 * frames to draw between; how much before follows from how late frames have come. Both are laid out as worlds of the
 * game, so a view draws a terminal like any world. Columns that are not sent are 0 there.
 */

import { addRow, type EventRecord, HurtboxError } from 'hurtbox'
import { roundMoment } from 'hurtbox/replay'
import { SEEN_AGO } from 'hurtbox/rewind'
import { type AnyGame, type AnyWorld, createEmptyWorld, emptyTable, refreshHandles, setTime } from 'hurtbox/tools'
import {
  type ByteReader,
  createByteReader,
  createByteWriter,
  isWholeRead,
  readByte,
  readCount,
  readSigned,
  readVarint,
  reject,
  takeBytes,
} from 'hurtbox/wire'
import { NO_TRAIL } from '../../protocol/blame.ts'
import { readDelta } from '../../protocol/delta.ts'
import { emptyFrame, type Frame, fromSteps, numberAt } from '../../protocol/frame.ts'
import { MAX_SEEN_AGO } from '../../protocol/input-packets.ts'
import { MESSAGES, readMessage, writeMessage } from '../../protocol/messages.ts'
import { ASK_AGAIN_MS, FRAME_CATCH_UP_TICKS, MAX_LEAD_TICKS, type Path, SPECTATOR } from '../../protocol/protocol.ts'
import { type Scheme, schemeOf } from '../../protocol/scheme.ts'
import type { Welcome } from '../../protocol/welcome.ts'
import { readBlock } from '../../protocol/wire.ts'
import { createHostClock, type HostClock, hostTick, inputTick, untilInput } from '../clock.ts'
import { createScreenLog, noteScreen, type ScreenLog } from '../screen-log.ts'
import {
  createInputSender,
  type InputSender,
  isPacketDue,
  makePacket,
  noteFeedback,
  type OwnInput,
  sendLater,
} from '../sender.ts'

export type Terminal = {
  readonly game: AnyGame
  readonly seat: number
  path: Path
  readonly scheme: Scheme
  /** The two frames to draw between, as worlds; see `showTerminal`. */
  readonly before: AnyWorld
  readonly after: AnyWorld
  readonly clock: HostClock
  readonly sender: InputSender
  /** Frames by tick, oldest first. */
  readonly frames: Frame[]
  /** Messages to be sent, oldest first. */
  readonly outbox: Uint8Array[]
  /** What it drew, where the host keeps a track. */
  readonly screens: ScreenLog | undefined
  readonly stats: { frames: number; fullFrames: number; gaps: number; malformed: number; delayTicks: number }
  readonly inside: {
    readonly empty: Frame
    /** Events that are not shown yet, oldest first. */
    readonly events: EventRecord[]
    /** Frames laid out in `before` and `after`. */
    shownBefore: Frame | undefined
    shownAfter: Frame | undefined
    /** The moment shown last, in ticks. It never goes back. */
    shownTick: number
    /** How late frames came, in ticks: rises at once, falls slowly. */
    lateness: number
    nextInputTick: number
    askedAt: number
    packetAt: number
  }
}

/** What to draw now. */
export type RenderState = {
  readonly before: AnyWorld
  readonly after: AnyWorld
  /** 0 is `before`, 1 is `after`. */
  readonly alpha: number
  /** The events since the last call. */
  readonly events: readonly EventRecord[]
}

const MAX_FRAMES = 64
const MAX_EVENTS = 4096

/** A terminal from the host's welcome. Throws when that is none, or not for a terminal. */
export function createTerminal(declared: AnyGame, welcome: Uint8Array, path: Path = 'stream'): Terminal {
  return terminalOf(readMessage(welcome, MESSAGES.welcome, declared), path)
}

/** A terminal from a welcome that was read. Throws when there is none, or it is not for a terminal. */
export function terminalOf(read: Welcome | undefined, path: Path): Terminal {
  if (read?.mode !== 'terminal')
    throw new HurtboxError('bad-argument', 'this is no welcome for a terminal of this game.')
  const { game } = read
  const scheme = schemeOf(game, read.terminal)
  return {
    game,
    seat: read.seat,
    path,
    scheme,
    before: createEmptyWorld(game, read.setup),
    after: createEmptyWorld(game, read.setup),
    clock: createHostClock(game.declaration.tickRate),
    sender: createInputSender(game, read.nonce, path),
    frames: [],
    outbox: [],
    screens: read.tracked ? createScreenLog() : undefined,
    stats: { frames: 0, fullFrames: 0, gaps: 0, malformed: 0, delayTicks: 0 },
    inside: {
      empty: emptyFrame(scheme),
      events: [],
      shownBefore: undefined,
      shownAfter: undefined,
      shownTick: 0,
      lateness: 0,
      nextInputTick: 0,
      askedAt: 0,
      packetAt: 0,
    },
  }
}

/** A message of the host. An invalid one is counted and changes nothing. */
export function receiveAtTerminal(terminal: Terminal, message: Uint8Array, now: number): void {
  const { stats, clock, sender, frames, inside } = terminal
  const reader = createByteReader(message)
  const head = readByte(reader) === MESSAGES.frame.kind ? MESSAGES.frame.read(reader) : undefined
  if (head === undefined) {
    stats.malformed++
    return
  }
  const { tick, clock: hostClock, paused, distance, acknowledged, slack } = head
  const base = distance === 0 ? inside.empty : frames.find((frame) => frame.tick === tick - distance)
  const newest = frames[frames.length - 1]
  if (newest !== undefined && tick <= newest.tick) return
  if (base === undefined) {
    stats.gaps++
    if (terminal.path === 'stream' && now - inside.askedAt >= ASK_AGAIN_MS) {
      inside.askedAt = now
      const writer = createByteWriter()
      writeMessage(writer, MESSAGES.desync, NO_TRAIL)
      terminal.outbox.push(takeBytes(writer))
    }
    return
  }
  const { tables, singles } = readDelta(reader, terminal.scheme, base, hostClock)
  const events = readEvents(reader, terminal.scheme, tick, newest?.tick ?? -1)
  if (!isWholeRead(reader)) {
    stats.malformed++
    return
  }
  stats.frames++
  if (distance === 0) stats.fullFrames++
  noteFeedback(clock, sender, tick, acknowledged, slack, now)
  const late = hostTick(clock, now) - tick
  inside.lateness = Math.max(late, inside.lateness * 0.98)
  frames.push({ tick, clock: hostClock, paused, tables, singles, events: new Uint8Array(0) })
  if (frames.length > MAX_FRAMES) frames.shift()
  // One by one: a malicious host can send more than a call takes as arguments.
  for (const event of events) inside.events.push(event)
  if (inside.events.length > MAX_EVENTS) inside.events.splice(0, inside.events.length - MAX_EVENTS)
}

/**
 * Makes inputs up to the present: one for each tick that is due, from `read`. The packet is in
 * `outbox`. Returns how many inputs were made.
 */
export function advanceTerminal(
  terminal: Terminal,
  now: number,
  read: (tick: number, world: AnyWorld) => OwnInput,
): number {
  const { clock, sender, inside, frames, seat } = terminal
  const newest = frames[frames.length - 1]
  if (newest === undefined) return 0
  let made = 0
  if (seat !== SPECTATOR) {
    // A host that falls behind its own clock is waited for: inputs too far ahead of it would be refused.
    const target = Math.min(inputTick(clock, now), newest.tick + MAX_LEAD_TICKS - 1)
    // At first nothing is made up for: it would come late.
    const isFirst = inside.nextInputTick === 0
    inside.nextInputTick = isFirst
      ? Math.max(target - 1, 0)
      : Math.max(inside.nextInputTick, target - FRAME_CATCH_UP_TICKS)
    for (; inside.nextInputTick < target; inside.nextInputTick++) {
      sendLater(sender, inside.nextInputTick, read(inside.nextInputTick, terminal.after), now)
      made++
    }
  }
  noteShown(terminal, now, newest.tick)
  if (!isPacketDue(sender, terminal.path, now - inside.packetAt, untilInput(clock, now))) return made
  inside.packetAt = now
  const seenAgo = Math.round(SEEN_AGO.partsPerTick * (inside.nextInputTick - 1 - inside.shownTick))
  terminal.outbox.push(makePacket(sender, newest.tick, Math.min(Math.max(seenAgo, 0), MAX_SEEN_AGO)))
  return made
}

function noteShown({ screens, before, after, inside, outbox }: Terminal, now: number, received: number): void {
  if (screens === undefined || inside.shownAfter === undefined) return
  const frame = { received, before: before.tick, after, shown: inside.shownTick, inputsUpTo: inside.nextInputTick }
  noteScreen(screens, now, frame, outbox)
}

/** The render state of this moment, or undefined before the first frame. */
export function showTerminal(terminal: Terminal, now: number): RenderState | undefined {
  const { frames, clock, scheme, inside, stats } = terminal
  const newest = frames[frames.length - 1]
  if (newest === undefined) return undefined
  stats.delayTicks = scheme.every + inside.lateness + 1
  const wanted = Math.min(hostTick(clock, now) - stats.delayTicks, newest.tick)
  inside.shownTick = Math.max(inside.shownTick, wanted)
  const shown = inside.shownTick
  let at = frames.length - 1
  while (at > 0 && frames[at].tick > shown) at--
  const from = frames[at]
  const to = frames[Math.min(at + 1, frames.length - 1)]
  if (inside.shownBefore !== from) layOut(scheme, from, terminal.before)
  if (inside.shownAfter !== to) layOut(scheme, to, terminal.after)
  inside.shownBefore = from
  inside.shownAfter = to
  const alpha = alphaBetween(from, to, roundMoment(shown))
  let due = 0
  while (due < inside.events.length && inside.events[due].tick + 1 <= shown) due++
  return { before: terminal.before, after: terminal.after, alpha, events: inside.events.splice(0, due) }
}

/** How far between two frames the moment is. */
export function alphaBetween(from: { readonly tick: number }, to: { readonly tick: number }, shown: number): number {
  return to.tick === from.tick ? 1 : Math.min(Math.max((shown - from.tick) / (to.tick - from.tick), 0), 1)
}

/** Lays the newest frame out in a world, although a slightly older one is shown. */
export function newestWorld(terminal: Terminal, into: AnyWorld): void {
  const newest = terminal.frames[terminal.frames.length - 1]
  if (newest !== undefined) layOut(terminal.scheme, newest, into)
}

/** Makes a world of a frame. */
export function layOut(scheme: Scheme, frame: Frame, world: AnyWorld): void {
  setTime(world, frame.tick, frame.clock)
  world.paused = frame.paused
  scheme.tables.forEach((wire, t) => {
    const table = world.tables[wire.name]
    emptyTable(table)
    for (const row of frame.tables[t]) {
      const at = addRow(table)
      if (at < 0) return
      table.id[at] = row.id
      for (let i = 0; i < wire.values.length; i++) {
        const value = wire.values[i]
        table[value.column][at * value.width + value.index] = fromSteps(numberAt(wire, row, i, frame.clock), value)
      }
    }
  })
  scheme.singles.forEach((single, i) => {
    const value = fromSteps(frame.singles[i], single)
    if (single.array.startsWith('globals.')) world.globals[single.column] = value
    else world.arrays[single.array][single.index] = value
  })
  refreshHandles(world)
  for (const { name, phase } of world.memory.phases) if (scheme.derive.includes(name)) derive(world, phase)
}

/** Runs a phase. It was written for whole worlds and may throw where columns are missing; then its results stay as they were. */
function derive(world: AnyWorld, phase: AnyWorld['memory']['phases'][number]['phase']): void {
  try {
    phase.run(world as never)
  } catch {}
}

/** The events of a frame that came after tick `known`: those of frames up to there have come, and are said again until the host knows it. */
function readEvents(reader: ByteReader, scheme: Scheme, tick: number, known: number): EventRecord[] {
  const records: EventRecord[] = []
  const blocks = readCount(reader, MAX_FRAMES)
  for (let b = 0; b < blocks && !reader.problem; b++) {
    const frameTick = tick - readCount(reader, tick)
    const events = createByteReader(readBlock(reader))
    if (frameTick <= known) continue
    const counts: Record<string, number> = {}
    while (!events.problem && events.at < events.bytes.length) {
      const eventTick = frameTick - readVarint(events)
      const event = scheme.events[readVarint(events)]
      if (event === undefined) {
        reject(events, 'an event of a kind that is not sent')
        break
      }
      const record: Record<string, number | string | number[]> = { tick: eventTick - 1, kind: event.name, n: 0 }
      const key = `${event.name} ${eventTick}`
      record.n = counts[key] = (counts[key] ?? -1) + 1
      for (const value of event.values) {
        const number = fromSteps(readSigned(events), value)
        if (value.width === 1) record[value.column] = number
        else (record[value.column] = (record[value.column] as number[] | undefined) ?? []).push(number)
      }
      records.push(record as EventRecord)
    }
    if (events.problem) reject(reader, events.problem)
  }
  return records
}
