/**
 * What it costs to keep matches: `npm run bench:log`.
 *
 * Rooms without sockets, each a host with eight bots at 60 ticks a second, first without a log and then with one in a folder and
 * in a Redis that is started for it (`appendfsync always` and `everysec`). Measured: how much later a tick may be told, the CPU
 * time of the process per room and tick, and what a minute of one match takes in the store.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderStore, type MatchLog, type MatchStore } from '@hurtbox/colyseus'
import { loadModule } from 'hurtbox/module/node'
import { createKeeper, keepTick, sayWhenKept, tendKeeper } from '../packages/colyseus/src/match/keeper.ts'
import { openLog } from '../packages/colyseus/src/match/keeping.ts'
import { createHost, stepHost } from '../packages/colyseus/src/netcode/host.ts'
import { redisStore } from '../packages/server/src/matches/redis-store.ts'
import { startRedis } from '../packages/server/test/redis-process.ts'

const SECONDS = 6
const TICK_MS = 1000 / 60
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
  for (let n = 0; performance.now() - startedAt < SECONDS * 1000; n++) {
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
const always = await startRedis(undefined, ['--appendonly', 'yes', '--appendfsync', 'always', '--dir', folder])
const everysec = await startRedis(undefined, ['--appendonly', 'yes', '--appendfsync', 'everysec', '--dir', tmpdir()])
const connect = (port: number) => redisStore({ host: '127.0.0.1', port }, 'bench', console.error)
const [alwaysStore, everysecStore] = [await connect(always.port), await connect(everysec.port)]
const stores = [
  ['no log', undefined],
  ['folder', folderStore(join(folder, 'matches'))],
  ['Redis, appendfsync everysec', everysecStore],
  ['Redis, appendfsync always', alwaysStore],
] as const
console.log('| rooms | log | CPU µs per room-tick | later by, p50 ms | p99 ms | kB per match-minute |')
console.log('|---:|---|---:|---:|---:|---:|')
for (const rooms of [1, 20, 100]) {
  for (const [name, store] of stores) {
    const { cpuMicros, p50, p99, bytes } = await measure(rooms, store)
    const later =
      store === undefined ? '| – | – | – |' : `| ${p50.toFixed(2)} | ${p99.toFixed(1)} | ${(bytes / 1000).toFixed(0)} |`
    console.log(`| ${rooms} | ${name} | ${cpuMicros.toFixed(0)} ${later}`)
  }
}
alwaysStore.close()
everysecStore.close()
always.child.kill()
everysec.child.kill()
rmSync(folder, { recursive: true, force: true })
process.exit(0)
