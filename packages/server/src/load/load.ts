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
import { loadModule } from 'hurtbox/module/node'
import type { LoadOptions, LoadReport } from '../../../cli/src/server-module.ts'
import { isLoopback } from '../addresses.ts'
import { projectGames } from '../rooms.ts'
import { increase, parseMetrics, quantile, type Reading } from './prometheus.ts'
import { startSwarm } from './swarm.ts'

/** Time for clients to find their lead and for the server to warm up. */
const SETTLE_MS = 2_000

export async function runLoad(options: LoadOptions, say: (line: string) => void): Promise<LoadReport> {
  const server = options.url === undefined ? await startServer() : givenServer(options.url)
  try {
    // Read before any client joins, so that a wrong token shows at once.
    await read(server)
    const { rooms, clients, mode } = options
    const module = options.game === undefined ? (await projectGames())[0] : await loadModule(options.game)
    const { id, game } = module
    const swarm = await startSwarm({ url: server.url, module, rooms, clients, mode }, say)
    try {
      return await measure({ ...options, game: id }, game.declaration.tickRate, swarm.connections, server, say)
    } finally {
      await swarm.stop()
    }
  } finally {
    await server.stop()
  }
}

type Target = { readonly url: string; readonly token: string; stop(): Promise<void> }

async function measure(
  { rooms, clients: perRoom, seconds, game }: LoadOptions & { readonly game: string },
  tickRate: number,
  connections: readonly GameConnection[],
  server: Target,
  say: (line: string) => void,
): Promise<LoadReport> {
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
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  if (response.status === 401) {
    throw new HurtboxError(
      'bad-argument',
      'The server wants another token: set HURTBOX_TOKEN to the one it was started with.',
    )
  }
  return parseMetrics(await response.text())
}

function givenServer(text: string): Target {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'http:' || !isLoopback(url.hostname)) {
    throw new HurtboxError(
      'bad-argument',
      `A load test is for a server on this machine (http://127.0.0.1:…), not for ${text}: there it would be an attack.`,
    )
  }
  return { url: url.origin, token: process.env.HURTBOX_TOKEN ?? '', stop: async () => {} }
}

const COMMAND = fileURLToPath(new URL('../../../cli/bin/hurtbox.js', import.meta.url))

async function startServer(): Promise<Target> {
  const token = randomBytes(18).toString('base64url')
  const folder = await mkdtemp(join(tmpdir(), 'hurtbox-load-'))
  const args = ['serve', '--port', '0', '--load-test', '--no-studio', '--log-level', 'info', '--replays', folder]
  const child = spawn(process.execPath, [COMMAND, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HURTBOX_TOKEN: token, REDIS_URL: '' },
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
