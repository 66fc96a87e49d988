/** The studio as its developers see it: served by Vite from the sources, reloading while one edits. */

import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { expect, test } from 'vitest'
import { openPage, startBrowser } from './browser.ts'
import { waitForClock } from './pages.ts'

test('[ST21] while it is edited the page runs from the sources, with its styles and without errors', async () => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const server = await createServer({
    root,
    configFile: `${root}vite.config.ts`,
    cacheDir: '.cache/test-dev',
    logLevel: 'error',
    server: { host: '127.0.0.1', port: 0 },
  })
  const browser = await startBrowser()
  try {
    await server.listen()
    const [url] = server.resolvedUrls!.local
    const { page, problems } = await openPage(
      browser!,
      { url, close: () => server.close() },
      '#game=jet-raiders&seed=5',
    )
    await waitForClock(page, ({ tick }) => tick > 2, 'the match to run')
    expect(await page.evaluate(() => document.styleSheets.length)).toBeGreaterThan(0)
    expect(problems).toEqual([])
  } finally {
    await browser?.close()
    await server.close()
  }
})
