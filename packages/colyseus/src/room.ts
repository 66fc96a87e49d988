/**
 * The room: one match of any game, authoritative, over Colyseus.
 *
 * It owns the clock (whole ticks, a bounded number of them when it has fallen behind) and leaves the match itself to the
 * netcode's host, which knows no Colyseus. The room itself handles seats, reconnections and kicks.
 */

import { randomBytes, randomInt } from 'node:crypto'
import { type AuthContext, type Client, ClientState, CloseCode, matchMaker, Room, ServerError } from '@colyseus/core'
import { drainTrack, fingerprint, readMatchLog, replayUpTo } from 'hurtbox/replay'
import { seatRow } from 'hurtbox/tools'
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
import {
  closeLane,
  createDatagramCounts,
  createLane,
  inviteTo,
  isHeard,
  type Lane,
  type LaneHandlers,
  openLane,
  sendOnLane,
} from './datagrams/lanes.ts'
import { ANSWER, INVITATION } from './datagrams/names.ts'
import { sendMessage } from './delivery.ts'
import { type CutReason, cut, queuedBytes, takeMessages, watchFrames } from './guard.ts'
import { type Identity, identify } from './identity.ts'
import {
  createKeeper,
  handOver,
  hasUnsaid,
  type Keeper,
  keepTick,
  mayStep,
  sayWhenKept,
  tendKeeper,
} from './match/keeper.ts'
import { openLog } from './match/keeping.ts'
import { hashToken, seatOfToken } from './match/seats.ts'
import { Fenced, type MatchLog, type SeatRecord, type TakenMatch } from './match/store.ts'
import { createTracker, notePacket, TRACK_EVERY, type Tracker } from './match/tracking.ts'
import { startBeat } from './metronome.ts'
import {
  addPeer,
  bringAlong,
  changeLink,
  createHost,
  dismissBots,
  finishHost,
  freeSeat,
  type Host,
  type HostOptions,
  mayClaimPast,
  notePing,
  type Peer,
  pauseHost,
  receive,
  removePeer,
  resumeHost,
  stepHost,
  suspendPeer,
  takeReplay,
} from './netcode/host.ts'
import { MESSAGES } from './netcode/messages.ts'
import { type Mode, NETCODE, SPECTATOR } from './netcode/protocol.ts'
import { acceptOffer } from './netcode/returning.ts'
import { keepPinging, type Pings, startPings } from './pings.ts'
import { makePrivate } from './private-room.ts'
import type { ReplayFile } from './replay-folder.ts'
import { onRoomMessage, ROOM_MESSAGES } from './room-messages.ts'
import { readRoster, seatName, showRoster } from './roster.ts'
import { MatchState } from './state.ts'

type Guest = {
  readonly sessionId: string
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
  /** Hashes of the tokens with which it may come back: the newest, and the one before until the newest has arrived. */
  tokens: readonly string[]
  /** The token it came back with, until it has the newest. */
  cameWith: string | undefined
  /** It returns, and may offer what it has of the match before it is welcomed; waited for until then, in ms of the room's clock. */
  offerUntil: number
  offer: Uint8Array | undefined
  /** Its datagrams, where the room has any. */
  readonly lane: Lane
  /** How fast its connection is, measured where that matters. */
  pings: Pings | undefined
  /** Its match was taken over, and it has not come back yet. */
  isAwaited: boolean
  /** As its client measures it. */
  pingMs: number
  wantsRematch: boolean
}

type Addressed = { readonly client: GameClient; readonly peer: Peer; readonly bytes: Uint8Array }

type Types = { state: MatchState; client: Client<{ userData: Guest }> }
type GameClient = Types['client']

const RECONNECT_SECONDS = 20
const AFTER_MATCH_SECONDS = 10
const HANDSHAKE_MS = 10_000
const QUEUE_BYTES = 1 << 19
const BEHIND_SECONDS = 10
const MALFORMED = 100
const ROSTER_EVERY_MS = 250
/** How long a player who takes a seat waits for a store that does not answer. */
const STORE_PATIENCE_MS = 1_000
/** A mirror that returns sends its offer with the end of the handshake; it is not waited for longer than this. */
const OFFER_MS = 50
/** Of one client: a packet for every frame of a fast screen, and probes. */
const DATAGRAMS_PER_SECOND = 300

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
  readonly traffic: Traffic = {
    bytesOut: 0,
    messagesOut: 0,
    bytesIn: 0,
    messagesIn: 0,
    datagrams: createDatagramCounts(),
  }
  /** All guests that have a place here, also those whose connection is lost. */
  readonly #guests = new Set<Guest>()
  /** Who has played in this match. */
  #players: MatchPlayer[] = []
  #startedAt = new Date()
  #replay: ReplayFile | undefined
  #tracker: Tracker | undefined
  #keeper: Keeper | undefined
  /** The match goes on elsewhere: nothing of it is ended here. */
  #isMoved = false
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
    const { game, spectators = 16 } = this.config
    this.maxClients = game.declaration.seats.max + spectators
    this.patchRate = ROSTER_EVERY_MS
    this.state.game = game.declaration.id
    const taken = this.config.matches?.taken.get(this.roomId)
    if (taken?.record.isPrivate) makePrivate(this, this.roomId)
    else if (taken === undefined && options?.private === true) makePrivate(this)
    if (taken === undefined) this.#startMatch()
    else this.#resumeMatch(taken)
    takeMessages(this, NETCODE, (client: GameClient, bytes) => {
      const guest = client.userData
      if (guest?.peer === undefined) return
      if (this.host.peers.has(guest.peer)) {
        // A packet that was under way when its client took to datagrams says nothing.
        if (!isHeard(guest.lane, performance.now())) changeLink(this.host, guest.peer, 'stream')
        receive(this.host, guest.peer, bytes)
      } else guest.offer = bytes.slice()
    })
    onRoomMessage(this, ROOM_MESSAGES.offer, (client: GameClient, offer) => this.#openLane(client, offer))
    onRoomMessage(this, ROOM_MESSAGES.pause, (client: GameClient, paused) => this.#pause(client, paused))
    onRoomMessage(this, ROOM_MESSAGES.rematch, (client: GameClient, wants) => this.#agree(client, wants))
    onRoomMessage(this, ROOM_MESSAGES.ping, (client: GameClient, pingMs) => {
      if (client.userData !== undefined) client.userData.pingMs = Math.round(pingMs)
    })
    onRoomMessage(this, ROOM_MESSAGES.rollbacks, (_client, count) =>
      this.config.hooks?.onRollbacks?.(this.#view(), count),
    )
    this.#stopBeat = startBeat(game.declaration.tickRate, () => this.#beat())
  }

  override async onJoin(
    client: GameClient,
    options: Partial<JoinOptions> = {},
    auth?: { identity: Identity },
  ): Promise<void> {
    const isSpectator = options.spectate === true
    const { id = '', name: given = '', data } = auth?.identity ?? {}
    const before = isSpectator ? undefined : this.#lostSeatOf(id)
    const seat = isSpectator ? SPECTATOR : (before ?? freeSeat(this.host))
    if (seat < 0) throw new ServerError(409, 'Every seat is taken. Join with { spectate: true } to watch.')
    if (isSpectator && this.state.spectators >= (this.config.spectators ?? 16)) {
      throw new ServerError(409, 'There is no room for another spectator.')
    }
    const mode = this.#modeFor(options.mode, isSpectator)
    const name = given || (isSpectator ? 'spectator' : seatName(seat))
    client.userData = this.#createGuest({ sessionId: client.sessionId, seat, mode, name, id, data, tokens: [] })
    this.#guests.add(client.userData)
    if (before === undefined) this.#keepSeat(client.userData)
    else this.#takeBack(client.userData)
    await this.#admit(client)
  }

  override onDrop(client: GameClient): Promise<unknown> | undefined {
    const guest = client.userData
    if (guest !== undefined) {
      guest.isConnected = false
      closeLane(guest.lane)
    }
    if (guest?.peer !== undefined) suspendPeer(this.host, guest.peer)
    this.#refreshRoster()
    if (guest === undefined || guest.isCut || guest.seat === SPECTATOR) return undefined
    // Colyseus would give up the seat of a client that has not finished the handshake. This one had it before.
    if (guest.cameWith !== undefined) Reflect.set(client, '_enqueuedMessages', undefined)
    // Not awaited here: onReconnect or onLeave reports whether the player comes back.
    this.allowReconnection(client, this.#returnSeconds()).catch(() => {})
    return undefined
  }

  override async onReconnect(client: GameClient): Promise<void> {
    const guest = client.userData!
    // Its player has taken the seat back on another connection.
    if (!this.#guests.has(guest)) {
      client.leave()
      return
    }
    // Colyseus counts those that come and go. It has not seen this one come.
    if (guest.isAwaited) Reflect.get(this, '_events').emit('join', client)
    guest.isAwaited = false
    delete this.#lostSeats()[guest.cameWith ?? '']
    if (guest.mode === 'mirror') guest.offerUntil = Number.POSITIVE_INFINITY
    await this.#admit(client)
  }

  /** Asked by the matchmaker, with what a client says that it may come back. */
  override checkReconnectionToken(token: string): string {
    const guest = seatOfToken(this.#guests, token)
    if (guest === undefined) return ''
    this.#expectToken(guest, token)
    if (guest.isAwaited) {
      // As if its connection had been lost here.
      const before = { sessionId: guest.sessionId, reconnectionToken: token, userData: guest }
      this.allowReconnection(before as unknown as GameClient, this.#returnSeconds()).catch(() => {})
    }
    return super.checkReconnectionToken(token)
  }

  /** Colyseus knows one token of each seat. The client may have the one before, if it lost the connection on which it got the newest. */
  #expectToken(guest: Guest, token: string): void {
    const lost = this.#lostSeats()
    const known = Object.keys(lost).find((each) => lost[each][0] === guest.sessionId)
    if (known !== undefined && known !== token) {
      lost[token] = lost[known]
      delete lost[known]
    }
    const standing = this.clients.find(({ userData }) => userData === guest)
    if (standing !== undefined) standing.reconnectionToken = token
    guest.cameWith = token
  }

  /** Where Colyseus keeps the seats of lost connections, by token. */
  #lostSeats(): Record<string, readonly [sessionId: string, ...unknown[]]> {
    return Reflect.get(this, '_reconnections')
  }

  override onLeave(client: GameClient): void {
    const guest = client.userData
    if (guest === undefined || this.#isMoved) return
    this.#dismiss(guest)
    this.#refreshRoster()
  }

  override async onDispose(): Promise<void> {
    this.#stopBeat()
    if (!this.#isMoved) await this.endMatch()
  }

  /** Ends the match and its recording, and forgets it. Needs no answer of a store. */
  async endMatch(): Promise<void> {
    if (this.host.status === 'running') {
      finishHost(this.host)
      if (this.host.world.tick > 0) this.config.hooks?.onMatchEnd?.(this.#view())
    }
    await this.#endReplay()
    this.#keeper?.log.remove(() => {})
    this.#keeper?.log.close()
    this.#keeper = undefined
  }

  /** Whether another process could go on with the match: it is kept, and the store has what was said. */
  get isKept(): boolean {
    return this.#keeper?.state === 'kept' && this.host.status === 'running'
  }

  /** Stops the match and writes what another process needs to go on at once. Then call `moveAway`. */
  async handOver(): Promise<void> {
    const keeper = this.#keeper
    if (keeper === undefined) return
    this.#isMoved = true
    await new Promise<void>((resolve, reject) => {
      handOver(keeper, (error) => (error === undefined ? resolve() : reject(error)))
    })
  }

  /** The match is elsewhere now: tells the clients to find it again, and closes the room without ending anything. */
  async moveAway(): Promise<void> {
    this.#isMoved = true
    this.#keeper?.log.close()
    // The listing under this id belongs to the new owner.
    Reflect.get(this, '_listing').roomId = undefined
    await this.disconnect(CloseCode.MAY_TRY_RECONNECT)
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
    this.#takeBack(guest)
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
    closeLane(guest.lane)
    if (guest.peer !== undefined) removePeer(this.host, guest.peer)
    const player = this.#players.find(({ seat, leftAt }) => seat === guest.seat && leftAt === undefined)
    if (player !== undefined) player.leftAt = this.host.world.tick
    this.#saveSeats().catch(() => {})
  }

  #view(): RoomView {
    const { roomId, host, traffic } = this
    const game = this.config.game.declaration.id
    const { match } = this.state
    return { roomId, game, host, world: host.world, traffic, match, startedAt: this.#startedAt, players: this.#players }
  }

  #startMatch(): void {
    const { config } = this
    const { game, matches } = config
    const nonce = randomInt(2 ** 32)
    this.state.match++
    this.#players = []
    this.#startedAt = new Date()
    this.state.winner = ''
    this.state.summary = ''
    this.host = createHost(game, {
      ...this.#hostOptions(),
      seed: config.seed?.() ?? randomInt(2 ** 32),
      nonce,
      ...(config.options && { options: config.options }),
      ...(config.tuning && { tuning: config.tuning }),
    })
    this.#startReplay()
    this.#keeper?.log.close()
    this.#keeper = undefined
    if (matches !== undefined) {
      const log = openLog(matches.store, {
        id: this.roomId,
        room: this.roomName,
        fingerprint: fingerprint(game).hash,
        setup: this.host.session.setup,
        nonce,
        match: this.state.match,
        isPrivate: this.state.code !== '',
        startedAt: this.#startedAt.getTime(),
      })
      this.#keep(log, 0)
    }
    this.#endsAt = Number.POSITIVE_INFINITY
    for (const guest of this.#guests) {
      guest.wantsRematch = false
      this.#keepSeat(guest)
    }
    this.#saveSeats().catch(() => {})
    this.#refreshRoster()
  }

  /** Goes on with a match that another process left behind. */
  #resumeMatch({ record, seats, entries, replay, log }: TakenMatch): void {
    const { game, matches } = this.config
    const options = this.#hostOptions()
    const logged = readMatchLog(game, record.setup, entries, options.replay ? { replay: options.replay } : {})
    if (logged === undefined) throw new Error(`the log of match ${record.id} has no whole checkpoint`)
    if (logged.problem !== undefined) matches?.onProblem?.(this.roomId, logged.problem)
    const kept = logged.replayAt && replayUpTo(replay, logged.replayAt)
    if (kept === undefined && options.replay) matches?.onProblem?.(this.roomId, 'the beginning of the replay is lost')
    this.state.match = record.match
    this.#startedAt = new Date(record.startedAt)
    this.host = resumeHost(logged, { ...options, nonce: record.nonce, ...(kept === undefined && { replay: false }) })
    if (kept !== undefined) {
      this.#startReplay()
      this.#replay?.write(kept)
    }
    for (const seat of seats) {
      const guest = this.#createGuest(seat)
      guest.isAwaited = true
      guest.isConnected = false
      this.#guests.add(guest)
      if (seatRow(this.host.world, seat.seat) < 0) this.#keepSeat(guest)
      else this.#goOnWith(guest)
    }
    dismissBots(this.host)
    this.#keep(log, kept?.length ?? 0)
    // Colyseus counts the clients of a room, and closes one without any.
    Reflect.get(this, '_listing').clients = seats.length
    this.autoDispose = false
    this.clock.setTimeout(() => this.#stopWaiting(), this.#returnSeconds() * 1000)
    if (this.host.status !== 'running') this.#endMatch(this.clock.currentTime)
    this.#refreshRoster()
  }

  /** A player who has joined already, in the process before. */
  #goOnWith(guest: Guest): void {
    this.#takeBack(guest)
    this.#players.push({ seat: guest.seat, id: guest.id, name: guest.name, leftAt: undefined })
  }

  /** Players who have not come back after a takeover give up their seats. */
  #stopWaiting(): void {
    this.autoDispose = true
    for (const guest of this.#guests) {
      if (!guest.isAwaited) continue
      this.#dismiss(guest)
      Promise.resolve(matchMaker.driver.update(Reflect.get(this, '_listing'), { $inc: { clients: -1 } })).catch(
        () => {},
      )
    }
  }

  /** From here on nothing is said before the log has it. */
  #keep(log: MatchLog, replayKept: number): void {
    const { matches } = this.config
    this.#keeper = createKeeper(this.host, log, {
      replayKept,
      ...(matches?.whenAway && { whenAway: matches.whenAway }),
      onReplay: (bytes) => this.#say(() => this.#replay?.write(bytes)),
      onState: (state, problem) => {
        matches?.onState?.(this.roomId, state, problem)
        // A store that was started anew has no seats.
        if (state === 'kept') this.#saveSeats().catch(() => {})
        if (state === 'fenced' && !this.#isMoved) this.moveAway().catch(() => {})
      },
    })
  }

  /** Says something about the match as it is now: at once, or when the log has it. */
  #say(say: () => void): void {
    if (this.#keeper === undefined) say()
    else sayWhenKept(this.#keeper, say)
  }

  #startReplay(): void {
    const { game, replays, track = false } = this.config
    const { match } = this.state
    this.#replay = replays?.({ game: game.declaration.id, roomId: this.roomId, match, startedAt: this.#startedAt })
    this.#tracker = track && this.#replay ? createTracker(this.host.session) : undefined
  }

  #writeTrack(): void {
    if (this.#tracker !== undefined) this.#replay?.writeTrack?.(drainTrack(this.#tracker.writer))
  }

  #hostOptions(): HostOptions {
    const { config } = this
    const { game, bots = [] } = config
    return {
      bots,
      fill: config.fill ?? game.declaration.seats.min,
      replay: config.replays === undefined ? false : {},
      ...(config.teamOf && { teamOf: config.teamOf }),
      ...(config.botOf && { botOf: config.botOf }),
      ...(config.terminal && { terminal: config.terminal }),
      ...(config.hashEvery && { hashEvery: config.hashEvery }),
      ...(config.track && { onPacket: (peer, packet) => this.#tracker && notePacket(this.#tracker, peer, packet) }),
      ...(config.entropyEvery && { entropy: { every: config.entropyEvery, bits: () => randomInt(2 ** 32) } }),
    }
  }

  #returnSeconds(): number {
    return this.config.reconnectSeconds ?? RECONNECT_SECONDS
  }

  /** One tick. The match waits while no client is connected. */
  #tick(): void {
    if (this.#isMoved) return
    const now = this.clock.currentTime
    // A match is over when everything about it is said.
    if (now >= this.#endsAt && !(this.#keeper && hasUnsaid(this.#keeper))) this.#afterMatch()
    for (const client of this.clients) this.#greet(client, now)
    if (this.#keeper !== undefined) tendKeeper(this.#keeper)
    if (this.host.peers.size === 0) return
    if (this.host.status === 'running' && (this.#keeper === undefined || mayStep(this.#keeper))) this.#step(now)
    const messages: Addressed[] = []
    for (const client of this.clients) this.#takeMessages(client, messages)
    if (messages.length > 0) this.#say(() => this.#send(messages))
    if (now - this.#rosterAt >= ROSTER_EVERY_MS) this.#refreshRoster()
  }

  #step(now: number): void {
    const startedAt = performance.now()
    stepHost(this.host)
    if (this.host.status !== 'failed' && this.#keeper !== undefined) keepTick(this.#keeper)
    this.config.hooks?.onTick?.(this.#view(), performance.now() - startedAt)
    for (const bytes of takeReplay(this.host)) this.#replay?.write(bytes)
    if (this.host.world.tick % TRACK_EVERY === 0) this.#writeTrack()
    if (this.host.status !== 'running') this.#endMatch(now)
  }

  /** A client that has finished the handshake gets its peer; one that never does goes. */
  #greet(client: GameClient, now: number): void {
    const guest = client.userData
    if (guest === undefined || guest.isCut) return
    const isActive = guest.peer !== undefined && this.host.peers.has(guest.peer)
    if (isActive) return
    if (client.state === ClientState.JOINED) {
      if (guest.offerUntil === Number.POSITIVE_INFINITY) guest.offerUntil = now + OFFER_MS
      if (guest.offer === undefined && now < guest.offerUntil) return
      guest.offerUntil = 0
      this.#settleToken(guest)
      guest.peer = addPeer(this.host, guest.seat, guest.mode)
      if (guest.offer !== undefined) acceptOffer(this.host, guest.peer, guest.offer)
      guest.offer = undefined
      guest.welcomedAt = this.host.world.tick
      // A pause is only for a player who is alone.
      if (guest.seat !== SPECTATOR && this.#playerCount() > 1) pauseHost(this.host, false)
      this.#refreshRoster()
    } else if (now - guest.since > HANDSHAKE_MS) this.#cut(client, 'slow')
  }

  /** Takes what the host has for a client, or cuts the client. */
  #takeMessages(client: GameClient, messages: Addressed[]): void {
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
    this.#invite(client, guest.lane)
    if (guest.pings && mayClaimPast(this.host, peer)) keepPinging(client, guest.pings, performance.now())
    if (peer.link === 'datagram' && !isHeard(guest.lane, performance.now())) changeLink(this.host, peer, 'stream')
    for (const bytes of peer.outbox) messages.push({ client, peer, bytes })
    peer.outbox.length = 0
    if (peer.differences.length === 0) return
    for (const difference of peer.differences.splice(0)) {
      this.config.hooks?.onDesync?.(this.#view(), guest.seat, difference)
    }
  }

  #send(messages: readonly Addressed[]): void {
    for (const { client, peer, bytes } of messages) {
      // It may have left while this was waiting for the log.
      if (client.userData?.peer !== peer || client.userData.isCut || !this.host.peers.has(peer)) continue
      if (peer.link === 'datagram' && this.#sendDatagram(client, bytes)) continue
      sendMessage(client, NETCODE, bytes)
      this.traffic.bytesOut += bytes.length
      this.traffic.messagesOut++
    }
  }

  /** Offers a path beside the socket to a client that has none. */
  #invite(client: GameClient, lane: Lane): void {
    const invitation = inviteTo(lane, this.config.datagrams)
    if (invitation !== undefined) client.send(INVITATION, invitation)
  }

  #openLane(client: GameClient, offer: string): void {
    const { datagrams } = this.config
    const guest = client.userData
    if (datagrams === undefined || guest === undefined || guest.isCut || !guest.isConnected) return
    openLane(guest.lane, datagrams, offer, this.#laneHandlers(client))
  }

  #laneHandlers(client: GameClient): LaneHandlers {
    return {
      counts: this.traffic.datagrams,
      match: () => this.host.nonce,
      answer: (answer) => client.send(ANSWER, answer),
      message: (bytes) => {
        const peer = client.userData?.peer
        if (peer === undefined || client.userData?.isCut || !this.host.peers.has(peer)) return
        receive(this.host, peer, bytes)
        changeLink(this.host, peer, 'datagram')
      },
    }
  }

  /** What must arrive takes the socket. */
  #sendDatagram(client: GameClient, bytes: Uint8Array): boolean {
    const isRepeated = bytes[0] === MESSAGES.ticks.kind || bytes[0] === MESSAGES.frame.kind
    // After the last tick nothing is said again.
    const mayBeLost = isRepeated && this.host.status === 'running'
    return mayBeLost && sendOnLane(client.userData!.lane, bytes, this.#laneHandlers(client))
  }

  #createGuest({ sessionId, seat, mode, name, id, data, tokens }: SeatRecord): Guest {
    const isNew = {
      isConnected: true,
      peer: undefined,
      mayDeliver: this.#createBucket(),
      isCut: false,
      since: 0,
      welcomedAt: 0,
    }
    return {
      sessionId,
      seat,
      mode,
      name,
      id,
      data,
      tokens,
      cameWith: undefined,
      ...isNew,
      offerUntil: 0,
      offer: undefined,
      lane: createLane(DATAGRAMS_PER_SECOND),
      pings: undefined,
      isAwaited: false,
      pingMs: 0,
      wantsRematch: false,
    }
  }

  async #admit(client: GameClient): Promise<void> {
    const guest = client.userData!
    guest.since = this.clock.currentTime
    guest.isConnected = true
    guest.mayDeliver = this.#createBucket()
    // 128 bits, and new ones with every connection; Colyseus' own have 54.
    client.reconnectionToken = randomBytes(16).toString('base64url')
    guest.tokens = [client.reconnectionToken, guest.cameWith].flatMap((token) => (token ? [hashToken(token)] : []))
    watchFrames(client, (bytes) => {
      this.traffic.messagesIn++
      this.traffic.bytesIn += bytes
      if (!guest.isCut && !guest.mayDeliver()) this.#cut(client, 'flood')
    })
    guest.pings = startPings(client, (ms) => {
      if (guest.peer !== undefined) notePing(this.host, guest.peer, ms)
    })
    this.#refreshRoster()
    // Colyseus sends the token when this is done: no client has one that a new owner of the match would not know.
    await this.#saveSeats()
    guest.since = this.clock.currentTime
  }

  /** The client has its new token, so the one before is good no more. */
  #settleToken(guest: Guest): void {
    if (guest.tokens.length < 2) return
    guest.cameWith = undefined
    guest.tokens = guest.tokens.slice(0, 1)
    this.#saveSeats().catch(() => {})
  }

  /** Writes down who holds which seat. Rejects when another process owns the match; a store that is away is not waited for. */
  #saveSeats(): Promise<void> {
    const keeper = this.#keeper
    if (keeper === undefined) return Promise.resolve()
    const seats = [...this.#guests].flatMap(({ sessionId, seat, mode, name, id, data, tokens }): SeatRecord[] =>
      seat === SPECTATOR ? [] : [{ sessionId, seat, mode, name, id, data, tokens }],
    )
    return new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, STORE_PATIENCE_MS)
      keeper.log.keepSeats(seats, (error) => {
        clearTimeout(timer)
        if (error instanceof Fenced) reject(new ServerError(503, 'The match has moved. Try again.'))
        else resolve()
      })
    })
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

  /** After a match the next one begins at once when every player who is here wants it. */
  #agree(client: GameClient, wants: boolean): void {
    const guest = client.userData
    if (guest === undefined || guest.seat === SPECTATOR || this.host.status !== 'over') return
    guest.wantsRematch = wants
    const here = [...this.#guests].filter(({ seat, isConnected }) => seat !== SPECTATOR && isConnected)
    if (here.every(({ wantsRematch }) => wantsRematch)) this.#endsAt = Math.min(this.#endsAt, this.clock.currentTime)
    else this.#refreshRoster()
  }

  /** Players with a seat, also those whose connection is lost and may come back. */
  #playerCount(): number {
    let count = 0
    for (const { seat } of this.#guests) if (seat !== SPECTATOR) count++
    return count
  }

  #endMatch(now: number): void {
    finishHost(this.host)
    const view = this.#view()
    this.#say(() => {
      // A result is a word, too: until the log has its last tick, the match may still end otherwise, in another process.
      this.config.hooks?.onMatchEnd?.(view)
      this.#endReplay().catch(() => {})
    })
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
    this.#writeTrack()
    this.#tracker = undefined
    const replay = this.#replay
    this.#replay = undefined
    await replay?.end()
  }

  #refreshRoster(): void {
    if (this.#isMoved) return
    this.#rosterAt = this.clock.currentTime
    const present = this.clients.flatMap(({ userData }) => userData ?? [])
    const reading = readRoster(this.host, present, this.config.scoreOf)
    this.#say(() => showRoster(this.state, reading))
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
