/**
 * Matches that outlive their process: where they are kept, who goes on with them, and how a process leaves.
 *
 * With a folder there is one process: when it starts it goes on with what it finds. With Redis every process looks several
 * times a second which matches have no living owner, and takes its share. A process that is asked to stop writes a last
 * checkpoint of each match, lets another process take it, and then tells the players; matches that no other process can go
 * on with (other rules, or no other process) may end within the time that is left, and are ended with their replay then.
 */

import { matchMaker } from '@colyseus/core'
import { GameRoom, listingOf, type MatchKeeping, type ReplaySink } from '@hurtbox/colyseus'
import {
  canBeTaken,
  Fenced,
  type KeeperState,
  type ListedMatch,
  type Looks,
  type MatchStore,
  matchesToTake,
  type ProcessView,
  type TakenMatch,
  withoutOwner,
} from '@hurtbox/netcode/host'
import { endReplayAt, replayOfLog, replayUpTo } from 'hurtbox/replay'
import type { Logger } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { createFailures } from './failures.ts'
import type { FolderStore } from './folder-store.ts'
import type { RedisStore } from './redis-store.ts'

export type MatchService = {
  readonly keeping: MatchKeeping
  /** Goes on with matches of the store, from now on. `games`: fingerprints by name of the room. */
  start(games: Readonly<Record<string, string>>): Promise<void>
  /**
   * Hands the matches of this process over; returns when all are gone, or the time is over: then the ids of those that are left because
   * the other processes have another build.
   */
  drain(seconds: number): Promise<readonly string[]>
  /** Whether a match has lost its process, and those that are left have another build. */
  isStranded(id: string): boolean
  close(): Promise<void>
}

export type ServiceOptions = {
  readonly whenAway?: 'go-on' | 'freeze'
  readonly replays?: ReplaySink
  readonly metrics: Metrics
  readonly log: Logger
}

/** A process counts as dead when it has not renewed its lease for so long. It renews it much more often. */
const LEASE_MS = 2_500
const RENEW_MS = 500
const LOOK_MS = 100
/** Looks until a match that no process can go on with is ended: half a minute, in which its build may come back. */
const STRANGER_LOOKS = 300
/** Looks until its players are told: at the first a process may be missing that is about to announce itself. */
const STRANDED_LOOKS = 2
/** How long a match that was released may wait for its new owner before the players are told anyway. */
const TAKEN_MS = 3_000
const UNREADABLE = 'match not taken over: it cannot be read now, and is tried again later'

/** Matches in a folder, of this process alone. */
export function folderMatches(store: FolderStore, options: ServiceOptions): MatchService {
  const { log } = options
  const keeping = createKeeping(store, options)
  return {
    keeping,
    async start(games) {
      for (const id of store.list()) {
        try {
          const taken = await takeFrom(store, id)
          if (taken === undefined) continue
          if (games[taken.record.room] === taken.record.fingerprint) await resume(keeping, taken, log)
          else await endOld(taken, options)
        } catch (error) {
          log.warn({ match: id, err: String(error) }, UNREADABLE)
        }
      }
    },
    async drain() {
      // The process that is started next goes on with them.
      await Promise.all(keptRooms().map((room) => leave(room, async () => {}, log)))
      return []
    },
    isStranded: () => false,
    async close() {
      store.close()
    },
  }
}

/** Matches in Redis, of all processes that share it. The connection is made when it starts: only then has the process an id. */
export function redisMatches(
  connect: (processId: string) => Promise<RedisStore>,
  options: ServiceOptions,
): MatchService {
  const { log } = options
  let store!: RedisStore
  let self = ''
  const later: MatchStore = {
    create: (record, done) => store.create(record, done),
    take: (id, done) => store.take(id, done),
  }
  const keeping = createKeeping(later, options)
  const looks: Looks = new Map()
  const pending = new Set<string>()
  const strange: Looks = new Map()
  const failures = createFailures()
  let view: ProcessView = { id: '', games: {}, isLeaving: false }
  let timers: NodeJS.Timeout[] = []
  const announce = shielded(() => store.announce(view, LEASE_MS))
  const look = shielded(async () => {
    if (view.isLeaving) return
    const [processes, matches] = await Promise.all([store.processes(), store.list()])
    const isRun = (id: string) => pending.has(id) || matchMaker.getLocalRoomById(id) !== undefined
    const seen = matches.map((match) => withoutOwner(match, self, isRun(match.id)))
    const listed = new Set(matches.map(({ id }) => id))
    failures.forgetOthers(listed)
    for (const id of strange.keys()) if (!listed.has(id)) strange.delete(id)
    const readable = seen.filter(({ id }) => failures.mayTry(id, performance.now()))
    const wanted = matchesToTake(self, processes, readable, looks)
    await Promise.all(wanted.map(takeOver))
    await Promise.all(strangers(processes, readable).map(endStranger))
    await leaveLost(matches)
    await relist(matches)
  })

  /** A room without players writes nothing, so it would never notice that it lost its match. */
  async function leaveLost(matches: readonly ListedMatch[]): Promise<void> {
    const isOthers = (owner: string | undefined) => owner !== undefined && owner !== '' && owner !== self
    const doubtful = localRooms().filter(({ roomId, isKept }) => {
      return isKept && !pending.has(roomId) && isOthers(matches.find(({ id }) => id === roomId)?.owner)
    })
    // Asked again: what was listed may be from before the takeover of a moment ago.
    for (const room of doubtful) if (isOthers(await store.ownerOf(room.roomId))) await room.moveAway()
  }

  /** Matches that no living process can go on with, after a while: their build is gone. */
  function strangers(processes: readonly ProcessView[], matches: readonly ListedMatch[]): ListedMatch[] {
    return matches.filter((match) => {
      const isLost = !processes.some(({ id }) => id === match.owner) && !canBeTaken('', processes, match)
      const seen = isLost ? (strange.get(match.id) ?? 0) + 1 : 0
      if (isLost) strange.set(match.id, seen)
      else strange.delete(match.id)
      return seen > STRANGER_LOOKS
    })
  }

  /** Our matches that nobody else goes on with because the others have another build of their game. */
  function otherBuilds(processes: readonly ProcessView[], matches: readonly ListedMatch[]): string[] {
    const left = matches.filter(({ id, room }) => {
      return (
        keptRooms().some(({ roomId }) => roomId === id) &&
        processes.some((each) => each.id !== self && each.games[room])
      )
    })
    for (const { id, room } of left)
      log.warn({ room: id, game: room }, 'match ends: the other processes have another build')
    return left.map(({ id }) => id)
  }

  async function endStranger({ id }: ListedMatch): Promise<void> {
    strange.delete(id)
    await taking(id, (taken) => endOld(taken, options))
  }

  async function takeOver({ id }: ListedMatch): Promise<void> {
    pending.add(id)
    await taking(id, (taken) => resume(keeping, taken, log))
    pending.delete(id)
  }

  /** Takes a match. One that cannot be read is tried again, less and less often. */
  async function taking(id: string, then: (taken: TakenMatch) => Promise<void>): Promise<void> {
    try {
      const taken = await takeFrom(store, id)
      if (taken !== undefined) await then(taken)
    } catch (error) {
      // Another was faster.
      if (error instanceof Fenced) return
      if (failures.note(id, performance.now())) log.warn({ match: id, err: String(error) }, UNREADABLE)
    }
  }

  /** A process that was stopped may list a room as its own once more when it wakes up. */
  async function relist(matches: readonly ListedMatch[]): Promise<void> {
    const own = matches.filter(({ id, owner }) => owner === self && matchMaker.getLocalRoomById(id) !== undefined)
    if (own.length === 0) return
    const listed = await matchMaker.findRoomsByIds(own.map(({ id }) => id))
    for (const { id } of own) {
      if (listed.get(id)?.processId === self) continue
      await matchMaker.driver.persist(listingOf(matchMaker.getLocalRoomById(id)), true)
    }
  }

  async function whenTaken(id: string): Promise<void> {
    await store.release(id)
    const until = performance.now() + TAKEN_MS
    while (performance.now() < until) {
      const owner = await store.ownerOf(id)
      const isListed = (await matchMaker.getRoomById(id))?.processId !== self
      if (owner === undefined || (owner !== '' && owner !== self && isListed)) return
      await sleep(10)
    }
  }

  return {
    keeping,
    async start(games) {
      self = matchMaker.processId
      store = await connect(self)
      view = { id: self, games, isLeaving: false }
      await store.announce(view, LEASE_MS)
      await store.onRelease(look)
      timers = [setInterval(announce, RENEW_MS), setInterval(look, LOOK_MS)]
    },
    async drain(seconds) {
      view = { ...view, isLeaving: true }
      const until = performance.now() + seconds * 1000
      try {
        await store.announce(view, LEASE_MS)
        for (;;) {
          const [processes, matches] = await Promise.all([store.processes(), store.list()])
          const rooms = keptRooms()
          const ready = rooms.filter(({ roomId }) =>
            matches.some((match) => match.id === roomId && canBeTaken(self, processes, match)),
          )
          await Promise.all(ready.map((room) => leave(room, () => whenTaken(room.roomId), log)))
          if (rooms.length === ready.length) return []
          if (performance.now() > until) return otherBuilds(processes, matches)
          await sleep(100)
        }
      } catch (error) {
        log.warn({ err: String(error) }, 'matches could not be handed over')
        return []
      }
    },
    isStranded: (id) => (strange.get(id) ?? 0) >= STRANDED_LOOKS,
    async close() {
      for (const timer of timers) clearInterval(timer)
      await Promise.race([store.withdraw(self).catch(() => {}), sleep(500)])
      store.close()
    },
  }

  /** One at a time, once more when it was asked for meanwhile, and never an unhandled rejection. */
  function shielded(work: () => Promise<void>): () => void {
    let isRunning = false
    let isWanted = false
    const run = () => {
      isWanted = isRunning
      if (isRunning) return
      isRunning = true
      work()
        .catch((error) => log.debug({ err: String(error) }, 'matches'))
        .finally(() => {
          isRunning = false
          if (isWanted) run()
        })
    }
    return run
  }
}

function createKeeping(store: MatchStore, { whenAway, metrics, log }: ServiceOptions): MatchKeeping {
  return {
    store,
    taken: new Map(),
    ...(whenAway && { whenAway }),
    onState(roomId: string, state: KeeperState, problem: Error | undefined) {
      metrics.matchLog.inc({ state })
      if (state === 'kept') log.info({ room: roomId }, 'match is kept again')
      else if (state === 'fenced') log.warn({ room: roomId }, 'match was taken over by another process')
      else log.error({ room: roomId, err: problem?.message }, 'match is not kept: it would not survive this process')
    },
    onProblem: (roomId, problem) => log.error({ room: roomId, problem }, 'match taken over with a loss'),
  }
}

function takeFrom(store: MatchStore, id: string): Promise<TakenMatch | undefined> {
  return new Promise((resolve, reject) => {
    store.take(id, (error, taken) => (error === undefined ? resolve(taken) : reject(error)))
  })
}

/** Makes a room that goes on with the match, under the same id. */
async function resume({ taken: waiting }: MatchKeeping, taken: TakenMatch, log: Logger): Promise<void> {
  const { id, room } = taken.record
  const startedAt = performance.now()
  const old = matchMaker.getLocalRoomById(id)
  if (old instanceof GameRoom) await old.moveAway()
  waiting.set(id, taken)
  try {
    await matchMaker.handleCreateRoom(room, {}, undefined, id)
    log.info({ room: id, ms: Math.round(performance.now() - startedAt) }, 'match taken over')
  } catch (error) {
    log.error({ room: id, err: String(error) }, 'match lost: its log cannot be read')
    taken.log.remove(() => {})
  } finally {
    waiting.delete(id)
  }
}

/** A match of other rules cannot go on. What its old build wrote is a whole replay up to the last checkpoint. */
async function endOld({ record, entries, replay, log: matchLog }: TakenMatch, { replays, log }: ServiceOptions) {
  const end = replayOfLog(entries)
  log.warn({ room: record.id, game: record.room }, 'match of another build ended')
  const kept = end && replayUpTo(replay, end.position)
  if (end !== undefined && kept !== undefined) {
    const file = replays?.({
      game: record.room,
      roomId: record.id,
      match: record.match,
      startedAt: new Date(record.startedAt),
    })
    file?.write(kept)
    file?.write(endReplayAt(end.position, end.ticks))
    await file?.end()
  }
  matchLog.remove(() => {})
}

const rooms = new Set<GameRoom>()

/** Called for every room that is made and closed. */
export function noteRoom(room: unknown, isOpen: boolean): void {
  if (!(room instanceof GameRoom)) return
  if (isOpen) rooms.add(room)
  else rooms.delete(room)
}

export function localRooms(): GameRoom[] {
  return [...rooms]
}

function keptRooms(): GameRoom[] {
  return localRooms().filter(({ isKept }) => isKept)
}

/** Hands a match over: stops it, waits until it is elsewhere, and tells the players to find it. */
async function leave(room: GameRoom, whenElsewhere: () => Promise<void>, log: Logger): Promise<void> {
  const { roomId } = room
  const startedAt = performance.now()
  try {
    await room.handOver()
    await whenElsewhere()
    log.info({ room: roomId, ms: Math.round(performance.now() - startedAt) }, 'match handed over')
  } catch (error) {
    log.warn({ room: roomId, err: String(error) }, 'match not handed over')
  }
  await room.moveAway()
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
