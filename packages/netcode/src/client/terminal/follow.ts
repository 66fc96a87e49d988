/** A terminal as a follower of a match. */

import type { EventRecord } from 'hurtbox'
import { certainNews, type Gap, placeBetween } from 'hurtbox/picture'
import { type Path, STALE_MS } from '../../protocol/protocol.ts'
import type { Welcome } from '../../protocol/welcome.ts'
import type { Follower, FollowerChoices, FollowerPicture, ReadInput } from '../follower.ts'
import { gapOf } from '../mirror/event-feed.ts'
import { usePath } from '../sender.ts'
import { readTerminalNetwork } from './network.ts'
import {
  advanceTerminal,
  type RenderState,
  receiveAtTerminal,
  showTerminal,
  type Terminal,
  terminalOf,
} from './terminal.ts'

/** What is shown, and what is left of the terminal before a reconnect. */
type Showing = {
  readonly terminal: Terminal
  /** Of the same match, shown until this one has a frame. */
  readonly earlier: Terminal | undefined
  /** Events that no picture has had yet. */
  readonly events: EventRecord[]
  /** The number of the next event. */
  nextSerial: number
  /** Up to which tick the terminal before had all events; undefined once the gap after it is known. */
  gapFrom: number | undefined
  /** What was found to be shown at `shownAt`. */
  shown: RenderState | undefined
  shownAt: number
  /** Its player was away: what was not shown until then is missed. */
  skipsMissed: boolean
}

type TerminalFollower = Follower & { readonly showing: Showing }

const NO_CORRECTIONS = { count: 0, last: 0, largest: 0, things: new Map<number, number>() }

export function followByTerminal(
  welcome: Welcome,
  _now: number,
  path: Path,
  { smoothing }: FollowerChoices,
  earlier: Follower | undefined,
): Follower {
  const terminal = terminalOf(welcome, path)
  const showing = showingAfter(terminal, (earlier as Partial<TerminalFollower> | undefined)?.showing)
  const follower: TerminalFollower = {
    showing,
    mode: 'terminal',
    seat: terminal.seat,
    seatSeconds: welcome.seatSeconds,
    outbox: terminal.outbox,
    sender: terminal.sender,
    mirror: undefined,
    terminal,
    receive: (message, at) => receiveAtTerminal(terminal, message, at),
    advance(now, read: ReadInput) {
      // First, because inputs say which moment the player saw.
      show(showing, now)
      advanceTerminal(terminal, now, read)
    },
    advanceAlone() {},
    picture: (now) => pictureOf(showing, now, smoothing?.wrap),
    usePath(used, loss) {
      terminal.sender.loss = loss
      usePath(terminal, used)
    },
    skipMissed: () => void (showing.skipsMissed = true),
    offer: () => undefined,
    network: () => readTerminalNetwork(terminal),
    corrections: () => NO_CORRECTIONS,
    desyncs: () => [],
  }
  return follower
}

function showingAfter(terminal: Terminal, left: Showing | undefined): Showing {
  const before = left?.terminal
  const isSameMatch = before?.sender.nonce === terminal.sender.nonce
  return {
    terminal,
    earlier: isSameMatch ? before : undefined,
    events: left?.skipsMissed ? [] : [...(left?.events ?? []), ...(before?.inside.events.splice(0) ?? [])],
    nextSerial: left?.nextSerial ?? 1,
    gapFrom: isSameMatch ? before?.frames.at(-1)?.tick : undefined,
    shown: undefined,
    shownAt: Number.NaN,
    skipsMissed: false,
  }
}

/** Finds what to show, once for each moment. */
function show(showing: Showing, now: number): void {
  if (showing.shownAt === now) return
  showing.shownAt = now
  showing.shown = showTerminal(showing.terminal, now)
  if (showing.shown !== undefined) showing.events.push(...showing.shown.events)
}

function pictureOf(
  showing: Showing,
  now: number,
  wrap: NonNullable<FollowerChoices['smoothing']>['wrap'],
): FollowerPicture | undefined {
  show(showing, now)
  const isCurrent = showing.shown !== undefined
  const state = showing.shown ?? (showing.earlier && showTerminal(showing.earlier, now))
  if (state === undefined) return undefined
  const { before, after, alpha } = state
  const events = showing.events.splice(0)
  const { clock, inside } = showing.terminal
  const stale = events.filter(({ tick }) => tick < inside.shownTick - STALE_MS / clock.tickMs)
  const news = events.slice(stale.length).flatMap((event) => certainNews(event, showing.nextSerial++))
  const gaps = [...(isCurrent ? takeGap(showing) : []), ...(stale.length > 0 ? [gapOf(stale)] : [])]
  return {
    before,
    after,
    alpha,
    news,
    gaps,
    isCurrent,
    place: (id, out) => placeBetween(state, id, out, wrap),
    key: (id) => id,
  }
}

/** What was missed between two connections, said once. */
function takeGap(showing: Showing): Gap[] {
  const { gapFrom: from, terminal } = showing
  if (from === undefined) return []
  showing.gapFrom = undefined
  // The first frame has the events since the one before it, which others got.
  const to = terminal.frames[0].tick - terminal.scheme.every
  return to > from ? [{ from, to }] : []
}
