/**
 * HTTP on the one port: seats, rooms, health, metrics, monitor, replays, and the page for everything else.
 *
 * On Node's own server, without a framework: there are seven routes, and what a framework adds unasked (its name in every
 * answer, stacks in error pages, bodies of any size) would have to be taken away again.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { matchMaker } from '@colyseus/core'
import { addressOf, forwardedFor } from './addresses.ts'
import type { Assets } from './assets.ts'
import type { Connections } from './connections.ts'
import { shared } from './deadlines.ts'
import type { Limits } from './limits.ts'
import type { Logger } from './log.ts'
import { createMatchmaking } from './matchmaking.ts'
import type { Metrics } from './metrics.ts'
import { createMonitorData } from './monitor.ts'
import type { Origins } from './origins.ts'
import { createDownloads, isRunning } from './replays.ts'
import type { Reservations } from './reservations.ts'
import { type Answer, json, Refusal, securityHeaders, send, text, trustedHeaders } from './responses.ts'
import type { RoomList } from './room-list.ts'
import { createRoutes, type Fetch } from './routes.ts'
import { createTokenCheck } from './token.ts'

export type RequestOptions = {
  readonly limits: Limits
  readonly connections: Connections
  readonly reservations: Reservations
  readonly origins: Origins
  readonly proxies: number
  readonly token: string
  readonly page: Assets
  /** What the user answers besides. */
  readonly fetch: Fetch | undefined
  readonly policy: Readonly<Record<string, string>>
  readonly monitor: Assets
  readonly replayFolder: string | undefined
  readonly roomList: RoomList
  /** Whether the match of a room cannot go on because only processes of another build are left. */
  readonly isStranded: (roomId: string) => boolean
  readonly isWaiting: (roomId: string) => Promise<boolean>
  readonly metrics: Metrics
  readonly log: Logger
}

/** A server that answers all HTTP requests. Sockets are handled elsewhere. */
export function createHttpServer(options: RequestOptions): Server {
  const { limits, connections, metrics, log } = options
  const headers = securityHeaders(options.origins.sources, options.policy)
  const answer = createAnswers(options)
  const refused = new WeakSet<Socket>()

  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: limits.headersMs,
      requireHostHeader: true,
    },
    async (request, response) => {
      if (connections.mayAsk(request)) {
        send(response, await answerOf(request), {
          ...headers,
          ...trustedHeaders(request),
          ...corsHeaders(request, options.origins),
        })
      } else refuse(request, response)
    },
  )
  server.maxConnections = limits.connections
  server.maxHeadersCount = 64
  server.timeout = limits.stallMs
  server.on('connection', connections.admit)
  return server

  /** Answers once and closes. What the connection has pipelined behind it is neither answered nor read. */
  function refuse({ socket }: IncomingMessage, response: ServerResponse): void {
    if (refused.has(socket)) return
    if (options.proxies === 0) {
      refused.add(socket)
      stopParsing(socket)
    }
    const answer = json(429, { code: 429, error: 'too many requests; wait a little' })
    send(response, answer, { ...headers, ...(options.proxies === 0 && { connection: 'close' }) })
  }

  async function answerOf(request: IncomingMessage): Promise<Answer> {
    try {
      return await answer(request)
    } catch (error) {
      if (error instanceof Refusal) {
        metrics.refused.inc({ reason: error.reason })
        return json(error.status, { code: error.status, error: error.message })
      }
      // Who goes away in the middle of a request, as all do when their server restarts, is no fault of ours.
      if (request.destroyed && !request.complete) log.debug({ url: request.url }, 'the client went away')
      else log.error({ err: error, url: request.url }, 'request failed')
      return json(500, { code: 500, error: 'the server failed; its log says more' })
    }
  }
}

/**
 * Ends the reading of a connection with the piece that has arrived. Pausing the socket is not enough: Node resumes it when an answer
 * has left, and parsed for as long as the connection was open, which took a match five ticks in six.
 */
function stopParsing(socket: Socket): void {
  const { parser } = socket as unknown as { parser?: { pause?(): void } }
  parser?.pause?.()
}

function createAnswers(options: RequestOptions) {
  const { limits, origins, proxies, token, page, monitor, replayFolder, roomList, metrics } = options
  const matchmaking = createMatchmaking(options)
  const checkToken = createTokenCheck(token)
  const health = createHealth(proxies)
  const monitorData = createMonitorData(metrics, replayFolder)
  const routes = options.fetch && createRoutes(options.fetch, limits, options.log)
  const downloads = replayFolder === undefined ? undefined : createDownloads(replayFolder, limits)

  return async (request: IncomingMessage): Promise<Answer> => {
    const path = (request.url ?? '/').split('?', 1)[0]
    const address = addressOf(request, proxies)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!(isRead && isFile(path)) && !origins.isAllowed(request)) {
      throw new Refusal(403, 'origin', origins.refuse(request))
    }
    if (request.method === 'OPTIONS') return { status: 204 }

    const seat = matchmaking.answer(path, request, address)
    if (seat) return seat
    const own = () => routes?.(request, address, originOf(request, proxies))
    if (!isRead) {
      if (routes === undefined || isServed(path)) throw new Refusal(405, 'method', 'only GET and HEAD')
      return (await own()) ?? notFound()
    }
    if (path === '/health') return (isOperators(request) && checkToken(request, address)) || health(request)
    if (path === '/rooms.json') return json(200, await roomList())
    if (path === '/metrics' || path === '/monitor' || path.startsWith('/monitor/')) {
      const refusal = checkToken(request, address)
      if (refusal) return refusal
      if (path === '/metrics')
        return { ...text(200, await metrics.registry.metrics()), type: metrics.registry.contentType }
      // Relative: a proxy may have put us below a path.
      if (path === '/monitor') return { status: 308, headers: { location: 'monitor/' } }
      if (path === '/monitor/data.json') return monitorData()
      return monitor.answer(path.slice('/monitor'.length), request) ?? notFound()
    }
    if (path.startsWith('/replays/')) {
      const refusal = isRunning(path) ? checkToken(request, address) : undefined
      return refusal ?? (await downloads?.answer(path, address)) ?? notFound()
    }
    return page.answer(path, request) ?? (await own()) ?? notFound()
  }
}

/** What the server answers itself, whatever the method. */
function isServed(path: string): boolean {
  return STATE.test(path) || /^\/monitor(?:\/|$)/.test(path)
}

/** Where the client believes it asks, for the address of a `Request`. */
function originOf({ headers }: IncomingMessage, proxies: number): string {
  const scheme = proxies > 0 && headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'
  return URL.parse(`${scheme}://${headers.host}`)?.origin ?? 'http://localhost'
}

/** What is no file: it belongs to pages that may talk to the server, see origins.ts. */
const STATE = /^\/(?:matchmake\/.*|replays\/.*|rooms\.json|health|metrics|monitor\/data\.json)$/

function isFile(path: string): boolean {
  return !STATE.test(path)
}

/** How long a health check waits for Redis. Load balancers give up after a few seconds. */
const HEALTH_MS = 1_000

/** A password of HTTP Basic may be that of a proxy, which passes it on with every request. */
function isOperators({ headers }: IncomingMessage): boolean {
  return /^bearer /i.test(headers.authorization ?? '')
}

/** The operator also gets what has come of the request on its way, by which `hurtbox doctor` sees whether `proxies` is right. */
function createHealth(proxies: number): (request: IncomingMessage) => Promise<Answer> {
  const askRedis = shared(() => matchMaker.stats.fetchAll(), HEALTH_MS)
  return async (request) => {
    if (matchMaker.state !== matchMaker.MatchMakerState.READY) return json(503, { status: 'not ready' })
    try {
      await askRedis()
      const isOperator = isOperators(request)
      return json(200, { status: 'ok', ...(isOperator && { seen: { proxies, forwarded: forwardedFor(request) } }) })
    } catch {
      // Without it no seat is given.
      return json(503, { status: 'no answer from Redis' })
    }
  }
}

function notFound(): Answer {
  return text(404, 'there is nothing here')
}

/** For pages that may talk to us; others get none, and cannot read the answer. */
function corsHeaders(request: IncomingMessage, origins: Origins): Record<string, string> {
  const { origin } = request.headers
  if (origin === undefined || !origins.isAllowed(request)) return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-headers': 'content-type, authorization',
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    'access-control-max-age': '600',
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'origin',
  }
}
