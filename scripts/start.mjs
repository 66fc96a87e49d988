/**
 * `npm start`: all games and the studio on one port, as `hurtbox serve` does it. Options go behind two dashes:
 * `npm start -- --port 8080`.
 *
 * Runs on whatever Node the machine has; if that one cannot load TypeScript, in the one that npm installed.
 */

import { fileURLToPath } from 'node:url'
import { canLoadTypeScript } from '../packages/cli/bin/runtime.js'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
if (await canLoadTypeScript(import.meta.url)) {
  process.argv.splice(2, 0, 'serve')
  await import('../packages/cli/src/main.ts')
}
