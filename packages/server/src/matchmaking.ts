/**
 * `POST /matchmake/<method>/<room>`: seats, as the Colyseus SDK asks for them.
 *
 * Colyseus brings a route for this. It reads bodies of any size, answers every origin and counts nothing, so this is our
 * own in front of the same matchmaker.
 */

import type { IncomingMessage } from 'node:http'
import { ErrorCode, matchMaker, ServerError } from '@colyseus/core'
import { type ClaimAnswer, GameRoom, type RoomMetadata, type SeatContext } from '@hurtbox/colyseus'
import { type Hello, refusalOfRoom } from '@hurtbox/netcode'
import { Late, withinTime } from './deadlines.ts'
import type { Limits } from './limits.ts'
import type { ProcessLoad } from './process-load.ts'
import { createRateLimit } from './rates.ts'
import type { Reservations } from './reservations.ts'
import { type Answer, json, Refusal, readJsonObject } from './responses.ts'
import type { RoomSort } from './server.ts'
import { whenServed } from './whereabouts.ts'

const MATCHMAKE_PATH = /^\/matchmake\/(joinOrCreate|create|join|joinById|reconnect)\/([A-Za-z0-9_-]{1,64})$/

export type Matchmaking = {
  /** Answers the request, or returns that it is of another sort. */
  answer(path: string, request: IncomingMessage, address: string): Promise<Answer> | undefined
}

/** A seat somebody asks for, the token that says who, and the page that asks. */
type Wanted = {
  readonly method: string
  readonly name: string
  readonly token: string
  readonly origin: string | undefined
}

/** For players whose match ends with the last process of its build. */
export const NEW_BUILD = 'The server has a new build of the game, and your match was of the old one. Reload the page.'

const ENDED = 'the match has ended'
/** Nothing is known of matches that ended with the process before. */
const RESTARTED = 'the server was restarted, and the match has ended'
const JUST_STARTED_SECONDS = 180

function moving(): Refusal {
  return new Refusal(503, 'moving', 'the match is in no process now; ask again')
}

export type MatchmakingOptions = {
  readonly limits: Limits
  readonly reservations: Reservations
  /** Whether the match of a room goes on only in processes of another build. */
  readonly isStranded: (roomId: string) => boolean
  /** Whether the match of a room that is not there may be in one again. */
  readonly isWaiting: (roomId: string) => Promise<boolean>
}

export function createMatchmaking({ limits, reservations, isStranded, isWaiting }: MatchmakingOptions): Matchmaking {
  const maySit = createRateLimit(limits.seatsPerAddress)
  const mayReturn = createRateLimit(limits.returnsPerAddress)
  const mayOpen = createRateLimit(limits.roomsPerAddress)

  async function reserve(method: string, name: string, request: IncomingMessage, address: string): Promise<Answer> {
    if (matchMaker.state !== matchMaker.MatchMakerState.READY) {
      throw new Refusal(503, 'not-ready', 'the server is starting or shutting down')
    }
    const mayAsk = method === 'reconnect' ? mayReturn : maySit
    if (!mayAsk(address)) throw new Refusal(429, 'seats', 'too many seats asked for; wait a little')
    const options = await readJsonObject(request, limits.bodyBytes)
    try {
      const wanted = { method, name, token: bearerOf(request), origin: request.headers.origin }
      return await withinTime(seat(wanted, options, address), PATIENCE_MS)
    } catch (error) {
      if (!(error instanceof Late)) throw error
      throw new Refusal(503, 'timeout', 'the servers cannot agree on a room now; try again')
    }
  }

  async function seat(
    { method, name, token, origin }: Wanted,
    asked: Readonly<Record<string, unknown>>,
    address: string,
  ): Promise<Answer> {
    const isKnown = method === 'reconnect' || method === 'joinById'
    if (isKnown && isStranded(name)) throw new Refusal(426, 'build', NEW_BUILD)
    if (method === 'reconnect') return giveBack(name, asked.reconnectionToken)
    if (!reservations.hold(address)) {
      throw new Refusal(429, 'seats', 'take the seats you have reserved, or wait a little')
    }
    const options = { ...asked, ...buildOf(asked.hello) }
    try {
      if ((await opensRoom(method, name, options)) && !mayOpen(address)) {
        throw new Refusal(429, 'rooms', 'too many rooms opened; wait a little')
      }
      const isOfRoom = method === 'joinById' && (await isRoomOf(name, asked.hello))
      const context: SeatContext = { ip: address, headers: new Headers(), token, isOfRoom }
      const seat = await matchMaker.controller.invokeMethod(method, name, options, context)
      reservations.keep(address, seat.sessionId, origin)
      return json(200, seat)
    } catch (error) {
      reservations.release(address)
      return refused(error)
    }
  }

  /** A seat that its player had before. It is kept already, so nothing is reserved. */
  async function giveBack(roomId: string, claim: unknown): Promise<Answer> {
    if (!(await whenServed(roomId))) throw moving()
    const room = await matchMaker.getRoomById(roomId)
    if (room === undefined) {
      if (await isWaiting(roomId)) throw moving()
      const hasJustStarted = process.uptime() < JUST_STARTED_SECONDS
      return json(410, { code: 410, error: hasJustStarted ? RESTARTED : ENDED })
    }
    if (!isGameRoom(room)) {
      const options = { reconnectionToken: claim }
      return json(200, await matchMaker.controller.invokeMethod('reconnect', roomId, options).catch(refused))
    }
    // A room in another process may be on its way to a third.
    const asked = matchMaker.remoteRoomCall<GameRoom>(roomId, 'answerClaim', [claim])
    const answer: ClaimAnswer = await asked.catch(() => Promise.reject(moving()))
    if ('sessionId' in answer) return json(200, matchMaker.buildSeatReservation(room, answer.sessionId))
    return json(answer.code, { code: answer.code, error: answer.message })
  }

  return {
    answer(path, request, address) {
      if (!path.startsWith('/matchmake/')) return undefined
      const [, method, name] = MATCHMAKE_PATH.exec(path) ?? []
      if (method === undefined) throw new Refusal(404, 'path', 'there is no such way to a room')
      if (request.method !== 'POST') throw new Refusal(405, 'method', 'matchmaking takes POST')
      return reserve(method, name, request, address)
    },
  }
}

/** Whether a room is of ours, and not of a class of the operator's own. */
function isGameRoom({
  roomId,
  metadata,
}: {
  readonly roomId: string
  readonly metadata?: Partial<RoomMetadata>
}): boolean {
  const local = matchMaker.getLocalRoomById(roomId)
  return local === undefined ? metadata?.fingerprint !== undefined : local instanceof GameRoom
}

/** The token of a player, as the SDK sends it. */
function bearerOf({ headers }: IncomingMessage): string {
  return /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
}

/** What rooms are found by, as their listing has it. */
function buildOf(hello: unknown): Partial<Hello> {
  if (typeof hello !== 'object' || hello === null) return {}
  const { protocol, fingerprint } = hello as Hello
  return { protocol, fingerprint }
}

/**
 * Whether the listing of a room says that it is of the client's build; refuses when it says another. While a deploy is under way a
 * room may be of another build than this process, whose own rules would turn its players away.
 */
async function isRoomOf(roomId: string, hello: unknown): Promise<boolean> {
  const room = await matchMaker.getRoomById(roomId)
  const { protocol, fingerprint } = (room?.metadata ?? {}) as Partial<RoomMetadata>
  if (room === undefined || protocol === undefined || fingerprint === undefined) return false
  const refusal = refusalOfRoom(room.name, { protocol, fingerprint }, hello)
  if (refusal !== undefined) throw new ServerError(426, refusal)
  return true
}

/** How long players wait for a Redis that is away. */
const PATIENCE_MS = 8_000

/** Checked before the matchmaker runs: two simultaneous requests may both count as opening the one room they share. */
async function opensRoom(method: string, name: string, options: object): Promise<boolean> {
  if (method === 'create') return true
  if (method !== 'joinOrCreate' || !matchMaker.getRoomClass(name)) return false
  return (await matchMaker.findOneRoomAvailable(name, options)) === undefined
}

/** Colyseus's own messages under the code that it also uses for errors of a room. */
const ITS_OWN_WORDS = /is already full\.$|is not available\.$|shutting down$/

/** In the form the SDK reads: the status is the code, the sentence is for people. What failed inside is for the log. */
function refused(error: unknown): Answer {
  if (!(error instanceof ServerError)) throw error
  const { code, message } = error
  if (code === ErrorCode.MATCHMAKE_UNHANDLED && !ITS_OWN_WORDS.test(message)) throw error
  return json(code >= 400 && code <= 599 ? code : 500, { code, error: message })
}

/** Where each process says how busy it is and which builds it has, for those that place rooms. */
const LOAD_KEY = 'hurtbox:load'

/** What a process says of itself. `share` is null when it is too busy for another room. */
type Published = { readonly share: number | null; readonly builds: Readonly<Record<string, string>> }

/** Publishes how busy this process is to the others. */
export async function publishLoad(load: ProcessLoad, sorts: readonly RoomSort[]): Promise<void> {
  await matchMaker.presence.hset(LOAD_KEY, matchMaker.processId, JSON.stringify(describe(load, sorts)))
}

/** A process that is gone, this one or another, is busy no more. */
export async function withdrawLoad(processId: string): Promise<void> {
  await matchMaker.presence.hdel(LOAD_KEY, processId)
}

function describe(load: ProcessLoad, sorts: readonly RoomSort[]): Published {
  const builds = sorts.map(({ name, hello }) => [name, hello ? `${hello.protocol} ${hello.fingerprint}` : ''])
  return { share: load.isBusy() ? null : load.share(), builds: Object.fromEntries(builds) }
}

function readPublished(text: string | undefined): Published | undefined {
  try {
    const read = JSON.parse(text ?? 'null')
    return typeof read?.builds === 'object' ? read : undefined
  } catch {
    return undefined
  }
}

/**
 * Where a new room is made: in the process that is least busy, by tenths, and among those in the one with the fewest rooms.
 * A process that is busy, has as many rooms as its memory is good for, or has another build of the game, gets none.
 */
export function createPlacement(
  maxRooms: number,
  load: ProcessLoad,
  sorts: readonly RoomSort[],
  onBusy: () => void,
): matchMaker.SelectProcessIdCallback {
  return async (name) => {
    const [processes, loads] = await Promise.all([matchMaker.stats.fetchAll(), matchMaker.presence.hgetall(LOAD_KEY)])
    const own = describe(load, sorts)
    const able = processes.flatMap(({ processId, roomCount }) => {
      const said = processId === matchMaker.processId ? own : readPublished(loads?.[processId])
      if (said === undefined || said.builds[name] !== own.builds[name]) return []
      return [{ processId, roomCount, share: said.share ?? Number.POSITIVE_INFINITY }]
    })
    const open = able.filter(({ roomCount }) => roomCount < maxRooms)
    if (able.length > 0 && open.length === 0) throw new ServerError(503, 'the server is full; try again later')
    const [best] = open
      .filter(({ share }) => share < Number.POSITIVE_INFINITY)
      .sort((a, b) => Math.floor(a.share * 10) - Math.floor(b.share * 10) || a.roomCount - b.roomCount)
    if (best === undefined && (open.length > 0 || load.isBusy())) {
      onBusy()
      throw new ServerError(503, 'the server is busy; try again later')
    }
    const chosen = best?.processId ?? matchMaker.processId
    if (chosen === matchMaker.processId) load.opened()
    return chosen
  }
}
