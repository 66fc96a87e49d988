/**
 * Matches that outlive their process: what a server needs to keep them, wherever that is, and the folder of a single process.
 *
 * With a folder there is one process: when it starts it goes on with what it finds, and when it stops it leaves them to the one that is
 * started next. Several processes share a Redis: `redis-matches.ts`.
 */

import { matchMaker } from '@colyseus/core'
import { GameRoom, type MatchKeeping, type ReplaySink } from '@hurtbox/colyseus'
import type { KeeperState, MatchLog, MatchStore, TakenMatch } from '@hurtbox/netcode/host'
import { endReplayAt, replayOfLog, replayUpTo } from 'hurtbox/replay'
import type { Logger } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Holder } from './folder-claim.ts'
import type { FolderStore } from './folder-store.ts'

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
  /** Whether a match that is in no room is kept, and may be in one again. */
  isWaiting(id: string): Promise<boolean>
  close(): Promise<void>
}

export type ServiceOptions = {
  readonly whenStoreFails?: 'go-on' | 'freeze'
  readonly replays?: ReplaySink
  readonly metrics: Metrics
  readonly log: Logger
}

export const UNREADABLE = 'match not taken over: it cannot be read now, and is tried again later'

/** How often a process looks whether the folder that another uses has become free. */
const CLAIM_EVERY_MS = 500

/**
 * Matches in a folder, of one process at a time. While another uses it, this one serves without keeping its matches; when the folder becomes
 * free it goes on with what it finds, as in a rolling deploy on one volume.
 */
export function folderMatches(store: FolderStore, options: ServiceOptions): MatchService {
  const { log } = options
  const keeping = createKeeping(store, options)
  let known: Readonly<Record<string, string>> = {}
  let toldOf = ''
  const claim = async () => {
    if (store.isOurs) return
    const holder = await store.claim()
    if (holder === undefined) await goOn(store, keeping, known, options)
    else if (holder.id !== toldOf) log.warn(inUse(store.path, holder))
    toldOf = holder?.id ?? ''
  }
  const tryClaim = shielded(claim, log)
  let timer: NodeJS.Timeout | undefined
  return {
    keeping,
    async start(games) {
      known = games
      await claim()
      timer = setInterval(tryClaim, CLAIM_EVERY_MS)
    },
    async drain() {
      // The process that is started next goes on with them.
      await Promise.all(keptRooms().map((room) => leave(room, async () => {}, log)))
      return []
    },
    isStranded: () => false,
    isWaiting: async (id) => (await store.list()).includes(id),
    async close() {
      clearInterval(timer)
      await store.close()
    },
  }
}

function inUse(path: string, { pid, host }: Holder): string {
  return `matches are not kept while process ${pid} of ${host} uses ${path}; they are when it ends. For both at once give one another folder: --data-dir, or DATA_DIR`
}

/** Goes on with all matches of a folder that has just become ours. */
async function goOn(
  store: FolderStore,
  keeping: MatchKeeping,
  games: Readonly<Record<string, string>>,
  options: ServiceOptions,
): Promise<void> {
  for (const id of await store.list()) {
    try {
      const taken = await takeFrom(store, id)
      if (taken === undefined) continue
      if (games[taken.record.room] === taken.record.fingerprint) await resume(keeping, taken, options.log)
      else await endOld(taken, options)
    } catch (error) {
      options.log.warn({ match: id, err: String(error) }, UNREADABLE)
    }
  }
}

export function createKeeping(store: MatchStore, { whenStoreFails, metrics, log }: ServiceOptions): MatchKeeping {
  return {
    store: timedStore(store, (seconds) => metrics.logSeconds.observe(seconds)),
    taken: new Map(),
    ...(whenStoreFails && { whenStoreFails }),
    onState(roomId: string, state: KeeperState, problem: Error | undefined) {
      metrics.matchLog.inc({ state })
      if (state === 'kept') log.info({ room: roomId }, 'match is kept again')
      else if (state === 'fenced') log.warn({ room: roomId }, 'match was taken over by another process')
      else log.error({ room: roomId, err: problem?.message }, 'match is not kept: it would not survive this process')
    },
    onProblem: (roomId, problem) => log.error({ room: roomId, problem }, 'match taken over with a loss'),
  }
}

/** A store that tells how long the log took to have a tick. */
function timedStore(store: MatchStore, observe: (seconds: number) => void): MatchStore {
  const timed = (log: MatchLog): MatchLog => ({
    ...log,
    append(entry, done) {
      const from = performance.now()
      log.append(entry, (error) => {
        if (error === undefined) observe((performance.now() - from) / 1000)
        done(error)
      })
    },
  })
  return {
    create: (record, done) => store.create(record, (error, log) => done(error, log && timed(log))),
    take: (id, done) => store.take(id, (error, taken) => done(error, taken && { ...taken, log: timed(taken.log) })),
  }
}

export function takeFrom(store: MatchStore, id: string): Promise<TakenMatch | undefined> {
  return new Promise((resolve, reject) => {
    store.take(id, (error, taken) => (error === undefined ? resolve(taken) : reject(error)))
  })
}

/** Makes a room that goes on with the match, under the same id. */
export async function resume({ taken: waiting }: MatchKeeping, taken: TakenMatch, log: Logger): Promise<void> {
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
export async function endOld({ record, entries, replay, log: matchLog }: TakenMatch, { replays, log }: ServiceOptions) {
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

export function keptRooms(): GameRoom[] {
  return localRooms().filter(({ isKept }) => isKept)
}

/** Hands a match over: stops it, waits until it is elsewhere, and tells the players to find it. */
export async function leave(room: GameRoom, whenElsewhere: () => Promise<void>, log: Logger): Promise<void> {
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

/** One at a time, once more when it was asked for meanwhile, and never an unhandled rejection. */
export function shielded(work: () => Promise<void>, log: Logger): () => void {
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
