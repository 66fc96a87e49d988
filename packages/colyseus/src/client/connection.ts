/**
 * A match that a page plays: between the page, what follows the match, and the connection to the room.
 *
 * Each frame `update` plays on, sends what the player does and returns what to draw; messages of the room go to the follower as they
 * come. Lost connections are the matter of `reconnect.ts`.
 */

import { CloseCode, type Room } from '@colyseus/sdk'
import { MESSAGES, NETCODE, SPECTATOR } from '@hurtbox/netcode'
import {
  type CorrectionReading,
  type DesyncReport,
  type Follower,
  follow,
  type Mirror,
  type NetworkReading,
  NOT_CONNECTED,
  type Terminal,
} from '@hurtbox/netcode/client'
import type { Game, World } from 'hurtbox'
import {
  announce,
  createListeners,
  type EventHandler,
  type EventKind,
  type EventPlans,
  type Gap,
  type Listeners,
  listen,
  type Picture,
  planEvents,
  type SeatInput,
  shownOf,
} from 'hurtbox/picture'
import type { Declaration } from 'hurtbox/tools'
import { ROOM_MESSAGES, sendToRoom } from '../room-messages.ts'
import { type DatagramPath, joinDatagrams, type PeerConnectionClass } from './datagrams.ts'
import { readFailure } from './failure.ts'
import { watchPage } from './page.ts'
import {
  type Attachment,
  attach,
  createAttachment,
  end,
  isFinal,
  noteHeard,
  noteNetwork,
  setAway,
  settle,
  type WayBack,
  watchSilence,
} from './reconnect.ts'
import type { FollowChoices, GameConnection, Playable } from './types.ts'

/** How often a client reports its round trip, for the roster, and a mirror its rollbacks, for the server's statistics. */
const REPORT_MS = 5_000
/** How long a mirror plays on when its connection is lost. The match stands still meanwhile, so the player waits for as long afterwards. */
const ALONE_MS = 500

const timer = () => performance.now()

const NO_CORRECTIONS: CorrectionReading = { count: 0, last: 0, largest: 0, things: new Map() }

export class Connection<D extends Declaration> implements GameConnection<D> {
  readonly game: Game<D>
  readonly traffic = { bytesIn: 0, messagesIn: 0, bytesOut: 0, messagesOut: 0 }
  seat: number = SPECTATOR
  datagrams!: DatagramPath
  readonly #choices: FollowChoices<D>
  readonly #plans: EventPlans
  readonly #listeners: Listeners
  readonly #gapHandlers = new Set<(gap: Gap) => void>()
  readonly #attachment: Attachment
  /** What follows the match; undefined until the host has said welcome. */
  #follower: Follower | undefined
  #jumped = true
  #reported = { at: 0, rollbacks: 0 }
  readonly #welcomed: Promise<void>
  #welcome: () => void = () => {}
  #refuse: (error: Error) => void = () => {}
  #endWatch: () => void = () => {}

  constructor(game: Playable<D>, room: Room, choices: FollowChoices<D>, find: WayBack | undefined) {
    const isGame = 'declaration' in game
    this.game = isGame ? game : game.game
    this.#choices = choices
    this.#plans = planEvents(this.game, isGame ? {} : game.meaning?.events)
    this.#listeners = createListeners(this.#plans)
    this.#welcomed = new Promise((resolve, reject) => {
      this.#welcome = resolve
      this.#refuse = reject
    })
    // There is no need to wait for it.
    this.#welcomed.catch(() => {})
    this.#attachment = createAttachment(room, {
      find,
      onRoom: (next) => this.#listen(next),
      offer: () => this.#follower?.offer(),
      onEnd: (error) => {
        this.#endWatch()
        this.#refuse(error)
      },
    })
    attach(this.#attachment, room)
    if (choices.watchPage === false) return
    this.#endWatch = watchPage({
      onAway: (isAway) => this.setAway(isAway),
      onNetwork: () => noteNetwork(this.#attachment),
    })
  }

  #listen(room: Room): void {
    // A page that has switched datagrams off need not do it again for every connection.
    const isWanted = this.datagrams?.isWanted ?? true
    this.datagrams?.close()
    const PeerConnection =
      this.#choices.datagrams ?? (globalThis as { RTCPeerConnection?: PeerConnectionClass }).RTCPeerConnection
    this.datagrams = joinDatagrams(room, PeerConnection || undefined, (bytes, match) =>
      this.#takeDatagram(bytes, match),
    )
    this.datagrams.isWanted = isWanted
    room.onMessage(NETCODE, (bytes: Uint8Array) => {
      if (room === this.room) this.#receive(bytes)
    })
  }

  get room(): Room {
    return this.#attachment.room
  }

  get status(): GameConnection['status'] {
    return this.#attachment.status
  }

  get ending(): GameConnection['ending'] {
    return this.#attachment.ending
  }

  get failure(): GameConnection['failure'] {
    return this.status === 'failed' ? readFailure(this.room) : undefined
  }

  get code(): string {
    return this.room.state?.code ?? ''
  }

  get rttMs(): number | undefined {
    return this.#follower?.sender.rttMs
  }

  get corrections(): CorrectionReading {
    return this.#follower?.corrections() ?? NO_CORRECTIONS
  }

  get network(): NetworkReading {
    return this.#follower?.network() ?? NOT_CONNECTED
  }

  get isSlow(): boolean {
    const { effort } = this.mirror ?? {}
    return effort !== undefined && effort.mostAhead < Number.POSITIVE_INFINITY
  }

  get desyncs(): readonly DesyncReport[] {
    return this.#follower?.desyncs() ?? []
  }

  get mirror(): Mirror | undefined {
    return this.#follower?.mirror
  }

  get terminal(): Terminal | undefined {
    return this.#follower?.terminal
  }

  update(now: number, read: (tick: number, world: World<D>) => SeatInput<D>): Picture<D> | undefined {
    const follower = this.#follower
    if (follower === undefined) return undefined
    watchSilence(this.#attachment, this.game.declaration.tickRate)
    const { status, aloneSince } = this.#attachment
    if (status === 'playing') follower.advance(now, read as never)
    else if (!isFinal(status)) follower.advanceAlone(Math.min(now, aloneSince + ALONE_MS), read as never)
    const shown = follower.picture(now)
    follower.usePath(this.datagrams.update(performance.now()) ? 'datagram' : 'stream', this.datagrams.ownLoss)
    for (const bytes of follower.outbox.splice(0)) this.#send(bytes, follower)
    this.#report(now)
    if (shown === undefined) return undefined
    const { news, gaps, isCurrent, ...picture } = shown
    for (const gap of gaps) for (const handle of this.#gapHandlers) handle(gap)
    announce(this.#listeners, news)
    const jumped = isCurrent && this.#jumped
    if (jumped) this.#jumped = false
    return { ...picture, ...shownOf(this.#plans, news), jumped } as Picture as Picture<D>
  }

  on<const K extends EventKind<D>>(kind: K, handler: EventHandler<D, K>): () => void {
    return listen(this.#listeners, kind, handler)
  }

  onGap(handler: (gap: Gap) => void): () => void {
    this.#gapHandlers.add(handler)
    return () => void this.#gapHandlers.delete(handler)
  }

  setAway(isAway: boolean): void {
    if (!isAway && this.#attachment.isAway) this.#follower?.skipMissed()
    setAway(this.#attachment, isAway)
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
    const { status, room } = this
    const isConnected =
      status === 'playing' ||
      status === 'away' ||
      status === 'joining' ||
      (status === 'failed' && room.connection.isOpen)
    end(this.#attachment, CloseCode.CONSENTED, '')
    this.datagrams.close()
    if (isConnected) await room.leave()
  }

  #send(bytes: Uint8Array, { sender }: Follower): void {
    if (this.status !== 'playing') return
    this.traffic.messagesOut++
    this.traffic.bytesOut += bytes.length
    if (bytes[0] === MESSAGES.inputs.kind && this.datagrams.send(bytes, sender.nonce)) return
    this.room.sendBytes(NETCODE, bytes)
  }

  #takeDatagram(bytes: Uint8Array, match: number): void {
    if (this.#follower === undefined || bytes[0] === MESSAGES.welcome.kind) return
    if (match === (this.#follower.sender.nonce & 0xffff)) this.#receive(bytes)
  }

  #report(now: number): void {
    const { rttMs } = this
    if (this.status !== 'playing' || rttMs === undefined || now - this.#reported.at < REPORT_MS) return
    const rollbacks = this.corrections.count
    sendToRoom(this.room, ROOM_MESSAGES.ping, rttMs)
    if (this.#follower?.mode === 'mirror' && this.#reported.at > 0) {
      sendToRoom(this.room, ROOM_MESSAGES.rollbacks, rollbacks - this.#reported.rollbacks)
    }
    this.#reported = { at: now, rollbacks }
  }

  #receive(bytes: Uint8Array): void {
    this.traffic.messagesIn++
    this.traffic.bytesIn += bytes.length
    const now = performance.now()
    noteHeard(this.#attachment, now)
    if (bytes[0] === MESSAGES.welcome.kind) this.#start(bytes, now)
    else this.#follower?.receive(bytes, now)
  }

  /** A welcome comes when a client joins, when it returns, and with every new match. */
  #start(bytes: Uint8Array, now: number): void {
    const earlier = this.#follower
    let follower: Follower | undefined
    try {
      follower = follow(this.game, bytes, now, { choices: { ...this.#choices, plans: this.#plans, timer }, earlier })
    } catch (error) {
      // Names or values that this build of the game does not have. The page goes on; the caller that waits for the match gets the error.
      this.#attachment.returning = undefined
      this.#refuse(error as Error)
    }
    if (follower === undefined) return
    this.#attachment.seatSeconds = follower.seatSeconds
    settle(this.#attachment)
    this.#follower = follower
    if (follower === earlier) return
    this.seat = follower.seat
    this.#jumped = true
    this.#reported = { at: 0, rollbacks: 0 }
    this.#welcome()
  }
}
