/** The server that a load test starts for itself: one game, in a process of its own. */

import { join } from 'node:path'
import { loadModule } from 'hurtbox/module/node'
import { serve } from '../serve.ts'

const [file, folder] = process.argv.slice(2)
await serve({
  games: [await loadModule(file)],
  port: 0,
  host: '127.0.0.1',
  replays: join(folder, 'replays'),
  // Not where the project keeps its own.
  matches: join(folder, 'matches'),
  loadTest: true,
  logLevel: 'info',
  say: () => {},
})
