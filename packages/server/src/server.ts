/**
 * The server: rooms, sockets and pages on one port.
 *
 * Colyseus brings the matchmaker, the rooms and the sockets. The HTTP side is our own (see requests.ts), so Colyseus's
 * `Server` is made for its life cycle but never asked to listen. Its matchmaker is one per process, and so are we.
 */

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CloseCode, Server as ColyseusServer, matchMaker, type Room } from '@colyseus/core'
import type { GameRoom } from '@hurtbox/colyseus'
import type { Hello } from '@hurtbox/netcode'
import { HurtboxError } from 'hurtbox'
import { isLoopback } from './addresses.ts'
import { type Assets, loadAssets } from './assets.ts'
import { type Connections, createConnections } from './connections.ts'
import { shared, withinTime } from './deadlines.ts'
import { LIMITS, type Limits } from './limits.ts'
import { colyseusLogger, createLog, type Logger } from './log.ts'
import { localRooms, type MatchService, noteRoom } from './matches/service.ts'
import { createPlacement, NEW_BUILD, publishLoad, withdrawLoad } from './matchmaking.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createOrigins, type Origins } from './origins.ts'
import { createProcessLoad, MEASURE_MS, type ProcessLoad } from './process-load.ts'
import { readPublicAddress, requireReachable, writePublicAddress } from './public-address.ts'
import { connectRedis, startJanitor } from './redis.ts'
import { createHttpServer } from './requests.ts'
import { createReservations, type Reservations } from './reservations.ts'
import { createRoomList } from './room-list.ts'
import type { Fetch } from './routes.ts'
import { GuardedTransport } from './sockets.ts'
import { limitYoungHeap } from './young-heap.ts'

/** A sort of room: what clients ask for, and the class that serves it. */
export type RoomSort = {
  readonly name: string
  readonly room: new () => Room
  /** For people. Default: the name. */
  readonly title?: string
  /** How many can play, for the list of rooms. Default: as many as may be in the room. */
  readonly seats?: number
  /** Which rules it plays: matches of other rules are not continued. */
  readonly fingerprint?: string
  /** False for a lobby or a queue: it is in no list of rooms. Default true. */
  readonly isGame?: boolean
  /** What a client must say to be in its rooms. Without it they are found by name only. */
  readonly hello?: Hello
}

export type ServerOptions = {
  readonly rooms: readonly RoomSort[]
  /** Folder with a built page. Default: a page that lists the rooms. */
  readonly pageFolder?: string
  /** What the page may load besides its own files: directives of the content security policy. */
  readonly policy?: Readonly<Record<string, string>>
  /** Answers requests that the server itself does not. */
  readonly fetch?: Fetch
  /** Folder the rooms write replays to. */
  readonly replayFolder?: string
  /** For the monitor and the metrics. Default: a new one for each start. */
  readonly token?: string
  /** Origins of pages elsewhere that may talk to the server. */
  readonly origins?: readonly string[]
  /** Whether pages of other ports of this machine may, too, such as those of a development server. Default false. */
  readonly localPages?: boolean
  /** How many proxies of the operator stand in front and append to `X-Forwarded-For`. */
  readonly proxies?: number
  /** Share rooms with other processes through this Redis. */
  readonly redisUrl?: string
  /** Under which clients reach this very process: `host:port` or `https://host/path/`. Only for several; default: where it listens. */
  readonly publicAddress?: string
  readonly limits?: Limits
  /** Keeps running matches beyond the life of the process. */
  readonly matches?: MatchService
  readonly log?: Logger
  readonly metrics?: Metrics
}

export type HurtboxServer = {
  readonly token: string
  readonly metrics: Metrics
  /** Starts to serve; port 0 takes a free one. Returns the address as people type it. */
  listen(port: number, host: string): Promise<string>
  /** Hands matches over to other processes, or to the one that is started next; waits so long for those that nobody can take. */
  drain(seconds: number): Promise<void>
  /** Ends matches, notifies the clients, and returns when everything is closed. */
  close(): Promise<void>
}

const HOME_FOLDER = fileURLToPath(new URL('../home', import.meta.url))
const MONITOR_FOLDER = fileURLToPath(new URL('../monitor', import.meta.url))
/** Rooms have this long to end their matches. */
const CLOSE_MS = 8_000

/** As long as Colyseus keeps a seat for a socket that does not come. */
const RESERVED_MS = 15_000

let isTaken = false

/** What the parts of a server share, made once; and what changes while it runs. */
type Parts = {
  readonly options: ServerOptions
  readonly limits: Limits
  readonly proxies: number
  readonly token: string
  readonly log: Logger
  readonly metrics: Metrics
  readonly origins: Origins
  readonly connections: Connections
  readonly reservations: Reservations
  readonly load: ProcessLoad
  readonly http: HttpServer
  /** Tells the other processes how busy this one is. */
  readonly publish: () => Promise<void>
  /** Undefined while it does not serve. */
  colyseus: ColyseusServer | undefined
  isExposed: boolean
  stopJanitor: () => void
  loadTimer: NodeJS.Timeout | undefined
  /** Matches that end because only processes of another build are left. */
  stranded: readonly string[]
}

export function createServer(options: ServerOptions): HurtboxServer {
  const parts = createParts(options)
  const { token, metrics } = parts
  return {
    token,
    metrics,
    listen: (port, host) => listen(parts, port, host),
    drain: (seconds) => drain(parts, seconds),
    close: () => close(parts),
  }
}

function createParts(options: ServerOptions): Parts {
  const { limits = LIMITS, log = createLog('silent'), token = randomBytes(18).toString('base64url') } = options
  const { metrics = createMetrics(), proxies = 0, replayFolder, matches } = options
  const origins = createOrigins({
    listed: options.origins ?? [],
    publicAddress: options.publicAddress,
    proxies,
    localPages: options.localPages ?? false,
    isExposed: () => parts.isExposed,
    warn: (sentence) => log.warn(sentence),
  })
  const connections = createConnections(limits, proxies, (reason) => metrics.refused.inc({ reason }))
  const reservations = createReservations(limits.reservationsPerAddress, RESERVED_MS)
  const load = createProcessLoad(limits, () => matchMaker.stats.local.roomCount)
  const http = createHttpServer({
    limits,
    connections,
    reservations,
    origins,
    proxies,
    token,
    policy: options.policy ?? {},
    fetch: options.fetch,
    page: loadPage(options.pageFolder ?? HOME_FOLDER),
    monitor: loadAssets(MONITOR_FOLDER),
    replayFolder,
    roomList: createRoomList(options.rooms),
    isStranded: (roomId) => matches?.isStranded(roomId) === true,
    isWaiting: async (roomId) => (await matches?.isWaiting(roomId)) === true,
    metrics,
    log,
  })
  const parts: Parts = {
    options,
    limits,
    proxies,
    token,
    log,
    metrics,
    origins,
    connections,
    reservations,
    load,
    http,
    // One at a time: commands to a Redis that is away wait in memory.
    publish: shared(() => publishLoad(load, options.rooms), MEASURE_MS),
    colyseus: undefined,
    isExposed: false,
    stopJanitor: () => {},
    loadTimer: undefined,
    stranded: [],
  }
  return parts
}

async function listen(parts: Parts, port: number, host: string): Promise<string> {
  const { options, http, log, publish } = parts
  const isCluster = options.redisUrl !== undefined
  if (isTaken) throw new HurtboxError('bad-argument', 'A process runs one server at a time; close the other first.')
  isTaken = true
  try {
    requireReachable({ ...options, host })
    parts.isExposed = !isLoopback(host)
    http.listen(port, host)
    await once(http, 'listening')
    const address = `${host.includes(':') ? `[${host}]` : host}:${(http.address() as AddressInfo).port}`
    parts.colyseus = startColyseus(parts, address)
    await matchMaker.accept()
    if (isCluster) parts.stopJanitor = startJanitor(log)
    // Until the others know its builds they make no rooms here.
    if (isCluster) publish().catch(() => {})
    await options.matches?.start(fingerprintsOf(options.rooms))
    parts.loadTimer = setInterval(measureLoad, MEASURE_MS, parts)
    log.info({ address, processId: matchMaker.processId, games: options.rooms.map(({ name }) => name) }, 'listening')
    return `http://${address}`
  } catch (error) {
    isTaken = false
    http.close()
    throw error
  }
}

async function drain(parts: Parts, seconds: number): Promise<void> {
  const { colyseus, options, log } = parts
  if (colyseus === undefined) return
  log.info({ seconds }, 'draining')
  // New rooms are for the others. A Redis that is away must not keep us.
  matchMaker.stats.excludeProcess(matchMaker.processId)?.catch(() => {})
  parts.stranded = (await options.matches?.drain(seconds)) ?? []
}

async function close(parts: Parts): Promise<void> {
  const { colyseus, options, http, log, stranded } = parts
  if (colyseus === undefined) return
  parts.stopJanitor()
  clearInterval(parts.loadTimer)
  if (options.redisUrl !== undefined) withdrawLoad(matchMaker.processId).catch(() => {})
  log.info('closing')
  // First what needs no Redis: without one Colyseus waits for it before it ends anything.
  await Promise.all(localRooms().map((room) => endRoom(room, stranded.includes(room.roomId) ? NEW_BUILD : STOPPED)))
  const transport = colyseus.transport as GuardedTransport
  const timeout = setTimeout(() => transport.shutdown(), CLOSE_MS)
  await withinTime(colyseus.gracefullyShutdown(false), CLOSE_MS).catch((error) => {
    log.warn({ err: String(error) }, 'rooms are closed, the other processes could not be told')
    transport.shutdown()
  })
  clearTimeout(timeout)
  await options.matches?.close()
  for (const { name } of options.rooms) matchMaker.removeRoomType(name)
  await new Promise<void>((resolve) => {
    http.close(() => resolve())
    http.closeAllConnections()
  })
  parts.colyseus = undefined
  isTaken = false
  log.info('closed')
}

function measureLoad({ load, metrics, options, publish }: Parts): void {
  load.measure()
  limitYoungHeap()
  metrics.load.set(load.share())
  if (options.redisUrl !== undefined) publish().catch(() => {})
}

function startColyseus(parts: Parts, address: string): ColyseusServer {
  const { options, limits, log, metrics, load, http, connections, origins, reservations, proxies } = parts
  const { redisUrl, rooms, publicAddress } = options
  const outside = publicAddress && writePublicAddress(readPublicAddress(publicAddress))
  const cluster = redisUrl === undefined ? undefined : connectRedis(redisUrl, log)
  const transport = new GuardedTransport(http, {
    limits,
    connections,
    origins,
    reservations,
    proxies,
    events: {
      onRefused(reason, from) {
        metrics.refused.inc({ reason })
        log.debug({ reason, from }, 'socket refused')
      },
      onTraffic(receivedBytes, sentBytes) {
        metrics.clientBytesPerSecond.observe({ direction: 'in' }, receivedBytes)
        metrics.clientBytesPerSecond.observe({ direction: 'out' }, sentBytes)
      },
    },
  })
  const server = new ColyseusServer({
    transport,
    logger: colyseusLogger(log),
    greet: false,
    gracefullyShutdown: false,
    selectProcessIdToCreateRoom: createPlacement(limits.rooms, load, rooms, () =>
      metrics.refused.inc({ reason: 'load' }),
    ),
    ...(cluster && { ...cluster, publicAddress: outside ?? address }),
  })
  const hasLobby = rooms.some(({ isGame }) => isGame === false)
  for (const sort of rooms) defineRoomSort(sort, hasLobby, metrics)
  return server
}

/** A folder that was never built is the usual mistake here. */
function loadPage(folder: string): Assets {
  if (existsSync(join(folder, 'index.html'))) return loadAssets(folder)
  throw new HurtboxError('bad-argument', `There is no index.html in ${folder}. Build the page first.`)
}

const STOPPED = 'the server was stopped'

/** Ends the match with its replay, and tells the players that the server goes. */
async function endRoom(room: GameRoom, reason: string): Promise<void> {
  await room.endMatch()
  for (const client of room.clients) client.leave(CloseCode.SERVER_SHUTDOWN, reason)
}

function fingerprintsOf(rooms: readonly RoomSort[]): Record<string, string> {
  return Object.fromEntries(rooms.flatMap(({ name, fingerprint }) => (fingerprint ? [[name, fingerprint]] : [])))
}

function defineRoomSort({ name, room, hello, isGame = true }: RoomSort, hasLobby: boolean, metrics: Metrics): void {
  const game = { game: name }
  metrics.rooms.set(game, 0)
  metrics.clients.set(game, 0)
  const type = matchMaker.defineRoomType(name, room)
  // Lobbies are told of rooms as they come and go.
  if (isGame && hasLobby) type.enableRealtimeListing()
  type
    // Processes of two builds may share a Redis.
    .filterBy(hello === undefined ? [] : ['protocol', 'fingerprint'])
    .on('create', (made) => {
      noteRoom(made, true)
      metrics.rooms.inc(game)
    })
    .on('dispose', (closed) => {
      noteRoom(closed, false)
      metrics.rooms.dec(game)
    })
    .on('join', () => metrics.clients.inc(game))
    .on('leave', () => metrics.clients.dec(game))
}
