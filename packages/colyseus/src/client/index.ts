/**
 * A player's end of an online match, for browsers and Node.
 *
 * `joinGame` returns one object for both modes: call `update` once per frame with what the player does, and draw the
 * render state that it returns. Mirrors are driven by our own netcode and not by the SDK's `predict.sim`; docs/decisions say why.
 *
 * @module @hurtbox/colyseus/client
 */

import { Client, CloseCode, type Room } from '@colyseus/sdk'
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
import { checkSmoothing, type Smoothing } from '../netcode/corrections.ts'
import { continueFeed, takeGaps, takeNews } from '../netcode/event-feed.ts'
import type { Guess } from '../netcode/guess.ts'
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
import { keyOnMirror, placeOnMirror, thingsOnMirror } from '../netcode/past.ts'
import { helloOf, type Mode, NETCODE, SPECTATOR } from '../netcode/protocol.ts'
import { type NetworkReading, readNetwork } from '../netcode/reading.ts'
import { offerOf, resumeMirror } from '../netcode/returning.ts'
import { changePath } from '../netcode/sender.ts'
import {
  advanceTerminal,
  createTerminal,
  type RenderState,
  receiveAtTerminal,
  showTerminal,
  type Terminal,
} from '../netcode/terminal/client.ts'
import { ROOM_MESSAGES, sendToRoom } from '../room-messages.ts'
import { type DatagramPath, joinDatagrams, type PeerConnectionClass } from './datagrams.ts'
import { askLater, isHopeless, patienceMs, startWayBack, type WayBack } from './way-back.ts'

export type { Smoothing } from '../netcode/corrections.ts'
export type { Guess } from '../netcode/guess.ts'
export type { InputDelay } from '../netcode/pace.ts'
export { SPECTATOR } from '../netcode/protocol.ts'
export type { NetworkReading } from '../netcode/reading.ts'
export type { DatagramPath, PeerConnectionClass } from './datagrams.ts'

export type JoinChoices<D extends Declaration = AnyDeclaration> = {
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
  /** What other players do while their inputs are on the way. Default: they hold what they held, and press nothing. */
  readonly guess?: Guess<D>
  /**
   * Where data channels come from, for rooms that offer datagrams: the browser's class by default, in Node that of
   * `node-datachannel/polyfill`. `false` keeps to the socket.
   */
  readonly datagrams?: PeerConnectionClass | false
}

type Choices<D extends Declaration = AnyDeclaration> = Pick<
  JoinChoices<D>,
  'smoothing' | 'inputDelay' | 'guess' | 'datagrams'
>

/** A game, or the module of one, which also says how its events are to be shown. */
export type Playable<D extends Declaration> =
  | Game<D>
  | { readonly game: Game<D>; readonly meaning?: { readonly events?: object } }

// biome-ignore lint/suspicious/noExplicitAny: of a game that the compiler does not know.
type AnyDeclaration = any

export type GameConnection<D extends Declaration = AnyDeclaration> = Match<D> & {
  /** Colyseus' room: roster, score and phase are in `room.state`. After a lost connection it is another object. */
  readonly room: Room
  /** Of a private room: what others join by. Empty for other rooms. */
  readonly code: string
  /** What drives the match; undefined until the host has said welcome. */
  readonly mirror: Mirror | undefined
  readonly terminal: Terminal | undefined
  /**
   * 'reconnecting' while the connection is lost and 'moved' while another process takes the match over: the client finds its way
   * back by itself, and a mirror plays on for a moment. 'ended' is final.
   */
  readonly status: 'joining' | 'playing' | 'reconnecting' | 'moved' | 'ended'
  /** Why the match ended for this client, once it has. */
  readonly ending: { readonly code: number; readonly reason: string } | undefined
  readonly traffic: { bytesIn: number; messagesIn: number; bytesOut: number; messagesOut: number }
  /** Round trip in ms; undefined before the first answer. */
  readonly rttMs: number | undefined
  /** How far ahead of the host the player is, how long inputs wait, how often they come late; also in words. */
  readonly network: NetworkReading
  /** The path beside the socket: whether it works, its round trip and loss. */
  readonly datagrams: DatagramPath
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
  /** After a match: asks for the next one. It begins at once when every player of the room has asked. */
  rematch(): void
  /** Resolves when the host has said welcome. */
  whenPlaying(): Promise<void>
}

/** How often a client reports its round trip, for the roster, and a mirror its rollbacks, for the server's statistics. */
const REPORT_MS = 5_000

/** A server that sends nothing for so long in the middle of a match is taken for dead. */
const SILENT_MS = 3_000
/** Between two frames of a page that runs. */
const STALL_MS = 1_000
/** How long a mirror plays on when its connection is lost. The match stands still meanwhile, so all of it has to be waited for. */
const ALONE_MS = 500
/** How often a connection that was found is looked at, until the room says welcome on it. */
const LOOK_MS = 50

const NO_CORRECTIONS: ReadonlyMap<number, number> = new Map()

/**
 * Takes a seat in a match of `game` on the server at `url`. Rejects with the server's reason when it is refused. With the
 * module of the game instead, events are shown as its `meaning` says. Where several processes are reached at addresses of their
 * own, give them all: a match is found again through any that is left.
 */
export async function joinGame<D extends Declaration>(
  url: string | readonly string[],
  game: Playable<D>,
  choices: JoinChoices<D> = {},
): Promise<GameConnection<D>> {
  // Before a seat is taken.
  checkSmoothing(choices.smoothing)
  const played = 'declaration' in game ? game : game.game
  const {
    room: name = played.declaration.id,
    code,
    create = false,
    token,
    smoothing,
    inputDelay,
    guess,
    datagrams,
    ...wishes
  } = choices
  const { roomId = code && readCode(code), ...rest } = wishes
  const options = { ...rest, hello: helloOf(played) }
  const clients = [url].flat().map((address) => new Client(address))
  const [client] = clients
  if (token !== undefined) for (const each of clients) each.http.authToken = token
  const takeSeat = () =>
    roomId !== undefined
      ? client.joinById(roomId, options)
      : create || rest.private
        ? client.create(name, options)
        : client.joinOrCreate(name, options)
  const room = await takeSeat().catch((error: { readonly code?: number }) => {
    // A server that could not answer for some seconds has given the reserved seat up meanwhile.
    if (error.code === SEAT_EXPIRED) return takeSeat()
    throw error
  })
  const shown = {
    ...(smoothing && { smoothing }),
    ...(inputDelay !== undefined && { inputDelay }),
    ...(guess && { guess }),
    ...(datagrams !== undefined && { datagrams }),
  }
  return new Connection(game, room, shown, (asked, before) => {
    const { reconnectionToken, roomId: id } = before
    const next = awayFrom(before, clients)[asked % clients.length]
    // Spectators have no seat to return to.
    return rest.spectate ? next.joinById(id, options) : next.reconnect(reconnectionToken)
  })
}

/** A match on a room that was joined already. A lost connection is left to the SDK, which knows one address only. */
export function connect<D extends Declaration>(
  game: Playable<D>,
  room: Room,
  choices: Choices<D> = {},
): GameConnection<D> {
  checkSmoothing(choices.smoothing)
  return new Connection(game, room, choices, undefined)
}

/** The process at whose address the room was may be dead, or stopped: it is asked last. */
function awayFrom({ connection }: Room, clients: readonly Client[]): readonly Client[] {
  const { url } = (connection?.transport as { ws?: { url?: string } } | undefined)?.ws ?? {}
  const host = url === undefined ? '' : new URL(url).host
  const isThere = ({ settings }: Client) => `${settings.hostname}:${settings.port}` === host
  return [...clients].sort((a, b) => Number(isThere(a)) - Number(isThere(b)))
}

/** Asks for the room again, the nth time, with the token of a connection before. */
type FindRoom = (asked: number, before: Room) => Promise<Room>

class Connection<D extends Declaration> implements GameConnection<D> {
  readonly game: Game<D>
  room: Room
  readonly traffic = { bytesIn: 0, messagesIn: 0, bytesOut: 0, messagesOut: 0 }
  seat: number = SPECTATOR
  mirror: Mirror | undefined
  terminal: Terminal | undefined
  status: GameConnection['status'] = 'joining'
  datagrams!: DatagramPath
  ending: { code: number; reason: string } | undefined
  readonly #choices: Choices<D>
  readonly #plans: EventPlans
  readonly #listeners: Listeners
  readonly #gapHandlers = new Set<(gap: Gap) => void>()
  /** The number of the next event of a terminal. */
  #nextSerial = 1
  /** Of the terminal before a reconnect: events it had not shown, and the tick up to which it had all of them. */
  #unshown: readonly EventRecord[] = []
  #gapFrom: number | undefined
  /** Shown until the new terminal has a frame. */
  #terminalBefore: Terminal | undefined
  readonly #find: FindRoom | undefined
  /** While the match is looked for, until it says welcome. */
  #way: WayBack | undefined
  /** The room that said welcome last. */
  #welcomedBy: Room
  #foundAt = 0
  #heardAt = 0
  #watchedAt = 0
  #aloneSince = 0
  #jumped = true
  #reported = { at: 0, rollbacks: 0 }
  readonly #welcomed: Promise<void>
  #welcome: () => void = () => {}
  #refuse: (error: Error) => void = () => {}

  constructor(game: Playable<D>, room: Room, choices: Choices<D>, find: FindRoom | undefined) {
    const isGame = 'declaration' in game
    this.game = isGame ? game : game.game
    this.room = room
    this.#welcomedBy = room
    this.#choices = choices
    this.#find = find
    this.#plans = planEvents(this.game, isGame ? {} : game.meaning?.events)
    this.#listeners = createListeners(this.#plans)
    this.#welcomed = new Promise((resolve, reject) => {
      this.#welcome = resolve
      this.#refuse = reject
    })
    // There is no need to wait for it.
    this.#welcomed.catch(() => {})
    this.#listen(room)
  }

  #listen(room: Room): void {
    this.room = room
    // A page that has switched datagrams off need not do it again for every connection.
    const isWanted = this.datagrams?.isWanted ?? true
    this.datagrams?.close()
    const Connection =
      this.#choices.datagrams ?? (globalThis as { RTCPeerConnection?: PeerConnectionClass }).RTCPeerConnection
    this.datagrams = joinDatagrams(room, Connection || undefined, (bytes, match) => this.#takeDatagram(bytes, match))
    this.datagrams.isWanted = isWanted
    this.#heardAt = performance.now()
    // The SDK would ask the address at which the room was. Rooms move.
    room.reconnection.enabled = this.#find === undefined
    // A connection that breaks in its first seconds may come back as well.
    room.reconnection.minUptime = 0
    // What was meant for ticks long gone is not sent after a reconnect.
    room.reconnection.maxEnqueuedMessages = 0
    room.onMessage(NETCODE, (bytes: Uint8Array) => {
      if (room === this.room) this.#receive(bytes)
    })
    room.onDrop((code) => {
      if (room === this.room) this.#goAlone(code)
    })
    room.onLeave((code, reason) => {
      if (room !== this.room) return
      // A room that is asked for twice lets go of the connection that it gave for the first question.
      const isSeeking = this.#way !== undefined
      const mayReturn = RETURNING.includes(code) || (isSeeking && code === CloseCode.WITH_ERROR)
      if (!mayReturn || this.#find === undefined || this.status === 'ended') this.#end(code, reason ?? '')
      else if (!isSeeking) this.#findBack(this.#find)
    })
  }

  #goAlone(code: number): void {
    if (this.status === 'ended') return
    if (this.status === 'playing') this.#aloneSince = performance.now()
    this.status = code === CloseCode.MAY_TRY_RECONNECT ? 'moved' : 'reconnecting'
  }

  #end(code: number, reason: string): void {
    this.status = 'ended'
    this.#way = undefined
    this.ending ??= { code, reason }
    this.#refuse(new Error(`the room was left before the match began (${code} ${reason})`))
  }

  /**
   * Asks for the room, wherever it is now, until it has said welcome. Only then is the way back at its end: a server that was stopped
   * answers all questions at once, the connection of one answer ends that of another, and which one stays is not known before.
   */
  async #findBack(find: FindRoom): Promise<void> {
    const way = startWayBack(performance.now())
    this.#way = way
    let reason = ''
    while (this.#way === way) {
      await sleep(way.nextAt - performance.now())
      if (this.#way !== way) return
      if (this.room.connection.isOpen && performance.now() - this.#foundAt < patienceMs(way)) {
        way.nextAt = performance.now() + LOOK_MS
        continue
      }
      // The token of the last welcome is good until the next one. If that came and got lost, it is the token of the newest connection.
      const before = way.refused % 2 === 0 ? this.#welcomedBy : this.room
      const answer = find(way.asked, before).then(
        (room) => this.#return(room, find),
        ({ code, message }: { readonly code?: number; readonly message?: string }) => {
          // Where only another build is left, the room may still come back with a process of the old one.
          if (code === ROOM_GONE || code === OTHER_BUILD) way.missing++
          if (code === SEAT_EXPIRED) way.refused++
          if (code === OTHER_BUILD) reason = message ?? ''
        },
      )
      await Promise.race([answer, sleep(patienceMs(way))])
      askLater(way, performance.now(), Math.random())
      if (this.#way === way && isHopeless(way, performance.now())) {
        reason ||= way.refused > 0 ? 'the seat was given up' : 'the match was not found again'
        this.#end(CloseCode.FAILED_TO_RECONNECT, reason)
      }
    }
  }

  /** The room is found, perhaps twice. The server has let go of the connection before, so the newest is the one that counts. */
  #return(room: Room, find: FindRoom): void {
    const spare = this.status === 'ended' ? room : this.room
    if (spare !== room) {
      this.#foundAt = performance.now()
      this.#listen(room)
      if (this.#way === undefined) {
        this.#goAlone(CloseCode.ABNORMAL_CLOSURE)
        this.#findBack(find)
      }
      const offer = this.mirror && offerOf(this.mirror)
      if (offer !== undefined) room.sendBytes(NETCODE, offer)
    }
    spare.reconnection.enabled = false
    spare.connection.close()
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
    this.#watchSilence()
    const isPlaying = this.status === 'playing'
    const isAlone = this.status === 'reconnecting' || this.status === 'moved'
    let state: RenderState | undefined
    if (mirror !== undefined) {
      const until = isAlone ? Math.min(now, this.#aloneSince + ALONE_MS) : now
      if (isPlaying || isAlone) advanceMirror(mirror, until, read as never)
      state = { before: mirror.before, after: mirror.world, alpha: mirrorAlpha(mirror), events: [] }
    } else if (terminal !== undefined) {
      state = showTerminal(terminal, now)
      if (isPlaying) advanceTerminal(terminal, now, read as never)
    }
    const isShown = state !== undefined
    if (isShown) this.#terminalBefore = undefined
    else if (this.#terminalBefore !== undefined) state = showTerminal(this.#terminalBefore, now)
    this.#usePath(client)
    for (const bytes of client.outbox.splice(0)) this.#send(bytes)
    this.#report(now)
    if (state === undefined) return undefined
    const jumped = isShown && this.#jumped
    if (jumped) this.#jumped = false
    return { ...this.#tell(state, isShown), jumped } as Picture<D>
  }

  /** A process that was stopped keeps its connections, and says nothing. Between two matches silence is no sign. */
  #watchSilence(): void {
    const now = performance.now()
    // A page that was itself stopped has not read yet what has come meanwhile.
    if (now - this.#watchedAt > STALL_MS) this.#heardAt = now
    this.#watchedAt = now
    if (this.#find === undefined || this.status !== 'playing') return
    const isRunning = this.room.state?.phase === 'playing' || this.room.state?.phase === 'paused'
    if (!isRunning || now - this.#heardAt < SILENT_MS) return
    const { room } = this
    this.#goAlone(CloseCode.ABNORMAL_CLOSURE)
    this.#findBack(this.#find)
    room.removeAllListeners()
    room.connection.close()
  }

  /** Calls the handlers with what is new, and makes a picture of the state. */
  #tell(state: RenderState, isShown: boolean): Omit<Picture, 'jumped'> {
    const { mirror, terminal } = this
    const { before, after, alpha } = state
    const news: EventNews[] = mirror === undefined ? [] : takeNews(mirror.events)
    const gaps: Gap[] = mirror === undefined ? [] : takeGaps(mirror.events)
    for (const event of [...this.#unshown, ...state.events]) news.push(...certainNews(event, this.#nextSerial++))
    this.#unshown = []
    if (terminal !== undefined && isShown && this.#gapFrom !== undefined) {
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
        mirror === undefined ? placeBetween(state, id, out, smoothing?.wrap) : placeOnMirror(mirror, id, out),
      key: (id: number) => (mirror === undefined ? id : keyOnMirror(mirror, id)),
      ...(mirror && smoothing?.asConfirmed && { things: () => thingsOnMirror(mirror) }),
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

  rematch(): void {
    if (this.status === 'playing') sendToRoom(this.room, ROOM_MESSAGES.rematch, true)
  }

  whenPlaying(): Promise<void> {
    return this.#welcomed
  }

  async leave(): Promise<void> {
    if (this.status === 'ended') return
    const isConnected = this.status === 'playing' || this.status === 'joining'
    this.#end(CloseCode.CONSENTED, '')
    this.datagrams.close()
    if (isConnected) await this.room.leave()
  }

  #send(bytes: Uint8Array): void {
    if (this.status !== 'playing') return
    this.traffic.messagesOut++
    this.traffic.bytesOut += bytes.length
    const nonce = (this.mirror ?? this.terminal)?.sender.nonce ?? 0
    if (bytes[0] === MESSAGES.inputs.kind && this.datagrams.send(bytes, nonce)) return
    this.room.sendBytes(NETCODE, bytes)
  }

  /** Takes to datagrams while they work, and back to the socket. */
  #usePath(client: Mirror | Terminal): void {
    client.sender.loss = this.datagrams.ownLoss
    changePath(client, this.datagrams.update(performance.now()) ? 'datagram' : 'stream')
  }

  #takeDatagram(bytes: Uint8Array, match: number): void {
    const client = this.mirror ?? this.terminal
    const isOurs = match === ((client?.sender.nonce ?? 0) & 0xffff) && bytes[0] !== MESSAGES.welcome.kind
    if (client !== undefined && isOurs) this.#receive(bytes)
  }

  #report(now: number): void {
    const { mirror, rttMs } = this
    if (this.status !== 'playing' || rttMs === undefined || now - this.#reported.at < REPORT_MS) return
    const rollbacks = mirror?.stats.rollbacks ?? 0
    sendToRoom(this.room, ROOM_MESSAGES.ping, rttMs)
    if (mirror !== undefined && this.#reported.at > 0) {
      sendToRoom(this.room, ROOM_MESSAGES.rollbacks, rollbacks - this.#reported.rollbacks)
    }
    this.#reported = { at: now, rollbacks }
  }

  #receive(bytes: Uint8Array): void {
    this.traffic.messagesIn++
    this.traffic.bytesIn += bytes.length
    const now = performance.now()
    this.#heardAt = now
    if (bytes[0] === MESSAGES.welcome.kind) this.#start(bytes, now)
    else if (this.mirror !== undefined) receiveAtMirror(this.mirror, bytes, now)
    else if (this.terminal !== undefined) receiveAtTerminal(this.terminal, bytes, now)
  }

  /** A welcome comes when one joins, when one returns, and with every new match. */
  #start(bytes: Uint8Array, now: number): void {
    const welcome = readMessage(bytes, MESSAGES.welcome, this.game)
    if (welcome === undefined) return
    this.#way = undefined
    this.#welcomedBy = this.room
    const { mirror: mirrorBefore, terminal: terminalBefore } = this
    if (mirrorBefore !== undefined && resumeMirror(mirrorBefore, welcome, now)) {
      this.status = 'playing'
      return
    }
    try {
      const mirror = welcome.mode === 'mirror' ? createMirror(this.game, bytes, now) : undefined
      const terminal = welcome.mode === 'terminal' ? createTerminal(this.game, bytes) : undefined
      if (mirror !== undefined) this.#prepare(mirror, mirrorBefore)
      this.#unshown = [...this.#unshown, ...(terminalBefore?.inside.events.splice(0) ?? [])]
      if (terminalBefore?.sender.nonce === welcome.nonce) this.#gapFrom = terminalBefore.frames.at(-1)?.tick
      this.mirror = mirror
      this.terminal = terminal
      if (terminalBefore?.sender.nonce === welcome.nonce) this.#terminalBefore = terminalBefore
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
    const { smoothing, inputDelay, guess } = this.#choices
    mirror.events.plans = this.#plans
    if (smoothing !== undefined) mirror.corrections.smoothing = smoothing
    if (inputDelay !== undefined) mirror.pace.inputDelay = inputDelay
    mirror.guess = guess
    if (before === undefined) return
    const isSameMatch = before.sender.nonce === mirror.sender.nonce
    const from = before.confirmed.tick
    const to = mirror.confirmed.tick
    continueFeed(mirror.events, before.events, isSameMatch && to > from ? { from, to } : undefined)
  }
}

/** Close codes after which the match may be found again: the connection broke, or the match has moved. */
const RETURNING: readonly number[] = [
  CloseCode.GOING_AWAY,
  CloseCode.NO_STATUS_RECEIVED,
  CloseCode.ABNORMAL_CLOSURE,
  CloseCode.MAY_TRY_RECONNECT,
]

/** Answers of the matchmaker: there is no such room; the seat is no longer reserved, or the room does not know the token. */
const ROOM_GONE = 522
const SEAT_EXPIRED = 524
/** Only servers of another build are left. */
const OTHER_BUILD = 426

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(ms, 0)))
}
