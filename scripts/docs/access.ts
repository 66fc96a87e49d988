/**
 * `npm run measure -- access`: looks at the built documentation with axe, by day and by night. Build it first: `npm run docs`.
 *
 * Exits with 1 when anything serious is found. Pictures of the pages go to `.cache/docs-access`, for looking at.
 */

import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { seriousFindings } from '../../packages/studio/test/axe.ts'
import { repositoryRoot } from '../engines/install-npm.ts'
import { withBrowser } from '../with-studio.ts'

const SITE = join(repositoryRoot, 'docs/.vitepress/dist')
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
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

if (!existsSync(SITE)) throw new Error('There is no built documentation. Build it first: npm run docs')
const server = createServer((request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname))
  const file = [path, `${path}.html`, join(path, 'index.html')]
    .map((each) => join(SITE, each))
    .find((each) => each.startsWith(SITE) && statSync(each, { throwIfNoEntry: false })?.isFile())
  if (file === undefined) return void response.writeHead(404).end()
  response
    .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
    .end(readFileSync(file))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
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
  server.close()
}
process.exitCode = found > 0 ? 1 : 0
