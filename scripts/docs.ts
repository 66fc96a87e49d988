/**
 * `npm run docs`: the reference from the sources, then the whole site into docs/.vitepress/dist.
 *
 * `npm run docs -- --serve` shows it while you write.
 */

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const isServing = process.argv.includes('--serve')

/** The ways into the engine, in the order one meets them. */
const ENTRIES = [
  'index',
  'combat/index',
  'abilities/index',
  'motion/index',
  'shapes/index',
  'volumes/index',
  'space/index',
  'math/index',
  'replay/index',
]

run('docs/node_modules/typedoc/bin/typedoc', [
  ...ENTRIES.flatMap((entry) => ['--entryPoints', `packages/hurtbox/src/${entry}.ts`]),
  ...['--tsconfig', 'packages/hurtbox/tsconfig.json', '--out', 'docs/api', '--plugin', 'typedoc-plugin-markdown'],
  ...['--readme', 'none', '--hideBreadcrumbs', 'true', '--disableSources', 'true', '--logLevel', 'Error'],
  ...['--entryFileName', 'index.md', '--skipErrorChecking', 'true'],
])
run('node_modules/vitepress/bin/vitepress.js', [isServing ? 'dev' : 'build', 'docs'])

function run(script: string, args: readonly string[]): void {
  execFileSync(process.execPath, [root + script, ...args], { cwd: root, stdio: 'inherit' })
}
