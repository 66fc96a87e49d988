/** Rooms: the owner's loop of a match, as the product runs it, and who is let in. */

import { readMatchLog } from 'hurtbox/replay'
import { hashToken, seatOfToken } from '../../../colyseus/src/room/tokens.ts'
import { resumeHost, stepHost } from '../../src/host/host.ts'
import { createKeeper, keepTick, mayStep, sayWhenKept, tendKeeper } from '../../src/host/keeper.ts'
import { addPeer, dismissBots, suspendPeer } from '../../src/host/peers.ts'
import type { Host } from '../../src/host/state.ts'
import type { MatchLog, TakenMatch } from '../../src/host/store.ts'
import { RATE, tag } from '../support.ts'
import { hear, joined, refused } from './ears.ts'
import { closeLine, closeLines, sendDown } from './lines.ts'
import { HASH_EVERY, type Line, type OwnedRoom, type Process, type Seat, type System } from './parts.ts'
import { dies } from './processes.ts'
import { keepSeats } from './seats.ts'
import { chance, later } from './time.ts'

const TICK_MS = 1000 / RATE
/** Short, so that most takeovers start from another checkpoint than the first. */
const CHECKPOINT_EVERY = 32

export type OpenedRoom = {
  readonly process: Process
  readonly host: Host
  readonly log: MatchLog
  readonly seats: Seat[]
  /** The part of the replay that the store has. */
  readonly kept?: Uint8Array
}

export function openRoom(system: System, opened: OpenedRoom): OwnedRoom {
  const { process, host, log, seats, kept = new Uint8Array(0) } = opened
  const replay: Uint8Array[] = [kept]
  const options = {
    whenStoreFails: 'freeze',
    checkpointEvery: CHECKPOINT_EVERY,
    replayKept: kept.length,
    onReplay: (bytes: Uint8Array) => void replay.push(bytes),
    onState: (state: string) => {
      if (state !== 'fenced') return
      system.counts.fenced++
      closeRoom(system, room)
    },
  } as const
  const room: OwnedRoom = { process, host, log, keeper: undefined as never, seats, replay, isOpen: true }
  room.keeper = createKeeper(host, log, options)
  process.rooms.add(room)
  turn(system, room)
  return room
}

/** Goes on with a match that another process left behind. */
export function resume(system: System, process: Process, taken: TakenMatch): void {
  const { problems, clients, counts } = system
  const logged = readMatchLog(tag, taken.record.setup, taken.entries)
  if (logged === undefined) {
    // Its owner died before the first word.
    if (clients.some(({ seenTick }) => seenTick > 0)) problems.push('a match was taken that has no checkpoint')
    return
  }
  if (logged.problem !== undefined) problems.push(`the log is not whole: ${logged.problem}`)
  counts.takeovers++
  // It may have owned the match before, and not noticed yet that it lost it.
  for (const old of process.rooms) if (old.isOpen) closeRoom(system, old)
  const host = resumeHost(logged, { nonce: taken.record.nonce, hashEvery: HASH_EVERY, replay: {} })
  const seats = taken.seats.map((seat): Seat => {
    const peer = addPeer(host, seat.seat, seat.mode)
    suspendPeer(host, peer)
    return { ...seat, peer, line: undefined }
  })
  dismissBots(host)
  openRoom(system, { process, host, log: taken.log, seats, kept: taken.replay.slice(0, logged.replayAt!.length) })
}

/** The owner's loop, as in the room: step, log, and say it when the log has it. */
function turn(system: System, room: OwnedRoom): void {
  const { host, process, seats } = room
  if (!room.isOpen) return
  later(system, TICK_MS, process, () => turn(system, room))
  if (mayStep(room.keeper)) {
    stepHost(host)
    if (host.status !== 'running') system.problems.push(`the match is ${host.status}: ${host.failure}`)
    keepTick(room.keeper)
    if (dies(system, process, 0.001)) return
  }
  for (const { line, peer } of seats) {
    if (line === undefined || peer === undefined || !host.peers.has(peer)) continue
    const messages = peer.outbox.splice(0)
    const say = () => {
      // Between the log and the word, and between one client's word and the next.
      if (!process.isAlive || dies(system, process, 0.0003)) return
      for (const message of messages) sendDown(system, line, () => hear(system, line.client, message))
    }
    if (system.breaks === 'word') say()
    else sayWhenKept(room.keeper, say)
  }
  tendKeeper(room.keeper)
}

function closeRoom(system: System, room: OwnedRoom): void {
  room.isOpen = false
  closeLines(system, room)
}

/** A client connects to a room with its token. */
export function admit(system: System, line: Line, token: string): void {
  const { room, client } = line
  const { seats, host, process } = room
  const found = system.breaks === 'token' ? seats[client.seat % seats.length] : seatOfToken(seats, token)
  if (!room.isOpen || found === undefined) {
    sendDown(system, line, () => refused(system, line))
    return
  }
  if (found.line?.isOpen) closeLine(system, found.line)
  if (found.peer !== undefined) suspendPeer(host, found.peer)
  found.line = line
  const { seed, drawn } = system.time
  const fresh = `token ${seed} ${client.number} ${drawn} ${chance(system)}`
  found.tokens = [hashToken(fresh), hashToken(token)]
  keepSeats(room, (error) => {
    if (error !== undefined || !room.isOpen) {
      closeLine(system, line)
      return
    }
    if (dies(system, process, 0.02)) return
    sendDown(system, line, () => joined(system, line, fresh))
  })
}
