/**
 * The whole system in virtual time: processes that own a match, a store, takers, clients and the links between them.
 *
 * Everything follows from one seed, so a failure is repeated by running it again. Owners, takers and clients run the code of
 * the product; only what is outside of it is made of numbers: time, links, the store's machine, and what goes wrong. For
 * some seconds everything goes wrong that can: processes are killed between any two events, are stopped and wake up,
 * hand over and leave; the store is slow, fails before or after it did what it was asked, or is away; two processes take
 * the same match; an intruder tries tokens. Then the system has some quiet seconds, and must be whole.
 */

import { purposeOf, unitAt } from 'hurtbox/math'
import { readMatchLog } from 'hurtbox/replay'
import { type AnyWorld, botInput } from 'hurtbox/tools'
import { createByteReader, readByte, readVarint } from 'hurtbox/wire'
import { askLater, isHopeless, startWayBack, type WayBack } from '../src/client/way-back.ts'
import { createKeeper, handOver, type Keeper, keepTick, mayStep, sayWhenKept, tendKeeper } from '../src/match/keeper.ts'
import { hashToken, seatOfToken } from '../src/match/seats.ts'
import {
  type Done,
  Fenced,
  type MatchLog,
  type MatchRecord,
  type MatchStore,
  type SeatRecord,
  type TakenMatch,
} from '../src/match/store.ts'
import { type ListedMatch, type Looks, matchesToTake, type ProcessView, withoutOwner } from '../src/match/takeover.ts'
import {
  addPeer,
  createHost,
  dismissBots,
  type Host,
  type Peer,
  receive,
  resumeHost,
  stepHost,
  suspendPeer,
} from '../src/netcode/host.ts'
import { MESSAGES, readMessage } from '../src/netcode/messages.ts'
import { advanceMirror, createMirror, type Mirror, receiveAtMirror } from '../src/netcode/mirror.ts'
import type { Mode } from '../src/netcode/protocol.ts'
import { acceptOffer, offerOf, resumeMirror } from '../src/netcode/returning.ts'
import {
  advanceTerminal,
  createTerminal,
  receiveAtTerminal,
  showTerminal,
  type Terminal,
} from '../src/netcode/terminal/client.ts'
import { RATE, tag, whimsical } from './support.ts'
import { judge } from './system-verdict.ts'

export type SystemSetup = {
  readonly seed: number
  /** A promise that is broken on purpose: the simulation must notice. */
  readonly breaks?: 'fence' | 'word' | 'token'
}

export type SystemReport = {
  /** What must not be; empty when all is well. */
  readonly problems: readonly string[]
  readonly ticks: number
  readonly kills: number
  readonly stops: number
  readonly handovers: number
  readonly takeovers: number
  readonly fenced: number
  readonly returns: number
  readonly hashes: number
}

const PURPOSE = purposeOf('whole system')
const ID = 'room'
const TICK_MS = 1000 / RATE
const PROCESSES = 3
const CLIENTS: readonly Mode[] = ['mirror', 'mirror', 'terminal']
/** How long things go wrong, and how long the system then has to recover. */
const TROUBLE_MS = 5_000
const QUIET_MS = 5_000
const LEASE_MS = 1_000
const LOOK_MS = 200
const SILENT_MS = 1_500
const FRAME_MS = 50
const HASH_EVERY = 4
/** Short, so that most takeovers start from another checkpoint than the first. */
const CHECKPOINT_EVERY = 32

type Process = {
  readonly id: string
  readonly slot: number
  isAlive: boolean
  isLeaving: boolean
  stoppedUntil: number
  readonly rooms: Set<OwnedRoom>
  readonly looks: Looks
  /** Matches that it is beginning or taking. */
  readonly pending: Set<string>
  /** Requests to the store and its answers keep their order. */
  requestAt: number
  answerAt: number
  /** Requests that are not answered: how to fail each, oldest first. */
  readonly open: Set<() => void>
  /** The connection to the store has broken, and the process has not noticed yet. */
  isCutOff: boolean
}

type Seat = { -readonly [K in keyof SeatRecord]: SeatRecord[K] } & { peer: Peer | undefined; line: Line | undefined }

export type OwnedRoom = {
  readonly process: Process
  readonly host: Host
  readonly log: MatchLog
  keeper: Keeper
  readonly seats: Seat[]
  readonly replay: Uint8Array[]
  isOpen: boolean
}

/** A connection between a client and a room. Messages of each direction keep their order. */
type Line = {
  readonly client: SystemClient
  readonly room: OwnedRoom
  isOpen: boolean
  downAt: number
  upAt: number
  offer: Uint8Array | undefined
}

export type SystemClient = {
  readonly number: number
  readonly mode: Mode
  readonly seat: number
  token: string
  readonly oldTokens: string[]
  line: Line | undefined
  way: WayBack | undefined
  refusals: number
  isAsking: boolean
  heardAt: number
  mirror: Mirror | undefined
  terminal: Terminal | undefined
  /** Confirmed states it has seen: after so many ticks, and their hash where it is known. */
  seenTick: number
  readonly seen: Map<number, string>
  returns: number
  clockSkew: number
}

type StoredMatch = {
  readonly record: MatchRecord
  epoch: number
  owner: string
  entries: { readonly bytes: Uint8Array; readonly isCheckpoint: boolean }[]
  seats: readonly SeatRecord[]
  replay: Uint8Array
}

export function simulateSystem({ seed, breaks }: SystemSetup): SystemReport {
  let drawn = 0
  const chance = () => unitAt(seed, drawn++, 0, 0, PURPOSE)
  const between = (low: number, high: number) => low + chance() * (high - low)
  const problems: string[] = []
  const counts = { kills: 0, stops: 0, handovers: 0, takeovers: 0, fenced: 0 }

  // Time.
  let now = 0
  const events: { readonly at: number; readonly process: Process | undefined; run(): void }[] = []
  const later = (ms: number, process: Process | undefined, run: () => void) => runAt(now + ms, process, run)
  /** At an exact time: what is to keep its order must not depend on rounding. */
  function runAt(at: number, process: Process | undefined, run: () => void): void {
    const event = { at, process, run }
    let place = events.length
    while (place > 0 && events[place - 1].at > event.at) place--
    events.splice(place, 0, event)
  }
  function runUntil(end: number): void {
    while (events.length > 0 && events[0].at <= end) {
      const { at, process, run } = events.shift()!
      now = Math.max(now, at)
      if (process !== undefined && !process.isAlive) continue
      if (process !== undefined && process.stoppedUntil > now) runAt(process.stoppedUntil, process, run)
      else run()
    }
    now = end
  }
  const isTroubled = () => now < TROUBLE_MS

  // The store.
  const stored = new Map<string, StoredMatch>()
  const leases = new Map<string, { readonly view: ProcessView; readonly until: number }>()
  const loggedBy = new Map<number, number>()
  let storeAwayUntil = 0

  /**
   * A request of a process to the store: applied after a while, answered after another. When the process notices that the
   * connection has broken, every request on it fails, whether it was applied or not.
   */
  function ask<T>(process: Process, apply: () => T, done: Done<T>): void {
    const isSlow = isTroubled() && chance() < 0.02
    const delay = () => (isSlow ? between(20, 500) : between(0.1, 2))
    const breaksAt = isTroubled() && chance() < 0.004 ? (chance() < 0.5 ? 'request' : 'answer') : undefined
    const fail = () => done(new Error('the connection broke'), undefined as T)
    process.open.add(fail)
    if (process.isCutOff) return
    const isBroken = () => process.isCutOff || !process.open.has(fail)
    process.requestAt = Math.max(process.requestAt, now + delay(), storeAwayUntil)
    runAt(process.requestAt, undefined, () => {
      if (breaksAt === 'request') breakConnection(process)
      if (isBroken()) return
      let error: Error | undefined
      let result: T | undefined
      try {
        result = apply()
      } catch (thrown) {
        error = thrown as Error
      }
      process.answerAt = Math.max(process.answerAt, now + delay())
      runAt(process.answerAt, process, () => {
        if (breaksAt === 'answer') breakConnection(process)
        if (isBroken()) return
        process.open.delete(fail)
        done(error, result as T)
      })
    })
  }

  function breakConnection(process: Process): void {
    if (process.isCutOff) return
    process.isCutOff = true
    later(0, process, () => {
      const failed = [...process.open]
      process.open.clear()
      process.isCutOff = false
      for (const fail of failed) fail()
    })
  }

  function requireOwner(match: StoredMatch | undefined, epoch: number): StoredMatch {
    if (match === undefined) throw new Fenced()
    if (breaks !== 'fence' && match.epoch !== epoch) throw new Fenced()
    return match
  }

  function logOf(process: Process, id: string, epoch: number): MatchLog {
    return {
      epoch,
      append: (bytes, done) =>
        ask(
          process,
          () => {
            const match = requireOwner(stored.get(id), epoch)
            const reader = createByteReader(bytes)
            readByte(reader)
            readVarint(reader)
            const tick = readVarint(reader)
            if (loggedBy.has(tick)) problems.push(`tick ${tick} was logged by epoch ${loggedBy.get(tick)} and ${epoch}`)
            loggedBy.set(tick, epoch)
            match.entries.push({ bytes, isCheckpoint: false })
          },
          done,
        ),
      checkpoint: (bytes, piece, done) =>
        ask(
          process,
          () => {
            const match = requireOwner(stored.get(id), epoch)
            if (piece.at > match.replay.length) problems.push('a piece of the replay is missing')
            const replay = new Uint8Array(piece.at + piece.bytes.length)
            replay.set(match.replay.subarray(0, piece.at))
            replay.set(piece.bytes, piece.at)
            match.replay = replay
            match.entries = [{ bytes, isCheckpoint: true }]
          },
          done,
        ),
      keepSeats: (seats, done) => ask(process, () => void (requireOwner(stored.get(id), epoch).seats = seats), done),
      remove: (done) => ask(process, () => void stored.delete(id), done),
      close() {},
    }
  }

  function storeOf(process: Process): MatchStore {
    return {
      create: (record, done) =>
        ask(
          process,
          () => {
            const epoch = (stored.get(record.id)?.epoch ?? 0) + 1
            stored.set(record.id, {
              record,
              epoch,
              owner: process.id,
              entries: [],
              seats: [],
              replay: new Uint8Array(0),
            })
            return logOf(process, record.id, epoch)
          },
          done,
        ),
      take: (id, done) =>
        ask(
          process,
          () => {
            const match = stored.get(id)
            if (match === undefined) return undefined
            match.epoch++
            match.owner = process.id
            const { record, seats, replay, epoch } = match
            const entries = match.entries.map(({ bytes }) => bytes)
            return { record, seats, entries, replay: replay.slice(), log: logOf(process, id, epoch) }
          },
          done,
        ),
    }
  }

  // Processes.
  let processNumber = 0
  const slots: Process[] = []
  function startProcess(slot: number): void {
    const process: Process = {
      id: `process-${processNumber++}`,
      slot,
      isAlive: true,
      isLeaving: false,
      stoppedUntil: 0,
      rooms: new Set(),
      looks: new Map(),
      pending: new Set(),
      requestAt: now,
      answerAt: now,
      open: new Set(),
      isCutOff: false,
    }
    slots[slot] = process
    announce(process)
    look(process)
  }

  function announce(process: Process): void {
    const view = { id: process.id, games: { [ID]: 'build 1' }, isLeaving: process.isLeaving }
    ask(
      process,
      () => void leases.set(process.id, { view, until: now + LEASE_MS }),
      () => {},
    )
    later(LEASE_MS / 4, process, () => announce(process))
  }

  function look(process: Process): void {
    later(LOOK_MS * between(0.8, 1.2), process, () => look(process))
    if (process.isLeaving || !process.isAlive) return
    const read = () => ({
      alive: [...leases.values()].filter(({ until }) => until > now).map(({ view }) => view),
      matches: [...stored].map(([id, { owner }]): ListedMatch => ({ id, room: ID, fingerprint: 'build 1', owner })),
    })
    ask(process, read, (error, found) => {
      if (error !== undefined) return
      // Now and then a process believes itself first: then two take the same match.
      const isRash = isTroubled() && chance() < 0.1
      const processes = isRash ? found.alive.filter(({ id }) => id === process.id) : found.alive
      const isRun = process.pending.has(ID) || [...process.rooms].some(({ isOpen }) => isOpen)
      const matches = found.matches.map((match) => withoutOwner(match, process.id, isRun))
      for (const { id } of matchesToTake(process.id, processes, matches, process.looks)) {
        process.pending.add(id)
        storeOf(process).take(id, (failed, taken) => {
          process.pending.delete(id)
          if (failed === undefined && taken !== undefined) resume(process, taken)
        })
      }
    })
  }

  function kill(process: Process): void {
    if (!process.isAlive) return
    counts.kills++
    process.isAlive = false
    for (const room of process.rooms) dropLines(room)
    later(between(200, 1_500), undefined, () => startProcess(process.slot))
  }

  function leave(process: Process): void {
    if (process.isLeaving || !process.isAlive) return
    counts.handovers++
    process.isLeaving = true
    const rooms = [...process.rooms].filter(({ isOpen }) => isOpen)
    let open = rooms.length
    const exit = () => {
      process.isAlive = false
      for (const room of process.rooms) dropLines(room)
      later(between(200, 1_500), undefined, () => startProcess(process.slot))
    }
    if (open === 0) exit()
    for (const room of rooms) {
      room.isOpen = false
      handOver(room.keeper, () => {
        const release = () => {
          const match = stored.get(ID)
          if (match?.epoch === room.log.epoch) match.owner = ''
        }
        ask(process, release, () => {
          // The words before the last checkpoint are on their way; the clients follow them.
          for (const { line } of room.seats) if (line?.isOpen) closeLine(line)
          if (--open === 0) later(50, process, exit)
        })
      })
    }
  }

  // Rooms.
  function openRoom(process: Process, host: Host, log: MatchLog, seats: Seat[], kept = new Uint8Array(0)): OwnedRoom {
    const replay: Uint8Array[] = [kept]
    const options = {
      whenAway: 'freeze',
      checkpointEvery: CHECKPOINT_EVERY,
      replayKept: kept.length,
      onReplay: (bytes: Uint8Array) => void replay.push(bytes),
      onState: (state: string) => {
        if (state !== 'fenced') return
        counts.fenced++
        closeRoom(room)
      },
    } as const
    const room: OwnedRoom = { process, host, log, keeper: undefined as never, seats, replay, isOpen: true }
    room.keeper = createKeeper(host, log, options)
    process.rooms.add(room)
    turn(room)
    return room
  }

  function resume(process: Process, taken: TakenMatch): void {
    const logged = readMatchLog(tag, taken.record.setup, taken.entries)
    if (logged === undefined) {
      // Its owner died before the first word.
      if (clients.some(({ seenTick }) => seenTick > 0)) problems.push('a match was taken that has no checkpoint')
      return
    }
    if (logged.problem !== undefined) problems.push(`the log is not whole: ${logged.problem}`)
    counts.takeovers++
    // It may have owned the match before, and not noticed yet that it lost it.
    for (const old of process.rooms) if (old.isOpen) closeRoom(old)
    const host = resumeHost(logged, { nonce: taken.record.nonce, hashEvery: HASH_EVERY, replay: {} })
    const seats = taken.seats.map((seat): Seat => {
      const peer = addPeer(host, seat.seat, seat.mode)
      suspendPeer(host, peer)
      return { ...seat, peer, line: undefined }
    })
    dismissBots(host)
    openRoom(process, host, taken.log, seats, taken.replay.slice(0, logged.replayAt!.length))
  }

  /** The owner's loop, as in the room: step, log, and say it when the log has it. */
  function turn(room: OwnedRoom): void {
    const { host, process, seats } = room
    if (!room.isOpen) return
    later(TICK_MS, process, () => turn(room))
    if (mayStep(room.keeper)) {
      stepHost(host)
      if (host.status !== 'running') problems.push(`the match is ${host.status}: ${host.failure}`)
      keepTick(room.keeper)
      if (dies(process, 0.001)) return
    }
    for (const seat of seats) {
      const { line, peer } = seat
      if (line === undefined || peer === undefined || !host.peers.has(peer)) continue
      const messages = peer.outbox.splice(0)
      const say = () => {
        // Between the log and the word, and between one client's word and the next.
        if (!process.isAlive || dies(process, 0.0003)) return
        for (const message of messages) sendDown(line, () => hear(line.client, message))
      }
      if (breaks === 'word') say()
      else sayWhenKept(room.keeper, say)
    }
    tendKeeper(room.keeper)
  }

  function dies(process: Process, probability: number): boolean {
    if (!isTroubled() || chance() >= probability) return false
    kill(process)
    return true
  }

  function closeRoom(room: OwnedRoom): void {
    room.isOpen = false
    for (const { line } of room.seats) if (line?.isOpen) closeLine(line)
  }

  function keepSeats(room: OwnedRoom, done: (error: Error | undefined) => void): void {
    const records = room.seats.map(({ sessionId, seat, mode, name, id, data, tokens }) => ({
      sessionId,
      seat,
      mode,
      name,
      id,
      data,
      tokens,
    }))
    room.log.keepSeats(records, done)
  }

  /** A client connects to a room with its token. */
  function admit(line: Line, token: string): void {
    const { room, client } = line
    const { seats, host, process } = room
    const found = breaks === 'token' ? seats[client.seat % seats.length] : seatOfToken(seats, token)
    if (!room.isOpen || found === undefined) {
      sendDown(line, () => refused(client, line, room.isOpen))
      return
    }
    if (found.line?.isOpen) closeLine(found.line)
    if (found.peer !== undefined) suspendPeer(host, found.peer)
    found.line = line
    const fresh = `token ${seed} ${client.number} ${drawn} ${chance()}`
    found.tokens = [hashToken(fresh), hashToken(token)]
    keepSeats(room, (error) => {
      if (error !== undefined || !room.isOpen) {
        closeLine(line)
        return
      }
      if (dies(process, 0.02)) return
      sendDown(line, () => joined(client, line, fresh))
    })
  }

  // Lines.
  const latency = () => between(3, 40)
  function openLine(client: SystemClient, room: OwnedRoom): Line {
    return { client, room, isOpen: true, downAt: now, upAt: now, offer: undefined }
  }
  function sendDown(line: Line, arrive: () => void): void {
    line.downAt = Math.max(line.downAt, now + latency())
    runAt(line.downAt, undefined, () => {
      if (line.isOpen) arrive()
    })
  }
  function sendUp(line: Line, arrive: () => void): void {
    line.upAt = Math.max(line.upAt, now + latency())
    runAt(line.upAt, line.room.process, () => {
      if (line.isOpen) arrive()
    })
  }
  /** The room closes a line in good order: what was said before arrives. */
  function closeLine(line: Line): void {
    sendDown(line, () => {
      line.isOpen = false
      lost(line.client, line)
    })
  }
  /** The process died. What is on its way still arrives. */
  function dropLines(room: OwnedRoom): void {
    for (const { line } of room.seats) if (line?.isOpen) closeLine(line)
  }

  // Clients.
  const clients = CLIENTS.map(
    (mode, number): SystemClient => ({
      number,
      mode,
      seat: number,
      token: `first token ${seed} ${number}`,
      oldTokens: [],
      line: undefined,
      way: undefined,
      refusals: 0,
      isAsking: false,
      heardAt: 0,
      mirror: undefined,
      terminal: undefined,
      seenTick: 0,
      seen: new Map(),
      returns: 0,
      clockSkew: 0,
    }),
  )

  function lost(client: SystemClient, line: Line): void {
    if (client.line !== line) return
    client.line = undefined
    client.way ??= startWayBack(now)
    client.isAsking = false
  }

  function refused(client: SystemClient, line: Line, byRoom: boolean): void {
    line.isOpen = false
    if (byRoom) client.refusals++
    if (client.line === line) client.line = undefined
    client.isAsking = false
    if (client.way !== undefined) askLater(client.way, now, chance())
  }

  function joined(client: SystemClient, line: Line, token: string): void {
    if (client.number < 0) {
      problems.push('an intruder got a seat')
      return
    }
    client.oldTokens.push(client.token)
    client.token = token
    client.heardAt = now
    const offer = client.mirror && offerOf(client.mirror)
    sendUp(line, () => {
      const { room } = line
      const seat = room.seats.find((each) => each.line === line)
      if (seat === undefined || !room.isOpen) return
      seat.tokens = seat.tokens.slice(0, 1)
      keepSeats(room, () => {})
      seat.peer = addPeer(room.host, seat.seat, seat.mode)
      if (offer !== undefined) acceptOffer(room.host, seat.peer, offer)
    })
  }

  function hear(client: SystemClient, message: Uint8Array): void {
    const clock = now + client.clockSkew
    client.heardAt = now
    if (message[0] === MESSAGES.welcome.kind) {
      if (client.way !== undefined) client.returns++
      client.way = undefined
      client.refusals = 0
      client.isAsking = false
      if (client.mode === 'terminal') client.terminal = createTerminal(tag, message)
      else if (client.mirror === undefined) client.mirror = createMirror(tag, message, clock)
      else if (!resumeMirror(client.mirror, readMessage(message, MESSAGES.welcome, tag)!, clock)) {
        problems.push(`client ${client.number} could not go on with its mirror`)
        client.mirror = createMirror(tag, message, clock)
      }
    } else if (client.mirror !== undefined) receiveAtMirror(client.mirror, message, clock)
    else if (client.terminal !== undefined) receiveAtTerminal(client.terminal, message, clock)
    noteSeen(client)
  }

  function noteSeen(client: SystemClient): void {
    const { mirror, terminal } = client
    const tick = mirror?.confirmed.tick ?? terminal?.frames.at(-1)?.tick ?? 0
    client.seenTick = Math.max(client.seenTick, tick)
    const { verifiedTick = 0, verifiedHash } = mirror?.inside ?? {}
    if (verifiedHash !== undefined) client.seen.set(verifiedTick, verifiedHash)
  }

  function frame(client: SystemClient): void {
    later(FRAME_MS, undefined, () => frame(client))
    const { line, mirror, terminal } = client
    const clock = now + client.clockSkew
    const think = (_tick: number, world: AnyWorld) => botInput(whimsical, world, client.seat, seed)
    if (mirror !== undefined) advanceMirror(mirror, clock, think)
    else if (terminal !== undefined) {
      showTerminal(terminal, clock)
      advanceTerminal(terminal, clock, think)
    }
    for (const message of (mirror ?? terminal)?.outbox.splice(0) ?? []) {
      if (line === undefined) continue
      const arrive = () => {
        const seat = line.room.seats.find((each) => each.line === line)
        if (seat?.peer !== undefined && line.room.isOpen) receive(line.room.host, seat.peer, message)
      }
      sendUp(line, arrive)
      if (chance() < 0.02) sendUp(line, arrive)
    }
    if (line !== undefined && now - client.heardAt > SILENT_MS) {
      line.isOpen = false
      lost(client, line)
    }
    if (client.way === undefined || client.isAsking || client.line !== undefined || now < client.way.nextAt) return
    if (isHopeless(client.way, now, client.refusals)) {
      problems.push(`client ${client.number} gave up at ${now.toFixed(0)} ms`)
      client.way = undefined
      return
    }
    seekRoom(client, client.token)
  }

  /** Through matchmaking, at any process. */
  function seekRoom(client: SystemClient, token: string): void {
    client.isAsking = true
    const { way } = client
    const through = slots[Math.floor(chance() * slots.length)]
    const inVain = () => {
      if (client.way !== way || client.line !== undefined || !client.isAsking) return
      client.isAsking = false
      if (way !== undefined) askLater(way, now, chance())
    }
    // No answer at all: a process that is stopped, or dies meanwhile.
    later(1_000, undefined, inVain)
    if (!through.isAlive) {
      later(2, undefined, inVain)
      return
    }
    later(latency(), through, () => {
      ask(
        through,
        () => stored.get(ID)?.owner,
        (error, owner) => {
          const process = slots.find(({ id }) => id === owner)
          const room = [...(process?.rooms ?? [])].find(({ isOpen }) => isOpen)
          if (error !== undefined || process === undefined || room === undefined) {
            later(latency(), undefined, inVain)
            return
          }
          later(latency(), process, () => {
            if (client.way !== way || client.line !== undefined) return
            const line = openLine(client, room)
            if (client.number >= 0) {
              client.line = line
              client.heardAt = now
            }
            admit(line, token)
          })
        },
      )
    })
  }

  function intrude(): void {
    later(between(300, 900), undefined, intrude)
    if (!isTroubled()) return
    const victim = clients[Math.floor(chance() * clients.length)]
    const seats = stored.get(ID)?.seats ?? []
    const guesses = ['a guess', ...victim.oldTokens.slice(-1), ...seats.flatMap(({ tokens }) => tokens)]
    // An old token is good until the new one has arrived, so only those before are tried.
    const token = guesses[Math.floor(chance() * guesses.length)]
    const isPending = seats.some(({ tokens }) => tokens.includes(hashToken(token)))
    if (isPending) return
    const intruder: SystemClient = { ...victim, number: -1, token, oldTokens: [], way: undefined, line: undefined }
    seekRoom(intruder, token)
  }

  // What goes wrong.
  function trouble(): void {
    later(between(150, 1_200), undefined, trouble)
    if (!isTroubled()) return
    const ownerId = stored.get(ID)?.owner
    const owner = slots.find(({ id }) => id === ownerId)
    const process = owner !== undefined && chance() < 0.7 ? owner : slots[Math.floor(chance() * slots.length)]
    const dice = chance()
    if (dice < 0.35) kill(process)
    else if (dice < 0.6) {
      // Not one that is stopped already: what waits for it would lose its order, which no machine does.
      if (process.stoppedUntil > now) return
      counts.stops++
      process.stoppedUntil = now + between(50, 3_000)
    } else if (dice < 0.75) leave(process)
    else if (dice < 0.9) storeAwayUntil = now + between(50, 2_500)
    else clients[Math.floor(chance() * clients.length)].clockSkew += between(0, 3_000)
  }

  // The match begins.
  for (let slot = 0; slot < PROCESSES; slot++) startProcess(slot)
  const [first] = slots
  const record: MatchRecord = {
    id: ID,
    room: ID,
    fingerprint: 'build 1',
    setup: { seed, options: {}, tuning: {} },
    nonce: seed,
    match: 1,
    isPrivate: false,
    startedAt: 0,
  }
  first.pending.add(ID)
  storeOf(first).create(record, (error, log) => {
    first.pending.delete(ID)
    if (error !== undefined) return
    const host = createHost(tag, { seed, nonce: seed, hashEvery: HASH_EVERY })
    const seats = clients.map((client): Seat => {
      const peer = addPeer(host, client.seat, client.mode)
      suspendPeer(host, peer)
      const tokens = [hashToken(client.token)]
      return {
        sessionId: String(client.number),
        seat: client.seat,
        mode: client.mode,
        name: '',
        id: '',
        data: undefined,
        tokens,
        peer,
        line: undefined,
      }
    })
    const room = openRoom(first, host, log, seats)
    keepSeats(room, (failed) => {
      if (failed !== undefined) return
      for (const client of clients) {
        client.way = startWayBack(now)
        frame(client)
      }
      trouble()
      intrude()
    })
  })
  runUntil(TROUBLE_MS)
  // A machine that was stopped at the end wakes up; what is left is what the system makes of it.
  const atEnd = clients.map(({ seenTick }) => seenTick)
  runUntil(TROUBLE_MS + QUIET_MS)

  // What must be.
  const match = stored.get(ID)
  // The very first request may have failed: then there never was a match.
  if (match === undefined || loggedBy.size === 0 || clients.every(({ seenTick }) => seenTick === 0)) {
    return { problems, ticks: 0, ...counts, returns: 0, hashes: 0 }
  }
  const owners = slots.flatMap(({ rooms, isAlive }) => (isAlive ? [...rooms].filter(({ isOpen }) => isOpen) : []))
  const owner = owners.find(({ log }) => log.epoch === match.epoch)
  if (owner === undefined || owner.keeper.state !== 'kept') {
    problems.push(`in the end nobody owns the match (epoch ${match.epoch}, ${owner?.keeper.state})`)
    return { problems, ticks: 0, ...counts, returns: 0, hashes: 0 }
  }
  if (owners.length > 1) problems.push(`${owners.length} processes run the match in the end`)
  const { hashes } = judge({ owner, clients, atEnd }, problems)
  const returns = clients.reduce((sum, client) => sum + client.returns, 0)
  return { problems, ticks: owner.host.world.tick, ...counts, returns, hashes }
}
