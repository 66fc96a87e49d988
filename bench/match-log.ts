/**
 * What it costs to keep matches: `npm run measure -- match-log`.
 *
 * Rooms without sockets, each a host with eight bots at 60 ticks a second, first without a log and then with one in a folder and
 * in a Redis that is started for it (`appendfsync everysec` and `always`). Measured: how much later a tick may be told, the CPU
 * time of the process per room and tick, and what a minute of one match takes in the store. The kinds take turns, and the
 * median of each is printed, because a shared machine is never equally fast for long.
 *
 *   --rooms n,n   how many rooms (1,20,100)
 *   --rounds n    how often each is measured (5)
 *   --sockets     whole servers instead: rooms with clients over real sockets, four unless told otherwise, CPU time only
 *   --clients n   of each of those rooms (8)
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  createHost,
  createKeeper,
  keepTick,
  type MatchLog,
  type MatchStore,
  openLog,
  sayWhenKept,
  stepHost,
  tendKeeper,
} from '@hurtbox/netcode/host'
import { loadModule } from 'hurtbox/module/node'
import { folderStore } from '../packages/server/src/matches/folder-store.ts'
import { redisStore } from '../packages/server/src/matches/redis-store.ts'
import { startRedis } from '../packages/server/test/redis-process.ts'
import { MATCH_PLAN, type MatchFigures, measureMatches, medianOf } from './match/main.ts'

/** As many as there are between two checkpoints, so that each room has one. */
const TICKS = 256
const TICK_MS = 1000 / 60
const { values } = parseArgs({
  options: {
    rooms: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    sockets: { type: 'boolean', default: false },
    clients: { type: 'string', default: '8' },
  },
})
const { game, bots } = await loadModule('jet-raiders')

type Figures = { readonly cpuMicros: number; readonly p50: number; readonly p99: number; readonly bytes: number }

async function measure(rooms: number, store: MatchStore | undefined): Promise<Figures> {
  let bytes = 0
  const delays: number[] = []
  const all = Array.from({ length: rooms }, (_, i) => {
    const host = createHost(game, { seed: i, bots, fill: 8, replay: {} })
    const setup = { seed: i, options: {}, tuning: {} }
    const record = {
      id: `bench-${i}`,
      room: 'bench',
      fingerprint: '',
      setup,
      nonce: i,
      match: 1,
      isPrivate: false,
      startedAt: 0,
    }
    const keeper =
      store &&
      createKeeper(
        host,
        counted(openLog(store, record), (count) => (bytes += count)),
      )
    return { host, keeper }
  })
  let ticks = 0
  const turn = ({ host, keeper }: (typeof all)[number]) => {
    stepHost(host)
    ticks++
    if (keeper === undefined) {
      host.replay.length = 0
      return
    }
    keepTick(keeper)
    const at = performance.now()
    sayWhenKept(keeper, () => delays.push(performance.now() - at))
    tendKeeper(keeper)
  }
  // Warm: the first second is not counted.
  for (let i = 0; i < 60; i++) for (const each of all) turn(each)
  await new Promise((resolve) => setTimeout(resolve, 300))
  ticks = 0
  delays.length = 0
  bytes = 0
  const before = process.cpuUsage()
  const startedAt = performance.now()
  for (let n = 0; n < TICKS; n++) {
    for (const each of all) turn(each)
    await new Promise((resolve) => setTimeout(resolve, Math.max(startedAt + (n + 1) * TICK_MS - performance.now(), 0)))
  }
  const { user, system } = process.cpuUsage(before)
  await new Promise((resolve) => setTimeout(resolve, 500))
  for (const { keeper } of all) keeper?.log.remove(() => {})
  delays.sort((a, b) => a - b)
  const at = (part: number) => delays[Math.floor(delays.length * part)] ?? 0
  const minutes = ticks / 60 / 60
  return { cpuMicros: (user + system) / ticks, p50: at(0.5), p99: at(0.99), bytes: bytes / minutes }
}

async function printRooms(counts: string): Promise<void> {
  console.log('| rooms | log | CPU µs per room-tick | later by, p50 ms | p99 ms | kB per match-minute |')
  console.log('|---:|---|---:|---:|---:|---:|')
  for (const rooms of counts.split(',').map(Number)) {
    const figures = stores.map((): Figures[] => [])
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [i, [, store]] of stores.entries()) figures[i].push(await measure(rooms, store))
    }
    const bare = median(figures[0], 'cpuMicros')
    for (const [i, [name, store]] of stores.entries()) {
      const of = (figure: keyof Figures) => median(figures[i], figure)
      const more = (100 * (of('cpuMicros') / bare - 1)).toFixed(0)
      const cpu = store === undefined ? bare.toFixed(0) : `${of('cpuMicros').toFixed(0)} (+${more} %)`
      const later = `${of('p50').toFixed(2)} | ${of('p99').toFixed(1)} | ${(of('bytes') / 1000).toFixed(0)}`
      console.log(`| ${rooms} | ${name} | ${cpu} | ${store === undefined ? '– | – | –' : later} |`)
    }
  }
}

/** Servers as `hurtbox serve` makes them. */
async function printServers(counts: string): Promise<void> {
  const kinds = [
    ['no log', { HURTBOX_BENCH_MATCHES: 'none' }],
    ['folder', {}],
    ['Redis, appendfsync everysec', { REDIS_URL: everysec.url }],
  ] as const
  console.log('| rooms | log | CPU ms per room-tick |')
  console.log('|---:|---|---:|')
  for (const rooms of counts.split(',').map(Number)) {
    const runs = kinds.map((): MatchFigures[] => [])
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [i, [, environment]] of kinds.entries()) {
        const env = { HURTBOX_BENCH_MATCHES: '', REDIS_URL: '', ...environment }
        Object.assign(process.env, env)
        const clientsPerRoom = Number(values.clients)
        const plan = { ...MATCH_PLAN, kinds: ['terminals'] as const, rooms, clientsPerRoom, rounds: 1 }
        runs[i].push(...(await measureMatches(plan, () => {})))
      }
    }
    const [bare] = runs.map((each) => medianOf(each).cpuMsPerRoomTick)
    for (const [i, [name]] of kinds.entries()) {
      const { cpuMsPerRoomTick: ms, isStarved } = medianOf(runs[i])
      const more = i === 0 ? '' : ` (${(100 * (ms / bare - 1)).toFixed(0)} % more)`
      console.log(`| ${rooms} | ${name} | ${ms.toFixed(3)}${more}${isStarved ? ', starved' : ''} |`)
    }
  }
}

function median(figures: readonly Figures[], name: keyof Figures): number {
  const sorted = figures.map((each) => each[name]).sort((a, b) => a - b)
  return sorted[sorted.length >> 1]
}

function counted(log: MatchLog, count: (bytes: number) => void): MatchLog {
  return {
    ...log,
    append(entry, done) {
      count(entry.length)
      log.append(entry, done)
    },
    checkpoint(entry, replay, done) {
      count(entry.length + replay.bytes.length)
      log.checkpoint(entry, replay, done)
    },
  }
}

const folder = mkdtempSync(join(tmpdir(), 'hurtbox-bench-'))
const startKept = (fsync: string) =>
  startRedis(undefined, ['--appendonly', 'yes', '--appendfsync', fsync, '--appenddirname', fsync, '--dir', folder])
const [always, everysec] = [await startKept('always'), await startKept('everysec')]
const connect = (port: number) => redisStore({ host: '127.0.0.1', port }, 'bench', console.error)
const [alwaysStore, everysecStore] = [await connect(always.port), await connect(everysec.port)]
const files = folderStore(join(folder, 'matches'))
await files.claim()
const stores = [
  ['no log', undefined],
  ['folder', files],
  ['Redis, appendfsync everysec', everysecStore],
  ['Redis, appendfsync always', alwaysStore],
] as const
if (values.sockets) await printServers(values.rooms ?? '4')
else await printRooms(values.rooms ?? '1,20,100')
await files.close()
alwaysStore.close()
everysecStore.close()
always.child.kill()
everysec.child.kill()
rmSync(folder, { recursive: true, force: true })
process.exit(0)
