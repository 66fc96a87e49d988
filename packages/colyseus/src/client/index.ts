/**
 * A player's end of an online match, for browsers and Node.
 *
 * `joinGame` returns one object for both modes: call `update` once per frame with what the player does, and draw the
 * render state that it returns. Mirrors are driven by our own netcode and not by the SDK's `predict.sim`; docs/decisions say why.
 *
 * @module @hurtbox/colyseus/client
 */

import { Client, CloseCode, type Room } from '@colyseus/sdk'
import type { AnyGame, AnyWorld } from 'hurtbox/tools'
import { takeEvents } from '../netcode/event-feed.ts'
import { MESSAGES, readMessage } from '../netcode/messages.ts'
import {
  advanceMirror,
  createMirror,
  type DesyncReport,
  type Mirror,
  mirrorAlpha,
  receiveAtMirror,
} from '../netcode/mirror.ts'
import { helloOf, type Mode, NETCODE, SPECTATOR } from '../netcode/protocol.ts'
import { offerOf, resumeMirror } from '../netcode/returning.ts'
import type { OwnInput } from '../netcode/sender.ts'
import {
  advanceTerminal,
  createTerminal,
  type RenderState,
  receiveAtTerminal,
  showTerminal,
  type Terminal,
} from '../netcode/terminal/client.ts'
import { ROOM_MESSAGES, sendToRoom } from '../room-messages.ts'
import { askLater, isHopeless, startWayBack } from './way-back.ts'

export { SPECTATOR } from '../netcode/protocol.ts'

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
}

export type GameConnection = {
  readonly game: AnyGame
  /** Colyseus' room: roster, score and phase are in `room.state`. After a lost connection it is another object. */
  readonly room: Room
  /** The player's seat; `SPECTATOR` while watching. */
  readonly seat: number
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
  /** How often a prediction was wrong, and by how much the player's own thing was moved then, in units of the world. */
  readonly corrections: { readonly count: number; readonly last: number; readonly largest: number }
  /** How often the state differed from the host's, and where. */
  readonly desyncs: readonly DesyncReport[]
  /**
   * Plays up to `now` and sends what `read` returns for each tick that is due; returns what to draw, or undefined
   * before there is anything.
   */
  update(now: number, read: (tick: number, world: AnyWorld) => OwnInput): OnlineRenderState | undefined
  /** Pauses or resumes the match. Only a player alone in the match can pause it; the pause ends when a second player joins. */
  pause(paused: boolean): void
  /** Resolves when the host has said welcome. */
  whenPlaying(): Promise<void>
  leave(): Promise<void>
}

/** What to draw: two states, how far between them the moment is, and new events. */
export type OnlineRenderState = RenderState & {
  /** The match was restarted or joined again: forget trails and shakes. */
  readonly jumped: boolean
}

/** How often a mirror reports its rollbacks, for the server's statistics. */
const REPORT_MS = 5_000
/** A server that sends nothing for so long in the middle of a match is taken for dead. */
const SILENT_MS = 3_000
/** How long a mirror plays on when its connection is lost. The match stands still meanwhile, so all of it has to be waited for. */
const ALONE_MS = 500
/** How long the first question for the room may take, and how much longer each further one. */
const QUESTION_MS = 1_500
const LONGER_MS = 500

/**
 * Takes a seat in a match of `game` on the server at `url`. Rejects with the server's reason when it is refused. Where several
 * processes are reached at addresses of their own, give them all: a match is found again through any that is left.
 */
export async function joinGame(
  url: string | readonly string[],
  game: AnyGame,
  choices: JoinChoices = {},
): Promise<GameConnection> {
  const { room: name = game.declaration.id, roomId, create = false, ...wishes } = choices
  const options = { ...wishes, hello: helloOf(game) }
  const clients = [url].flat().map((address) => new Client(address))
  const [client] = clients
  const room = await (roomId !== undefined
    ? client.joinById(roomId, options)
    : create
      ? client.create(name, options)
      : client.joinOrCreate(name, options))
  return new Connection(game, room, (asked, before) => {
    const { reconnectionToken, roomId: id } = before
    const next = awayFrom(before, clients)[asked % clients.length]
    // Spectators have no seat to return to.
    return wishes.spectate ? next.joinById(id, options) : next.reconnect(reconnectionToken)
  })
}

/** A match on a room that was joined already. A lost connection is left to the SDK, which knows one address only. */
export function connect(game: AnyGame, room: Room): GameConnection {
  return new Connection(game, room, undefined)
}

/** The process at whose address the room was may be dead, or stopped: it is asked last. */
function awayFrom({ connection }: Room, clients: readonly Client[]): readonly Client[] {
  const { url } = (connection?.transport as { ws?: { url?: string } } | undefined)?.ws ?? {}
  const host = url === undefined ? '' : new URL(url).host
  const isThere = ({ settings }: Client) => `${settings.hostname}:${settings.port}` === host
  return [...clients].sort((a, b) => Number(isThere(a)) - Number(isThere(b)))
}

/** Asks for the room again, the nth time. */
type FindRoom = (asked: number, before: Room) => Promise<Room>

class Connection implements GameConnection {
  readonly game: AnyGame
  room: Room
  readonly traffic = { bytesIn: 0, messagesIn: 0, bytesOut: 0, messagesOut: 0 }
  seat: number = SPECTATOR
  mirror: Mirror | undefined
  terminal: Terminal | undefined
  status: GameConnection['status'] = 'joining'
  ending: { code: number; reason: string } | undefined
  /** Shown until the new terminal has a frame. */
  #terminalBefore: Terminal | undefined
  readonly #find: FindRoom | undefined
  #heardAt = 0
  #aloneSince = 0
  #jumped = true
  #reported = { at: 0, rollbacks: 0 }
  readonly #welcomed: Promise<void>
  #welcome: () => void = () => {}
  #refuse: (error: Error) => void = () => {}

  constructor(game: AnyGame, room: Room, find: FindRoom | undefined) {
    this.game = game
    this.room = room
    this.#find = find
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
    this.#heardAt = performance.now()
    // The SDK would ask the address at which the room was. Rooms move.
    room.reconnection.enabled = this.#find === undefined
    // A connection that breaks in its first seconds may come back as well.
    room.reconnection.minUptime = 0
    // What was meant for ticks long gone is not sent after a reconnect.
    room.reconnection.maxEnqueuedMessages = 0
    room.onMessage(NETCODE, (bytes: Uint8Array) => this.#receive(bytes))
    room.onDrop((code) => this.#goAlone(code))
    room.onLeave((code, reason) => {
      if (room !== this.room) return
      const mayReturn = RETURNING.includes(code) && this.status !== 'ended'
      if (mayReturn && this.#find !== undefined) this.#findBack(this.#find)
      else this.#end(code, reason ?? '')
    })
  }

  #goAlone(code: number): void {
    if (this.status === 'ended') return
    if (this.status === 'playing') this.#aloneSince = performance.now()
    this.status = code === CloseCode.MAY_TRY_RECONNECT ? 'moved' : 'reconnecting'
  }

  #end(code: number, reason: string): void {
    this.status = 'ended'
    this.ending ??= { code, reason }
    this.#refuse(new Error(`the room was left before the match began (${code} ${reason})`))
  }

  /** Asks for the room until it is found, wherever it is now. */
  async #findBack(find: FindRoom): Promise<void> {
    const before = this.room
    const way = startWayBack(performance.now())
    let refusals = 0
    while (this.status !== 'ended') {
      await sleep(way.nextAt - performance.now())
      try {
        const room = await within(find(way.asked, before), QUESTION_MS + LONGER_MS * way.asked)
        if (this.#hasEnded()) {
          room.leave()
          return
        }
        this.#listen(room)
        const offer = this.mirror && offerOf(this.mirror)
        if (offer !== undefined) room.sendBytes(NETCODE, offer)
        return
      } catch (error) {
        const { code } = error as { code?: number }
        if (code !== undefined && SEAT_GONE.includes(code)) refusals++
        askLater(way, performance.now(), Math.random())
        if (isHopeless(way, performance.now(), refusals)) {
          this.#end(CloseCode.FAILED_TO_RECONNECT, 'the match was not found again')
        }
      }
    }
  }

  #hasEnded(): boolean {
    return this.status === 'ended'
  }

  get rttMs(): number | undefined {
    return (this.mirror ?? this.terminal)?.sender.rttMs
  }

  get corrections(): GameConnection['corrections'] {
    const { rollbacks = 0, lastCorrection = 0, largestCorrection = 0 } = this.mirror?.stats ?? {}
    return { count: rollbacks, last: lastCorrection, largest: largestCorrection }
  }

  get desyncs(): readonly DesyncReport[] {
    return this.mirror?.desyncs ?? []
  }

  update(now: number, read: (tick: number, world: AnyWorld) => OwnInput): OnlineRenderState | undefined {
    const { mirror, terminal } = this
    const client = mirror ?? terminal
    if (client === undefined) return undefined
    this.#watchSilence()
    const isPlaying = this.status === 'playing'
    const isAlone = this.status === 'reconnecting' || this.status === 'moved'
    let state: RenderState | undefined
    if (mirror !== undefined) {
      const until = isAlone ? Math.min(now, this.#aloneSince + ALONE_MS) : now
      if (isPlaying || isAlone) advanceMirror(mirror, until, read)
      const { before, world: after, events } = mirror
      state = { before, after, alpha: mirrorAlpha(mirror, until), events: takeEvents(events) }
    } else if (terminal !== undefined) {
      state = showTerminal(terminal, now)
      if (isPlaying) advanceTerminal(terminal, now, read)
      if (state !== undefined) this.#terminalBefore = undefined
      else if (this.#terminalBefore !== undefined) return this.#show(showTerminal(this.#terminalBefore, now), false)
    }
    for (const bytes of client.outbox.splice(0)) this.#send(bytes)
    this.#report(now)
    const jumped = state !== undefined && this.#jumped
    if (jumped) this.#jumped = false
    return this.#show(state, jumped)
  }

  #show(state: RenderState | undefined, jumped: boolean): OnlineRenderState | undefined {
    return state && { ...state, jumped }
  }

  /** A process that was stopped keeps its connections, and says nothing. Between two matches silence is no sign. */
  #watchSilence(): void {
    if (this.#find === undefined || this.status !== 'playing') return
    const isRunning = this.room.state?.phase === 'playing' || this.room.state?.phase === 'paused'
    if (!isRunning || performance.now() - this.#heardAt < SILENT_MS) return
    const { room } = this
    this.#goAlone(CloseCode.ABNORMAL_CLOSURE)
    this.#findBack(this.#find)
    room.removeAllListeners()
    room.connection.close()
  }

  pause(paused: boolean): void {
    sendToRoom(this.room, ROOM_MESSAGES.pause, paused)
  }

  whenPlaying(): Promise<void> {
    return this.#welcomed
  }

  async leave(): Promise<void> {
    if (this.status === 'ended') return
    const isConnected = this.status === 'playing' || this.status === 'joining'
    this.#end(CloseCode.CONSENTED, '')
    if (isConnected) await this.room.leave()
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
    this.#heardAt = now
    if (bytes[0] === MESSAGES.welcome.kind) this.#start(bytes, now)
    else if (this.mirror !== undefined) receiveAtMirror(this.mirror, bytes, now)
    else if (this.terminal !== undefined) receiveAtTerminal(this.terminal, bytes, now)
  }

  /** A welcome comes when one joins, when one returns, and with every new match. */
  #start(bytes: Uint8Array, now: number): void {
    const welcome = readMessage(bytes, MESSAGES.welcome, this.game)
    if (welcome === undefined) return
    const isBack = this.mirror !== undefined && resumeMirror(this.mirror, welcome, now)
    if (isBack) {
      this.status = 'playing'
      return
    }
    const terminalBefore = this.terminal
    try {
      const mirror = welcome.mode === 'mirror' ? createMirror(this.game, bytes, now) : undefined
      const terminal = welcome.mode === 'terminal' ? createTerminal(this.game, bytes) : undefined
      this.mirror = mirror
      this.terminal = terminal
      if (this.status !== 'playing') this.#terminalBefore = terminalBefore
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
}

/** Close codes after which the match may be found again: the connection broke, or the match has moved. */
const RETURNING: readonly number[] = [
  CloseCode.GOING_AWAY,
  CloseCode.NO_STATUS_RECEIVED,
  CloseCode.ABNORMAL_CLOSURE,
  CloseCode.MAY_TRY_RECONNECT,
]

/** Answers of the matchmaker: there is no such room; the room does not know the token. */
const SEAT_GONE: readonly number[] = [522, 524]

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(ms, 0)))
}

/** The room, if it is found within the time. A room that is found later is left: nobody waits for it. */
function within(found: Promise<Room>, ms: number): Promise<Room> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(new Error(`no answer within ${ms} ms`))
    }, ms)
    found.then((room) => {
      clearTimeout(timer)
      if (isLate) room.connection.close()
      else resolve(room)
    }, reject)
  })
}
