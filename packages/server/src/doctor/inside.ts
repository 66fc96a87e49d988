/**
 * What is wrong with a machine before a server is started on it: seen from inside, with the settings that the server would have.
 *
 * Each check does what the server will do (binds the port, writes a file, asks Redis) instead of looking at descriptions of it.
 */

import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, open, rm, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { availableParallelism, totalmem } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { hasDatagrams, requireDatagramSettings, udpHostOf } from '../datagrams.ts'
import { readEnvironment } from '../environment.ts'
import { LIMITS } from '../limits.ts'
import { createOrigins } from '../origins.ts'
import { requireReachable } from '../public-address.ts'
import type { ServeOptions } from '../serve.ts'
import { type Finding, judge } from './finding.ts'
import { isHealth, request } from './http.ts'
import { examineRedis } from './redis.ts'

/** Settings of the server, and what is true of this process unless a test says otherwise. */
export type InsideOptions = Pick<
  ServeOptions,
  'host' | 'port' | 'dataDir' | 'proxies' | 'publicAddress' | 'udp' | 'udpPort' | 'udpHost' | 'udpAddresses' | 'origins'
> & {
  readonly redisUrl?: string
  readonly variables?: Readonly<Record<string, string | undefined>>
  readonly nodeVersion?: string
  readonly memoryBytes?: number
  readonly heapBytes?: number
  readonly openFiles?: number
}

const MiB = 1_048_576
/** What an idle server takes is 140 MB (docs/server.md), and rooms come on top. */
const LEAST_MEMORY = 160 * MiB
const ENOUGH_MEMORY = 256 * MiB
/** Replays take 1 GiB before the oldest are removed. */
const LEAST_DISK = 64 * MiB
const ENOUGH_DISK = 1_200 * MiB
/** A server writes what a match says in every tick. The fastest of some tries: a disk that others use just now is not a slow one. */
const SLOW_WRITE_MS = 50
const WRITES = 5
const DEFAULT_PORT = 2567
/** When this was written. */
const WRITTEN_AT = Date.UTC(2026, 10, 1)

export async function examineInside(given: InsideOptions = {}): Promise<readonly Finding[]> {
  const { variables = process.env } = given
  const settings = judge('settings')
  let options: InsideOptions
  try {
    options = { ...readEnvironment(variables), ...given }
    const { host = '127.0.0.1', proxies = 0, origins = [] } = options
    requireReachable({ ...options, host })
    requireDatagramSettings(options, host)
    const unused = () => {}
    createOrigins({ listed: origins, proxies, localPages: false, isExposed: () => true, warn: unused })
  } catch (error) {
    return [...machine(given), settings.wrong((error as Error).message)]
  }
  const { redisUrl } = options
  const rows = await Promise.all([
    examinePort(options),
    examineUdpPort(options),
    examineFolder(options.dataDir ?? '.cache'),
    redisUrl === undefined ? [] : examineRedis(redisUrl),
  ])
  return [...machine(options), settings.ok(shownSettings(options)), ...rows.flat()]
}

function machine(options: InsideOptions): readonly Finding[] {
  return [
    examineNode(options.nodeVersion ?? process.versions.node),
    examineMemory(options),
    ...examineOpenFiles(options.openFiles ?? openFilesLimit()),
    examineClock(),
  ]
}

function shownSettings({ host = '127.0.0.1', port = DEFAULT_PORT, proxies = 0, publicAddress }: InsideOptions): string {
  const parts = [`${host}:${port}`, `${proxies} ${proxies === 1 ? 'proxy' : 'proxies'} in front`]
  return [...parts, ...(publicAddress === undefined ? [] : [`outside ${publicAddress}`])].join(', ')
}

function examineNode(version: string): Finding {
  const { ok, wrong } = judge('node')
  const wanted = wantedNode()
  const [parts, least] = [version, wanted].map((text) => text.split('.').map(Number))
  const at = least.findIndex((part, i) => parts[i] !== part)
  if (at < 0 || parts[at] > least[at]) return ok(version)
  return wrong(`Node ${version} is too old: install ${wanted} or newer.`)
}

/** The oldest that this package runs on. */
function wantedNode(): string {
  const file = new URL('../../package.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')).engines.node.replace(/[^\d.]/g, '')
}

function examineMemory(given: Pick<InsideOptions, 'memoryBytes' | 'heapBytes'> = {}): Finding {
  const { ok, warning, wrong } = judge('memory')
  // Of the container, where it has a limit.
  const constrained = process.constrainedMemory()
  const own = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  const { memoryBytes = own, heapBytes = getHeapStatistics().heap_size_limit } = given
  const shown = `${megabytes(memoryBytes)} for this process, ${availableParallelism()} cores`
  if (memoryBytes < LEAST_MEMORY)
    return wrong(`${megabytes(memoryBytes)} are too few: give the container ${megabytes(ENOUGH_MEMORY)} or more.`)
  if (heapBytes > memoryBytes) {
    return wrong(
      `Node may take ${megabytes(heapBytes)} of the ${megabytes(memoryBytes)} there are, and is killed then: take --max-old-space-size out of NODE_OPTIONS.`,
    )
  }
  if (memoryBytes < ENOUGH_MEMORY)
    return warning(`${shown}: enough for a few rooms; ${megabytes(ENOUGH_MEMORY)} are better.`)
  return ok(shown)
}

/** Undefined where the system does not say. */
function openFilesLimit(): number | undefined {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}

function examineOpenFiles(limit: number | undefined): readonly Finding[] {
  if (limit === undefined) return []
  const { ok, warning } = judge('open files')
  const wanted = LIMITS.connections + 256
  if (limit >= wanted) return [ok(`${limit}`)]
  return [
    warning(`${limit} are fewer than the ${wanted} of a full server: ulimit -n 8192, or LimitNOFILE=8192 in the unit.`),
  ]
}

/** Certificates and signed results need the day at least. Nothing outside is asked; a machine whose battery is empty says 1970. */
function examineClock(): Finding {
  const now = Date.now()
  const { ok, wrong } = judge('clock')
  const shown = new Date(now).toISOString()
  if (now > WRITTEN_AT) return ok(shown)
  return wrong(`The clock says ${shown}, which has been: turn NTP on (timedatectl set-ntp true).`)
}

/** In an order of what to do: the program that has the port may be our own, which runs. */
async function examinePort({ host = '127.0.0.1', port = DEFAULT_PORT }: InsideOptions): Promise<Finding> {
  const { ok, wrong } = judge('port')
  const problem = await tryTcp(host, port)
  if (problem === undefined) return ok(`TCP ${host}:${port} is free`)
  if (problem === 'EADDRINUSE') {
    if (await isOurs(host, port)) return ok(`a Hurtbox server runs on ${host}:${port}`)
    return wrong(
      `Another program has TCP port ${port}: end it, or take another port (--port ${port + 1}, PORT=${port + 1}).`,
    )
  }
  if (problem === 'EACCES') return wrong(`TCP port ${port} needs rights this user does not have: take one above 1023.`)
  return wrong(`${host} is no address of this machine (${problem}): --host 0.0.0.0 for all it has.`)
}

async function tryTcp(host: string, port: number): Promise<string | undefined> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  } finally {
    server.close()
  }
}

async function isOurs(host: string, port: number): Promise<boolean> {
  const there = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const url = new URL(`http://${there.includes(':') ? `[${there}]` : there}:${port}/health`)
  const { body = '' } = await request(url, { waitMs: 2_000 }).catch(() => ({ body: '' }))
  return isHealth(body)
}

async function examineUdpPort(options: InsideOptions): Promise<readonly Finding[]> {
  const { host = '127.0.0.1', port = DEFAULT_PORT, udpPort = port } = options
  if (!hasDatagrams(options)) return []
  const { ok, wrong } = judge('udp port')
  const listensOn = udpHostOf(options, host)
  try {
    const { address, family } = await lookup(listensOn, { order: 'ipv4first' })
    const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
    try {
      socket.bind(udpPort, address)
      await once(socket, 'listening')
    } finally {
      socket.close()
    }
    return [ok(`UDP ${listensOn}:${udpPort} is free`)]
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE')
      return [
        wrong(`UDP cannot listen on ${listensOn}:${udpPort} (${code}): --udp-host with an address of this machine.`),
      ]
    if (await isOurs(host, port)) return [ok(`UDP ${listensOn}:${udpPort} is taken, by the server that runs`)]
    return [wrong(`Another program has UDP port ${udpPort}: end it, or take another (--udp-port, UDP_PORT).`)]
  }
}

async function examineFolder(dataDir: string): Promise<Finding> {
  const { ok, warning, wrong } = judge('data folder')
  const folder = resolve(dataDir)
  const there = nearestThere(folder)
  const cure = 'Give a folder that this user can write: --data-dir, DATA_DIR.'
  try {
    const { bavail, bsize } = await statfs(there)
    const free = bavail * bsize
    // The fullest disk first: nothing can be tried on it.
    if (free < LEAST_DISK) return wrong(`${folder} has ${megabytes(free)} left: make room, or matches are not kept.`)
    const writeMs = await fastestWrite(there)
    if (free < ENOUGH_DISK)
      return warning(`${folder} has ${megabytes(free)} left, and replays alone take 1,024 MB in time.`)
    const shown = `a write takes ${writeMs.toFixed(1)} ms`
    if (writeMs > SLOW_WRITE_MS)
      return warning(
        `${folder}: ${shown}, longer than a tick: take a disk of this machine, or keep matches in Redis (REDIS_URL).`,
      )
    return ok(`${folder}, ${megabytes(free)} free, ${shown}`)
  } catch (error) {
    return wrong(
      `${folder} cannot be written (${(error as NodeJS.ErrnoException).code}): replays and matches would not be kept. ${cure}`,
    )
  }
}

/** The folder is not made here: the server does, with the rights of its user. */
function nearestThere(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestThere(dirname(folder))
}

async function fastestWrite(folder: string): Promise<number> {
  const trial = await mkdtemp(join(folder, '.hurtbox-doctor-'))
  try {
    const file = await open(join(trial, 'trial'), 'w')
    let fastest = Number.POSITIVE_INFINITY
    for (let i = 0; i < WRITES; i++) {
      const before = performance.now()
      await file.write(Buffer.alloc(4_096))
      await file.datasync()
      fastest = Math.min(fastest, performance.now() - before)
      await setTimeout(1)
    }
    await file.close()
    return fastest
  } finally {
    await rm(trial, { recursive: true, force: true })
  }
}

function megabytes(bytes: number): string {
  return `${String(Math.floor(bytes / MiB)).replace(/\B(?=(\d{3})+$)/g, ',')} MB`
}
