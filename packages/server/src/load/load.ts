/**
 * `hurtbox load`: plays many matches at once against a server and says what it took.
 *
 * What clients see is counted here, what a tick costs is asked of the server: two readings of its metrics, one when
 * everybody plays, one before they leave. Without an address it starts a server of its own, in another process, so that
 * the clients' work is not the server's.
 */

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { GameConnection } from '@hurtbox/colyseus/client'
import { HurtboxError } from 'hurtbox'
import type { FoundModule } from 'hurtbox/module/node'
import { increase, parseMetrics, quantile, type Reading } from './prometheus.ts'
import { startSwarm } from './swarm.ts'

export type LoadOptions = {
  readonly module: FoundModule
  readonly rooms: number
  /** In each room. */
  readonly clients: number
  readonly seconds: number
  readonly mode?: 'terminal' | 'mirror'
  /** A server whose `HURTBOX_TOKEN` is this process's, too. Default: one of our own, without limits for one address. */
  readonly url?: string
  readonly say?: (line: string) => void
}

/** What came of a load test. */
export type LoadReport = {
  readonly game: string
  readonly mode: string
  readonly rooms: number
  /** All together, and how many of them were gone before the end. */
  readonly clients: number
  readonly lost: number
  readonly seconds: number
  /** Ticks a second of one room, as the game wants and as they were. */
  readonly tickRate: number
  readonly ticksPerSecond: number
  readonly tickP50Ms: number
  readonly tickP99Ms: number
  /** How much of one core the server used, 0 to 1. */
  readonly serverCpu: number
  /** Bytes a second of one client. */
  readonly sentToClient: number
  readonly sentByClient: number
  readonly inputs: number
  readonly lateInputs: number
  readonly hashChecks: number
  readonly rollbacks: number
  readonly desyncs: number
}

/** Time for clients to find their lead and for the server to warm up. */
const SETTLE_MS = 2_000

export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const { module, rooms, clients, mode, say = () => {} } = options
  const server = options.url === undefined ? await startServer(module.file) : givenServer(options.url)
  try {
    // Read before any client joins, so that a wrong token shows at once and no server but one's own gets any load.
    await read(server)
    const swarm = await startSwarm({ url: server.url, module, rooms, clients, mode }, say)
    try {
      return await measure(options, swarm.connections, server)
    } finally {
      await swarm.stop()
    }
  } finally {
    await server.stop()
  }
}

type Target = { readonly url: string; readonly token: string; stop(): Promise<void> }

async function measure(
  { module, rooms, clients: perRoom, seconds, say = () => {} }: LoadOptions,
  connections: readonly GameConnection[],
  server: Target,
): Promise<LoadReport> {
  const { id: game } = module
  const { tickRate } = module.game.declaration
  await sleep(SETTLE_MS)
  const start = performance.now()
  const [before, seenBefore] = [await read(server), sightOf(connections)]
  for (let second = 0; second < seconds; second++) {
    say(`playing: ${second} of ${seconds} s`)
    await sleep(Math.max(0, start + (second + 1) * 1000 - performance.now()))
  }
  const [after, seen] = [await read(server), sightOf(connections)]
  const elapsed = (performance.now() - start) / 1000
  const clients = rooms * perRoom
  const label = `game="${game}"`
  const perClient = (bytes: number) => bytes / elapsed / clients
  return {
    game,
    mode: connections[0].mirror ? 'mirror' : 'terminal',
    rooms,
    clients,
    lost: connections.filter(({ status }) => status !== 'playing').length,
    seconds,
    tickRate,
    ticksPerSecond: increase(before, after, 'hurtbox_tick_seconds_count', label) / elapsed / rooms,
    tickP50Ms: quantile(before, after, 'hurtbox_tick_seconds', 0.5, label) * 1000,
    tickP99Ms: quantile(before, after, 'hurtbox_tick_seconds', 0.99, label) * 1000,
    serverCpu: increase(before, after, 'process_cpu_seconds_total') / elapsed,
    sentToClient: perClient(increase(before, after, 'hurtbox_client_bytes_per_second_sum', 'direction="out"')),
    sentByClient: perClient(increase(before, after, 'hurtbox_client_bytes_per_second_sum', 'direction="in"')),
    inputs: increase(before, after, 'hurtbox_inputs_total', label, 'fate="accepted"'),
    lateInputs: increase(before, after, 'hurtbox_inputs_total', label, 'fate="late"'),
    hashChecks: seen.hashChecks - seenBefore.hashChecks,
    rollbacks: seen.rollbacks - seenBefore.rollbacks,
    desyncs: seen.desyncs - seenBefore.desyncs,
  }
}

/** What only clients know. */
function sightOf(connections: readonly GameConnection[]) {
  const sum = (of: (connection: GameConnection) => number) => connections.reduce((total, each) => total + of(each), 0)
  return {
    hashChecks: sum(({ mirror }) => mirror?.stats.hashChecks ?? 0),
    rollbacks: sum(({ mirror }) => mirror?.stats.rollbacks ?? 0),
    desyncs: sum(({ desyncs }) => desyncs.length),
  }
}

async function read({ url, token }: Target): Promise<Reading> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } }).catch((error) => {
    throw new HurtboxError('bad-argument', `There is no answer from ${url}: ${error.cause?.message ?? error.message}.`)
  })
  if (response.ok) return parseMetrics(await response.text())
  throw new HurtboxError(
    'bad-argument',
    response.status === 401 || response.status === 429
      ? 'The server wants another token: set HURTBOX_TOKEN to the one it was started with.'
      : `${url}/metrics answers ${response.status}: that is no server of @hurtbox/server.`,
  )
}

function givenServer(text: string): Target {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new HurtboxError('bad-argument', `The address of a server is like http://127.0.0.1:2567, got ${text}.`)
  }
  return { url: url.origin, token: process.env.HURTBOX_TOKEN ?? '', stop: async () => {} }
}

/** Runs as it is from the sources, and built when installed. */
const TARGET = new URL(import.meta.url.endsWith('.ts') ? 'target.ts' : 'target.js', import.meta.url)

const NO_SETTINGS = {
  ...{ HOST: '', PORT: '', ORIGINS: '', PROXIES: '', PUBLIC_ADDRESS: '', DATA_DIR: '', REDIS_URL: '' },
  ...{ UDP_PORT: '', UDP_HOST: '', UDP_ADDRESSES: '' },
}

async function startServer(file: string): Promise<Target> {
  const token = randomBytes(18).toString('base64url')
  const folder = await mkdtemp(join(tmpdir(), 'hurtbox-load-'))
  const child = spawn(process.execPath, [fileURLToPath(TARGET), file, folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Settings of the operator's own server are not for this one.
    env: { ...process.env, ...NO_SETTINGS, HURTBOX_TOKEN: token },
  })
  const stop = async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    await rm(folder, { recursive: true })
  }
  let complaint = ''
  child.stderr.on('data', (text) => (complaint += text))
  for await (const line of createInterface(child.stdout)) {
    const { msg, address } = JSON.parse(line)
    if (msg !== 'listening') continue
    child.stdout.resume()
    return { url: `http://${address}`, token, stop }
  }
  await stop()
  throw new Error(`the server did not start: ${complaint.trim()}`)
}
