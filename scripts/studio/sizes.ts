/**
 * `npm run page-sizes`: what the first page makes a browser load, gzipped, and what the rest weighs.
 *
 * Asks a real browser what it loads instead of adding up files: a game is loaded when somebody turns to it.
 */

import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { buildStudio, serveStudio, startBrowser } from '../test/studio/browser.ts'

const LIMIT = 150_000

const served = await serveStudio(await buildStudio())
const browser = await startBrowser()
if (browser === undefined) throw new Error('npm brings no browser for this system')
try {
  const first = await load('', async (page) => {
    await page.mouse.move(5, 300)
    await page.mouse.wheel(0, 3000)
  })
  print('first page, moved over and scrolled to its end', first)
  const pointed = await load('', (page) => page.locator('[data-game=nightfall]').hover())
  print('first page, with one more game pointed at', pointed)
  print('a game', await load('#game=jet-raiders'))
  print('Sumo, with three.js', await load('#game=sumo'))
  process.exitCode = sum(first) > LIMIT ? 1 : 0
} finally {
  await browser.close()
  await served.close()
}

async function load(hash: string, act?: (page: Page) => Promise<void>): Promise<Map<string, number>> {
  const page = await browser!.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
  const sizes = new Map<string, number>()
  const reading: Promise<void>[] = []
  page.on('response', (response) => {
    const name = new URL(response.url()).pathname.split('/').pop() || 'index.html'
    reading.push(
      response.body().then(
        (body) => void (response.ok() && sizes.set(name, gzipSync(body).length)),
        () => {},
      ),
    )
  })
  await page.goto(`${served.url}${hash}`)
  await page.waitForTimeout(2000)
  await act?.(page)
  await page.waitForTimeout(2000)
  await Promise.all(reading)
  await page.close()
  return sizes
}

function sum(sizes: ReadonlyMap<string, number>): number {
  return [...sizes.values()].reduce((total, size) => total + size, 0)
}

function print(what: string, sizes: ReadonlyMap<string, number>): void {
  console.log(`${what}: ${(sum(sizes) / 1000).toFixed(1)} kB in ${sizes.size} files`)
  const rows = [...sizes].sort(([, a], [, b]) => b - a).slice(0, 6)
  for (const [name, size] of rows) console.log(`  ${(size / 1000).toFixed(1).padStart(6)} kB  ${name}`)
}
