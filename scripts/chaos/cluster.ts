/**
 * Real processes, a real Redis (or a folder), and SDK clients with bots at the controls: what the tests and `npm run measure -- chaos`
 * kill, stop and restart.
 *
 * Clients write down what they were told: every confirmed state whose hash they compared, and the last tick they saw. In the end
 * the matches are ended, and their replays must contain all of it.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type GameConnection, joinGame } from '@hurtbox/colyseus/client'
import { hashWorld, seek } from 'hurtbox'
import { loadReplay, sessionFromReplay, verifyReplay } from 'hurtbox/replay'
import { botInput } from 'hurtbox/tools'
import { tag, whimsical } from '../../packages/netcode/test/support.ts'
import { freePort } from '../../packages/server/test/free-port.ts'

export type ServerProcess = { readonly slot: number; readonly url: string; child: ChildProcess }

export type ClusterOptions = {
  readonly processes: number
  /** Undefined keeps matches in a folder; then there is one process. */
  readonly redisUrl?: string
  readonly rooms: number
  /** Clients of each room, in turn mirrors and terminals. */
  readonly clients: number
  readonly drainSeconds?: number
  readonly whenStoreFails?: 'go-on' | 'freeze'
  /** Each process is process 1 of its own, as in a container. Linux, root. */
  readonly isContained?: boolean
  /** More variables of the processes. */
  readonly env?: Readonly<Record<string, string>>
}

export type Player = {
  readonly connection: GameConnection
  readonly seat: number
  readonly roomId: string
  /** Hashes by tick: states that this client knows to be confirmed. */
  readonly seen: Map<number, string>
  lastTick: number
  /** When the last confirmed tick came, ms, and the longest time without one since it was last asked. */
  tickAt: number
  longestGapMs: number
  jumps: number
}

/** A line that a server logged. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly msg: string }

export type Cluster = {
  readonly processes: ServerProcess[]
  readonly players: Player[]
  /** What the servers have logged. */
  readonly lines: readonly LogLine[]
  /** Starts a process again that has ended or is about to, with other rules if asked. */
  restart(process: ServerProcess, rulesVersion?: number): Promise<void>
  /** Ends everything and returns what was wrong: confirmed ticks that are lost, states that differ. */
  end(): Promise<{ problems: string[]; hashes: number; replays: number }>
}

const SCRIPT = fileURLToPath(new URL('process.ts', import.meta.url))
const FRAME_MS = 16
/** Too many from one address, and a server that is busy for the moment. */
const TRY_LATER = [429, 503]

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'hurtbox-chaos-'))
  const replays = join(folder, 'replays')
  const processes: ServerProcess[] = []
  const lines: LogLine[] = []
  async function start(slot: number, port: number, rulesVersion?: number): Promise<ServerProcess> {
    const settings = { port, replays, matches: join(folder, 'matches'), drainSeconds: options.drainSeconds ?? 5 }
    const { whenStoreFails, redisUrl } = options
    const { PATH, CHAOS_LOG, NODE_COMPILE_CACHE } = process.env
    const program = [process.execPath, SCRIPT, JSON.stringify({ ...settings, whenStoreFails, rulesVersion })]
    const container = options.isContained ? ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'] : []
    const [command, ...args] = [...container, ...program]
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: { PATH, CHAOS_LOG, NODE_COMPILE_CACHE, ...options.env, ...(redisUrl && { REDIS_URL: redisUrl }) },
    })
    createInterface(child.stdout!).on('line', (line) => {
      lines.push(JSON.parse(line))
      if (process.env.CHAOS_LOG) console.log(line)
    })
    const url = await addressOf(child)
    return { slot, url, child }
  }
  for (let slot = 0; slot < options.processes; slot++) processes.push(await start(slot, await freePort()))
  const urls = processes.map(({ url }) => url)
  const players: Player[] = []
  for (let room = 0; room < options.rooms; room++) {
    let roomId: string | undefined
    for (let i = 0; i < options.clients; i++) {
      const mode = i % 2 === 0 ? 'mirror' : 'terminal'
      const where = roomId === undefined ? { create: true } : { roomId }
      const connection = await whenAllowed(() => joinGame(rotated(urls, room), tag, { mode, ...where }))
      roomId ??= connection.room.roomId
      await connection.whenPlaying()
      const seen = new Map<number, string>()
      const now = performance.now()
      const { seat } = connection
      players.push({ connection, seat, roomId, seen, lastTick: 0, tickAt: now, longestGapMs: 0, jumps: -1 })
    }
  }
  const timer = setInterval(() => {
    for (const player of players) play(player)
  }, FRAME_MS)

  return {
    processes,
    players,
    lines,
    async restart(old, rulesVersion) {
      if (isRunning(old.child)) await once(old.child, 'exit')
      const fresh = await start(old.slot, Number(new URL(old.url).port), rulesVersion)
      old.child = fresh.child
    },
    async end() {
      // Ctrl+C ends the matches, with their replays.
      const ended = processes.map(({ child }) => (isRunning(child) ? once(child, 'exit') : undefined))
      for (const { child } of processes)
        if (isRunning(child)) process.kill(options.isContained ? insideOf(child) : child.pid!, 'SIGINT')
      await Promise.all(ended)
      clearInterval(timer)
      await Promise.all(players.map(({ connection }) => connection.leave()))
      const result = check(players, replays)
      rmSync(folder, { recursive: true, force: true })
      return result
    },
  }
}

/** All clients have one address, and the servers their own limits: seats of another process count as not taken for some seconds. */
async function whenAllowed<T>(join: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await join()
    } catch (error) {
      if (!TRY_LATER.includes((error as { readonly code?: number }).code ?? 0)) throw error
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}

function play(player: Player): void {
  const { connection, seen } = player
  const now = performance.now()
  const state = connection.update(now, (_tick, world) => botInput(whimsical, world, connection.seat, 1))
  if (state?.jumped) player.jumps++
  const { mirror, terminal } = connection
  const tick = mirror?.confirmed.tick ?? terminal?.frames.at(-1)?.tick ?? 0
  if (tick <= player.lastTick) return
  if (mirror !== undefined) seen.set(tick, hashWorld(mirror.confirmed))
  player.longestGapMs = Math.max(player.longestGapMs, now - player.tickAt)
  player.lastTick = tick
  player.tickAt = now
}

function check(players: readonly Player[], folder: string) {
  const problems: string[] = []
  const files = readdirSync(folder).filter((name) => name.endsWith('.hbr'))
  let hashes = 0
  for (const roomId of new Set(players.map((player) => player.roomId))) {
    const file = files.find((name) => name.includes(`-${roomId}-`))
    if (file === undefined) {
      problems.push(`room ${roomId} has no replay`)
      continue
    }
    const replay = loadReplay(tag, new Uint8Array(readFileSync(join(folder, file))))
    if (!replay.complete) problems.push(`the replay of ${roomId} is not whole: ${replay.problems.join(' ')}`)
    if (verifyReplay(tag, replay).mismatch !== undefined) problems.push(`the replay of ${roomId} does not verify`)
    const session = sessionFromReplay(tag, replay)
    const here = players.filter((player) => player.roomId === roomId)
    const ticks = new Set(here.flatMap(({ seen }) => [...seen.keys()]))
    const known = new Map<number, string>()
    for (const tick of [...ticks].filter((each) => each <= replay.ticks).sort((a, b) => a - b)) {
      seek(session, tick)
      known.set(tick, hashWorld(session.world))
    }
    for (const { seat, seen, lastTick, connection } of here) {
      const name = `seat ${seat} of ${roomId}`
      if (lastTick > replay.ticks) problems.push(`${name} saw tick ${lastTick}; the match has ${replay.ticks}`)
      if ((connection.mirror?.stats.mismatches ?? 0) > 0) problems.push(`${name} had another state than its host`)
      for (const [tick, hash] of seen) {
        hashes++
        if (known.get(tick) !== hash) problems.push(`${name} was told another state after tick ${tick}`)
      }
    }
  }
  return { problems, hashes, replays: files.length }
}

/** Waits until every player is in its seat and has seen confirmed ticks that came after `since`. */
export async function whenAllPlay({ players }: Cluster, since: number, withinMs = 40_000): Promise<void> {
  const end = performance.now() + withinMs
  const isBack = ({ connection, tickAt, seat }: Player) =>
    connection.status === 'playing' && tickAt > since && connection.seat === seat
  while (!players.every(isBack)) {
    if (performance.now() > end) {
      const late = players.filter((player) => !isBack(player))
      const list = late.map(({ connection, seat, roomId, tickAt }) => {
        const { status, ending } = connection
        return `seat ${seat} of ${roomId}: ${status} ${ending?.reason ?? ''}, last tick ${Math.round(performance.now() - tickAt)} ms ago`
      })
      throw new Error(`not back within ${withinMs} ms: ${list.join('; ')}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** The process that runs in the container. */
function insideOf({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'))
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

async function addressOf(child: ChildProcess): Promise<string> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a server did not start: it ended with ${code}`)
  })
  ended.catch(() => {})
  const [url] = await Promise.race([once(child, 'message'), ended])
  return String(url)
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const from = by % list.length
  return [...list.slice(from), ...list.slice(0, from)]
}
