/** The server that is flooded: as `hurtbox serve` runs it, with its own limits, a match to play in and a large replay to download. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadModule } from 'hurtbox/module/node'
import { parseMetrics } from '../../packages/server/src/load/prometheus.ts'
import { serve } from '../../packages/server/src/serve.ts'
import { freePort } from '../../packages/server/test/free-port.ts'
import type { ServerReading } from './kinds.ts'
import { countPackets, countWork } from './work.ts'

const folder = mkdtempSync(join(tmpdir(), 'hurtbox-floods-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.on('disconnect', () => process.exit())

const replays = join(folder, 'replays')
const REPLAY_BYTES = 60e6
mkdirSync(replays)
writeFileSync(join(replays, 'large.hbr'), new Uint8Array(REPLAY_BYTES))

const work = countWork()
const packets = countPackets()
const port = await freePort()
const { metrics } = await serve({
  games: [await loadModule('jet-raiders')],
  port,
  udpPort: port,
  // IPv4 and IPv6.
  host: '::',
  replays,
  matches: join(folder, 'matches'),
  logLevel: 'info',
  // On a busy machine it would not open the room; admission is not what is tried here.
  limits: { load: 10, loopDelayMs: 60_000 },
  signals: false,
  say: () => {},
})
process.on('message', async (address: string) => process.send!(await read(address)))
process.send!({ port })

/** What was done for an address is part of it. */
async function read(address: string): Promise<ServerReading> {
  const values = parseMetrics(await metrics.registry.metrics())
  const atMs = performance.now()
  let [ticks, abused, datagramsIn] = [0, 0, 0]
  for (const [series, value] of values) {
    if (series.startsWith('hurtbox_tick_seconds_count')) ticks += value
    if (series.startsWith('hurtbox_channels_abused_total')) abused += value
    if (series.startsWith('hurtbox_datagrams_total') && series.includes('"in"')) datagramsIn += value
  }
  const { user, system } = process.cpuUsage()
  return {
    ticks,
    atMs,
    work: work.workFor(address),
    sockets: work.frames(),
    abused,
    packets: { ...packets },
    datagramsIn,
    cpuMs: (user + system) / 1000,
  }
}
