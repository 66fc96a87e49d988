/** What `hurtbox check` says of sources alone, as if no scene had reached anything; and all programs of the docs as files. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scan } from '../../packages/cli/src/check/scan.ts'
import { findSense } from '../../packages/cli/src/check/sense/sense.ts'
import { createWatch } from '../../packages/cli/src/check/sense/watch.ts'
import { repositoryRoot as root } from '../engines/install-npm.ts'

/** `rules.ts:12 …` for each. A rule that no scene has reached is told if the sources say that it cannot be. */
export function effectlessIn(file: string, areRulesReached = false): string[] {
  const scanned = scan(file)
  const names = scanned.rules.flatMap(({ text }) =>
    [...text.matchAll(/'([^'\n]+)'|(\w+): \{/g)].map(([, quoted, plain]) => quoted ?? plain),
  )
  const module = { room: {}, game: { tables: {}, behaviour: {} } }
  const found = findSense(module as never, file, scanned, createWatch(), areRulesReached ? [] : names)
  return found.map(({ file, line, message }) => `${file}:${line} ${message}`)
}

export const filesIn = (folder: string, pattern: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name) && !name.includes('node_modules'))
    .map((name) => join(root, folder, name))

/** The snippets of each page as one program. */
export function pages(): string[] {
  const folder = join(root, '.cache/check-snippets')
  mkdirSync(folder, { recursive: true })
  return ['README.md', ...readdirSync(join(root, 'docs/guide')).map((name) => `docs/guide/${name}`)].flatMap((page) => {
    const blocks = [...readFileSync(join(root, page), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code)
    const program = blocks.join('\n')
    if (!program.includes('declareGame(')) return []
    const file = join(folder, `${page.replaceAll('/', '-')}.ts`)
    writeFileSync(file, program)
    return [file]
  })
}

/** The code of the examples in the comments of the engine. */
export function examples(): string[] {
  const folder = join(root, '.cache/check-examples')
  mkdirSync(folder, { recursive: true })
  return filesIn('packages/hurtbox/src', /(?<!\.test)\.ts$/).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/ \* ```ts\n([\s\S]*?) \* ```/g)].flatMap(([, lines], i) => {
      const code = lines.replaceAll(/^ \* ?/gm, '')
      if (!code.includes('declareGame(')) return []
      const target = join(folder, `${file.slice(root.length).replaceAll(/\W/g, '-')}-${i}.ts`)
      writeFileSync(target, code)
      return [target]
    }),
  )
}
