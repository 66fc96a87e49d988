/**
 * What each entry point of the engine weighs in a page, bundled, minified and gzipped; size-limit holds it.
 *
 * The core is what a first hit takes: a world, a step, `collide`. The limits in .size-limit.json are a decision for the
 * core and today's sizes with a little air for the rest: growing past one is no accident. Bundled by what Vite bundles with.
 */

import { readFileSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What the README's example imports. */
export const FIRST_HIT = 'collide, createWorld, declareGame, defineGame, spawn, step'
/** What a game that is played and rolled back needs besides. */
const ROLLBACK = 'hashWorld, listEvents, restore, snapshot'

export async function buildEntries(): Promise<void> {
  await bundle('first-hit', `export { ${FIRST_HIT} } from 'hurtbox'`)
  await bundle('rollback', `export { ${FIRST_HIT}, ${ROLLBACK} } from 'hurtbox'`)
  const { exports } = JSON.parse(readFileSync(`${root}packages/hurtbox/package.json`, 'utf8')) as {
    exports: Record<string, unknown>
  }
  for (const path of Object.keys(exports).filter((path) => !path.endsWith('.json'))) {
    await bundle(path === '.' ? 'everything' : path.slice(2), `export * from '${path.replace('.', 'hurtbox')}'`)
  }
}

/** The parts of a page, each by itself. The page has the engine already. */
export async function buildParts(): Promise<void> {
  const { exports } = JSON.parse(readFileSync(`${root}packages/view/package.json`, 'utf8')) as {
    exports: Record<string, unknown>
  }
  for (const path of Object.keys(exports).filter((path) => !/json$|phaser|pixi|three/.test(path))) {
    await bundle(path.replace(/^\./, 'view'), `export * from '${path.replace('.', '@hurtbox/view')}'`, /^hurtbox(\/|$)/)
  }
}

/** The line that attaches the studio to a page, and what it loads when the studio is opened. The page has the engine already. */
export async function buildAttached(): Promise<void> {
  const styles: Plugin = {
    name: 'styles-as-text',
    resolveId: (id, from) => (id.endsWith('.css?inline') ? `${resolve(dirname(from!), id.split('?')[0])}.js` : null),
    load: (id) =>
      id.endsWith('.css.js') ? `export default ${JSON.stringify(readFileSync(id.slice(0, -3), 'utf8'))}` : null,
  }
  const bundle = await rolldown({
    input: { line: `${root}packages/studio/src/attach/index.ts` },
    external: /^(hurtbox|@hurtbox\/colyseus)(\/|$)/,
    logLevel: 'silent',
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [styles],
  })
  rmSync(`${root}.cache/sizes/attached`, { recursive: true, force: true })
  await bundle.write({
    dir: `${root}.cache/sizes/attached`,
    format: 'esm',
    minify: true,
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: 'opened/[name].js',
  })
}

async function bundle(name: string, contents: string, external: RegExp | string[] = []): Promise<void> {
  const entry = `${root}${name}.entry.js`
  const bundle = await rolldown({
    input: entry,
    external,
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? contents : null),
      },
    ],
  })
  const output = { format: 'esm', minify: true, comments: false, codeSplitting: false } as const
  await bundle.write({ ...output, file: `${root}.cache/sizes/${name}.js` })
}
