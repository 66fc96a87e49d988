/**
 * A match of Jet Raiders in two tabs of a real browser, up to a kill.
 *
 * The page is served by the server itself, under its content security policy: whatever the policy forbids shows here.
 */

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gameRoom } from '@hurtbox/colyseus'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unpackChromium } from '../../../scripts/engines/chromium.ts'
import { loadGame } from '../src/games.ts'
import { createLog } from '../src/log.ts'
import { createMetrics } from '../src/metrics.ts'
import { createHooks } from '../src/room-hooks.ts'
import { startTestServer, type TestServer, TOKEN, until } from './support.ts'

/** A room for each, so that nobody meets the seats of the other test. */
const MODES = ['terminal', 'mirror']

type Seen = { seat: number; mode: string; kills: { victim: number }[]; hits: number; pictures: number; error: string }

const unpacked = await unpackChromium(() => {})
if (unpacked === undefined) console.warn('SKIPPED: npm brings no browser for this system')

describe.skipIf(unpacked === undefined)('in two tabs of a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hurtbox-page-'))
  const hitLines: object[] = []
  let server: TestServer
  let browser: Browser

  beforeAll(async () => {
    await bundle(folder)
    const { game } = await loadGame('jet-raiders')
    const metrics = createMetrics()
    const log = createLog('info', { write: (line) => line.includes('player hit') && hitLines.push(JSON.parse(line)) })
    const hooks = createHooks('jet-raiders', metrics, log)
    // No bots: the tabs have each other.
    const room = gameRoom({ game, modes: ['terminal', 'mirror'], fill: 0, hooks })
    const rooms = MODES.map((name) => ({ name, room }))
    server = await startTestServer({ rooms, studioFolder: folder, metrics, log })
    browser = await chromium.launch({
      executablePath: unpacked!.binary,
      args: ['--no-sandbox', '--disable-gpu'],
      env: { ...process.env, LD_LIBRARY_PATH: unpacked!.libraries } as Record<string, string>,
    })
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await server?.close()
    rmSync(folder, { recursive: true })
  })

  test.for(MODES)('[SV26] a match is played to a kill, and both see it (%s)', async (mode) => {
    const tabs = await Promise.all([openTab(mode), openTab(mode)])
    const look = () => Promise.all(tabs.map(({ page }) => page.evaluate<Seen>('seen')))
    const isOver = ({ error, kills }: Seen) => error !== '' || kills.length > 0
    await until('both have seen a kill', async () => (await look()).every(isOver), 50_000)
    const [first, second] = await look()
    expect(tabs.flatMap(({ problems }) => problems)).toEqual([])
    expect([first.error, second.error]).toEqual(['', ''])
    expect([first.mode, second.mode]).toEqual([mode, mode])
    expect(new Set([first.seat, second.seat])).toEqual(new Set([0, 1]))
    expect(second.kills[0].victim).toBe(first.kills[0].victim)
    // Four hits of 30 hp kill a ship of 100.
    expect(Math.min(first.hits, second.hits)).toBeGreaterThanOrEqual(4)
    expect(hitLines.length).toBeGreaterThanOrEqual(4)
    for (const { page } of tabs) await page.context().close()
  })

  test('[SV6] the monitor runs under the policy, and shows what there is', async () => {
    const context = await browser.newContext({ httpCredentials: { username: 'me', password: TOKEN } })
    const { page, problems } = await open(await context.newPage(), '/monitor/')
    await page.waitForSelector('#processes td')
    expect(await page.textContent('#state')).toMatch(/^process \S+, up \d+ s, \d+ MB$/)
    expect(problems).toEqual([])
    await context.close()
  })

  async function openTab(mode: string) {
    const context = await browser.newContext()
    return open(await context.newPage(), `/?mode=${mode}`)
  }

  async function open(page: Page, path: string): Promise<{ page: Page; problems: string[] }> {
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await page.goto(server.url + path)
    return { page, problems }
  }
})

/** The page and everything it imports as one script. */
async function bundle(folder: string): Promise<void> {
  const esbuild = fileURLToPath(new URL('../../../node_modules/.bin/esbuild', import.meta.url))
  const page = fileURLToPath(new URL('page/tab.ts', import.meta.url))
  const args = [page, '--bundle', '--format=esm', '--target=es2023', '--log-level=error', `--outfile=${folder}/tab.js`]
  await promisify(execFile)(esbuild, args)
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><title>tab</title><script type="module" src="/tab.js"></script>',
  )
}
