/**
 * What is wrong on the way to a server: seen from outside, as a player comes.
 *
 * From below upwards: a name, a connection, a certificate, a server of ours behind whatever stands in front, a seat, and both paths of a match. Each step
 * needs the ones before it, so the first that fails is the one to mend, and what follows is not looked at.
 */

import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { PeerConnectionClass } from '@hurtbox/colyseus/client'
import type { LoadedModule } from 'hurtbox/module'
import { type Finding, judge, reasonOf } from './finding.ts'
import { isHealth, late, type Reply, request } from './http.ts'
import { examineMatch } from './match.ts'
import { examineProxies } from './proxies.ts'

export type OutsideOptions = {
  /** What a player types: `https://example.org/game/`. */
  readonly address: string
  /** The game to play for a moment, with the rules of this project. Without it no seat is taken. */
  readonly module?: LoadedModule
  /** The operator's token, for what only the server sees. */
  readonly token?: string
  /** The token of a player, for servers with accounts. */
  readonly playerToken?: string
  /** The class of `node-datachannel/polyfill`, where it is installed: opens a real channel. */
  readonly PeerConnection?: PeerConnectionClass
  /** How long an answer is waited for. Default 5 s. */
  readonly waitMs?: number
  /** How long a match is played. Default 3 s. */
  readonly playMs?: number
}

export type Visit = Required<Pick<OutsideOptions, 'waitMs' | 'playMs'>> &
  OutsideOptions & {
    /** With a slash at its end. */
    readonly url: URL
  }

const WAIT_MS = 5_000
const PLAY_MS = 3_000
const DAY_MS = 86_400_000
/** Most certificates are renewed when a third of their time is left, some of a year only weeks before their end. */
const SOON_DAYS = 14
const SOON_SHARE = 1 / 4
const FAR_CLOCK_MS = 30_000

export async function examineOutside(options: OutsideOptions): Promise<readonly Finding[]> {
  const url = addressOf(options.address)
  if (typeof url === 'string') return [judge('address').wrong(url)]
  const visit: Visit = { waitMs: WAIT_MS, playMs: PLAY_MS, ...options, url }
  const found: Finding[] = []
  for (const examine of [examineName, examineTls, examineServer]) {
    const findings = await examine(visit)
    found.push(...findings)
    if (findings.some(({ verdict }) => verdict === 'wrong')) return found
  }
  // It has answered just now.
  const orLost = (name: string, finding: Promise<Finding>) =>
    finding.catch((error) =>
      judge(name).wrong(
        `The server answers some requests and not others (${reasonOf(error)}): look at its load and at limits of the proxy.`,
      ),
    )
  found.push(
    await orLost('origin', examineOrigin(visit)),
    await orLost('proxies', examineProxies(visit)),
    await examineWebSocket(visit),
  )
  if (found.some(({ name, verdict }) => name === 'web socket' && verdict === 'wrong')) return found
  return [...found, ...(await examineMatch(visit))]
}

function addressOf(text: string): URL | string {
  const url = URL.parse(/^\w+:\/\//.test(text) ? text : `https://${text}`)
  if (url === null || !/^https?:$/.test(url.protocol))
    return `An address is like https://play.example.org/game/, not ${text}.`
  return new URL(url.pathname.replace(/\/*$/, '/'), url)
}

async function examineName({ url, waitMs }: Visit): Promise<readonly Finding[]> {
  const host = hostOf(url)
  const { ok, wrong } = judge('name')
  if (isIP(host) !== 0) return []
  try {
    const found = await Promise.race([lookup(host, { all: true }), late(waitMs)])
    return [ok(`${host} is ${found.map(({ address }) => address).join(', ')}`)]
  } catch (error) {
    const { code = 'no answer' } = error as NodeJS.ErrnoException
    return [
      wrong(
        `${host} is no name that anybody knows (${code}): make an A or AAAA record with the address of the server.`,
      ),
    ]
  }
}

async function examineTls({ url, waitMs }: Visit): Promise<readonly Finding[]> {
  if (url.protocol !== 'https:') return []
  const { ok, warning, wrong } = judge('certificate')
  const host = hostOf(url)
  const servername = isIP(host) === 0 ? host : ''
  let socket: TLSSocket | undefined
  try {
    socket = connectTls({ host, port: Number(url.port || 443), servername, rejectUnauthorized: false })
    socket.setTimeout(waitMs, () => socket?.destroy(Object.assign(new Error(), { code: 'TIMEOUT' })))
    await once(socket, 'secureConnect')
    const problem = String(
      (socket.authorizationError as unknown as NodeJS.ErrnoException)?.code ?? socket.authorizationError ?? '',
    )
    const { valid_from: begin, valid_to: end, subjectaltname: names = 'none' } = socket.getPeerCertificate()
    if (problem !== '') return [wrong(certificateProblem(problem, { host, end, names }))]
    const leftMs = Date.parse(end) - Date.now()
    const days = Math.floor(leftMs / DAY_MS)
    const soonMs = Math.min(SOON_DAYS * DAY_MS, (Date.parse(end) - Date.parse(begin)) * SOON_SHARE)
    if (leftMs < soonMs) return [warning(`The certificate ends in ${days} days: see why it is not renewed.`)]
    return [ok(days > 0 ? `valid for ${days} more days` : 'valid for less than a day, as it is made')]
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EPROTO' || code.startsWith('ERR_SSL')) {
      return [
        wrong(
          `${url.host} speaks no TLS: put a proxy with a certificate in front (Caddy gets one by itself), or write http://.`,
        ),
      ]
    }
    return [wrong(connectionProblem(url, error))]
  } finally {
    socket?.destroy()
  }
}

type Shown = { readonly host: string; readonly end: string; readonly names: string }

function certificateProblem(problem: string, { host, end, names }: Shown): string {
  if (problem === 'CERT_HAS_EXPIRED')
    return `The certificate has ended on ${end}: renew it, and see why that did not happen.`
  if (problem === 'CERT_NOT_YET_VALID') return 'The certificate is not valid yet: look at the clocks of both machines.'
  if (problem === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `The certificate is for ${names}, not for ${host}: get one for this name.`
  if (/SELF_SIGNED/.test(problem))
    return 'Browsers do not know who signed the certificate: get one of a public authority (Caddy does by itself).'
  if (/UNABLE_TO/.test(problem))
    return 'The certificate comes without those between it and its authority: serve the whole chain (fullchain.pem), and one of a public authority.'
  return `Browsers refuse the certificate (${problem}): get one of a public authority.`
}

function connectionProblem(url: URL, error: unknown): string {
  return `${url.host} cannot be reached (${reasonOf(error)}): start the server or proxy there, and open or forward the TCP port.`
}

async function examineServer(visit: Visit): Promise<readonly Finding[]> {
  const { url, waitMs } = visit
  const { ok, wrong } = judge('server')
  let reply: Reply
  try {
    reply = await request(new URL('health', url), { waitMs })
  } catch (error) {
    return [wrong(connectionProblem(url, error))]
  }
  const { status, body, headers } = reply
  if (isHealth(body)) {
    if (status === 200) return [ok(`${url.href} is a Hurtbox server, and gives seats`), examineTime(headers.date)]
    return [
      wrong(
        `The server gives no seats (${JSON.parse(body).status}): ${/Redis/.test(body) ? 'start Redis, or mend REDIS_URL' : 'wait, or start it again'}.`,
      ),
    ]
  }
  return [wrong(await strangerProblem(visit, reply))]
}

/** Something answers that is no health check of ours. */
async function strangerProblem({ url, waitMs }: Visit, { status, headers, body }: Reply): Promise<string> {
  const { location } = headers
  if (status >= 300 && status < 400 && location !== undefined) {
    const there = new URL(location, url).href.replace(/health$/, '')
    return `${url.href} only leads on to ${there}: give players that address, and look at it.`
  }
  if (status === 401) return 'A proxy asks for a password before the server is asked: let it pass everybody.'
  if (status === 502 || status === 503 || status === 504) {
    return `The proxy does not reach the server (${status}): start the server, on the address and port that the proxy passes to.`
  }
  if (status === 429) return 'The server has had too many requests from here: wait a minute.'
  if (url.pathname !== '/') {
    const root = new URL('/', url)
    const there = await request(new URL('health', root), { waitMs }).catch(() => undefined)
    if (there !== undefined && isHealth(there.body))
      return `There is nothing at ${url.pathname}: the server is at ${root.href}.`
    // A server of ours that has got the path with its prefix says so in its own words.
    if (body === 'there is nothing here') {
      return `The proxy passes the path ${url.pathname} on, and the server does not know it: let the proxy cut it off (nginx: proxy_pass http://…:2567/ with the slash; Caddy: handle_path ${url.pathname}*).`
    }
  }
  return `What answers at ${url.href} (${status}) is no Hurtbox server: look at where the name and the proxy lead.`
}

/** Certificates, signed results and accounts go by the time. */
function examineTime(date: string | undefined): Finding {
  const { ok, wrong, skipped } = judge('clock')
  if (date === undefined) return skipped('the server does not say what time it is')
  const skewMs = Date.parse(date) - Date.now()
  if (Math.abs(skewMs) < FAR_CLOCK_MS) return ok('that of the server and the one here are the same')
  const seconds = Math.round(Math.abs(skewMs) / 1_000)
  return wrong(
    `The clock of the server is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the one here: turn NTP on (timedatectl set-ntp true).`,
  )
}

/** As the page of the server asks. The answer has the cure. */
async function examineOrigin({ url, waitMs }: Visit): Promise<Finding> {
  const { ok, wrong } = judge('origin')
  const isSecure = url.protocol === 'https:'
  const headers = { origin: url.origin, ...(isSecure && { 'sec-fetch-site': 'same-origin' }) }
  const { status, body } = await request(new URL('health', url), { waitMs, headers })
  if (status !== 403) return ok(`the page of ${url.origin} may talk to the server`)
  const sentence = /"error":"((?:[^"\\]|\\.)*)"/.exec(body)?.[1] ?? `list it: --origin ${url.origin}`
  return wrong(`The server refuses its own page: ${sentence}.`)
}

async function examineWebSocket({ url, waitMs }: Visit): Promise<Finding> {
  const { ok, wrong } = judge('web socket')
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.from('hurtbox doctor!!').toString('base64'),
  }
  try {
    // No room is there: it is closed as soon as it is open.
    const { isUpgraded, status } = await request(new URL('doctor/doctor', url), { waitMs, headers })
    if (isUpgraded) return ok('upgrades pass')
    return wrong(
      `A proxy does not pass web sockets on (${status}): nginx needs proxy_http_version 1.1 and the headers Upgrade and Connection; others have a switch.`,
    )
  } catch (error) {
    return wrong(
      `A proxy ends web sockets (${reasonOf(error)}): let it pass Upgrade on, without a time limit of seconds.`,
    )
  }
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}
