/**
 * `npm run size`: what each way into the engine weighs in a page, bundled, minified and gzipped; size-limit holds it.
 *
 * `first hit` is what the README's example imports: a world, a step, `collide`, snapshots and hashes. The limits in
 * .size-limit.json are today's sizes with a little air: growing past one is a decision, not an accident.
 */

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = `${root}.cache/sizes`

const FIRST_HIT =
  'collide, createWorld, declareGame, defineGame, hashWorld, layerNumbers, listEvents, restore, rule, snapshot, spawn, step'

export function buildEntries(): void {
  mkdirSync(folder, { recursive: true })
  bundle('first-hit', `export { ${FIRST_HIT} } from 'hurtbox'`)
  const { exports } = JSON.parse(readFileSync(`${root}packages/hurtbox/package.json`, 'utf8')) as {
    exports: Record<string, unknown>
  }
  for (const path of Object.keys(exports).filter((path) => !path.endsWith('.json'))) {
    bundle(path === '.' ? 'everything' : path.slice(2), `export * from '${path.replace('.', 'hurtbox')}'`)
  }
}

function bundle(name: string, contents: string): void {
  buildSync({
    stdin: { contents, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    outfile: `${folder}/${name}.js`,
    logLevel: 'error',
  })
}

if (import.meta.main) {
  buildEntries()
  execFileSync('size-limit', [], { cwd: root, stdio: 'inherit' })
}
