/**
 * `npm run docs`: the reference from the sources, then the whole site into docs/.vitepress/dist.
 *
 * `npm run docs -- --serve` shows it while you write.
 */

import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
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

rmSync(`${root}docs/api`, { recursive: true, force: true })
run('docs/node_modules/typedoc/bin/typedoc', [
  ...ENTRIES.flatMap((entry) => ['--entryPoints', `packages/hurtbox/src/${entry}.ts`]),
  ...['--tsconfig', 'packages/hurtbox/tsconfig.json', '--skipErrorChecking', 'true', '--disableSources', 'true'],
  ...['--out', 'docs/api', '--plugin', 'typedoc-plugin-markdown', '--readme', 'none', '--entryFileName', 'index.md'],
  // One page per module: what belongs together is read together, and found by the browser's own search.
  ...['--outputFileStrategy', 'modules', '--flattenOutputFiles', 'true', '--hideBreadcrumbs', 'true'],
  ...['--hidePageHeader', 'true'],
  ...['--groupOrder', 'Functions', '--groupOrder', 'Variables', '--groupOrder', '*'],
  ...['--useCodeBlocks', 'true', '--parametersFormat', 'table', '--typeAliasPropertiesFormat', 'table'],
  // Parts of a public type that nobody has to name (the scratch of a collision, what a world is made of) stay inside.
  ...['--validation.notExported', 'false', '--logLevel', 'Warn', '--treatWarningsAsErrors', 'true'],
])
run('node_modules/vitepress/bin/vitepress.js', [isServing ? 'dev' : 'build', 'docs'])

function run(script: string, args: readonly string[]): void {
  execFileSync(process.execPath, [root + script, ...args], { cwd: root, stdio: 'inherit' })
}
