/**
 * Routes of the user: `fetch(request, info)` answers what the server itself does not, in the form that hono and other routers speak.
 *
 * It comes last, behind the same budgets as everything else: connections and requests of an address, origins, size, time. Its code runs in the
 * process of the matches, so nothing it does is trusted: it may throw, never answer, answer without end, or with headers that would
 * undo ours. What it takes longer than its time for is given up. Only a long stretch without a wait cannot be stopped; that is counted
 * (`hurtbox_late_ticks_total{cause="user"}`).
 */

import type { IncomingMessage } from 'node:http'
import { callUser } from '@hurtbox/colyseus'
import { Late, withinTime } from './deadlines.ts'
import type { Limits } from './limits.ts'
import type { Logger } from './log.ts'
import { createHoldings } from './rates.ts'
import { type Answer, Refusal, readBody } from './responses.ts'

/** What is known of a request besides itself. */
export type RequestInfo = {
  /** Where it comes from, by what your own proxies say. */
  readonly address: string
}

/** Answers a request, or returns undefined for what is not its own. */
export type Fetch = (request: Request, info: RequestInfo) => Response | undefined | Promise<Response | undefined>

export type Routes = (request: IncomingMessage, address: string, origin: string) => Promise<Answer | undefined>

type RouteLimits = Pick<Limits, 'routeMs' | 'routeBytes' | 'routeBodyBytes' | 'routes' | 'routesPerAddress'>

export function createRoutes(fetch: Fetch, limits: RouteLimits, log: Logger): Routes {
  const all = createHoldings(limits.routes)
  const byAddress = createHoldings(limits.routesPerAddress)
  return async (incoming, address, origin) => {
    if (!byAddress.hold(address)) throw new Refusal(429, 'routes', 'too many requests at once; wait for one to end')
    if (!all.hold('')) {
      byAddress.release(address)
      throw new Refusal(503, 'routes', 'the server answers as many requests as it can; try again')
    }
    const ended = new AbortController()
    try {
      const request = await readRequest(incoming, origin, limits.routeBodyBytes, ended.signal)
      const work = async () => {
        const response = await callUser('fetch', () => fetch(request, { address }))
        if (response === undefined) return undefined
        if (!(response instanceof Response)) throw new TypeError('fetch must return a Response or undefined')
        return await readResponse(response, limits.routeBytes, ended.signal)
      }
      return await withinTime(work(), limits.routeMs)
    } catch (error) {
      if (error instanceof Refusal) throw error
      const what = error instanceof Late ? 'the fetch function took too long' : 'the fetch function failed'
      log.error({ err: error, url: incoming.url }, what)
      throw error instanceof Late
        ? new Refusal(504, 'routes', 'no answer in time')
        : new Refusal(500, 'routes', 'the server failed; its log says more')
    } finally {
      ended.abort()
      all.release('')
      byAddress.release(address)
    }
  }
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

async function readRequest(
  incoming: IncomingMessage,
  origin: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Request> {
  const { method = 'GET', url = '/' } = incoming
  if (!METHODS.has(method)) throw new Refusal(405, 'method', `the method ${method} is not served`)
  const address = URL.parse(url, origin)
  // `//host/` would name another server.
  if (address === null || address.origin !== origin) throw new Refusal(400, 'path', 'the address is none')
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const body = hasBody ? await readBody(incoming, maxBytes) : undefined
  return new Request(address, {
    method,
    headers,
    signal,
    ...(body && body.length > 0 && { body: new Uint8Array(body) }),
  })
}

/** Headers that are the server's: they would break the connection, or what keeps a browser from doing more than we mean. */
const OURS =
  /^(?:connection|keep-alive|transfer-encoding|content-length|upgrade|trailer|te|date|server|content-security-policy|cross-origin-.*|x-frame-options|x-content-type-options|permissions-policy|access-control-.*)$/
const MAX_HEADER_BYTES = 8 * 1024

async function readResponse(response: Response, maxBytes: number, signal: AbortSignal): Promise<Answer> {
  const headers: Record<string, string> = {}
  let size = 0
  for (const [name, value] of response.headers) {
    if (OURS.test(name) || name === 'set-cookie') continue
    size += name.length + value.length
    headers[name] = value
  }
  if (size > MAX_HEADER_BYTES) throw new TypeError(`the headers of an answer may have ${MAX_HEADER_BYTES} bytes`)
  const cookies = response.headers.getSetCookie()
  const { status } = response
  if (status < 200) throw new TypeError(`an answer cannot have the status ${status}`)
  const body = await readAll(response, maxBytes, signal)
  return { status, body, headers: { ...headers, ...(cookies.length > 0 && { 'set-cookie': cookies }) } }
}

const READS_AT_ONCE = 16

async function readAll(response: Response, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const reader = response.body?.getReader()
  if (reader === undefined) return Buffer.of()
  // A body that is given up must not be made any further.
  const cancel = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', cancel, { once: true })
  const chunks: Uint8Array[] = []
  let size = 0
  for (let reads = 1; ; reads++) {
    // A body that is always ready, in pieces of no bytes perhaps, would let nobody else run.
    if (reads % READS_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve))
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(chunks)
    if (!(value instanceof Uint8Array)) throw new TypeError('the body of an answer is made of bytes')
    size += value.length
    if (size > maxBytes) throw new TypeError(`the body of an answer may have ${maxBytes} bytes`)
    chunks.push(value)
  }
}
