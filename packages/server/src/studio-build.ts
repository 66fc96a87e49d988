/**
 * Builds the studio when it is missing or older than its sources.
 *
 * `npm start` must show the studio on a machine that has just cloned the repository, and after an edit it must not show
 * yesterday's. Vite runs as a process of its own: the server needs none of its memory.
 */

import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))
const STUDIO = join(REPOSITORY, 'packages/studio')
const BUILT = join(STUDIO, 'dist')
/** Everything that goes into the page. */
const SOURCES = ['packages/studio', 'packages/hurtbox/src', 'packages/hurtbox/scenes', 'packages/colyseus/src', 'games']
const SKIPPED = new Set(['.cache', 'dist', 'node_modules', 'test', 'bench'])

/** The folder with the built studio; undefined when it could not be built and never was. */
export async function preparedStudio(say: (line: string) => void): Promise<string | undefined> {
  const index = join(BUILT, 'index.html')
  const builtAt = existsSync(index) ? statSync(index).mtimeMs : 0
  if (!existsSync(join(STUDIO, 'index.html'))) return undefined
  if (SOURCES.some((folder) => isNewer(join(REPOSITORY, folder), builtAt))) {
    say(`building the studio (${builtAt === 0 ? 'once' : 'its sources have changed'}) …`)
    const start = performance.now()
    const failure = await build()
    if (failure === undefined) say(`built in ${((performance.now() - start) / 1000).toFixed(1)} s`)
    else say(`the studio could not be built${builtAt === 0 ? '' : '; this is the last one that could'}:\n${failure}`)
  }
  return existsSync(index) ? BUILT : undefined
}

function isNewer(folder: string, than: number): boolean {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return !SKIPPED.has(entry.name) && isNewer(path, than)
    return statSync(path).mtimeMs > than
  })
}

/** What went wrong, if anything. */
function build(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const vite = join(REPOSITORY, 'node_modules/vite/bin/vite.js')
    const child = spawn(process.execPath, [vite, 'build', STUDIO, '--logLevel', 'warn'], {
      cwd: STUDIO,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let errors = ''
    child.stderr.on('data', (text) => (errors += text))
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (code) => resolve(code === 0 ? undefined : errors.trim() || `vite ended with ${code}`))
  })
}
