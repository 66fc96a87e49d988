/**
 * A match of Jet Raiders in two tabs of a real browser, up to a kill: in the studio with keys, and in a page of its own with
 * pilots made of code.
 *
 * All pages are served by the server itself, under its content security policy: whatever the policy forbids shows here.
 */

import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gameRoom, roomConfigOf } from '@hurtbox/colyseus'
import { loadModule } from 'hurtbox/module/node'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLateLog } from '../../../packages/server/src/late-log.ts'
import { createLog } from '../../../packages/server/src/log.ts'
import { createMetrics } from '../../../packages/server/src/metrics.ts'
import { createReach } from '../../../packages/server/src/reach.ts'
import { createHooks } from '../../../packages/server/src/room-hooks.ts'
import { startTestServer, type TestServer, TOKEN, until } from '../../../packages/server/test/support.ts'
import { buildStudio, startBrowser } from '../../../packages/studio/test/browser.ts'
import { unpackChromium } from '../../engines/chromium.ts'

/** What the page of its own writes down. */
type Seen = { seat: number; mode: string; kills: { victim: number }[]; hits: number; error: string }
type Tab = { readonly page: Page; readonly problems: string[] }

const hasBrowser = (await unpackChromium(() => {})) !== undefined
if (!hasBrowser) console.warn('SKIPPED: npm brings no browser for this system')

describe.skipIf(!hasBrowser)('in two tabs of a browser', () => {
  const hits: { victim_hp: number }[] = []
  let server: TestServer
  let browser: Browser

  beforeAll(async () => {
    const pageFolder = await buildStudio()
    await addPage(pageFolder)
    const module = await loadModule('jet-raiders')
    const room = { ...roomConfigOf(module), bots: [], fill: 0 }
    const metrics = createMetrics()
    const log = createLog('debug', { write: (line) => line.includes('player hit') && hits.push(JSON.parse(line)) })
    const hooks = createHooks(module, { metrics, log, late: createLateLog(log), reach: createReach(log) })
    // No bots: the tabs have each other. Large ships and strong bullets, for those who shoot around themselves.
    const easy = gameRoom({ ...room, modes: ['terminal'], tuning: { shipRadius: 100, bulletDamage: 100 }, hooks })
    const rooms = [
      { name: 'jet-raiders', room: easy },
      { name: 'pilots', room: gameRoom({ ...room, modes: ['mirror'], hooks }) },
    ]
    server = await startTestServer({ rooms, pageFolder, metrics, log })
    browser = (await startBrowser())!
  }, 400_000)
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  test('[SV26] the studio: two players turn and shoot with keys until one has killed the other, and both see it', async () => {
    const tabs = [await open('/#game=jet-raiders&page=online'), await open('/#game=jet-raiders&page=online')]
    for (const { page } of tabs) {
      await page.getByTestId('online').waitFor()
      await page.getByTestId('begin').click()
      await page.keyboard.down('ArrowRight')
      await page.keyboard.down('Space')
    }
    for (const { page } of tabs) {
      const scores = () => page.getByTestId('roster').locator('b').allTextContents()
      await until('a score is shown', async () => (await scores()).some((score) => Number(score) > 0), 40_000)
      expect(await scores()).toHaveLength(2)
    }
    expect(hits.some(({ victim_hp }) => victim_hp <= 0)).toBe(true)
    await close(tabs)
  })

  test('[SV26] a page of its own: two pilots as mirrors, until both have seen the same kill', async () => {
    const tabs = [await open('/tab.html'), await open('/tab.html')]
    const look = () => Promise.all(tabs.map(({ page }) => page.evaluate<Seen>('seen')))
    // A mirror may foresee a kill that does not come; what both have seen did.
    const isShared = ([a, b]: Seen[]) => a.kills.some(({ victim }) => b.kills.some((kill) => kill.victim === victim))
    const isOver = (both: Seen[]) => both.some(({ error }) => error !== '') || isShared(both)
    await until('both have seen the same kill', async () => isOver(await look()), 50_000)
    const [first, second] = await look()
    expect([first.error, second.error]).toEqual(['', ''])
    expect([first.mode, second.mode]).toEqual(['mirror', 'mirror'])
    expect(new Set([first.seat, second.seat])).toEqual(new Set([0, 1]))
    // Four hits of 30 hp kill a ship of 100.
    expect(Math.min(first.hits, second.hits)).toBeGreaterThanOrEqual(4)
    await close(tabs)
  })

  test('[SV6] the monitor runs under the policy, and shows what there is', async () => {
    const tab = await open('/monitor/', { httpCredentials: { username: 'me', password: TOKEN } })
    await tab.page.waitForSelector('#processes td')
    expect(await tab.page.textContent('#state')).toMatch(/^process \S+, up \d+ s, \d+ MB$/)
    await close([tab])
  })

  async function open(path: string, options = {}): Promise<Tab> {
    const page = await (await browser.newContext(options)).newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await page.goto(server.url + path)
    return { page, problems }
  }

  async function close(tabs: readonly Tab[]): Promise<void> {
    expect(tabs.flatMap(({ problems }) => problems)).toEqual([])
    for (const { page } of tabs) await page.context().close()
  }
})

/** Puts the page of its own, and everything it imports as one script, beside the studio. */
async function addPage(folder: string): Promise<void> {
  const esbuild = fileURLToPath(new URL('../../../node_modules/.bin/esbuild', import.meta.url))
  const script = fileURLToPath(new URL('page/tab.ts', import.meta.url))
  const out = join(folder, 'tab.js')
  await promisify(execFile)(esbuild, [script, '--bundle', '--format=esm', '--log-level=error', `--outfile=${out}`])
  writeFileSync(
    join(folder, 'tab.html'),
    '<!doctype html><title>tab</title><script type="module" src="/tab.js"></script>',
  )
}
