/** The studio, built and served, with a browser to open it in: for what is measured in its page and for pictures of it. */

import type { Browser } from 'playwright-core'
import { buildStudio, type Served, serveStudio, startBrowser } from '../packages/studio/test/browser.ts'

export async function withStudio<T>(act: (browser: Browser, served: Served) => Promise<T>): Promise<T> {
  const served = await serveStudio(await buildStudio())
  try {
    return await withBrowser((browser) => act(browser, served))
  } finally {
    await served.close()
  }
}

export async function withBrowser<T>(act: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await startBrowser()
  if (browser === undefined) throw new Error('npm brings no browser for this system.')
  try {
    return await act(browser)
  } finally {
    await browser.close()
  }
}
