/**
 * A player's end of an online match, for browsers and Node.
 *
 * `joinGame` returns one object for both modes: call `update` once per frame with what the player does, and draw the
 * render state that it returns. Mirrors are driven by our own netcode and not by the SDK's `predict.sim`; docs/decisions say why.
 *
 * @module @hurtbox/colyseus/client
 */

import { Client, type Room } from '@colyseus/sdk'
import type { AnyGame, AnyWorld } from 'hurtbox/tools'
import { readCode } from '../code.ts'
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
  /** Who plays, for servers that have accounts. */
  readonly token?: string
  /** What to bring along, by the fields of the game's declared `join`: `{ skin: 'red' }`. */
  readonly data?: unknown
  /** Opens a room that no list shows; others join by `match.code`. */
  readonly private?: boolean
  /** The code of a private room, as it was typed. */
  readonly code?: string
}

export type GameConnection = {
  readonly game: AnyGame
  /** Colyseus' room: roster, score and phase are in `room.state`. */
  readonly room: Room
  /** Of a private room: what others join by. Empty for other rooms. */
  readonly code: string
  /** The player's seat; `SPECTATOR` while watching. */
  readonly seat: number
  /** What drives the match; undefined until the host has said welcome. */
  readonly mirror: Mirror | undefined
  readonly terminal: Terminal | undefined
  readonly status: 'joining' | 'playing' | 'dropped' | 'left'
  /** Why the connection ended, once it has. */
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

/** Takes a seat in a match of `game` on the server at `url`. Rejects with the server's reason when it is refused. */
export async function joinGame(url: string, game: AnyGame, choices: JoinChoices = {}): Promise<GameConnection> {
  const { room: name = game.declaration.id, code, create = false, token, ...wishes } = choices
  const { roomId = code && readCode(code), ...rest } = wishes
  const options = { ...rest, hello: helloOf(game) }
  const client = new Client(url)
  if (token !== undefined) client.http.authToken = token
  const room = await (roomId !== undefined
    ? client.joinById(roomId, options)
    : create || rest.private
      ? client.create(name, options)
      : client.joinOrCreate(name, options))
  return connect(game, room)
}

/** A match on a room that was joined already. */
export function connect(game: AnyGame, room: Room): GameConnection {
  const connection = new Connection(game, room)
  return connection
}

class Connection implements GameConnection {
  readonly game: AnyGame
  readonly room: Room
  readonly traffic = { bytesIn: 0, messagesIn: 0, bytesOut: 0, messagesOut: 0 }
  seat: number = SPECTATOR
  mirror: Mirror | undefined
  terminal: Terminal | undefined
  status: GameConnection['status'] = 'joining'
  ending: { code: number; reason: string } | undefined
  #jumped = true
  #reported = { at: 0, rollbacks: 0 }
  readonly #welcomed: Promise<void>
  #welcome: () => void = () => {}
  #refuse: (error: Error) => void = () => {}

  constructor(game: AnyGame, room: Room) {
    this.game = game
    this.room = room
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
    return { count: rollbacks, last: lastCorrection, largest: largestCorrection }
  }

  get desyncs(): readonly DesyncReport[] {
    return this.mirror?.desyncs ?? []
  }

  update(now: number, read: (tick: number, world: AnyWorld) => OwnInput): OnlineRenderState | undefined {
    const { mirror, terminal } = this
    const client = mirror ?? terminal
    if (client === undefined) return undefined
    let state: RenderState | undefined
    if (mirror !== undefined) {
      if (this.status === 'playing') advanceMirror(mirror, now, read)
      const { before, world: after, events } = mirror
      state = { before, after, alpha: mirrorAlpha(mirror, now), events: takeEvents(events) }
    } else if (terminal !== undefined) {
      state = showTerminal(terminal, now)
      if (this.status === 'playing') advanceTerminal(terminal, now, read)
    }
    for (const bytes of client.outbox.splice(0)) this.#send(bytes)
    this.#report(now)
    if (state === undefined) return undefined
    const jumped = this.#jumped
    this.#jumped = false
    return { ...state, jumped }
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
    try {
      const mirror = welcome.mode === 'mirror' ? createMirror(this.game, bytes, now) : undefined
      const terminal = welcome.mode === 'terminal' ? createTerminal(this.game, bytes) : undefined
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
}
