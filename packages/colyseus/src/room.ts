/**
 * The room: one match of any game, authoritative, over Colyseus.
 *
 * It owns the clock (whole ticks, a bounded number of them when it has fallen behind) and leaves the match itself to the
 * netcode's host, which knows no Colyseus. The room itself handles seats, reconnections and kicks.
 */

import { randomBytes, randomInt } from 'node:crypto'
import { type AuthContext, type Client, ClientState, CloseCode, Room, ServerError } from '@colyseus/core'
import { createBucket } from './bucket.ts'
import {
  checkConfig,
  type JoinOptions,
  type MatchPlayer,
  modesOf,
  type RoomConfig,
  type RoomView,
  type Traffic,
} from './config.ts'
import { type CutReason, cut, queuedBytes, takeMessages, watchFrames } from './guard.ts'
import { type Identity, identify } from './identity.ts'
import { startBeat } from './metronome.ts'
import {
  addPeer,
  bringAlong,
  createHost,
  finishHost,
  freeSeat,
  type Host,
  type Peer,
  pauseHost,
  receive,
  removePeer,
  stepHost,
  suspendPeer,
  takeReplay,
} from './netcode/host.ts'
import { type Mode, NETCODE, SPECTATOR } from './netcode/protocol.ts'
import { makePrivate } from './private-room.ts'
import type { ReplayFile } from './replay-folder.ts'
import { onRoomMessage, ROOM_MESSAGES } from './room-messages.ts'
import { writeRoster } from './roster.ts'
import { MatchState } from './state.ts'

type Guest = {
  readonly seat: number
  readonly mode: Mode
  readonly name: string
  /** By `auth`; empty for guests. */
  readonly id: string
  readonly data: Identity['data']
  isConnected: boolean
  peer: Peer | undefined
  /** Asked for every message. */
  mayDeliver: () => boolean
  isCut: boolean
  /** When it was let in, in ms of the room's clock: it has some seconds to finish the handshake. */
  since: number
  /** The tick of its welcome. */
  welcomedAt: number
}

type Types = { state: MatchState; client: Client<{ userData: Guest }> }
type GameClient = Types['client']

const RECONNECT_SECONDS = 20
const AFTER_MATCH_SECONDS = 10
const HANDSHAKE_MS = 10_000
const QUEUE_BYTES = 1 << 19
const BEHIND_SECONDS = 10
const MALFORMED = 100
const ROSTER_EVERY_MS = 250

/** A class of rooms for a game: `defineRoom(gameRoom({ game, bots }))`. */
export function gameRoom(config: RoomConfig): typeof GameRoom {
  checkConfig(config)
  return class extends GameRoom {
    override readonly config: RoomConfig = config

    /** Called when a client asks for a seat, before it gets one: rejects builds that do not fit and players who may not play. */
    static override onAuth(
      token: string,
      options: Partial<JoinOptions> | undefined,
      context: AuthContext | undefined,
    ): Promise<{ identity: Identity }> {
      return identify(config, token, options, [context?.ip].flat()[0])
    }
  }
}

export class GameRoom extends Room<Types> {
  /** Given by the class that `gameRoom` makes. */
  declare readonly config: RoomConfig
  override state: MatchState = new MatchState()
  host!: Host
  /** Clients connect at once; Colyseus would reserve a place for 15 s. */
  override seatReservationTimeout: number = 8
  readonly traffic: Traffic = { bytesOut: 0, messagesOut: 0, bytesIn: 0, messagesIn: 0 }
  /** All guests that have a place here, also those whose connection is lost. */
  readonly #guests = new Set<Guest>()
  /** Who has played in this match. */
  #players: MatchPlayer[] = []
  #startedAt = new Date()
  #replay: ReplayFile | undefined
  #rosterAt = 0
  #isListed = true
  #endsAt = Number.POSITIVE_INFINITY
  #stopBeat: () => void = () => {}

  constructor() {
    super()
    // Colyseus's clock runs on Date.now: a machine whose time is set back would stop every match for as long.
    Object.assign(this.clock, { now: () => performance.now() })
    this.clock.start()
  }

  override onCreate(options?: Partial<JoinOptions>): void {
    if (options?.private === true) makePrivate(this)
    const { game, spectators = 16 } = this.config
    this.maxClients = game.declaration.seats.max + spectators
    this.patchRate = ROSTER_EVERY_MS
    this.state.game = game.declaration.id
    this.#startMatch()
    takeMessages(this, NETCODE, (client: GameClient, bytes) => {
      const peer = client.userData?.peer
      if (peer !== undefined) receive(this.host, peer, bytes)
    })
    onRoomMessage(this, ROOM_MESSAGES.pause, (client: GameClient, paused) => this.#pause(client, paused))
    onRoomMessage(this, ROOM_MESSAGES.rollbacks, (_client, count) =>
      this.config.hooks?.onRollbacks?.(this.#view(), count),
    )
    this.#stopBeat = startBeat(game.declaration.tickRate, () => this.#beat())
  }

  override onJoin(client: GameClient, options: Partial<JoinOptions> = {}, auth?: { identity: Identity }): void {
    const isSpectator = options.spectate === true
    const { id = '', name: given = '', data } = auth?.identity ?? {}
    const before = isSpectator ? undefined : this.#lostSeatOf(id)
    const seat = isSpectator ? SPECTATOR : (before ?? freeSeat(this.host))
    if (seat < 0) throw new ServerError(409, 'Every seat is taken. Join with { spectate: true } to watch.')
    if (isSpectator && this.state.spectators >= (this.config.spectators ?? 16)) {
      throw new ServerError(409, 'There is no room for another spectator.')
    }
    const mode = this.#modeFor(options.mode, isSpectator)
    const name = given || (isSpectator ? 'spectator' : `player ${seat + 1}`)
    client.userData = {
      seat,
      mode,
      name,
      id,
      data,
      isConnected: true,
      peer: undefined,
      mayDeliver: this.#createBucket(),
      isCut: false,
      since: 0,
      welcomedAt: 0,
    }
    this.#guests.add(client.userData)
    if (before === undefined) this.#keepSeat(client.userData)
    else this.#takeBack(client.userData)
    this.#admit(client)
  }

  override onDrop(client: GameClient): Promise<unknown> | undefined {
    const guest = client.userData
    if (guest !== undefined) guest.isConnected = false
    if (guest?.peer !== undefined) suspendPeer(this.host, guest.peer)
    this.#refreshRoster()
    if (guest === undefined || guest.isCut || guest.seat === SPECTATOR) return undefined
    const seconds = this.config.reconnectSeconds ?? RECONNECT_SECONDS
    // Not awaited here: onReconnect or onLeave reports whether the player comes back.
    this.allowReconnection(client, seconds).catch(() => {})
    return undefined
  }

  override onReconnect(client: GameClient): void {
    // Its player has taken the seat back on another connection.
    if (!this.#guests.has(client.userData!)) client.leave()
    else this.#admit(client)
  }

  override onLeave(client: GameClient): void {
    const guest = client.userData
    if (guest !== undefined) this.#dismiss(guest)
    this.#refreshRoster()
  }

  override async onDispose(): Promise<void> {
    this.#stopBeat()
    if (this.host.status === 'running') {
      finishHost(this.host)
      if (this.host.world.tick > 0) this.config.hooks?.onMatchEnd?.(this.#view())
    }
    await this.#endReplay()
  }

  /** A room with a bug in its loop ends; the process and its other rooms go on. A client that is refused a seat does not end the room. */
  override onUncaughtException(error: Error, method: string): void {
    if (error.cause instanceof ServerError) return
    console.error(`room ${this.roomId} (${this.config.game.declaration.id}): ${method} failed`, error)
    if (method === 'tick') this.disconnect(CloseCode.WITH_ERROR).catch(() => {})
  }

  #beat(): void {
    try {
      this.clock.tick()
      this.#tick()
    } catch (error) {
      this.#stopBeat()
      this.onUncaughtException(error as Error, 'tick')
    }
  }

  /** Takes a seat for a guest, but sends nothing yet: Colyseus queues without bound until the handshake is finished. */
  #keepSeat(guest: Guest): void {
    guest.peer = undefined
    if (guest.seat === SPECTATOR) return
    guest.peer = addPeer(this.host, guest.seat, guest.mode)
    suspendPeer(this.host, guest.peer)
    if (guest.data !== undefined) bringAlong(this.host, guest.seat, guest.data)
    this.#players.push({ seat: guest.seat, id: guest.id, name: guest.name, leftAt: undefined })
  }

  /**
   * The seat that a player has lost and not given up yet, by its account: it comes back from a page that was loaded anew. Who
   * still plays here cannot play twice.
   */
  #lostSeatOf(id: string): number | undefined {
    const before =
      id === '' ? undefined : [...this.#guests].find((guest) => guest.id === id && guest.seat !== SPECTATOR)
    if (before === undefined) return undefined
    if (before.isConnected) throw new ServerError(409, 'You are in this match already.')
    this.#guests.delete(before)
    return before.seat
  }

  /** The seat was kept: nothing of the match changes. */
  #takeBack(guest: Guest): void {
    guest.peer = addPeer(this.host, guest.seat, guest.mode)
    suspendPeer(this.host, guest.peer)
  }

  #dismiss(guest: Guest): void {
    if (!this.#guests.delete(guest)) return
    if (guest.peer !== undefined) removePeer(this.host, guest.peer)
    const player = this.#players.find(({ seat, leftAt }) => seat === guest.seat && leftAt === undefined)
    if (player !== undefined) player.leftAt = this.host.world.tick
  }

  #view(): RoomView {
    const { roomId, host, traffic } = this
    const game = this.config.game.declaration.id
    const { match } = this.state
    return { roomId, game, host, world: host.world, traffic, match, startedAt: this.#startedAt, players: this.#players }
  }

  #startMatch(): void {
    const { config } = this
    const { game, bots = [] } = config
    this.state.match++
    this.#players = []
    this.#startedAt = new Date()
    this.state.winner = ''
    this.state.summary = ''
    this.host = createHost(game, {
      seed: config.seed?.() ?? randomInt(2 ** 32),
      nonce: randomInt(2 ** 32),
      bots,
      fill: config.fill ?? game.declaration.seats.min,
      replay: config.replays === undefined ? false : {},
      ...(config.options && { options: config.options }),
      ...(config.tuning && { tuning: config.tuning }),
      ...(config.teamOf && { teamOf: config.teamOf }),
      ...(config.botOf && { botOf: config.botOf }),
      ...(config.terminal && { terminal: config.terminal }),
      ...(config.hashEvery && { hashEvery: config.hashEvery }),
      ...(config.entropyEvery && { entropy: { every: config.entropyEvery, bits: () => randomInt(2 ** 32) } }),
    })
    this.#replay = config.replays?.({
      game: game.declaration.id,
      roomId: this.roomId,
      match: this.state.match,
      startedAt: this.#startedAt,
    })
    this.#endsAt = Number.POSITIVE_INFINITY
    for (const guest of this.#guests) this.#keepSeat(guest)
    this.#refreshRoster()
  }

  /** One tick. The match waits while no client is connected. */
  #tick(): void {
    const now = this.clock.currentTime
    if (now >= this.#endsAt) this.#afterMatch()
    for (const client of this.clients) this.#greet(client, now)
    if (this.host.peers.size === 0) return
    if (this.host.status === 'running') {
      const startedAt = performance.now()
      stepHost(this.host)
      this.config.hooks?.onTick?.(this.#view(), performance.now() - startedAt)
      for (const bytes of takeReplay(this.host)) this.#replay?.write(bytes)
      if (this.host.status !== 'running') this.#endMatch(now)
    }
    for (const client of this.clients) this.#flush(client)
    if (now - this.#rosterAt >= ROSTER_EVERY_MS) this.#refreshRoster()
  }

  /** A client that has finished the handshake gets its peer; one that never does goes. */
  #greet(client: GameClient, now: number): void {
    const guest = client.userData
    if (guest === undefined || guest.isCut) return
    const isActive = guest.peer !== undefined && this.host.peers.has(guest.peer)
    if (isActive) return
    if (client.state === ClientState.JOINED) {
      guest.peer = addPeer(this.host, guest.seat, guest.mode)
      guest.welcomedAt = this.host.world.tick
      // A pause is only for a player who is alone.
      if (guest.seat !== SPECTATOR && this.#playerCount() > 1) pauseHost(this.host, false)
      this.#refreshRoster()
    } else if (now - guest.since > HANDSHAKE_MS) this.#cut(client, 'slow')
  }

  #flush(client: GameClient): void {
    const guest = client.userData
    const peer = guest?.peer
    if (guest === undefined || peer === undefined || guest.isCut || !this.host.peers.has(peer)) return
    const { limits = {}, game } = this.config
    // A guest that has not sent anything yet counts as behind since its welcome.
    const behind = this.host.world.tick - Math.max(peer.received, guest.welcomedAt)
    const isBehind = behind > (limits.behindSeconds ?? BEHIND_SECONDS) * game.declaration.tickRate
    if (isBehind || queuedBytes(client) > (limits.queueBytes ?? QUEUE_BYTES)) {
      this.#cut(client, 'slow')
      return
    }
    if (peer.counts.malformed > (limits.malformed ?? MALFORMED)) {
      this.#cut(client, 'malformed')
      return
    }
    for (const bytes of peer.outbox.splice(0)) {
      client.sendBytes(NETCODE, bytes)
      this.traffic.bytesOut += bytes.length
      this.traffic.messagesOut++
    }
    for (const difference of peer.differences.splice(0)) {
      this.config.hooks?.onDesync?.(this.#view(), guest.seat, difference)
    }
  }

  #admit(client: GameClient): void {
    const guest = client.userData!
    guest.since = this.clock.currentTime
    guest.isConnected = true
    guest.mayDeliver = this.#createBucket()
    // 128 bits, and new ones with every connection; Colyseus' own have 54.
    client.reconnectionToken = randomBytes(16).toString('base64url')
    watchFrames(client, (bytes) => {
      this.traffic.messagesIn++
      this.traffic.bytesIn += bytes
      if (!guest.isCut && !guest.mayDeliver()) this.#cut(client, 'flood')
    })
    this.#refreshRoster()
  }

  #cut(client: GameClient, reason: CutReason): void {
    client.userData!.isCut = true
    cut(client, reason)
    this.config.hooks?.onCut?.(this.#view(), reason)
  }

  #createBucket(): () => boolean {
    const { limits = {}, game } = this.config
    const { tickRate } = game.declaration
    const { messageBurst: burst = 4 * tickRate + 40, messagesPerSecond: perSecond = 1.5 * tickRate + 10 } = limits
    return createBucket({ burst, perSecond })
  }

  #modeFor(asked: unknown, isSpectator: boolean): Mode {
    const modes = modesOf(this.config)
    if (isSpectator) return 'terminal'
    return modes.find((mode) => mode === asked) ?? modes[0]
  }

  /** A player who is alone may pause the match. Any player may resume it. */
  #pause(client: GameClient, paused: boolean): void {
    const guest = client.userData
    if (guest === undefined || guest.seat === SPECTATOR) return
    if (!paused || this.#playerCount() === 1) pauseHost(this.host, paused)
  }

  /** Players with a seat, also those whose connection is lost and may come back. */
  #playerCount(): number {
    let count = 0
    for (const { seat } of this.#guests) if (seat !== SPECTATOR) count++
    return count
  }

  #endMatch(now: number): void {
    finishHost(this.host)
    this.config.hooks?.onMatchEnd?.(this.#view())
    this.#endReplay().catch(() => {})
    this.#endsAt = now + (this.config.afterMatchSeconds ?? AFTER_MATCH_SECONDS) * 1000
    this.#refreshRoster()
  }

  #afterMatch(): void {
    this.#endsAt = Number.POSITIVE_INFINITY
    if (this.config.afterMatch === 'close' || this.host.status === 'failed') this.disconnect().catch(() => {})
    else this.#startMatch()
  }

  async #endReplay(): Promise<void> {
    for (const bytes of takeReplay(this.host)) this.#replay?.write(bytes)
    const replay = this.#replay
    this.#replay = undefined
    await replay?.end()
  }

  #refreshRoster(): void {
    this.#rosterAt = this.clock.currentTime
    writeRoster(
      this.state,
      this.host,
      this.clients.flatMap(({ userData }) => userData ?? []),
      this.config.scoreOf,
    )
    this.#listRoom()
  }

  /** Rooms without a free seat are found by id only: spectators know the id, players get another room. */
  #listRoom(): void {
    const isFull = freeSeat(this.host) < 0
    if (this.state.code !== '' || this.#isListed === !isFull) return
    this.#isListed = !isFull
    this.setPrivate(isFull).catch(() => {})
  }
}
