/**
 * What the parts of a room share: one plain object, and what several of them do with it.
 *
 * `room.ts` is where Colyseus calls in. The parts are functions of this object: who comes and goes (`arrivals.ts`), what clients send
 * (`incoming.ts`), what a tick does (`tick.ts`), how a match begins and ends (`match.ts`).
 */

import type { Room } from '@colyseus/core'
import { freeSeat, type Host, type Keeper, sayWhenKept } from '@hurtbox/netcode/host'
import { createDatagramCounts } from '../datagrams/lanes.ts'
import type { RoomConfig, RoomView, Traffic } from './config.ts'
import type { RoomTypes } from './guest.ts'
import { saveSeats } from './keeping.ts'
import { seatSecondsOf } from './outgoing.ts'
import type { Recording } from './recording.ts'
import { isSameRoster, type RosterReading, readRoster, showRoster } from './roster.ts'
import { createSeating, type Seating, seatRecords } from './seating.ts'

export type RoomCore = {
  readonly room: Room<RoomTypes>
  readonly config: RoomConfig
  /** How long a seat is kept while its player is away. */
  readonly seatSeconds: number
  readonly traffic: Traffic
  readonly seating: Seating
  readonly recording: Recording
  /** Another one in every match. */
  host: Host
  /** Writes the match to the store; undefined where matches are not kept. */
  keeper: Keeper | undefined
  startedAt: Date
  /** When the time after a match is over, in ms of the room's clock. */
  endsAt: number
  /** How much the log had been given when the last two ticks were sent, and how many ticks the oldest thing to be said has waited. */
  readonly log: { given: number; before: number; waited: number }
  /** The match goes on in another process: nothing of it is ended here. */
  isMoved: boolean
  /** What hooks were given last. */
  view: RoomView | undefined
  /** What was shown last, and when it was read, in ms of the room's clock. */
  roster: RosterReading | undefined
  rosterAt: number
  isListed: boolean
}

export function createCore(room: Room<RoomTypes>, config: RoomConfig, recording: Recording, host: Host): RoomCore {
  return {
    room,
    config,
    seatSeconds: seatSecondsOf(config, room.state.code !== ''),
    traffic: { bytesOut: 0, messagesOut: 0, bytesIn: 0, messagesIn: 0, datagrams: createDatagramCounts() },
    seating: createSeating(),
    recording,
    host,
    keeper: undefined,
    startedAt: new Date(),
    endsAt: Number.POSITIVE_INFINITY,
    log: { given: 0, before: 0, waited: 0 },
    isMoved: false,
    view: undefined,
    roster: undefined,
    rosterAt: 0,
    isListed: true,
  }
}

/** What hooks see: one object for each match, because they are called in every tick. */
export function viewOf(core: RoomCore): RoomView {
  if (core.view?.host === core.host) return core.view
  const { room, config, host, traffic, startedAt, seating, recording } = core
  const { roomId, state } = room
  const game = config.game.declaration.id
  const { players } = seating
  const replay = recording.file?.address
  core.view = { roomId, game, host, world: host.world, traffic, match: state.match, startedAt, replay, players }
  return core.view
}

/** Does something that others learn of the match from, such as sending: at once, or when the log has the match up to now. */
export function say({ keeper }: RoomCore, act: () => void): void {
  if (keeper === undefined) act()
  else sayWhenKept(keeper, act)
}

/** Writes to the store who holds which seat, where matches are kept. */
export function storeSeats({ keeper, seating }: RoomCore): Promise<void> {
  return keeper === undefined ? Promise.resolve() : saveSeats(keeper.log, seatRecords(seating))
}

/** Reads the roster and shows it, if it has changed. */
export function refreshRoster(core: RoomCore): void {
  if (core.isMoved) return
  const { room, host, config } = core
  core.rosterAt = room.clock.currentTime
  const present = room.clients.flatMap(({ userData }) => userData ?? [])
  const reading = readRoster(host, present, config.scoreOf)
  if (!isSameRoster(reading, core.roster)) say(core, () => showRoster(room.state, reading))
  core.roster = reading
  listRoom(core)
}

/** Rooms without a free seat are found by id only: spectators know the id, players get another room. */
function listRoom(core: RoomCore): void {
  const isFull = freeSeat(core.host) < 0
  if (core.room.state.code !== '' || core.isListed === !isFull) return
  core.isListed = !isFull
  core.room.setPrivate(isFull).catch(() => {})
}
