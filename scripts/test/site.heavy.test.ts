/** The site as it is built: in a browser, every scene of every page plays. */

import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serveSite } from '../docs/site.ts'
import { repositoryRoot } from '../engines/install-npm.ts'
import { withBrowser } from '../with-studio.ts'

const docs = join(repositoryRoot, 'docs')
const pages = globSync(['*.md', 'guide/*.md', 'genres/*.md'], { cwd: docs })
  .map(
    (page) =>
      [page.replaceAll('\\', '/').replace(/(\bindex)?\.md$/, ''), readFileSync(join(docs, page), 'utf8')] as const,
  )
  .map(([page, text]) => [page, text.replace(/`[^`\n]*`/g, '').split('<LiveScene ').length - 1] as const)
  .filter(([, scenes]) => scenes > 0)

test('[DC9] on every page of the built site every scene plays, without an error', { timeout: 900_000 }, async () => {
  execFileSync(process.execPath, [join(repositoryRoot, 'scripts/docs/main.ts')], { cwd: repositoryRoot, stdio: 'pipe' })
  const { url, close } = await serveSite()
  try {
    await withBrowser(async (browser) => {
      expect(pages.length).toBeGreaterThan(10)
      for (const [path, scenes] of pages) {
        const page = await browser.newPage({ viewport: { width: 900, height: 1200 } })
        const errors: string[] = []
        page.on('pageerror', (error) => errors.push(String(error)))
        page.on('console', (line) => line.type() === 'error' && errors.push(line.text()))
        await page.goto(url + path)
        const ticks = page.locator('.live .tick')
        await expect.poll(() => ticks.count(), { message: path, timeout: 60_000 }).toBe(scenes)
        for (let i = 0; i < scenes; i++) {
          await ticks.nth(i).scrollIntoViewIfNeeded()
          const tick = async () => Number((await ticks.nth(i).textContent())?.replace(/\D/g, ''))
          await expect.poll(tick, { message: `${path}, scene ${i + 1}`, timeout: 60_000 }).toBeGreaterThan(20)
        }
        expect(errors, path).toEqual([])
        await page.close()
      }
    })
  } finally {
    close()
  }
})
