/** What a page of the template says when its rules throw, in the page or on its server, under development, and when a match is over: in a browser. */

import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { createServer } from 'vite'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { repositoryRoot } from '../../../scripts/engines/install-npm.ts'
import { freePort } from '../../server/test/free-port.ts'
import { startBrowser } from '../../studio/test/browser.ts'

// Inside the repository, so that its packages are found.
const project = join(repositoryRoot, '.cache/page-errors')
const RULES = 'game/rules.ts'
const DRAW = 'client/draw.ts'

rmSync(project, { recursive: true, force: true })
mkdirSync(project, { recursive: true })
for (const from of ['shared', 'template']) {
  cpSync(join(repositoryRoot, 'packages/create-hurtbox', from), project, { recursive: true })
}
const browser = (await startBrowser())!
afterAll(async () => {
  await browser.close()
  rmSync(project, { recursive: true, force: true })
})

/** Writes into a file of the project what is taken back when the test is over. Returns the line. */
function edit(file: string, find: string, replace: string): number {
  const path = join(project, file)
  const before = readFileSync(path, 'utf8')
  expect(before).toContain(find)
  writeFileSync(path, before.replace(find, replace))
  onTestFinished(() => writeFileSync(path, before))
  return before.split(find)[0].split('\n').length
}

/** What the page says, with a mistake in a file; and the line of the mistake. */
async function pageWith(file: string, find: string, replace: string): Promise<{ told: string; line: number }> {
  const line = edit(file, find, replace)
  const page = await openPage()
  await page.click('[data-part=begin]')
  await expect.poll(() => page.textContent('[data-part=status]'), { timeout: 60_000 }).toContain('tried')
  return { told: (await page.textContent('[data-part=status]')) ?? '', line }
}

async function openPage(): Promise<Page> {
  const server = await createServer({ root: join(project, 'client'), logLevel: 'silent', server: { port: 0 } })
  onTestFinished(() => server.close())
  await server.listen()
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.goto(server.resolvedUrls!.local[0])
  return page
}

/** Starts the server of the project; returns it and what it has printed so far. */
async function startServer() {
  const port = await freePort()
  vi.stubEnv('PORT', String(port))
  onTestFinished(() => void vi.unstubAllEnvs())
  const server = spawn(process.execPath, ['server/main.ts'], { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void server.kill('SIGKILL'))
  let log = ''
  server.stdout.on('data', (text) => (log += text))
  server.stderr.on('data', (text) => (log += text))
  await expect.poll(() => log, { timeout: 30_000 }).toContain(`127.0.0.1:${port}`)
  return { server, printed: () => log }
}

test('[EW8] a page under development tells function, tick, file and line of what its rules throw', async () => {
  const { told, line } = await pageWith(
    RULES,
    'face(knight, moveX, moveY)',
    "if (world.tick > 2) throw new Error('tried')",
  )
  expect(told).toMatch(new RegExp(`^phase steer failed in tick 3: tried \\(\\S*/game/rules\\.ts:${line}:\\d+\\)$`))
})

test('[EW8] and the line of what its own drawing throws', async () => {
  const { told, line } = await pageWith(DRAW, 'const own = playerAt(after, seat)?.thing', "throw new Error('tried')")
  expect(told).toMatch(new RegExp(`^draw of the view failed in tick \\d+: tried \\(\\S*/draw\\.ts:${line}:\\d+\\)$`))
})

test('[FM6] and says within two seconds that a match online has failed, with the line, and offers the replay', async () => {
  edit(
    'server/main.ts',
    'import { existsSync }',
    "process.on('SIGUSR2', () => (globalThis.isSprung = true))\nimport { existsSync }",
  )
  // The page has the same rules, in which it is not sprung.
  const line = edit(
    RULES,
    'face(knight, moveX, moveY)',
    "if (globalThis.isSprung) throw new Error('sprung')\n    face(knight, moveX, moveY)",
  )
  const { server, printed } = await startServer()
  const page = await openPage()
  const told = () => page.textContent('[data-part=status]')
  await page.click('[data-part=online]')
  await expect.poll(told, { timeout: 60_000 }).toMatch(/^online, seat 0/)
  server.kill('SIGUSR2')
  await expect.poll(printed, { timeout: 10_000, interval: 5 }).toContain('sprung')
  await expect.poll(told, { timeout: 2000 }).toContain('The match has failed: ')
  expect(await told()).toMatch(
    new RegExp(`failed: phase steer failed in tick \\d+.*: sprung \\(\\S*game/rules\\.ts:${line}:\\d+\\)$`),
  )
  const replay = page.locator('[data-part=replay]')
  await expect.poll(() => replay.isVisible(), { timeout: 5000 }).toBe(true)
  expect((await fetch((await replay.getAttribute('href'))!)).status).toBe(200)
  // It stays, after the connection is gone, too.
  server.kill('SIGKILL')
  await sleep(3000)
  expect(await told()).toContain('The match has failed: ')
})

test('[CR16] and says who has won, and what the result says besides, when a match online is over', async () => {
  const END = `  isOver: (world) => world.tick > 60,
  result: (world) => ({ over: world.tick > 60, winner: 'the knights', summary: '3 slimes' }),
  stats: (world)`
  edit(RULES, '  stats: (world)', END)
  await startServer()
  const page = await openPage()
  await page.click('[data-part=online]')
  await expect
    .poll(() => page.textContent('[data-part=status]'), { timeout: 60_000 })
    .toContain('The match is over, won by the knights (3 slimes). The next one begins when all want it')
})
