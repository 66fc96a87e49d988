/**
 * `npm run docs`: the reference from the sources, then the whole site into docs/.vitepress/dist.
 *
 * `npm run docs -- --serve` serves it and reloads while you write.
 */

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeReplays } from './replays.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const isServing = process.argv.includes('--serve')

/** The entry points of the packages: everything that can be imported. */
const entries = ['packages/hurtbox/', 'packages/colyseus/', 'packages/view/'].flatMap((folder) => {
  const { exports } = JSON.parse(readFileSync(`${root}${folder}package.json`, 'utf8')) as { exports: object }
  return Object.values(exports)
    .filter((path) => path.endsWith('.ts'))
    .map((path) => posix.join(folder, path))
})

mkdirSync(`${root}.cache/docs`, { recursive: true })
const compilerOptions = { types: ['node'], lib: ['es2023', 'dom'] }
const files = entries.map((entry) => root + entry)
const tsconfig = { extends: '../../tsconfig.base.json', compilerOptions, files }
writeFileSync(`${root}.cache/docs/tsconfig.json`, JSON.stringify(tsconfig))

rmSync(`${root}docs/api`, { recursive: true, force: true })
run('docs/node_modules/typedoc/bin/typedoc', [
  ...entries.flatMap((entry) => ['--entryPoints', entry]),
  ...['--tsconfig', '.cache/docs/tsconfig.json', '--skipErrorChecking', 'true', '--disableSources', 'true'],
  // What a room inherits from Colyseus is documented by Colyseus.
  ...['--excludeExternals', 'true', '--name', 'Reference'],
  ...['--out', 'docs/api', '--plugin', 'typedoc-plugin-markdown', '--readme', 'none', '--entryFileName', 'index.md'],
  // One page per module: related functions are read together, and the browser's own search finds them.
  ...['--outputFileStrategy', 'modules', '--flattenOutputFiles', 'true', '--hideBreadcrumbs', 'true'],
  ...['--hidePageHeader', 'true'],
  ...['--groupOrder', 'Functions', '--groupOrder', 'Variables', '--groupOrder', '*'],
  ...['--useCodeBlocks', 'true', '--parametersFormat', 'table', '--typeAliasPropertiesFormat', 'table'],
  // Parts of a public type that users never name (the scratch of a collision, what a world is made of) stay internal.
  ...['--validation.notExported', 'false', '--logLevel', 'Warn', '--treatWarningsAsErrors', 'true'],
])
await writeReplays()
run('node_modules/vitepress/bin/vitepress.js', [isServing ? 'dev' : 'build', 'docs'])
if (!isServing) {
  console.log('The site is in docs/.vitepress/dist: plain files for any static host.')
  console.log('`npm run docs -- --serve` serves it, prints the address, and reloads while you write.')
}

function run(script: string, args: readonly string[]): void {
  execFileSync(process.execPath, [root + script, ...args], { cwd: root, stdio: 'inherit' })
}
