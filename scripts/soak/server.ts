/** The server process of a soak: as `hurtbox serve` runs it, and it tells what it holds. */

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadModule } from 'hurtbox/module/node'
import { parseMetrics } from '../../packages/server/src/load/prometheus.ts'
import { serve } from '../../packages/server/src/serve.ts'
import type { ServerState } from './real.ts'
import { sampleHere } from './samples.ts'

const folder = mkdtempSync(join(tmpdir(), 'hurtbox-soak-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.on('disconnect', () => process.exit())

const replayFolder = join(folder, 'replays')
const { url, metrics } = await serve({
  games: [await loadModule('jet-raiders')],
  port: 0,
  host: '127.0.0.1',
  replays: replayFolder,
  matches: join(folder, 'matches'),
  logLevel: 'info',
  loadTest: true,
  signals: false,
  say: () => {},
})
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
