/** The files of a page, however the path of their folder is written. */

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadAssets } from './assets.ts'

const root = mkdtempSync(join(tmpdir(), 'hurtbox-assets-'))
const folder = join(root, 'my page', 'dist')
mkdirSync(join(folder, 'assets'), { recursive: true })
writeFileSync(join(folder, 'index.html'), 'index')
writeFileSync(join(folder, 'assets', 'main.js'), 'main')
writeFileSync(join(root, 'secret.txt'), 'secret')
symlinkSync(folder, join(root, 'link'))
afterAll(() => rmSync(root, { recursive: true }))

const get = { method: 'GET', headers: {} } as IncomingMessage
const fromHere = relative(process.cwd(), folder)

test.each([
  ['absolute', folder],
  ['with a slash at its end', `${folder}/`],
  ['relative', fromHere],
  ['relative, with ./', `./${fromHere}`],
  ['relative, with ./ and a slash', `./${fromHere}//`],
  ['with ..', `${root}/my page/../my page/./dist`],
  ['a link', join(root, 'link')],
  ['a link, with a slash', `${join(root, 'link')}/`],
])('[SV80] the path of a page, %s: its files are there, and no path leads out of it', (_, path) => {
  const { answer } = loadAssets(path)
  expect(String(answer('/', get)?.body)).toBe('index')
  expect(String(answer('/index.html', get)?.body)).toBe('index')
  expect(String(answer('/assets/main.js', get)?.body)).toBe('main')
  for (const outside of ['/../secret.txt', '/..%2f..%2fsecret.txt', `/${root}/secret.txt`, `${folder}/index.html`])
    expect(answer(outside, get), outside).toBeUndefined()
})
