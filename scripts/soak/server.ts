/** The server process of a soak: as `hurtbox serve` runs it, and it tells what it holds. */

import { mkdtempSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadModule } from 'hurtbox/module/node'
import { pino } from 'pino'
import { LOAD_TEST_LIMITS } from '../../packages/server/src/limits.ts'
import { parseMetrics } from '../../packages/server/src/load/prometheus.ts'
import { createMetrics } from '../../packages/server/src/metrics.ts'
import { gameRooms } from '../../packages/server/src/rooms.ts'
import { createServer } from '../../packages/server/src/server.ts'
import type { ServerState } from './real.ts'
import { sampleHere } from './samples.ts'

const folder = mkdtempSync(join(tmpdir(), 'hurtbox-soak-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.on('disconnect', () => process.exit())

const metrics = createMetrics()
const log = pino({ base: null }, pino.destination({ fd: openSync(join(folder, 'log'), 'w'), sync: true }))
const replayFolder = join(folder, 'replays')
const games = [await loadModule('jet-raiders')]
const server = createServer({
  rooms: gameRooms({ games, replayFolder, metrics, log }),
  metrics,
  log,
  limits: LOAD_TEST_LIMITS,
})
const url = await server.listen(0, '127.0.0.1')
process.on('message', async () => process.send!(await read()))
process.send!({ url })

async function read(): Promise<ServerState> {
  let ticks = 0
  for (const [series, value] of parseMetrics(await metrics.registry.metrics())) {
    if (series.startsWith('hurtbox_tick_seconds_count')) ticks += value
  }
  const files = readdirSync(replayFolder).map((name) => statSync(join(replayFolder, name)).size)
  return { ...sampleHere(), ticks, fileBytes: files.reduce((sum, size) => sum + size, 0) }
}
