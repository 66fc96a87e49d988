/** Settings in a file of the project: secrets are no options, and shells differ in how variables are set. A file is the same on every system. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findProject } from 'hurtbox/module/node'

/** Reads `.env` beside package.json. Variables go before it. */
export function readSettings(): void {
  const file = join(findProject().folder ?? process.cwd(), '.env')
  if (existsSync(file)) process.loadEnvFile(file)
}
