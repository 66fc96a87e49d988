/** The page of a generated project with the studio attached to it, for a picture. */

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { openPage, serveStudio } from '../../packages/studio/test/browser.ts'
import { waitForClock } from '../../packages/studio/test/pages.ts'
import { repositoryRoot } from '../engines/install-npm.ts'
import { generateProject } from '../test/packages/generated.ts'

/** Opens it, pauses near a slime and asks why it did not hurt the knight; then `take` has the page. */
export async function withAttachedStudio(browser: Browser, take: (page: Page) => Promise<void>): Promise<void> {
  const { project, remove } = await generateProject('slime-pit')
  const vite = join(repositoryRoot, 'node_modules/vite/bin/vite.js')
  const built = ['build', 'client', '--base', './', '--logLevel', 'error']
  execFileSync(process.execPath, [vite, ...built], { cwd: project, env: { ...process.env, NODE_ENV: 'production' } })
  const served = await serveStudio(join(project, 'dist'))
  try {
    const { page } = await openPage(browser, served, '', { viewport: { width: 1200, height: 620 } })
    await page.keyboard.press('F2')
    await waitForClock(page, ({ tick }) => tick > 260, 'slimes to come')
    await page.getByTestId('attached-play').click()
    await waitForClock(page, ({ hash }) => hash !== '', 'a hash')
    await page.getByRole('button', { name: 'Boxes' }).click()
    await page.getByLabel('Id of a thing').fill('1')
    await page.getByLabel('Id of another thing').fill('3')
    await page.getByRole('button', { name: 'Why?' }).click()
    await page.locator('.verdict').first().waitFor()
    await take(page)
  } finally {
    await served.close()
    remove()
  }
}
