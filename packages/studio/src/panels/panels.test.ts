/** The registry of panels: a folder for each, and one line that names it. */

import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const here = import.meta.dirname
const folders = globSync('*/panel.tsx', { cwd: here }).map((file) => dirname(file))

test('[LB1] every panel is one folder, and besides it only the registry names it', () => {
  expect(folders.length).toBeGreaterThan(7)
  const registry = readFileSync(join(here, 'index.ts'), 'utf8')
  const listed = [...registry.matchAll(/import\('\.\/([\w-]+)\/panel\.tsx'\)/g)].map(([, id]) => id)
  expect([...listed].sort()).toEqual([...folders].sort())
  for (const id of listed) {
    expect(registry, 'id and folder are the same word').toContain(`id: '${id}'`)
    for (const file of ['data.ts', `${id}.test.ts`])
      expect(existsSync(join(here, id, file)), `${id}/${file}`).toBe(true)
  }
  const sources = globSync('**/*.{ts,tsx}', { cwd: dirname(here) }).filter((file) => file !== 'panels/index.ts')
  expect(sources.length).toBeGreaterThan(100)
  const naming = sources.filter((file) => {
    const [, folder] = /^panels\/([\w-]+)\//.exec(file) ?? []
    const text = readFileSync(join(dirname(here), file), 'utf8')
    return [...text.matchAll(/from '[^']*\/([\w-]+)\/panel\.tsx'/g)].some(([, id]) => id !== folder)
  })
  expect(naming).toEqual([])
})

test('[LB1] a panel has styles of its own only as text, so that it can stand in any page', () => {
  for (const id of folders) {
    if (!existsSync(join(here, id, 'panel.css'))) continue
    const text = readFileSync(join(here, id, 'panel.tsx'), 'utf8')
    expect(text, basename(id)).toMatch(/import css from '\.\/panel\.css\?inline'/)
    expect(text, basename(id)).toMatch(/export \{ css \}/)
  }
})
