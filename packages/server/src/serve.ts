/**
 * `serve({ games: [game] })`: rooms of any game and everything around them on one port, until it is stopped.
 *
 * What people read goes to `say`, stderr unless told otherwise; logs go to stdout, one JSON object a line, for collectors. On
 * a terminal only warnings are logged unless more is asked for, since there the address is what matters.
 */

import { Room } from '@colyseus/core'
import type { Auth } from '@hurtbox/colyseus'
import { HurtboxError } from 'hurtbox'
import { type GameModule, type LoadedModule, readModule } from 'hurtbox/module'
import { isLoopback } from './addresses.ts'
import {
  hasDatagrams,
  isAskedFor,
  type OpenDatagrams,
  openDatagrams,
  requireDatagramSettings,
  requireOpen,
  type Udp,
} from './datagrams.ts'
import { readEnvironment } from './environment.ts'
import { folderOf, openMatches, openReplays } from './kept.ts'
import { LIMITS, type Limits, LOAD_TEST_LIMITS } from './limits.ts'
import { createLog, LOG_LEVELS, type LogLevel } from './log.ts'
import { countPort, createMetrics } from './metrics.ts'
import { createResults, type ResultsOptions } from './results.ts'
import { gameRooms } from './rooms.ts'
import type { Fetch } from './routes.ts'
import { createServer, type HurtboxServer, type RoomSort } from './server.ts'
import { stopOnSignal } from './signals.ts'

export type ServeOptions = {
  /** What `defineModule` returned, or what a loader made of it. */
  readonly games: readonly (GameModule | LoadedModule)[]
  /** Rooms of Colyseus that are no games, by the names that clients ask for: a lobby, a queue. */
  readonly rooms?: Readonly<Record<string, new () => Room>>
  /** Answers requests that the server itself does not: a leaderboard, a shop. In the form of hono and other routers: `app.fetch`. */
  readonly fetch?: Fetch
  /** 0 takes a free one. Default: `PORT`, else 2567, or a free one when that is taken. */
  readonly port?: number
  /** `0.0.0.0` for the whole network. Default: `HOST`, else 127.0.0.1. */
  readonly host?: string
  /** Folder with the built page of the game. Default: a page that lists the rooms. */
  readonly page?: string
  /** What the page may load besides its own files, by directive of the content security policy: `{ 'img-src': "'self' https:" }`. */
  readonly policy?: Readonly<Record<string, string>>
  /** Folder for what is kept: replays, running matches, results that wait. Default: `DATA_DIR`, else `.cache`. */
  readonly dataDir?: string
  /** Folder for replays; `false` keeps none. Default: `replays` in `dataDir`. */
  readonly replays?: string | false
  /**
   * Whether what clients sent, when it came and what they had seen is kept beside each replay, for looking into disputes: some
   * 400 bytes a second for each player. Default false.
   */
  readonly track?: boolean
  /**
   * Folder in which running matches are kept: a process that is started again goes on with them. `false` keeps none. Default:
   * `matches` in `dataDir`. With Redis they are kept there, and any process goes on with them.
   */
  readonly matches?: string | false
  /** What a match does while its log cannot be written: it goes on without protection (default), or stands still. */
  readonly whenStoreFails?: 'go-on' | 'freeze'
  /** How long SIGTERM waits for matches that no other process can go on with, before they are ended. Default 5. */
  readonly drainSeconds?: number
  /**
   * Pages elsewhere that may talk to the server: `https://play.example.org`. Default: `ORIGINS`. Its own page always may, but for a
   * server on a loopback address: there the names under which it is opened are listed, too, and pages of other ports of this machine may
   * talk to it, such as those of Vite.
   */
  readonly origins?: readonly string[]
  /** How many proxies of yours stand in front. Default: `PROXIES`, else 0. */
  readonly proxies?: number
  /** Says whose token it is, and what that player brings along; `undefined` refuses. Default: everybody is a guest. */
  readonly auth?: Auth
  /** How long a seat is kept for a player who is away, in the rooms of all games. Default: as the game says, else 60, private rooms 120. */
  readonly seatSeconds?: number
  /** Where results of matches go: a function of yours, or an address. */
  readonly results?: ResultsOptions
  /** The password of `/monitor` and `/metrics`. Default: `HURTBOX_TOKEN`, else a new one for each start. */
  readonly token?: string
  /** Shares rooms with other processes. Default: `REDIS_URL`. */
  readonly redisUrl?: string
  /**
   * Where clients reach this very process: `host:port`, or the address of its page, `https://example.org/game/`. Needed with Redis; clients
   * are told its host for datagrams, too. Default: `PUBLIC_ADDRESS`.
   */
  readonly publicAddress?: string
  /**
   * Whose WebRTC carries players' datagrams beside their sockets: `own`, `native` (the package node-datachannel, to be installed), or `off` for
   * none. Default: `UDP`, else `own`; behind proxies only where `udpPort` or another setting of UDP is given.
   */
  readonly udp?: Udp
  /**
   * The UDP port of all players. Default: `UDP_PORT`, else the same number as that of `port`; if it is taken and nobody asked for datagrams, sockets
   * carry everything.
   */
  readonly udpPort?: number
  /** The address to listen on for datagrams, or a name for it. Default: `UDP_HOST`, else `host`; behind proxies all addresses of the machine. */
  readonly udpHost?: string
  /**
   * Where clients find the UDP port when that is not where it listens: `host:port`, names or IP addresses. Default: `UDP_ADDRESSES`, else the
   * addresses of the machine and the host of `publicAddress`.
   */
  readonly udpAddresses?: readonly string[]
  /** ICE servers for datagrams: `stun:host:port`, `turn:host:port`. Default: none, nothing outside is asked. */
  readonly ice?: readonly string[]
  /** The secret that is shared with TURN servers, for passwords that expire. Default: `ICE_SECRET`. */
  readonly iceSecret?: string
  /** Default `info`; on a terminal `warn`. */
  readonly logLevel?: string
  readonly limits?: Partial<Limits>
  /** Lifts what is limited for each address; only on a loopback address. */
  readonly loadTest?: boolean
  /** Whether SIGTERM hands matches over, SIGINT ends them, and both end the process. Default true. */
  readonly signals?: boolean
  /** Where the lines for people go. Default: stderr. */
  readonly say?: (line: string) => void
}

export type RunningServer = Pick<HurtboxServer, 'token' | 'metrics' | 'drain' | 'close'> & {
  /** As people type it: `http://127.0.0.1:2567`. */
  readonly url: string
}

const DEFAULT_PORT = 2567
const DRAIN_SECONDS = 5

/** Starts a server; resolves when it listens. */
export async function serve(given: ServeOptions): Promise<RunningServer> {
  const options: ServeOptions = { ...readEnvironment(), ...withoutUndefined(given) }
  const { host = '127.0.0.1', port, token, redisUrl, proxies = 0 } = options
  const { loadTest = false, say = (line) => console.error(line) } = options
  if (loadTest) requireLoopback(host)
  const games = options.games.map(loaded)
  requireDifferent(games)
  requireDatagramSettings(options, host)
  const log = createLog(requireLevel(options.logLevel ?? (process.stdout.isTTY ? 'warn' : 'info')))
  const metrics = createMetrics()
  const results =
    options.results && createResults({ folder: folderOf('results', options.dataDir), ...options.results }, log)
  const told = { log, say }
  const replays = openReplays(options, told)
  const { whenStoreFails } = options
  const kept = { ...(replays && { replays: replays.sink }), ...(whenStoreFails && { whenStoreFails }) }
  const matches = openMatches(options, { metrics, log, ...kept }, told)
  let datagrams: OpenDatagrams | undefined
  // Only this machine reaches it. With a proxy in front, players are on other machines.
  const isUnderWork = isLoopback(host) && proxies === 0
  const gameSorts = gameRooms({
    games,
    datagrams: () => datagrams?.port,
    replays: replays?.sink,
    track: options.track,
    tellErrors: isUnderWork,
    matches: matches?.keeping,
    metrics,
    log,
    auth: options.auth,
    seatSeconds: options.seatSeconds,
    results,
  })
  const rooms = [...gameSorts, ...ownRooms(options.rooms ?? {}, games)]
  const server = createServer({
    rooms,
    ...(matches && { matches }),
    metrics,
    log,
    limits: { ...(loadTest ? LOAD_TEST_LIMITS : LIMITS), ...options.limits },
    origins: options.origins ?? [],
    // A page under work has a port of its own.
    localPages: isUnderWork,
    proxies,
    ...(replays && { replayFolder: replays.folder }),
    ...(options.page !== undefined && { pageFolder: options.page }),
    ...(options.policy !== undefined && { policy: options.policy }),
    ...(options.fetch !== undefined && { fetch: options.fetch }),
    ...(token && { token }),
    ...(redisUrl && { redisUrl }),
    ...(options.publicAddress && { publicAddress: options.publicAddress }),
  })
  const openUdp = (udpPort: number) => openDatagrams(options, { port: udpPort, host }, log)
  const hasUdp = hasDatagrams(options)
  // What was asked for must be had, and before kept matches are taken.
  const knownPort = isAskedFor(options) ? (options.udpPort ?? port) : undefined
  if (knownPort) datagrams = requireOpen(await openUdp(knownPort))
  const url = await listen(server, port, host).catch((error) => {
    datagrams?.close()
    throw error
  })
  // 80 is the one that addresses leave out.
  const { udpPort = Number(new URL(url).port || 80) } = options
  if (hasUdp && datagrams === undefined) {
    const opened = await openUdp(udpPort)
    if (typeof opened !== 'string') datagrams = opened
    else if (isAskedFor(options)) {
      await server.close()
      requireOpen(opened)
    }
  }
  if (datagrams !== undefined) countPort(metrics, datagrams.port)
  say(`Hurtbox is at ${url}`)
  say(`  games    ${gameSorts.map(({ name }) => name).join(', ')}`)
  say(`  monitor  ${url}/monitor/ (any name; ${passwordHint(server.token, token)})`)
  if (replays !== undefined) say(`  replays  ${replays.folder}`)
  for (const line of udpLines(options, hasUdp, datagrams, udpPort)) say(line)
  if (redisUrl) say('  rooms    shared with other processes through Redis')
  const close = async () => {
    await server.close()
    datagrams?.close()
    await results?.stop()
  }
  const drain = (seconds: number) => server.drain(seconds)
  if (options.signals !== false) stopOnSignal({ close, drain }, options.drainSeconds ?? DRAIN_SECONDS)
  return { url, token: server.token, metrics, drain, close }
}

function requireLoopback(host: string): void {
  if (isLoopback(host)) return
  throw new HurtboxError(
    'bad-argument',
    `A load test lifts the limits for each address: only on a loopback, not ${host}.`,
  )
}

/** What is said at the start: nothing where there are none on purpose, or because a port is taken that nobody has named. */
function udpLines({ udp }: ServeOptions, hasUdp: boolean, opened: OpenDatagrams | undefined, port: number): string[] {
  const stack = opened?.port.stack === 'native' ? 'WebRTC of node-datachannel' : 'our own WebRTC'
  const outside = opened?.shown ? `, outside ${opened.shown}` : ''
  if (opened) return [`  udp      port ${port}${outside}, for datagrams beside the sockets (${stack})`]
  if (hasUdp || udp === 'off') return []
  return [
    `  udp      off behind proxies; for datagrams beside the sockets: --udp-port ${port}, in code udpPort: ${port}`,
  ]
}

function withoutUndefined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T
}

function loaded(module: GameModule | LoadedModule, index: number): LoadedModule {
  const known = 'botOf' in module ? module : readModule({ default: module }, `games[${index}]`)
  if (known.room !== undefined) return known
  throw new HurtboxError('bad-argument', `${known.id} is not served: its module says room: false.`)
}

const ROOM_NAME = /^[A-Za-z0-9_-]{1,64}$/

function ownRooms(rooms: NonNullable<ServeOptions['rooms']>, games: readonly LoadedModule[]): RoomSort[] {
  return Object.entries(rooms).map(([name, room]) => {
    if (!ROOM_NAME.test(name)) throw new HurtboxError('bad-argument', `A room cannot be called "${name}".`)
    if (games.some(({ id }) => id === name))
      throw new HurtboxError('bad-argument', `A game is called "${name}" already.`)
    if (!(typeof room === 'function' && room.prototype instanceof Room))
      throw new HurtboxError('bad-argument', `rooms.${name} must be a class of rooms of @colyseus/core.`)
    return { name, room, isGame: false }
  })
}

function requireDifferent(games: readonly LoadedModule[]): void {
  const twin = games.find(({ id }, i) => games.findIndex((other) => other.id === id) < i)
  if (twin !== undefined) throw new HurtboxError('bad-argument', `Two games have the id "${twin.id}".`)
}

async function listen(server: HurtboxServer, port: number | undefined, host: string): Promise<string> {
  try {
    return await server.listen(port ?? DEFAULT_PORT, host)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // The port was not asked for: any will do.
    if (code === 'EADDRINUSE' && port === undefined) return server.listen(0, host)
    if (code === 'EADDRINUSE')
      throw new HurtboxError('bad-argument', `Port ${port} is taken. Take another: ${Number(port) + 1}, or 0 for any.`)
    if (code === 'EACCES') throw new HurtboxError('bad-argument', `Port ${port} needs rights this user does not have.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new HurtboxError('bad-argument', `${host} is no address of this machine.`)
    }
    throw error
  }
}

/** A generated token is shown on a terminal only, never in logs. */
function passwordHint(token: string, given: string | undefined): string {
  if (given) return 'the password is HURTBOX_TOKEN'
  return process.stderr.isTTY ? `the password is ${token}` : 'set HURTBOX_TOKEN for a password that you know'
}

function requireLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text)
  if (level) return level
  throw new HurtboxError('bad-argument', `A log level is one of ${LOG_LEVELS.join(', ')}, got ${text}.`)
}
