/**
 * A seat in a private room of its own, for some seconds: matchmaking, rules, the socket and datagrams as players have them, and nobody is disturbed.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { type GameConnection, joinGame } from '@hurtbox/colyseus/client'
import { helloOf } from '@hurtbox/netcode'
import type { LoadedModule } from 'hurtbox/module'
import { type Finding, judge, reasonOf } from './finding.ts'
import { isHealth, late, request } from './http.ts'
import type { Visit } from './outside.ts'
import { createUdpProbe, examineUdp } from './udp.ts'

type PlayedVisit = Visit & { readonly module: LoadedModule }

const FRAME_MS = 16
const SLOW_MS = 400

export async function examineMatch(visit: Visit): Promise<readonly Finding[]> {
  if (!hasGame(visit)) {
    return [
      judge('game').skipped(
        'in the folder of the project a match is played for a moment, and rules and both paths are compared',
      ),
    ]
  }
  const { url, module, playerToken, waitMs } = visit
  const probe = createUdpProbe(visit.PeerConnection)
  let match: GameConnection | undefined
  try {
    match = await Promise.race([
      joinGame(url.href.replace(/\/$/, ''), module.game, {
        private: true,
        name: 'doctor',
        datagrams: probe.Connection,
        ...(playerToken !== undefined && { token: playerToken }),
      }),
      late(2 * waitMs),
    ])
    await Promise.race([match.whenPlaying(), late(waitMs)])
    return [judge('game').ok(`${module.id}, with the same rules as here`), ...(await play(match, visit, probe))]
  } catch (error) {
    return [await joinProblem(visit, error as Error)]
  } finally {
    await match?.leave().catch(() => {})
  }
}

async function play(
  match: GameConnection,
  visit: Visit,
  probe: ReturnType<typeof createUdpProbe>,
): Promise<readonly Finding[]> {
  let [silentMs, heardAt, heard] = [0, performance.now(), match.traffic.messagesIn]
  const timer = setInterval(() => {
    const now = performance.now()
    match.update(now, () => ({}))
    if (match.traffic.messagesIn !== heard) [heardAt, heard] = [now, match.traffic.messagesIn]
    silentMs = Math.max(silentMs, now - heardAt)
  }, FRAME_MS)
  try {
    const [udp] = await Promise.all([examineUdp(match, visit, probe), sleep(visit.playMs)])
    return [socketFinding(match, silentMs), ...udp]
  } finally {
    clearInterval(timer)
  }
}

function socketFinding({ rttMs, status }: GameConnection, silentMs: number): Finding {
  const { ok, warning, wrong } = judge('socket')
  if (status !== 'playing')
    return wrong(
      'The connection was lost in the middle of a match: look at time limits of the proxy (nginx: proxy_read_timeout 3600s).',
    )
  if (rttMs === undefined) return warning('The match said nothing for seconds: see why in the log of the server.')
  const shown = `${Math.round(rttMs)} ms there and back, silent for ${Math.round(silentMs)} ms at most`
  if (rttMs > SLOW_MS) return warning(`${shown}: players from here need a server that is nearer.`)
  return ok(shown)
}

/** Why there is no seat, by asking for one without the SDK. */
async function joinProblem(visit: PlayedVisit, error: Error & { readonly code?: number }): Promise<Finding> {
  const { url, module, waitMs } = visit
  const { wrong } = judge('game')
  if (error.code === 426) return wrong(`The server has other rules than this project: ${error.message}`)
  if (error.code === 401 || error.code === 403)
    return wrong(
      `The server lets only players in that it knows (${error.message}): give the token of one, --player-token.`,
    )
  const reply = await request(new URL(`matchmake/create/${module.id}`, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ private: true, hello: helloOf(module.game) }),
    waitMs,
  }).catch(() => undefined)
  const { publicAddress, error: sentence = '' } = readSeat(reply?.body ?? '')
  if (publicAddress !== undefined && !(await isServer(new URL(`${url.protocol}//${publicAddress}/`), waitMs))) {
    return wrong(
      `The server sends its players to ${publicAddress}, where nothing answers: --public-address with the address that leads to that process.`,
    )
  }
  if (/not defined|no room/i.test(`${error.message} ${sentence}`))
    return wrong(`The server has no game ${module.id}: start it with this project's.`)
  return wrong(
    `No seat was given: ${error.message || reasonOf(error)}${sentence && error.message !== sentence ? ` (${sentence})` : ''}`,
  )
}

function readSeat(body: string): { readonly publicAddress?: string; readonly error?: string } {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

async function isServer(url: URL, waitMs: number): Promise<boolean> {
  const reply = await request(new URL('health', url), { waitMs }).catch(() => undefined)
  return reply !== undefined && isHealth(reply.body)
}

function hasGame(visit: Visit): visit is PlayedVisit {
  return visit.module !== undefined
}
