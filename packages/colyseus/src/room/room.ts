/**
 * The room: one match of any game, authoritative, over Colyseus.
 *
 * This class is where Colyseus calls in; each call is handed to a part of the room. The match itself is left to the netcode's host, which
 * knows no Colyseus.
 */

import { CloseCode, Room, ServerError } from '@colyseus/core'
import { helloOf } from '@hurtbox/netcode'
import type { Host } from '@hurtbox/netcode/host'
import { comeBack, dismissGuest, givenAway, join, loseConnection, SPECTATORS } from './arrivals.ts'
import { checkConfig, type JoinOptions, type RoomConfig, type Traffic } from './config.ts'
import { createCore, type RoomCore, refreshRoster } from './core.ts'
import type { GameClient, RoomTypes } from './guest.ts'
import { newHost, resumedHost } from './hosting.ts'
import { type Admission, identify, type SeatContext } from './identity.ts'
import { listenToClients } from './incoming.ts'
import { abandonMatch, beginMatch, handMatchOver, moveAway, resumeMatch } from './match.ts'
import { checkRoom } from './private-members.ts'
import { makePrivate, type RoomMetadata } from './private-room.ts'
import { createRecording, tracked } from './recording.ts'
import { answerClaim, type ClaimAnswer, forgetLost, useTicket } from './returning-guests.ts'
import { MatchState } from './state.ts'
import { ROSTER_EVERY_MS, startTicks } from './tick.ts'

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
  /** Clients connect at once; Colyseus would reserve a place for 15 s. */
  override seatReservationTimeout: number = 8
  /** Made by `onCreate`. Undefined in a room that could not be created. */
  #core!: RoomCore
  #stopTicks: () => void = () => {}

  constructor() {
    super()
    // Colyseus's clock runs on Date.now: a machine whose time is set back would stop every match for as long.
    Object.assign(this.clock, { now: () => performance.now() })
    this.clock.start()
  }

  /** The host of the match that is played now. */
  get host(): Host {
    return this.#core.host
  }

  get traffic(): Traffic {
    return this.#core.traffic
  }

  override onCreate(options?: Partial<JoinOptions>): void {
    checkRoom(this)
    const { game, spectators = SPECTATORS, matches } = this.config
    this.maxClients = game.declaration.seats.max + spectators
    this.patchRate = ROSTER_EVERY_MS
    this.state.game = game.declaration.id
    this.metadata = helloOf(game) satisfies RoomMetadata
    const taken = matches?.taken.get(this.roomId)
    if (taken?.record.isPrivate) makePrivate(this, this.roomId)
    else if (taken === undefined && options?.private === true) makePrivate(this)
    const recording = createRecording()
    const tracking = tracked(recording)
    if (taken === undefined) {
      this.#core = createCore(this, this.config, recording, newHost(this.config, tracking, this.state.code !== ''))
      beginMatch(this.#core)
    } else {
      const { host, replay } = resumedHost(this.config, tracking, taken)
      this.#core = createCore(this, this.config, recording, host)
      resumeMatch(this.#core, taken, replay)
    }
    listenToClients(this.#core)
    this.#stopTicks = startTicks(this.#core, (error) => this.onUncaughtException(error, 'tick'))
  }

  override onJoin(client: GameClient, options: Partial<JoinOptions> = {}, auth?: Admission): Promise<void> {
    return join(this.#core, client, options, auth)
  }

  override onDrop(client: GameClient): void {
    loseConnection(this.#core, client)
  }

  override onReconnect(client: GameClient): Promise<void> {
    return comeBack(this.#core, client)
  }

  /** Asked by a server's matchmaking, with what a client shows to get its seat back. */
  answerClaim(claim: unknown): ClaimAnswer {
    return answerClaim(this.#core, claim)
  }

  /** The same, asked by Colyseus' own. */
  override checkReconnectionToken(claim: string): string {
    const answer = this.answerClaim(claim)
    if ('sessionId' in answer) return answer.sessionId
    throw new ServerError(answer.code, answer.message)
  }

  /** Asked when a socket comes. */
  override hasReservedSeat(sessionId: string, ticket?: string): boolean {
    useTicket(this.#core, sessionId, ticket)
    return super.hasReservedSeat(sessionId, ticket)
  }

  override onLeave(client: GameClient, code?: number): void {
    const guest = client.userData
    if (guest === undefined || this.#core.isMoved) return
    guest.farewell ||= code === CloseCode.CONSENTED ? 'you have left the match' : givenAway(this.#core)
    forgetLost(this, guest)
    dismissGuest(this.#core, guest)
    refreshRoster(this.#core)
  }

  override async onDispose(): Promise<void> {
    this.#stopTicks()
    const core: RoomCore | undefined = this.#core
    if (core !== undefined && !core.isMoved) await abandonMatch(core)
  }

  /** Ends the match and its recording, and removes it from the store. One that is over already has some seconds to say so. */
  endMatch(): Promise<void> {
    return abandonMatch(this.#core)
  }

  /** Whether another process could go on with the match: it is kept, and the store has everything that was sent. */
  get isKept(): boolean {
    return this.#core.keeper?.state === 'kept' && this.host.status === 'running'
  }

  /** Stops the match and writes what another process needs to go on at once. Then call `moveAway`. */
  handOver(): Promise<void> {
    return handMatchOver(this.#core)
  }

  /** The match is elsewhere now: tells the clients to find it again, and closes the room without ending anything. */
  moveAway(): Promise<void> {
    return moveAway(this.#core)
  }

  /** A room with a bug in its loop ends; the process and its other rooms go on. A client that is refused a seat does not end the room. */
  override onUncaughtException(error: Error, method: string): void {
    if (error.cause instanceof ServerError) return
    console.error(`room ${this.roomId} (${this.config.game.declaration.id}): ${method} failed`, error)
    if (method === 'tick') this.disconnect(CloseCode.WITH_ERROR).catch(() => {})
  }
}
