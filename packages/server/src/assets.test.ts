/** The files of a page, however the path of their folder is written. */

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
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

const media = join(root, 'media')
mkdirSync(join(media, 'assets'), { recursive: true })
const TYPES = {
  'a.jpg': 'image/jpeg',
  'a.avif': 'image/avif',
  'a.webp': 'image/webp',
  'a.mp3': 'audio/mpeg',
  'a.ogg': 'audio/ogg',
  'a.wav': 'audio/wav',
  'a.mp4': 'video/mp4',
  'a.webm': 'video/webm',
  'a.glb': 'model/gltf-binary',
  'a.gltf': 'model/gltf+json; charset=utf-8',
  'a.ttf': 'font/ttf',
  'a.woff2': 'font/woff2',
  'a.mjs': 'text/javascript; charset=utf-8',
  'a.wasm': 'application/wasm',
  'a.webmanifest': 'application/manifest+json; charset=utf-8',
  'a.unknown': 'application/octet-stream',
}
for (const name of Object.keys(TYPES)) writeFileSync(join(media, name), 'x'.repeat(2_000))
const noise = Buffer.from(Array.from({ length: 1_000 }, (_, i) => (i * 7919) & 255))
writeFileSync(join(media, 'noise.ogg'), noise)
writeFileSync(join(media, 'assets', 'built.js'), 'y'.repeat(3_000))
writeFileSync(join(media, 'assets', 'built.js.br'), 'packed by the build')
const page = loadAssets(media)
const asked = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  page.answer(path, { method, headers } as never)!

test('[SV243] files have the type of what they are', () => {
  const found = Object.keys(TYPES).map((name) => [name, asked(`/${name}`).type])
  expect(Object.fromEntries(found)).toEqual(TYPES)
})

test('[SV243] files are packed by Brotli or gzip, as the client takes it; what a build has packed is taken as it is', () => {
  const encodingOf = (accept: string, path = '/a.mjs') =>
    asked(path, { 'accept-encoding': accept }).headers!['content-encoding']
  expect(encodingOf('gzip, deflate, br, zstd')).toBe('br')
  expect(encodingOf('gzip, deflate')).toBe('gzip')
  expect(encodingOf('br;q=0, gzip;q=1.0')).toBe('gzip')
  expect(encodingOf('identity')).toBeUndefined()
  expect(encodingOf('br, gzip', '/noise.ogg')).toBeUndefined()
  const { body } = asked('/a.mjs', { 'accept-encoding': 'br' })
  expect(String(brotliDecompressSync(body as Buffer))).toBe('x'.repeat(2_000))
  expect(String(asked('/assets/built.js', { 'accept-encoding': 'br' }).body)).toBe('packed by the build')
  expect(asked('/assets/built.js').headers!['cache-control']).toBe('public, max-age=31536000, immutable')
})

test('[SV244] a range gets the bytes it names, whatever it is', () => {
  let random = 1
  const below = (end: number) => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((random / 2 ** 32) * end)
  }
  const seen = new Set<number>()
  for (let i = 0; i < 2_000; i++) {
    const [a, b] = [below(1_500), below(1_500)]
    const range = [`bytes=${a}-${b}`, `bytes=${a}-`, `bytes=-${b}`, `bytes=${a}-${b},${b}-${a}`, `lines=${a}`][below(5)]
    const { status, body, headers = {} } = asked('/noise.ogg', { range })
    seen.add(status)
    if (status === 416) {
      expect([headers['content-range'], body], range).toEqual(['bytes */1000', undefined])
      expect(range).toMatch(/^bytes=(\d{4}-|-0$)/)
    } else if (status === 206) {
      const [, from, to] = /^bytes (\d+)-(\d+)\/1000$/.exec(String(headers['content-range']))!.map(Number)
      // The oracle: bytes by their places.
      const wanted = [...noise].filter((_, at) => {
        if (range.startsWith('bytes=-')) return at >= 1_000 - b
        return at >= a && (range.endsWith('-') || at <= b)
      })
      expect([...(body as Buffer)], range).toEqual(wanted)
      expect([to - from + 1, noise[from]], range).toEqual([wanted.length, wanted[0]])
    } else expect([status, (body as Buffer).length], range).toEqual([200, 1_000])
  }
  expect([...seen].sort()).toEqual([200, 206, 416])
})

test('[SV244] a part of a file that has changed is not sent, and what a client has already is not sent again', () => {
  const etag = String(asked('/noise.ogg').headers!.etag)
  const range = 'bytes=0-9'
  expect(asked('/noise.ogg', { range, 'if-range': etag }).status).toBe(206)
  expect(asked('/noise.ogg', { range, 'if-range': '"of another build"' }).status).toBe(200)
  expect(asked('/noise.ogg', { 'if-none-match': `"other", W/${etag}` }).status).toBe(304)
  expect(() => asked('/noise.ogg', {}, 'POST')).toThrow('only GET and HEAD')
})
