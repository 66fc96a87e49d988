/** What every test file of the studio's pages begins and ends with: a build, a browser, pages that are closed after each test. */

import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import { buildStudio, type Opened, openPage, type Served, serveStudio, startBrowser } from './browser.ts'

type UsedStudio = {
  /** Opens a page of the studio in a context of its own. */
  readonly open: (hash: string, options?: Parameters<typeof openPage>[3]) => Promise<Opened>
  /** A page that has loaded nothing yet. */
  readonly blankPage: () => Promise<Page>
  readonly url: () => string
}

/** Builds the studio before the tests of a file, and returns what they open pages with. */
export function useStudio(): UsedStudio {
  // Browsers on a busy machine take their time.
  vi.setConfig({ testTimeout: 180_000 })
  let served: Served | undefined
  let browser: Browser | undefined
  let pages: Page[] = []

  beforeAll(async () => {
    served = await serveStudio(await buildStudio())
    browser = await startBrowser()
  }, 400_000)

  afterEach(async () => {
    await Promise.all(pages.map((page) => page.context().close()))
    pages = []
  })

  afterAll(async () => {
    await browser?.close()
    await served?.close()
  }, 60_000)

  return {
    async open(hash, options = {}) {
      const opened = await openPage(browser!, served!, hash, options)
      pages.push(opened.page)
      return opened
    },
    async blankPage() {
      const page = await browser!.newPage({ viewport: { width: 1280, height: 800 } })
      pages.push(page)
      return page
    },
    url: () => served!.url,
  }
}
