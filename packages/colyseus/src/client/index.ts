/**
 * A player's end of an online match, for browsers and Node.
 *
 * `joinGame` returns one object for both modes: call `update` once per frame with what the player does, and draw the
 * render state that it returns. Mirrors are driven by our own netcode and not by the SDK's `predict.sim`; docs/decisions say why.
 *
 * @module @hurtbox/colyseus/client
 */

import { Client, type Room } from '@colyseus/sdk'
import type { EventRecord, Game, World } from 'hurtbox'
import {
  announce,
  certainNews,
  createListeners,
  type EventHandler,
  type EventKind,
  type EventNews,
  type EventPlans,
  type Gap,
  type Listeners,
  listen,
  type Match,
  type Picture,
  type Place,
  placeBetween,
  planEvents,
  type SeatInput,
  shownOf,
} from 'hurtbox/picture'
import type { Declaration } from 'hurtbox/tools'
import { readCode } from '../code.ts'
import { drawnPlace, keyOf, type Smoothing } from '../netcode/corrections.ts'
import { continueFeed, takeGaps, takeNews } from '../netcode/event-feed.ts'
import { MESSAGES, readMessage } from '../netcode/messages.ts'
import {
  advanceMirror,
  createMirror,
  type DesyncReport,
  type Mirror,
  mirrorAlpha,
  receiveAtMirror,
} from '../netcode/mirror.ts'
import type { InputDelay } from '../netcode/pace.ts'
import { helloOf, type Mode, NETCODE, SPECTATOR } from '../netcode/protocol.ts'
import { type NetworkReading, readNetwork } from '../netcode/reading.ts'
import {
  advanceTerminal,
  createTerminal,
  type RenderState,
  receiveAtTerminal,
  showTerminal,
  type Terminal,
} from '../netcode/terminal/client.ts'

import { ROOM_MESSAGES, sendToRoom } from '../room-messages.ts'

export type { Smoothing } from '../netcode/corrections.ts'
export type { InputDelay } from '../netcode/pace.ts'
export { SPECTATOR } from '../netcode/protocol.ts'
export type { NetworkReading } from '../netcode/reading.ts'

export type JoinChoices = {
  /** Name of the room. Default: the game's id. */
  readonly room?: string
  /** A certain room instead of any: to play with friends, or to watch. */
  readonly roomId?: string
  /** Opens a new room, even if others have free seats. */
  readonly create?: boolean
  readonly mode?: Mode
  readonly spectate?: boolean
  readonly name?: string
  /** Who plays, for servers that have accounts. */
  readonly token?: string
  /** What to bring along, by the fields of the game's declared `join`: `{ skin: 'red' }`. */
  readonly data?: unknown
  /** Opens a room that no list shows; others join by `match.code`. */
  readonly private?: boolean
  /** The code of a private room, as it was typed. */
  readonly code?: string
  /** How corrections of predictions are drawn. */
  readonly smoothing?: Smoothing
  /** How long the player's inputs wait before they are seen, ms, in exchange for fewer corrections. Default 0. */
  readonly inputDelay?: InputDelay
}

/** A game, or the module of one, which also says how its events are to be shown. */
export type Playable<D extends Declaration> =
  | Game<D>
  | { readonly game: Game<D>; readonly meaning?: { readonly events?: object } }

// biome-ignore lint/suspicious/noExplicitAny: of a game that the compiler does not know.
type AnyDeclaration = any

export type GameConnection<D extends Declaration = AnyDeclaration> = Match<D> & {
  /** Colyseus' room: roster, score and phase are in `room.state`. */
  readonly room: Room
  /** Of a private room: what others join by. Empty for other rooms. */
  readonly code: string
  /** What drives the match; undefined until the host has said welcome. */
  readonly mirror: Mirror | undefined
  readonly terminal: Terminal | undefined
  readonly status: 'joining' | 'playing' | 'dropped' | 'left'
  /** Why the connection ended, once it has. */
  readonly ending: { readonly code: number; readonly reason: string } | undefined
  readonly traffic: { bytesIn: number; messagesIn: number; bytesOut: number; messagesOut: number }
  /** Round trip in ms; undefined before the first answer. */
  readonly rttMs: number | undefined
  /** How far ahead of the host the player is, how long inputs wait, how often they come late; also in words. */
  readonly network: NetworkReading
  /**
   * How often a prediction was wrong, by how much the player's own thing was moved then, in units of the world, and what the
   * last correction moved by how much, by id.
   */
  readonly corrections: {
    readonly count: number
    readonly last: number
    readonly largest: number
    readonly things: ReadonlyMap<number, number>
  }
  /** How often the state differed from the host's, and where. */
  readonly desyncs: readonly DesyncReport[]
  /** Pauses or resumes the match. Only a player alone in the match can pause it; the pause ends when a second player joins. */
  pause(paused: boolean): void
  /** Resolves when the host has said welcome. */
  whenPlaying(): Promise<void>
}

/** How often a mirror reports its rollbacks, for the server's statistics. */
const REPORT_MS = 5_000

const NO_CORRECTIONS: ReadonlyMap<number, number> = new Map()

/**
 * Takes a seat in a match of `game` on the server at `url`. Rejects with the server's reason when it is refused. With the
 * module of the game instead, events are shown as its `meaning` says.
 */
export async function joinGame<D extends Declaration>(
  url: string,
  game: Playable<D>,
  choices: JoinChoices = {},
): Promise<GameConnection<D>> {
  const played = 'declaration' in game ? game : game.game
  const { room: name = played.declaration.id, code, create = false, token, smoothing, inputDelay, ...wishes } = choices
  const { roomId = code && readCode(code), ...rest } = wishes
  const options = { ...rest, hello: helloOf(played) }
  const client = new Client(url)
  if (token !== undefined) client.http.authToken = token
  const room = await (roomId !== undefined
    ? client.joinById(roomId, options)
    : create || rest.private
      ? client.create(name, options)
      : client.joinOrCreate(name, options))
  return connect(game, room, { ...(smoothing && { smoothing }), ...(inputDelay !== undefined && { inputDelay }) })
}

/** A match on a room that was joined already. */
export function connect<D extends Declaration>(
  game: Playable<D>,
  room: Room,
  choices: Pick<JoinChoices, 'smoothing' | 'inputDelay'> = {},
): GameConnection<D> {
  return new Connection(game, room, choices)
}

class Connection<D extends Declaration> implements GameConnection<D> {
  readonly game: Game<D>
  readonly room: Room
  readonly traffic = { bytesIn: 0, messagesIn: 0, bytesOut: 0, messagesOut: 0 }
  seat: number = SPECTATOR
  mirror: Mirror | undefined
  terminal: Terminal | undefined
  status: GameConnection['status'] = 'joining'
  ending: { code: number; reason: string } | undefined
  readonly #choices: Pick<JoinChoices, 'smoothing' | 'inputDelay'>
  readonly #plans: EventPlans
  readonly #listeners: Listeners
  readonly #gapHandlers = new Set<(gap: Gap) => void>()
  /** The number of the next event of a terminal. */
  #nextSerial = 1
  /** Of the terminal before a reconnect: events it had not shown, and the tick up to which it had all of them. */
  #unshown: readonly EventRecord[] = []
  #gapFrom: number | undefined
  #jumped = true
  #reported = { at: 0, rollbacks: 0 }
  readonly #welcomed: Promise<void>
  #welcome: () => void = () => {}
  #refuse: (error: Error) => void = () => {}

  constructor(game: Playable<D>, room: Room, choices: Pick<JoinChoices, 'smoothing' | 'inputDelay'>) {
    const isGame = 'declaration' in game
    this.game = isGame ? game : game.game
    this.room = room
    this.#choices = choices
    this.#plans = planEvents(this.game, isGame ? {} : game.meaning?.events)
    this.#listeners = createListeners(this.#plans)
    this.#welcomed = new Promise((resolve, reject) => {
      this.#welcome = resolve
      this.#refuse = reject
    })
    // There is no need to wait for it.
    this.#welcomed.catch(() => {})
    // A connection that breaks in its first seconds may come back as well.
    room.reconnection.minUptime = 0
    // What was meant for ticks long gone is not sent after a reconnect.
    room.reconnection.maxEnqueuedMessages = 0
    room.onMessage(NETCODE, (bytes: Uint8Array) => this.#receive(bytes))
    room.onDrop(() => {
      this.status = 'dropped'
    })
    room.onLeave((code, reason) => {
      this.status = 'left'
      this.ending = { code, reason: reason ?? '' }
      this.#refuse(new Error(`the room was left before the match began (${code} ${reason ?? ''})`))
    })
  }

  get code(): string {
    return this.room.state?.code ?? ''
  }

  get rttMs(): number | undefined {
    return (this.mirror ?? this.terminal)?.sender.rttMs
  }

  get corrections(): GameConnection['corrections'] {
    const { rollbacks = 0, lastCorrection = 0, largestCorrection = 0 } = this.mirror?.stats ?? {}
    const things = this.mirror?.corrections.last ?? NO_CORRECTIONS
    return { count: rollbacks, last: lastCorrection, largest: largestCorrection, things }
  }

  get network(): NetworkReading {
    return readNetwork(this.mirror ?? this.terminal)
  }

  get desyncs(): readonly DesyncReport[] {
    return this.mirror?.desyncs ?? []
  }

  update(now: number, read: (tick: number, world: World<D>) => SeatInput<D>): Picture<D> | undefined {
    const { mirror, terminal } = this
    const client = mirror ?? terminal
    if (client === undefined) return undefined
    const isPlaying = this.status === 'playing'
    let state: RenderState | undefined
    if (mirror !== undefined) {
      if (isPlaying) advanceMirror(mirror, now, read as never)
      state = { before: mirror.before, after: mirror.world, alpha: mirrorAlpha(mirror), events: [] }
    } else if (terminal !== undefined) {
      state = showTerminal(terminal, now)
      if (isPlaying) advanceTerminal(terminal, now, read as never)
    }
    for (const bytes of client.outbox.splice(0)) this.#send(bytes)
    this.#report(now)
    if (state === undefined) return undefined
    const jumped = this.#jumped
    this.#jumped = false
    return { ...this.#tell(state), jumped } as Picture<D>
  }

  /** Calls the handlers with what is new, and makes a picture of the state. */
  #tell(state: RenderState): Omit<Picture, 'jumped'> {
    const { mirror, terminal } = this
    const { before, after, alpha } = state
    const news: EventNews[] = mirror === undefined ? [] : takeNews(mirror.events)
    const gaps: Gap[] = mirror === undefined ? [] : takeGaps(mirror.events)
    for (const event of [...this.#unshown, ...state.events]) news.push(...certainNews(event, this.#nextSerial++))
    this.#unshown = []
    if (terminal !== undefined && this.#gapFrom !== undefined) {
      // The first frame has the events since the one before it, which others got.
      const to = terminal.frames[0].tick - terminal.scheme.every
      if (to > this.#gapFrom) gaps.push({ from: this.#gapFrom, to })
      this.#gapFrom = undefined
    }
    for (const gap of gaps) for (const handle of this.#gapHandlers) handle(gap)
    announce(this.#listeners, news)
    const { smoothing } = this.#choices
    return {
      before,
      after,
      alpha,
      ...shownOf(this.#plans, news),
      place: (id: number, out: Place) =>
        mirror === undefined
          ? placeBetween(state, id, out, smoothing?.wrap)
          : drawnPlace(mirror.corrections, state, id, out),
      key: (id: number) => (mirror === undefined ? id : keyOf(mirror.corrections, id)),
    }
  }

  on<const K extends EventKind<D>>(kind: K, handler: EventHandler<D, K>): () => void {
    return listen(this.#listeners, kind, handler)
  }

  onGap(handler: (gap: Gap) => void): () => void {
    this.#gapHandlers.add(handler)
    return () => void this.#gapHandlers.delete(handler)
  }

  pause(paused: boolean): void {
    sendToRoom(this.room, ROOM_MESSAGES.pause, paused)
  }

  whenPlaying(): Promise<void> {
    return this.#welcomed
  }

  async leave(): Promise<void> {
    if (this.status !== 'left') await this.room.leave()
  }

  #send(bytes: Uint8Array): void {
    if (this.status !== 'playing') return
    this.room.sendBytes(NETCODE, bytes)
    this.traffic.messagesOut++
    this.traffic.bytesOut += bytes.length
  }

  #report(now: number): void {
    const { mirror } = this
    if (mirror === undefined || this.status !== 'playing' || now - this.#reported.at < REPORT_MS) return
    const { rollbacks } = mirror.stats
    if (this.#reported.at > 0) sendToRoom(this.room, ROOM_MESSAGES.rollbacks, rollbacks - this.#reported.rollbacks)
    this.#reported = { at: now, rollbacks }
  }

  #receive(bytes: Uint8Array): void {
    this.traffic.messagesIn++
    this.traffic.bytesIn += bytes.length
    const now = performance.now()
    if (bytes[0] === MESSAGES.welcome.kind) this.#start(bytes, now)
    else if (this.mirror !== undefined) receiveAtMirror(this.mirror, bytes, now)
    else if (this.terminal !== undefined) receiveAtTerminal(this.terminal, bytes, now)
  }

  /** A welcome comes when one joins, when one returns, and with every new match. */
  #start(bytes: Uint8Array, now: number): void {
    const welcome = readMessage(bytes, MESSAGES.welcome, this.game)
    if (welcome === undefined) return
    const { mirror: mirrorBefore, terminal: terminalBefore } = this
    try {
      const mirror = welcome.mode === 'mirror' ? createMirror(this.game, bytes, now) : undefined
      const terminal = welcome.mode === 'terminal' ? createTerminal(this.game, bytes) : undefined
      if (mirror !== undefined) this.#prepare(mirror, mirrorBefore)
      this.#unshown = [...this.#unshown, ...(terminalBefore?.inside.events ?? [])]
      if (terminalBefore?.sender.nonce === welcome.nonce) this.#gapFrom = terminalBefore.frames.at(-1)?.tick
      this.mirror = mirror
      this.terminal = terminal
    } catch (error) {
      // Names or values that this build of the game does not have. The page goes on; the caller that waits for the match gets the error.
      this.#refuse(error as Error)
      return
    }
    this.seat = welcome.seat
    this.status = 'playing'
    this.#jumped = true
    this.#reported = { at: 0, rollbacks: 0 }
    this.#welcome()
  }

  #prepare(mirror: Mirror, before: Mirror | undefined): void {
    const { smoothing, inputDelay } = this.#choices
    mirror.events.plans = this.#plans
    if (smoothing !== undefined) mirror.corrections.smoothing = smoothing
    if (inputDelay !== undefined) mirror.pace.inputDelay = inputDelay
    if (before === undefined) return
    const isSameMatch = before.sender.nonce === mirror.sender.nonce
    const from = before.confirmed.tick
    const to = mirror.confirmed.tick
    continueFeed(mirror.events, before.events, isSameMatch && to > from ? { from, to } : undefined)
  }
}
