/**
 * The room: one match of any game, authoritative, over Colyseus.
 *
 * It owns the clock (whole ticks, a bounded number of them when it has fallen behind) and leaves the match itself to the
 * netcode's host, which knows no Colyseus. Here is what happens when: who comes and goes, what a tick does, how a match begins and
 * ends. How each of these is done stands in `room/`.
 */

import { ClientState, CloseCode, matchMaker, Room, ServerError } from '@colyseus/core'
import { fingerprint } from 'hurtbox/replay'
import { seatRow } from 'hurtbox/tools'
import { checkConfig, type JoinOptions, modesOf, type RoomConfig, type RoomView, type Traffic } from './config.ts'
import { closeLane, createDatagramCounts } from './datagrams/lanes.ts'
import { type CutReason, cut, drop, queueOf, takeMessages, watchFrames } from './guard.ts'
import { type Admission, checkAdmission, identify, type SeatContext } from './identity.ts'
import {
  createKeeper,
  handOver,
  hasUnsaid,
  type Keeper,
  keepTick,
  maySay,
  mayStep,
  sayWhenKept,
  tendKeeper,
} from './match/keeper.ts'
import { openLog, saveSeats } from './match/keeping.ts'
import { seatOfToken } from './match/seats.ts'
import type { MatchLog, TakenMatch } from './match/store.ts'
import { TRACK_TAIL_MS } from './match/tracking.ts'
import { startBeat } from './metronome.ts'
import {
  addPeer,
  dismissBots,
  finishHost,
  freeSeat,
  type Host,
  type Peer,
  pauseHost,
  receive,
  stepHost,
  suspendPeer,
} from './netcode/host.ts'
import { mayClaimPast, notePing } from './netcode/host-inputs.ts'
import { helloOf, type Mode, NETCODE, SPECTATOR } from './netcode/protocol.ts'
import { acceptOffer } from './netcode/returning.ts'
import { sendLast } from './netcode/updates.ts'
import { keepPinging, startPings } from './pings.ts'
import { makePrivate, type RoomMetadata } from './private-room.ts'
import { acceptChannel, checkPath, heardOnSocket, invite } from './room/datagrams.ts'
import { createGuest, type GameClient, type Guest, messageBucket, newLane, type RoomTypes } from './room/guest.ts'
import { newHost, resumedHost } from './room/hosting.ts'
import {
  type Addressed,
  activePeer,
  isHeldBack,
  isQueueFull,
  reasonToCut,
  seatSeconds,
  sendAll,
  sendOutbox,
  takeOutbox,
} from './room/outgoing.ts'
import {
  closeRecording,
  createRecording,
  endRecording,
  startRecording,
  tracked,
  writeRecording,
} from './room/recording.ts'
import {
  createSeating,
  dismiss,
  goOnWith,
  keepSeat,
  lostSeatOf,
  playerCount,
  seatRecords,
  takeBack,
  wantRematch,
} from './room/seating.ts'
import { awaitGuest, expectToken, letReturn, renewToken, settleToken, welcomeBack } from './room/way-back.ts'
import { onRoomMessage, ROOM_MESSAGES } from './room-messages.ts'
import { isSameRoster, type RosterReading, readRoster, seatName, showRoster } from './roster.ts'
import { MatchState } from './state.ts'

const AFTER_MATCH_SECONDS = 10
const HANDSHAKE_MS = 10_000
const ROSTER_EVERY_MS = 250
/** A mirror that returns sends its offer with the end of the handshake; it is not waited for longer than this. */
const OFFER_MS = 50
const SPECTATORS = 16

/** A class of rooms for a game: `defineRoom(gameRoom({ game, bots }))`. */
export function gameRoom(config: RoomConfig): typeof GameRoom {
  checkConfig(config)
  return class extends GameRoom {
    override readonly config: RoomConfig = config

    /** Called when a client asks for a seat, before it gets one: rejects builds that do not fit and players who may not play. */
    static override onAuth(
      token: string,
      options: Partial<JoinOptions> | undefined,
      context: SeatContext | undefined,
    ): Promise<Admission> {
      return identify(config, token, options, context)
    }
  }
}

export class GameRoom extends Room<RoomTypes> {
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
  readonly #seating = createSeating()
  readonly #recording = createRecording()
  #startedAt = new Date()
  #viewed: RoomView | undefined
  #keeper: Keeper | undefined
  /** The match goes on elsewhere: nothing of it is ended here. */
  #isMoved = false
  #rosterAt = 0
  /** What was shown last. */
  #roster: RosterReading | undefined
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
    const { game, spectators = SPECTATORS } = this.config
    this.maxClients = game.declaration.seats.max + spectators
    this.patchRate = ROSTER_EVERY_MS
    this.state.game = game.declaration.id
    this.metadata = helloOf(game) satisfies RoomMetadata
    const taken = this.config.matches?.taken.get(this.roomId)
    if (taken?.record.isPrivate) makePrivate(this, this.roomId)
    else if (taken === undefined && options?.private === true) makePrivate(this)
    if (taken === undefined) this.#startMatch()
    else this.#resumeMatch(taken)
    this.#listen()
    this.#stopBeat = startBeat(
      game.declaration.tickRate,
      () => this.#guarded(() => this.#tick()),
      () => this.#guarded(() => this.#tell()),
    )
  }

  #listen(): void {
    takeMessages<GameClient>(this, {
      mayPass: (client, bytes) => client.userData === undefined || this.#count(client, bytes),
      type: NETCODE,
      take: ({ userData: guest }, bytes) => {
        if (guest?.peer === undefined) return
        if (this.host.peers.has(guest.peer)) {
          heardOnSocket(this, guest, guest.peer)
          receive(this.host, guest.peer, bytes)
        } else guest.offer = bytes.slice()
      },
    })
    onRoomMessage(this, ROOM_MESSAGES.offer, (client: GameClient, offer) =>
      acceptChannel(this, client, this.config.datagrams, offer, (seat, abuse) =>
        this.config.hooks?.onAbuse?.(this.#view(), seat, abuse),
      ),
    )
    onRoomMessage(this, ROOM_MESSAGES.pause, (client: GameClient, paused) => this.#pause(client, paused))
    onRoomMessage(this, ROOM_MESSAGES.rematch, (client: GameClient, wants) => this.#agree(client, wants))
    onRoomMessage(this, ROOM_MESSAGES.ping, (client: GameClient, pingMs) => {
      if (client.userData !== undefined) client.userData.pingMs = Math.round(pingMs)
    })
    onRoomMessage(this, ROOM_MESSAGES.rollbacks, (_client, count) =>
      this.config.hooks?.onRollbacks?.(this.#view(), count),
    )
  }

  override async onJoin(client: GameClient, options: Partial<JoinOptions> = {}, auth?: Admission): Promise<void> {
    const isSpectator = options.spectate === true
    const { id, name: given, data } = checkAdmission(this.config, options, auth)
    const before = isSpectator ? undefined : lostSeatOf(this.#seating, id)
    const seat = isSpectator ? SPECTATOR : (before ?? freeSeat(this.host))
    if (seat < 0) throw new ServerError(409, 'Every seat is taken. Join with { spectate: true } to watch.')
    if (isSpectator && this.state.spectators >= (this.config.spectators ?? SPECTATORS)) {
      throw new ServerError(409, 'There is no room for another spectator.')
    }
    const mode = this.#modeFor(options.mode, isSpectator)
    const name = given || (isSpectator ? 'spectator' : seatName(seat))
    const record = { sessionId: client.sessionId, seat, mode, name, id, data, tokens: [] }
    const guest = createGuest(record, this.config)
    client.userData = guest
    this.#seating.guests.add(guest)
    if (before === undefined) keepSeat(this.#seating, this.host, guest)
    else takeBack(this.host, guest)
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
    if (guest === undefined || guest.isCut || guest.seat === SPECTATOR || !guest.hasToken) return undefined
    letReturn(this, client, seatSeconds(this.config))
    return undefined
  }

  override async onReconnect(client: GameClient): Promise<void> {
    const guest = client.userData!
    // Its player has taken the seat back on another connection.
    if (!this.#seating.guests.has(guest)) {
      client.leave()
      return
    }
    // From here on it can be lost like any other: Colyseus would take the loss of one that is coming back for its leave.
    client.state = ClientState.JOINING
    welcomeBack(this, client)
    if (guest.mode === 'mirror') guest.offerUntil = Number.POSITIVE_INFINITY
    await this.#admit(client)
  }

  /** Asked by the matchmaker, with what a client says that it may come back. */
  override checkReconnectionToken(token: string): string {
    const guest = seatOfToken(this.#seating.guests, token)
    if (guest === undefined) return ''
    expectToken(this, guest, token)
    if (guest.isAwaited) awaitGuest(this, guest, token, seatSeconds(this.config))
    return super.checkReconnectionToken(token)
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
    await endRecording(this.#recording, this.host)
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

  /** Runs a part of the loop. If it fails, the loop ends. */
  #guarded(part: () => void): void {
    try {
      part()
    } catch (error) {
      this.#stopBeat()
      this.onUncaughtException(error as Error, 'tick')
    }
  }

  /** What hooks see: one object for each match, because they are called in every tick. */
  #view(): RoomView {
    if (this.#viewed?.host === this.host) return this.#viewed
    const { roomId, host, traffic } = this
    const game = this.config.game.declaration.id
    const { match } = this.state
    const { players } = this.#seating
    this.#viewed = { roomId, game, host, world: host.world, traffic, match, startedAt: this.#startedAt, players }
    return this.#viewed
  }

  #startMatch(): void {
    const { game, matches } = this.config
    this.state.match++
    this.#seating.players = []
    this.#startedAt = new Date()
    this.state.winner = ''
    this.state.summary = ''
    this.host = newHost(this.config, tracked(this.#recording))
    this.#startRecording()
    this.#keeper?.log.close()
    this.#keeper = undefined
    if (matches !== undefined) {
      const log = openLog(matches.store, {
        id: this.roomId,
        room: this.roomName,
        fingerprint: fingerprint(game).hash,
        setup: this.host.session.setup,
        nonce: this.host.nonce,
        match: this.state.match,
        isPrivate: this.state.code !== '',
        startedAt: this.#startedAt.getTime(),
      })
      this.#keep(log, 0)
    }
    this.#endsAt = Number.POSITIVE_INFINITY
    for (const guest of this.#seating.guests) {
      guest.wantsRematch = false
      keepSeat(this.#seating, this.host, guest)
    }
    this.#saveSeats().catch(() => {})
    this.#refreshRoster()
  }

  /** Goes on with a match that another process left behind. */
  #resumeMatch(taken: TakenMatch): void {
    const { record, seats, log } = taken
    this.state.match = record.match
    this.#startedAt = new Date(record.startedAt)
    const { host, replay } = resumedHost(this.config, tracked(this.#recording), taken)
    this.host = host
    if (replay !== undefined) {
      this.#startRecording()
      this.#recording.file?.write(replay)
    }
    for (const seat of seats) {
      const guest = createGuest(seat, this.config)
      guest.isAwaited = true
      guest.isConnected = false
      this.#seating.guests.add(guest)
      if (seatRow(host.world, seat.seat) < 0) keepSeat(this.#seating, host, guest)
      else goOnWith(this.#seating, host, guest)
    }
    dismissBots(host)
    this.#keep(log, replay?.length ?? 0)
    // Colyseus counts the clients of a room, and closes one without any.
    Reflect.get(this, '_listing').clients = seats.length
    this.autoDispose = false
    this.clock.setTimeout(() => this.#stopWaiting(), seatSeconds(this.config) * 1000)
    if (host.status !== 'running') this.#endMatch(this.clock.currentTime)
    this.#refreshRoster()
  }

  /** Players who have not come back after a takeover give up their seats. */
  #stopWaiting(): void {
    this.autoDispose = true
    for (const guest of this.#seating.guests) {
      if (!guest.isAwaited) continue
      this.#dismiss(guest)
      Promise.resolve(matchMaker.driver.update(Reflect.get(this, '_listing'), { $inc: { clients: -1 } })).catch(
        () => {},
      )
    }
  }

  #startRecording(): void {
    const { match, game } = this.state
    const info = { game, roomId: this.roomId, match, startedAt: this.#startedAt }
    startRecording(this.#recording, this.config, this.host, info)
  }

  /** From here on nothing is said before the log has it. */
  #keep(log: MatchLog, replayKept: number): void {
    const { matches } = this.config
    this.#keeper = createKeeper(this.host, log, {
      replayKept,
      ...(matches?.whenAway && { whenAway: matches.whenAway }),
      onReplay: (bytes) => this.#say(() => this.#recording.file?.write(bytes)),
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

  #saveSeats(): Promise<void> {
    return this.#keeper === undefined ? Promise.resolve() : saveSeats(this.#keeper.log, seatRecords(this.#seating))
  }

  /** One tick. The match waits while no client is connected. */
  #tick(): void {
    this.clock.tick()
    if (this.#isMoved) return
    const now = this.clock.currentTime
    // A match is over when everything about it is said.
    if (now >= this.#endsAt && !(this.#keeper && hasUnsaid(this.#keeper))) this.#afterMatch()
    for (const guest of this.#seating.guests) if (guest.isConnected) this.#greet(guest, now)
    if (this.#keeper !== undefined) tendKeeper(this.#keeper)
    const isRunning = this.host.status === 'running' && this.host.peers.size > 0
    if (isRunning && (this.#keeper === undefined || mayStep(this.#keeper))) this.#step(now)
  }

  /** Tells everybody, when all rooms that were due have run their tick. */
  #tell(): void {
    if (this.#isMoved || this.host.peers.size === 0) return
    this.#sendUpdates()
    if (this.clock.currentTime - this.#rosterAt >= ROSTER_EVERY_MS) this.#refreshRoster()
  }

  #step(now: number): void {
    const startedAt = performance.now()
    stepHost(this.host)
    if (this.host.status !== 'failed' && this.#keeper !== undefined) keepTick(this.#keeper)
    this.config.hooks?.onTick?.(this.#view(), performance.now() - startedAt)
    writeRecording(this.#recording, this.host)
    if (this.host.status !== 'running') this.#endMatch(now)
  }

  /** A guest that has finished the handshake gets its peer; one that never does goes. */
  #greet(guest: Guest, now: number): void {
    const { client } = guest
    const isActive = guest.peer !== undefined && this.host.peers.has(guest.peer)
    if (isActive || guest.isCut || client === undefined) return
    if (client.state === ClientState.JOINED) {
      if (guest.offerUntil === Number.POSITIVE_INFINITY) guest.offerUntil = now + OFFER_MS
      if (guest.offer === undefined && now < guest.offerUntil) return
      guest.offerUntil = 0
      if (settleToken(guest)) this.#saveSeats().catch(() => {})
      guest.peer = addPeer(this.host, guest.seat, guest.mode)
      if (guest.offer !== undefined) acceptOffer(this.host, guest.peer, guest.offer)
      guest.offer = undefined
      sendLast(this.host, guest.peer)
      guest.welcomedAt = this.host.world.tick
      // A pause is only for a player who is alone.
      if (guest.seat !== SPECTATOR && playerCount(this.#seating) > 1) pauseHost(this.host, false)
      this.#refreshRoster()
    } else if (now - guest.since > HANDSHAKE_MS) this.#cut(client, 'slow')
  }

  /** Sends what the host has for everybody: now, or when the log has it. */
  #sendUpdates(): void {
    const isNow = this.#keeper === undefined || maySay(this.#keeper)
    const later: Addressed[] = []
    for (const guest of this.#seating.guests) {
      const peer = this.#tend(guest)
      if (peer === undefined || peer.outbox.length === 0) continue
      if (isNow) sendOutbox(this, guest, peer)
      else takeOutbox(guest, peer, later)
    }
    if (later.length > 0) this.#say(() => sendAll(this, later))
  }

  /** The peer of a guest that takes part in the match and reads what it is sent; cuts or drops others. */
  #tend(guest: Guest): Peer | undefined {
    const { host, config } = this
    const peer = activePeer(host, guest)
    if (peer === undefined) return undefined
    const reason = reasonToCut(host, guest, peer, config)
    if (reason !== undefined) {
      this.#cut(guest.client!, reason)
      return undefined
    }
    if (isQueueFull(guest, config)) {
      this.#drop(guest, peer)
      return undefined
    }
    if (!this.#isReading(guest, peer)) return undefined
    invite(guest, config.datagrams)
    checkPath(this, guest, peer)
    if (guest.pings && mayClaimPast(host, peer)) keepPinging(guest.client!, guest.pings, performance.now())
    if (peer.differences.length > 0) this.#reportDifferences(peer)
    return peer
  }

  /** Sends nothing to a guest that does not read. When it has read what waited, it is greeted again, with the match as it is then. */
  #isReading(guest: Guest, peer: Peer): boolean {
    const wasHeldBack = guest.isHeldBack
    guest.isHeldBack = isHeldBack(this.host, guest, peer, this.config)
    if (guest.isHeldBack) peer.outbox.length = 0
    else if (wasHeldBack) suspendPeer(this.host, peer)
    return !guest.isHeldBack && !wasHeldBack
  }

  /** Ends the connection of a guest. Its seat is kept, as it is for any lost connection. */
  #drop(guest: Guest, peer: Peer): void {
    guest.isConnected = false
    suspendPeer(this.host, peer)
    drop(guest.client!)
    this.config.hooks?.onCut?.(this.#view(), 'slow')
  }

  #reportDifferences({ seat, differences }: Peer): void {
    for (const difference of differences.splice(0)) this.config.hooks?.onDesync?.(this.#view(), seat, difference)
  }

  async #admit(client: GameClient): Promise<void> {
    const guest = client.userData!
    guest.since = this.clock.currentTime
    guest.isConnected = true
    guest.client = client
    guest.queue = queueOf(client)
    guest.mayDeliver = messageBucket(this.config)
    guest.isHeldBack = false
    closeLane(guest.lane)
    guest.lane = newLane()
    renewToken(client)
    guest.pings = startPings(client, (ms) => {
      if (guest.peer !== undefined) notePing(this.host, guest.peer, ms)
    })
    const endWatch = watchFrames(client, (bytes) => this.#count(client, bytes))
    this.#refreshRoster()
    // Colyseus sends the token when this is done: no client has one that a new owner of the match would not know.
    await this.#saveSeats()
    // Colyseus listens to its messages now.
    endWatch()
    guest.since = this.clock.currentTime
    guest.hasToken ||= client.state === ClientState.JOINING
  }

  /** Counts a frame of a client. Whether it is within the budget: the first that is not cuts the client. */
  #count(client: GameClient, bytes: number): boolean {
    const guest = client.userData!
    this.traffic.messagesIn++
    this.traffic.bytesIn += bytes
    if (!guest.isCut && !guest.mayDeliver()) this.#cut(client, 'flood')
    return !guest.isCut
  }

  #dismiss(guest: Guest): void {
    if (dismiss(this.#seating, this.host, guest)) this.#saveSeats().catch(() => {})
  }

  #cut(client: GameClient, reason: CutReason): void {
    client.userData!.isCut = true
    cut(client, reason)
    this.config.hooks?.onCut?.(this.#view(), reason)
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
    if (!paused || playerCount(this.#seating) === 1) pauseHost(this.host, paused)
  }

  /** After a match the next one begins at once when every player who is here wants it. */
  #agree(client: GameClient, wants: boolean): void {
    const guest = client.userData
    if (guest === undefined || guest.seat === SPECTATOR || this.host.status !== 'over') return
    guest.wantsRematch = wants
    if (wantRematch(this.#seating)) this.#endsAt = Math.min(this.#endsAt, this.clock.currentTime)
    else this.#refreshRoster()
  }

  #endMatch(now: number): void {
    finishHost(this.host)
    const view = this.#view()
    this.#say(() => {
      // A result is a word, too: until the log has its last tick, the match may still end otherwise, in another process.
      this.config.hooks?.onMatchEnd?.(view)
      closeRecording(this.#recording, this.host)
      const { endFiles, tracker } = this.#recording
      // What was on the screens in the last second is reported after it.
      if (tracker === undefined) endFiles().catch(() => {})
      else this.clock.setTimeout(() => endFiles().catch(() => {}), TRACK_TAIL_MS)
    })
    this.#endsAt = now + (this.config.afterMatchSeconds ?? AFTER_MATCH_SECONDS) * 1000
    this.#refreshRoster()
  }

  #afterMatch(): void {
    this.#endsAt = Number.POSITIVE_INFINITY
    if (this.config.afterMatch === 'close' || this.host.status === 'failed') this.disconnect().catch(() => {})
    else this.#startMatch()
  }

  #refreshRoster(): void {
    if (this.#isMoved) return
    this.#rosterAt = this.clock.currentTime
    const present = this.clients.flatMap(({ userData }) => userData ?? [])
    const reading = readRoster(this.host, present, this.config.scoreOf)
    if (!isSameRoster(reading, this.#roster)) this.#say(() => showRoster(this.state, reading))
    this.#roster = reading
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
