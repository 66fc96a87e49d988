/** The studio as its developers see it: served by Vite from the sources, reloading while one edits. */

import { join } from 'node:path'
import { startStudio } from '@hurtbox/studio/node'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../../scripts/engines/install-npm.ts'
import { gameFiles, openPage, startBrowser } from './browser.ts'
import { waitForClock } from './pages.ts'

test('[ST21] while it is edited the page runs from the sources, with its styles and without errors', async () => {
  const cacheDir = join(repositoryRoot, '.cache/studio-tests/dev')
  const server = await startStudio({ files: await gameFiles(), root: repositoryRoot, port: 0, cacheDir })
  const browser = await startBrowser()
  try {
    const { page, problems } = await openPage(browser!, server, '#game=jet-raiders&seed=5')
    await waitForClock(page, ({ tick }) => tick > 2, 'the match to run')
    expect(await page.evaluate(() => document.styleSheets.length)).toBeGreaterThan(0)
    expect(problems).toEqual([])
  } finally {
    await browser?.close()
    await server.close()
  }
})
