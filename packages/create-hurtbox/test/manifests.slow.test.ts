/** What a created project depends on: the server of a game needs no renderer, no page and no tool. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const bin = fileURLToPath(new URL('../bin/create-hurtbox.js', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'hurtbox-manifests-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** The packages that the files of a folder import. */
function importedIn(folder: string): string[] {
  const text = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  return [...text.matchAll(/from '((?:@[\w-]+\/)?[\w-]+)[^']*'/g)].map(([, name]) => name)
}

test('[FM6] what is said of a match, of one that failed too, is the same in all templates', () => {
  const wordsIn = (template: string) =>
    readFileSync(fileURLToPath(new URL(`../${template}/client/friends.ts`, import.meta.url)), 'utf8')
  expect(wordsIn('template')).toContain('The match has failed: ')
  expect(wordsIn('shield-ball')).toBe(wordsIn('template'))
})

test.each(['slime-pit', 'canvas', 'pixi', 'phaser', 'three'])(
  '[CR13] of a project from the template %s, dependencies are what its server loads, and nothing else',
  (template) => {
    execFileSync(process.execPath, [bin, template, '--template', template], { cwd: scratch })
    const folder = join(scratch, template)
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const loaded = ['game', 'server']
      .flatMap((part) => importedIn(join(folder, part)))
      .filter((name) => name !== 'node')
    expect(Object.keys(dependencies).sort()).toEqual([...new Set(loaded)].sort())
    for (const name of importedIn(join(folder, 'client')).filter((name) => name !== 'node'))
      expect({ ...dependencies, ...devDependencies }).toHaveProperty([name === 'pixi' ? 'pixi.js' : name])
  },
)
