/**
 * Who comes and goes: taking a seat, losing the connection, coming back, leaving, being cut.
 *
 * A guest has its seat from the moment it joins. It takes part in the match once Colyseus' handshake is finished: `greet` looks for that
 * in every tick.
 */

import { ClientState, ServerError } from '@colyseus/core'
import { type Mode, SPECTATOR } from '@hurtbox/netcode'
import {
  acceptOffer,
  addPeer,
  bringAlong,
  comeBack as comeBackTo,
  freeSeat,
  goAway,
  notePing,
  pauseHost,
  queueLast,
  suspendPeer,
} from '@hurtbox/netcode/host'
import { closeLane } from '../datagrams/lanes.ts'
import { type JoinOptions, modesOf, type RoomConfig } from './config.ts'
import { type RoomCore, refreshRoster, storeSeats, viewOf } from './core.ts'
import { type CutReason, cut, queueOf, REASONS, watchFrames } from './guard.ts'
import { createGuest, type GameClient, type Guest, messageBucket, newLane } from './guest.ts'
import { type Admission, checkAdmission } from './identity.ts'
import { hasRead } from './outgoing.ts'
import { startPings } from './pings.ts'
import { secondsLeft } from './presence.ts'
import { checkClient } from './private-members.ts'
import { letReturn, renewToken, settleToken, welcomeBack } from './returning-guests.ts'
import { seatName } from './roster.ts'
import { dismiss, keepSeat, lostSeatOf, playerCount, takeBack } from './seating.ts'

const HANDSHAKE_MS = 10_000
/** Between two welcomes of a guest that was away and never left its connection. */
const WELCOME_EVERY_MS = 1_000
/** A mirror that returns sends its offer with the end of the handshake; the room waits no longer than this for it. */
const OFFER_MS = 50
/** The most spectators, by default. */
export const SPECTATORS = 16

export async function join(
  core: RoomCore,
  client: GameClient,
  options: Partial<JoinOptions>,
  auth: Admission | undefined,
): Promise<void> {
  const { config, host, seating, room } = core
  checkClient(client)
  const isSpectator = options.spectate === true
  const { id, name: given, data } = checkAdmission(config, options, auth)
  const before = isSpectator ? undefined : lostSeatOf(seating, id)
  const seat = isSpectator ? SPECTATOR : (before ?? freeSeat(host))
  if (seat < 0) throw new ServerError(409, 'Every seat is taken. Join with { spectate: true } to watch.')
  if (isSpectator && room.state.spectators >= (config.spectators ?? SPECTATORS)) {
    throw new ServerError(409, 'There is no room for another spectator.')
  }
  const mode = modeFor(config, options.mode, isSpectator)
  const name = given || (isSpectator ? 'spectator' : seatName(seat))
  const record = { sessionId: client.sessionId, seat, mode, name, id, data, tokens: [] }
  const guest = createGuest(record, config)
  client.userData = guest
  seating.guests.add(guest)
  if (before === undefined) keepSeat(seating, host, guest)
  else takeBack(host, guest)
  await admit(core, client)
}

function modeFor(config: RoomConfig, asked: unknown, isSpectator: boolean): Mode {
  const modes = modesOf(config)
  if (isSpectator) return 'terminal'
  return modes.find((mode) => mode === asked) ?? modes[0]
}

/** A connection is lost. Its guest may come back, unless it was cut, only watches, or has no token. */
export function loseConnection(core: RoomCore, client: GameClient): void {
  const guest = client.userData
  if (guest !== undefined) {
    guest.isConnected = false
    goAway(guest.absence, core.room.clock.currentTime)
    closeLane(guest.lane)
  }
  if (guest?.peer !== undefined) suspendPeer(core.host, guest.peer)
  refreshRoster(core)
  if (guest === undefined || guest.isCut || guest.seat === SPECTATOR || !guest.hasToken) return
  const seconds = secondsLeft(core, guest, core.room.clock.currentTime)
  if (seconds > 0) letReturn(core.room, client, seconds)
}

export async function comeBack(core: RoomCore, client: GameClient): Promise<void> {
  const guest = client.userData!
  // Its player has taken the seat back on another connection.
  if (!core.seating.guests.has(guest)) {
    client.leave()
    return
  }
  // From here on it can be lost like any other: Colyseus would take the loss of one that is coming back for its leave.
  client.state = ClientState.JOINING
  welcomeBack(core.room, client)
  if (guest.mode === 'mirror') guest.offerUntil = Number.POSITIVE_INFINITY
  await admit(core, client)
}

async function admit(core: RoomCore, client: GameClient): Promise<void> {
  const { room, config } = core
  const guest = client.userData!
  guest.since = room.clock.currentTime
  guest.isConnected = true
  guest.client = client
  guest.queue = queueOf(client)
  guest.mayDeliver = messageBucket(config)
  guest.isAway = false
  guest.saysAway = false
  guest.greetedAt = 0
  closeLane(guest.lane)
  guest.lane = newLane()
  renewToken(client)
  guest.pings = startPings(client, (ms) => {
    if (guest.peer !== undefined) notePing(core.host, guest.peer, ms)
  })
  const endWatch = watchFrames(client, (bytes) => countFrame(core, client, bytes))
  refreshRoster(core)
  // Colyseus sends the token when this is done: no client has one that a new owner of the match would not know.
  await storeSeats(core)
  // Colyseus listens to its messages now.
  endWatch()
  guest.since = room.clock.currentTime
  guest.hasToken ||= client.state === ClientState.JOINING
}

/** Counts a frame of a client. Returns whether it is within the budget: the first that is not cuts the client. */
export function countFrame(core: RoomCore, client: GameClient, bytes: number): boolean {
  const guest = client.userData!
  core.traffic.messagesIn++
  core.traffic.bytesIn += bytes
  if (!guest.isCut && !guest.mayDeliver()) cutGuest(core, client, 'flood')
  return !guest.isCut
}

/** A guest that has finished the handshake gets its peer; one that does not finish it in time is cut. */
export function greet(core: RoomCore, guest: Guest, now: number): void {
  const { host, seating, config } = core
  const { client } = guest
  const isActive = guest.peer !== undefined && host.peers.has(guest.peer)
  if (isActive || guest.isCut || guest.isAway || client === undefined) return
  if (client.state === ClientState.JOINED) {
    // A welcome may cost as much as the whole match: who goes and comes all the time gets one a second.
    const isAgain = guest.greetedAt > 0
    if (isAgain && (!hasRead(guest, config) || now - guest.greetedAt < WELCOME_EVERY_MS)) return
    if (guest.offerUntil === Number.POSITIVE_INFINITY) guest.offerUntil = now + OFFER_MS
    if (guest.offer === undefined && now < guest.offerUntil) return
    guest.offerUntil = 0
    if (settleToken(guest)) storeSeats(core).catch(() => {})
    const wasOut = host.seats[guest.seat]?.isOut === true
    guest.peer = addPeer(host, guest.seat, guest.mode)
    if (wasOut && guest.data !== undefined) bringAlong(host, guest.seat, guest.data)
    if (guest.offer !== undefined) acceptOffer(host, guest.peer, guest.offer)
    guest.offer = undefined
    queueLast(host, guest.peer)
    guest.welcomedAt = host.world.tick
    guest.heardAt = -1
    guest.greetedAt = now
    comeBackTo(guest.absence, now)
    // A pause is only for a player who is alone.
    if (guest.seat !== SPECTATOR && playerCount(seating) > 1) pauseHost(host, false)
    refreshRoster(core)
  } else if (now - guest.since > HANDSHAKE_MS) cutGuest(core, client, 'slow')
}

/** What a player is told whose seat was kept for as long as it is. */
export function givenAway({ seatSeconds }: RoomCore): string {
  return `your seat was given away after ${seatSeconds} s`
}

/** A guest leaves and will not come back. */
export function dismissGuest(core: RoomCore, guest: Guest): void {
  if (dismiss(core.seating, core.host, guest)) storeSeats(core).catch(() => {})
}

export function cutGuest(core: RoomCore, client: GameClient, reason: CutReason): void {
  const guest = client.userData!
  guest.isCut = true
  guest.farewell = reason === 'away' ? givenAway(core) : REASONS[reason]
  cut(client, reason, guest.farewell)
  core.config.hooks?.onCut?.(viewOf(core), reason)
}
