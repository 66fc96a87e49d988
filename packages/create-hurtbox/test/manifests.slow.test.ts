/** What a created project depends on: the server of a game needs no renderer, no page and no tool. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
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

test('[CR17] what templates have in common exists once; their page has fewer than 40 lines and no style of its own', () => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const [shared, pit, court] = ['shared', 'template', 'shield-ball'].map(
    (folder) =>
      new Map(
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter((file) => statSync(join(root, folder, file)).isFile())
          .map((file) => [file, readFileSync(join(root, folder, file), 'utf8')]),
      ),
  )
  expect([...pit].filter(([file, text]) => court.get(file) === text)).toEqual([])
  expect(shared.size).toBeGreaterThan(8)
  // A template may bring its own of a file, not the same again.
  const again = [...pit, ...court].filter(([file, text]) => shared.get(file) === text)
  expect(again).toEqual([])
  const page = shared.get('client/main.ts')!
  expect(page.trim().split('\n').length).toBeLessThan(40)
  expect([...shared.keys(), ...pit.keys(), ...court.keys()].filter((file) => file.endsWith('.css'))).toEqual([])
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
