/**
 * `npm run measure -- access`: looks at the built documentation with axe, by day and by night. Build it first: `npm run docs`.
 *
 * Exits with 1 when anything serious is found. Pictures of the pages go to `.cache/docs-access`, for looking at.
 */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { seriousFindings } from '../../packages/studio/test/axe.ts'
import { repositoryRoot } from '../engines/install-npm.ts'
import { withBrowser } from '../with-studio.ts'
import { serveSite } from './site.ts'

const PICTURES = join(repositoryRoot, '.cache/docs-access')
/** One of each sort: the front, guides with code and with scenes, tables, a picture, the reference. */
const PAGES = [
  '',
  'guide/first-hit',
  'guide/cookbook',
  'guide/layers-and-why',
  'guide/studio',
  'guide/coming-from',
  'architecture',
  'spec',
  'api/hurtbox',
]
const { url, close } = await serveSite()
mkdirSync(PICTURES, { recursive: true })
let found = 0
try {
  await withBrowser(async (browser) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-US', colorScheme })
      for (const path of PAGES) {
        await page.goto(url + path)
        await page.locator('#app main, #app .VPHome').first().waitFor()
        const findings = await seriousFindings(page)
        found += findings.length
        console.log(`${colorScheme} /${path}: ${findings.length === 0 ? 'nothing serious' : ''}`)
        for (const finding of findings) console.log(`  ${finding.slice(0, 600)}`)
        await page.screenshot({ path: join(PICTURES, `${colorScheme}-${path.replaceAll('/', '-') || 'front'}.png`) })
      }
      await page.close()
    }
  })
} finally {
  close()
}
process.exitCode = found > 0 ? 1 : 0
