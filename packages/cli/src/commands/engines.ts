/**
 * `hurtbox engines`: hands over to the matrix of JavaScript engines.
 *
 * The matrix installs and drives other runtimes; it belongs to the repository and not to what people install.
 */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../errors.ts'

const SCRIPT = fileURLToPath(new URL('../../../../scripts/engines/main.ts', import.meta.url))

export function engines(args: readonly string[]): Promise<number> {
  if (!existsSync(SCRIPT)) {
    throw new UsageError(
      'engines runs every scene in every JavaScript engine it finds, from a checkout of the Hurtbox repository. ' +
        'This is an installed package: clone the repository and run `npx hurtbox engines` there.',
    )
  }
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [SCRIPT, ...args], { stdio: 'inherit' })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
