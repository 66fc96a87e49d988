/** How a match of a room begins, ends, is kept in the store and moves to another process. */

import { CloseCode, matchMaker } from '@colyseus/core'
import type { MatchLog, TakenMatch } from '@hurtbox/netcode/host'
import {
  createKeeper,
  dismissBots,
  finishHost,
  goAway,
  handOver,
  hasUnsaid,
  openLog,
  sayWhenKept,
  TRACK_TAIL_MS,
} from '@hurtbox/netcode/host'
import { fingerprint } from 'hurtbox/replay'
import { seatRow } from 'hurtbox/tools'
import { dismissGuest, givenAway } from './arrivals.ts'
import { type RoomCore, refreshRoster, say, storeSeats, viewOf } from './core.ts'
import { offerReplay, tellFailure } from './failure.ts'
import { createGuest } from './guest.ts'
import { newHost } from './hosting.ts'
import { listingOf } from './private-members.ts'
import { closeRecording, endRecording, startRecording, tracked } from './recording.ts'
import { goOnWith, keepSeat } from './seating.ts'

const AFTER_MATCH_SECONDS = 10
/** Longer than the patience with a store, and shorter than what a server has to stop. */
const LAST_WORDS_MS = 3_000

/** Begins the match that the host of the core has just been made for. */
export function beginMatch(core: RoomCore): void {
  const { room, config, host, seating } = core
  room.state.match++
  seating.players = []
  core.startedAt = new Date()
  room.state.winner = ''
  room.state.summary = ''
  record(core)
  core.keeper?.log.close()
  core.keeper = undefined
  if (config.matches !== undefined) {
    const log = openLog(config.matches.store, {
      id: room.roomId,
      room: room.roomName,
      fingerprint: fingerprint(config.game).hash,
      setup: host.session.setup,
      nonce: host.nonce,
      match: room.state.match,
      isPrivate: room.state.code !== '',
      startedAt: core.startedAt.getTime(),
    })
    keep(core, log, 0)
  }
  core.endsAt = Number.POSITIVE_INFINITY
  for (const guest of seating.guests) {
    guest.wantsRematch = false
    keepSeat(seating, host, guest)
  }
  storeSeats(core).catch(() => {})
  refreshRoster(core)
}

/** Goes on with a match that another process left behind. `replay` is its recording so far, if it has one. */
export function resumeMatch(core: RoomCore, taken: TakenMatch, replay: Uint8Array | undefined): void {
  const { room, config, host, seating } = core
  const { record: matchRecord, seats, log } = taken
  room.state.match = matchRecord.match
  core.startedAt = new Date(matchRecord.startedAt)
  if (replay !== undefined) {
    record(core)
    core.recording.file?.write(replay)
  }
  for (const seat of seats) {
    const guest = createGuest(seat, config)
    guest.isAwaited = true
    guest.isConnected = false
    goAway(guest.absence, room.clock.currentTime)
    seating.guests.add(guest)
    if (seatRow(host.world, seat.seat) < 0) keepSeat(seating, host, guest)
    else goOnWith(seating, host, guest)
  }
  dismissBots(host)
  keep(core, log, replay?.length ?? 0)
  // Colyseus counts the clients of a room, and closes one without any.
  listingOf(room).clients = seats.length
  room.autoDispose = false
  room.clock.setTimeout(() => stopWaiting(core), core.seatSeconds * 1000)
  if (host.status !== 'running') endMatch(core, room.clock.currentTime)
  refreshRoster(core)
}

/** Players who have not come back after a takeover give up their seats. */
function stopWaiting(core: RoomCore): void {
  const { room, seating } = core
  room.autoDispose = true
  for (const guest of seating.guests) {
    if (!guest.isAwaited) continue
    guest.farewell = givenAway(core)
    dismissGuest(core, guest)
    Promise.resolve(matchMaker.driver.update(listingOf(room), { $inc: { clients: -1 } })).catch(() => {})
  }
}

function record({ room, config, recording, host, startedAt }: RoomCore): void {
  const { match, game } = room.state
  startRecording(recording, config, host, { game, roomId: room.roomId, match, startedAt })
}

/** From here on nothing about the match is sent or written before the log has it. */
function keep(core: RoomCore, log: MatchLog, replayKept: number): void {
  const { room, config } = core
  const { matches } = config
  Object.assign(core.log, { given: 0, before: 0, waited: 0 })
  core.keeper = createKeeper(core.host, log, {
    replayKept,
    ...(matches?.whenStoreFails && { whenStoreFails: matches.whenStoreFails }),
    onReplay: (bytes) => say(core, () => core.recording.file?.write(bytes)),
    onState: (state, problem) => {
      matches?.onState?.(room.roomId, state, problem)
      // A store that was started anew has no seats.
      if (state === 'kept') storeSeats(core).catch(() => {})
      if (state === 'fenced' && !core.isMoved) moveAway(core).catch(() => {})
    },
  })
}

/** The match is over: reports it, ends its recording, and sets when the next one begins. */
export function endMatch(core: RoomCore, now: number): void {
  const { room, config, host, recording } = core
  finishHost(host)
  const view = viewOf(core)
  const { file } = recording
  say(core, () => {
    // A result waits for the log as well: until that has the last tick, the match may still end otherwise, in another process.
    config.hooks?.onMatchEnd?.(view)
    closeRecording(recording, core.host)
    const { endFiles, tracker } = recording
    const end = () =>
      endFiles().then(
        () => offerReplay(core, file),
        () => {},
      )
    // What was on the screens in the last second is reported after it.
    if (tracker === undefined) end()
    else room.clock.setTimeout(end, TRACK_TAIL_MS)
  })
  core.endsAt = now + (config.afterMatchSeconds ?? AFTER_MATCH_SECONDS) * 1000
  if (host.status === 'failed') tellFailure(core)
  else refreshRoster(core)
}

/** The time after a match is over: the room closes, or the next match begins. */
export function afterMatch(core: RoomCore): void {
  const { room, config } = core
  core.endsAt = Number.POSITIVE_INFINITY
  if (config.afterMatch === 'close' || core.host.status === 'failed') {
    room.disconnect().catch(() => {})
    return
  }
  core.host = newHost(config, tracked(core.recording), room.state.code !== '', core.host)
  beginMatch(core)
}

/**
 * Ends the match and its recording, and removes it from the store. Waits for the store only when the match is over already: its end and
 * its result were not told yet, and nobody else would tell them.
 */
export async function abandonMatch(core: RoomCore): Promise<void> {
  if (core.host.status !== 'running') await whenSaid(core)
  const { config, host, recording } = core
  if (host.status === 'running') {
    finishHost(host)
    if (host.world.tick > 0) config.hooks?.onMatchEnd?.(viewOf(core))
  }
  await endRecording(recording, host)
  core.keeper?.log.remove(() => {})
  core.keeper?.log.close()
  core.keeper = undefined
}

/** Waits until everything is said that waits for the log, for a while at most. */
async function whenSaid({ keeper }: RoomCore): Promise<void> {
  if (keeper === undefined || !hasUnsaid(keeper)) return
  await new Promise<void>((resolve) => {
    setTimeout(resolve, LAST_WORDS_MS)
    sayWhenKept(keeper, resolve)
  })
}

/** Stops the match and writes what another process needs to go on at once. */
export async function handMatchOver(core: RoomCore): Promise<void> {
  const { keeper } = core
  if (keeper === undefined) return
  core.isMoved = true
  await new Promise<void>((resolve, reject) => {
    handOver(keeper, (error) => (error === undefined ? resolve() : reject(error)))
  })
}

/** The match is elsewhere now: tells the clients to find it again, and closes the room without ending anything. */
export async function moveAway(core: RoomCore): Promise<void> {
  core.isMoved = true
  core.keeper?.log.close()
  // The listing under this id belongs to the new owner.
  listingOf(core.room).roomId = undefined as never
  await core.room.disconnect(CloseCode.MAY_TRY_RECONNECT)
}
