/** The server process of a soak: as `hurtbox serve` runs it, and it tells what it holds. */

import { mkdtempSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { replayFolder } from '@hurtbox/colyseus'
import { loadModule } from 'hurtbox/module/node'
import { LOAD_TEST_LIMITS } from '../../packages/server/src/limits.ts'
import { parseMetrics } from '../../packages/server/src/load/prometheus.ts'
import { createLog } from '../../packages/server/src/log.ts'
import { createMetrics } from '../../packages/server/src/metrics.ts'
import { gameRooms } from '../../packages/server/src/rooms.ts'
import { createServer } from '../../packages/server/src/server.ts'
import type { ServerState } from './real.ts'
import { sampleHere } from './samples.ts'

const folder = mkdtempSync(join(tmpdir(), 'hurtbox-soak-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.on('disconnect', () => process.exit())

const metrics = createMetrics()
const logFile = openSync(join(folder, 'log'), 'w')
const log = createLog('info', { write: (line) => void writeSync(logFile, line) })
const replays = join(folder, 'replays')
const games = [await loadModule('jet-raiders')]
const server = createServer({
  rooms: gameRooms({ games, replays: replayFolder(replays), metrics, log }),
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
  const files = readdirSync(replays).map((name) => statSync(join(replays, name)).size)
  return { ...sampleHere(), ticks, fileBytes: files.reduce((sum, size) => sum + size, 0) }
}
