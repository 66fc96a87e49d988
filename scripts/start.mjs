/**
 * `npm start`: until there is a studio, a match in the terminal and the proof that it is always the same one.
 *
 * Runs on whatever Node the machine has; if that one cannot load TypeScript, in the one that npm installed.
 */

import { fileURLToPath } from 'node:url'
import { canLoadTypeScript } from '../packages/cli/bin/runtime.js'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
if (await canLoadTypeScript(import.meta.url)) {
  const { show } = await import('../packages/cli/src/show/show.ts')
  process.exitCode = await show()
}
