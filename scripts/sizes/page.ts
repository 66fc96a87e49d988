/**
 * What the studio's first page makes a browser load, gzipped, and what the rest weighs.
 *
 * Asks a real browser what it loads instead of adding up files: a game is loaded when somebody turns to it.
 */

import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { withStudio } from '../with-studio.ts'

const LIMIT = 150_000

/** Prints what is loaded, and tells whether the first page keeps its limit. */
export function isPageSmall(): Promise<boolean> {
  return withStudio(async (browser, { url }) => {
    const first = await load(browser, url, async (page) => {
      await page.mouse.move(5, 300)
      await page.mouse.wheel(0, 3000)
    })
    print('first page, moved over and scrolled to its end', first)
    const pointed = await load(browser, url, (page) => page.locator('[data-game=nightfall]').hover())
    print('first page, with one more game pointed at', pointed)
    print('a game', await load(browser, `${url}#game=jet-raiders`))
    print('Sumo, with three.js', await load(browser, `${url}#game=sumo`))
    return sum(first) <= LIMIT
  })
}

type Sizes = ReadonlyMap<string, number>

async function load(browser: Browser, url: string, act?: (page: Page) => Promise<void>): Promise<Sizes> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
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
  await page.goto(url)
  await page.waitForTimeout(2000)
  await act?.(page)
  await page.waitForTimeout(2000)
  await Promise.all(reading)
  await page.close()
  return sizes
}

function sum(sizes: Sizes): number {
  return [...sizes.values()].reduce((total, size) => total + size, 0)
}

function print(what: string, sizes: Sizes): void {
  console.log(`${what}: ${(sum(sizes) / 1000).toFixed(1)} kB in ${sizes.size} files`)
  const rows = [...sizes].sort(([, a], [, b]) => b - a).slice(0, 6)
  for (const [name, size] of rows) console.log(`  ${(size / 1000).toFixed(1).padStart(6)} kB  ${name}`)
}
