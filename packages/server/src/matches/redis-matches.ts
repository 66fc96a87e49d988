/**
 * Matches that outlive their process, in Redis: every process looks several times a second which matches have no living owner, and takes
 * its share.
 *
 * A process that is asked to stop writes a last checkpoint of each match, lets another process take it, and then tells the players; matches
 * that no other process can go on with (other rules, or no other process) may end within the time that is left, and are ended with
 * their replay then.
 */

import { matchMaker } from '@colyseus/core'
import { listingOf, type MatchKeeping } from '@hurtbox/colyseus'
import {
  canBeTaken,
  Fenced,
  type ListedMatch,
  type Looks,
  type MatchLog,
  matchesToTake,
  type ProcessView,
  type TakenMatch,
  withoutOwner,
} from '@hurtbox/netcode/host'
import { createFailures } from './failures.ts'
import type { RedisStore } from './redis-store.ts'
import {
  createKeeping,
  endOld,
  keptRooms,
  leave,
  localRooms,
  type MatchService,
  resume,
  type ServiceOptions,
  shielded,
  takeFrom,
  UNREADABLE,
} from './service.ts'

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

/** This process among those that share a Redis. */
type Member = {
  readonly options: ServiceOptions
  readonly keeping: MatchKeeping
  /** Made when it starts: only then has the process an id. */
  store: RedisStore
  /** How the others see this process. */
  view: ProcessView
  /** How often each match was seen without an owner, and how often without a process that has its build. */
  readonly looks: Looks
  readonly strange: Looks
  /** Ids of matches that are being taken over. */
  readonly pending: Set<string>
  /** Matches that have ended here, by id, until Redis has removed them: nobody runs them, and nobody may. With a log the removal has failed. */
  readonly ended: Map<string, MatchLog | undefined>
  readonly failures: ReturnType<typeof createFailures>
}

/** Matches in Redis, of all processes that share it. */
export function redisMatches(
  connect: (processId: string) => Promise<RedisStore>,
  options: ServiceOptions,
): MatchService {
  const member: Member = {
    options,
    keeping: createKeeping(
      {
        create(record, done) {
          member.store.create(record, (error, log) => done(error, log && noteEnd(member, record.id, log)))
        },
        take(id, done) {
          member.store.take(id, (error, taken) =>
            done(error, taken && { ...taken, log: noteEnd(member, id, taken.log) }),
          )
        },
      },
      options,
    ),
    store: undefined as unknown as RedisStore,
    view: { id: '', games: {}, isLeaving: false },
    looks: new Map(),
    strange: new Map(),
    pending: new Set(),
    ended: new Map(),
    failures: createFailures(),
  }
  const announce = shielded(() => member.store.announce(member.view, LEASE_MS), options.log)
  const look = shielded(() => lookAround(member), options.log)
  let timers: NodeJS.Timeout[] = []
  return {
    keeping: member.keeping,
    async start(games) {
      const id = matchMaker.processId
      member.store = await connect(id)
      member.view = { id, games, isLeaving: false }
      await member.store.announce(member.view, LEASE_MS)
      await member.store.onRelease(look)
      timers = [setInterval(announce, RENEW_MS), setInterval(look, LOOK_MS)]
    },
    drain: (seconds) => drain(member, seconds),
    isWaiting: async (id) => member.store === undefined || (await member.store.ownerOf(id)) !== undefined,
    isStranded: (id) => (member.strange.get(id) ?? 0) >= STRANDED_LOOKS,
    async close() {
      for (const timer of timers) clearInterval(timer)
      await Promise.race([member.store.withdraw(member.view.id).catch(() => {}), sleep(500)])
      member.store.close()
    },
  }
}

/** Takes over matches that have no owner, and ends those that nobody can go on with. */
async function lookAround(member: Member): Promise<void> {
  const { store, view, looks, strange, pending, ended, failures } = member
  if (view.isLeaving) return
  const [processes, matches] = await Promise.all([store.processes(), store.list()])
  const isRun = (id: string) => pending.has(id) || ended.has(id) || matchMaker.getLocalRoomById(id) !== undefined
  const seen = matches.map((match) => withoutOwner(match, view.id, isRun(match.id)))
  const listed = new Set(matches.map(({ id }) => id))
  failures.forgetOthers(listed)
  for (const id of strange.keys()) if (!listed.has(id)) strange.delete(id)
  const readable = seen.filter(({ id }) => failures.mayTry(id, performance.now()))
  const wanted = matchesToTake(view.id, processes, readable, looks)
  await Promise.all(wanted.map((match) => takeOver(member, match)))
  await Promise.all(strangers(strange, processes, readable).map((match) => endStranger(member, match)))
  removeEnded(member, matches)
  await leaveLost(member, matches)
  await relist(view.id, matches)
}

/** A log that says when its match has ended. Its room is gone at once, and what Redis has of it some answers later. */
function noteEnd({ ended }: Member, id: string, log: MatchLog): MatchLog {
  const own: MatchLog = {
    ...log,
    remove(done) {
      ended.set(id, undefined)
      log.remove((error) => {
        // What another has taken meanwhile is not ours to remove.
        if (error === undefined || error instanceof Fenced) ended.delete(id)
        else ended.set(id, own)
        done(error)
      })
    },
  }
  return own
}

/** Once more those that Redis did not take while it was away. */
function removeEnded({ ended, view }: Member, matches: readonly ListedMatch[]): void {
  for (const [id, log] of ended) {
    if (log === undefined) continue
    if (matches.some((match) => match.id === id && match.owner === view.id)) log.remove(() => {})
    else ended.delete(id)
  }
}

/** A room without players writes nothing, so it would never notice that it lost its match. */
async function leaveLost({ store, view, pending }: Member, matches: readonly ListedMatch[]): Promise<void> {
  const isOthers = (owner: string | undefined) => owner !== undefined && owner !== '' && owner !== view.id
  const doubtful = localRooms().filter(({ roomId, isKept }) => {
    return isKept && !pending.has(roomId) && isOthers(matches.find(({ id }) => id === roomId)?.owner)
  })
  // Asked again: what was listed may be from before the takeover of a moment ago.
  for (const room of doubtful) if (isOthers(await store.ownerOf(room.roomId))) await room.moveAway()
}

/** Matches that no living process can go on with, after a while: their build is gone. */
function strangers(strange: Looks, processes: readonly ProcessView[], matches: readonly ListedMatch[]): ListedMatch[] {
  return matches.filter((match) => {
    const isLost = !processes.some(({ id }) => id === match.owner) && !canBeTaken('', processes, match)
    const seen = isLost ? (strange.get(match.id) ?? 0) + 1 : 0
    if (isLost) strange.set(match.id, seen)
    else strange.delete(match.id)
    return seen > STRANGER_LOOKS
  })
}

async function endStranger(member: Member, { id }: ListedMatch): Promise<void> {
  member.strange.delete(id)
  await taking(member, id, (taken) => endOld(taken, member.options))
}

async function takeOver(member: Member, { id }: ListedMatch): Promise<void> {
  const { pending, keeping, options } = member
  pending.add(id)
  await taking(member, id, (taken) => resume(keeping, taken, options.log))
  pending.delete(id)
}

/** Takes a match. One that cannot be read is tried again, less and less often. */
async function taking(
  { store, failures, options }: Member,
  id: string,
  then: (taken: TakenMatch) => Promise<void>,
): Promise<void> {
  try {
    const taken = await takeFrom(store, id)
    if (taken !== undefined) await then(taken)
  } catch (error) {
    // Another was faster.
    if (error instanceof Fenced) return
    if (failures.note(id, performance.now())) options.log.warn({ match: id, err: String(error) }, UNREADABLE)
  }
}

/** A process that was stopped may list a room as its own once more when it wakes up. */
async function relist(self: string, matches: readonly ListedMatch[]): Promise<void> {
  const own = matches.filter(({ id, owner }) => owner === self && matchMaker.getLocalRoomById(id) !== undefined)
  if (own.length === 0) return
  const listed = await matchMaker.findRoomsByIds(own.map(({ id }) => id))
  for (const { id } of own) {
    if (listed.get(id)?.processId === self) continue
    await matchMaker.driver.persist(listingOf(matchMaker.getLocalRoomById(id)), true)
  }
}

async function drain(member: Member, seconds: number): Promise<readonly string[]> {
  const { store, options } = member
  member.view = { ...member.view, isLeaving: true }
  const { view } = member
  const until = performance.now() + seconds * 1000
  try {
    await store.announce(view, LEASE_MS)
    for (;;) {
      const [processes, matches] = await Promise.all([store.processes(), store.list()])
      const rooms = keptRooms()
      const ready = rooms.filter(({ roomId }) =>
        matches.some((match) => match.id === roomId && canBeTaken(view.id, processes, match)),
      )
      await Promise.all(ready.map((room) => leave(room, () => whenTaken(member, room.roomId), options.log)))
      if (rooms.length === ready.length) return []
      if (performance.now() > until) return otherBuilds(member, processes, matches)
      await sleep(100)
    }
  } catch (error) {
    options.log.warn({ err: String(error) }, 'matches could not be handed over')
    return []
  }
}

async function whenTaken({ store, view }: Member, id: string): Promise<void> {
  await store.release(id)
  const until = performance.now() + TAKEN_MS
  while (performance.now() < until) {
    const owner = await store.ownerOf(id)
    const isListed = (await matchMaker.getRoomById(id))?.processId !== view.id
    if (owner === undefined || (owner !== '' && owner !== view.id && isListed)) return
    await sleep(10)
  }
}

/** Our matches that nobody else goes on with because the others have another build of their game. */
function otherBuilds(
  { view, options }: Member,
  processes: readonly ProcessView[],
  matches: readonly ListedMatch[],
): string[] {
  const left = matches.filter(({ id, room }) => {
    return (
      keptRooms().some(({ roomId }) => roomId === id) &&
      processes.some((each) => each.id !== view.id && each.games[room])
    )
  })
  for (const { id, room } of left)
    options.log.warn({ room: id, game: room }, 'match ends: the other processes have another build')
  return left.map(({ id }) => id)
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
