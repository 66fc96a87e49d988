/** Playing with friends by a link: our own game, and that of a generated project. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gameRoom, roomConfigOf } from '@hurtbox/colyseus'
import { buildApart } from '@hurtbox/studio/node'
import { type FoundModule, loadModule } from 'hurtbox/module/node'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { repositoryRoot } from '../../../scripts/engines/install-npm.ts'
import { LOAD_TEST_LIMITS } from '../../server/src/limits.ts'
import { createServer, type HurtboxServer } from '../../server/src/server.ts'
import { seriousFindings } from './axe.ts'
import { openPage, startBrowser } from './browser.ts'
import { poll } from './pages.ts'

// Browsers on a busy machine take their time.
vi.setConfig({ testTimeout: 240_000 })

const files = ['games/jet-raiders/index.ts', 'packages/create-hurtbox/template/game/index.ts'].map((file) =>
  join(repositoryRoot, file),
)
let server: HurtboxServer
let browser: Browser | undefined
let url = ''

beforeAll(async () => {
  const pageFolder = join(repositoryRoot, '.cache/studio-tests/test-friends')
  await buildApart({ files, root: repositoryRoot, outDir: pageFolder })
  const modules = await Promise.all(files.map((file) => loadModule(file)))
  server = createServer({ rooms: modules.map(roomOf), pageFolder, limits: LOAD_TEST_LIMITS })
  url = await server.listen(0, '127.0.0.1')
  browser = await startBrowser()
}, 400_000)

afterAll(async () => {
  await browser?.close()
  await server?.close()
}, 60_000)

/** Of a game that ends, short matches; the next one begins by agreement, and seats are kept, for all that this test waits. */
const MATCH_SECONDS = 30

function roomOf(module: FoundModule) {
  const options = module.id === 'jet-raiders' ? { options: { matchSeconds: MATCH_SECONDS } } : {}
  const room = gameRoom({
    ...roomConfigOf(module),
    ...options,
    fill: 2,
    afterMatchSeconds: 600,
    seatSeconds: 120,
  })
  return { name: module.id, room }
}

const small = { viewport: { width: 700, height: 460 }, permissions: ['clipboard-read', 'clipboard-write'] }

async function openAt(address: string): Promise<Page> {
  const { page } = await openPage(browser!, { url: address, close: async () => {} }, '', small)
  page.setDefaultTimeout(60_000)
  return page
}

const online = (page: Page) => page.getByTestId('online')
const tickOf = async (page: Page) => Number(await online(page).getAttribute('data-tick'))
const roster = (page: Page) => page.getByTestId('roster')

test.each([
  ['jet-raiders', true],
  ['slime-pit', false],
])('[PL4] %s: create, invite, join, play, lose the connection and return, rematch, watch', async (game, ends) => {
  const host = await openAt(`${url}/#game=${game}&page=online&join=create`)
  await online(host).waitFor({ state: 'attached' })
  // The address is the invitation.
  await poll(() => host.url()).toMatch(/room=[\w-]+/)
  expect(host.url()).not.toContain('create')
  await host.getByTestId('invite').click()
  const invitation = await host.evaluate(() => navigator.clipboard.readText())
  expect(invitation).toBe(host.url())

  const guest = await openAt(invitation)
  await online(guest).waitFor({ state: 'attached' })
  // [PL15] A stranger is told what the game is about and with which keys, while the match is there already.
  const title = guest.getByTestId('start')
  expect(await title.getByRole('heading').textContent()).toBe(ends ? 'Jet Raiders' : 'Slime Pit')
  expect(await title.locator('kbd').count()).toBeGreaterThan(3)
  for (const page of [host, guest]) await page.getByTestId('begin').click()
  await title.waitFor({ state: 'detached' })
  await guest.keyboard.press('?')
  await guest.getByRole('dialog').getByRole('heading', { name: 'Play' }).waitFor()
  await guest.keyboard.press('Escape')
  const seats = await Promise.all([host, guest].map((page) => online(page).getAttribute('data-seat')))
  expect(new Set(seats).size).toBe(2)
  for (const page of [host, guest]) {
    await poll(() => roster(page).locator('li', { hasText: 'bot' }).count(), 'two people').toBe(0)
    const before = await tickOf(page)
    await poll(() => tickOf(page), 'it plays').toBeGreaterThan(before + 20)
  }

  if (ends) expect(await seriousFindings(host), '[PL12] a room').toEqual([])

  // A link to watch is copied; who plays stays where he is.
  await host.getByTestId('watch-link').click()
  const watchLink = await host.evaluate(() => navigator.clipboard.readText())
  expect(watchLink).toContain('join=watch')
  expect(await online(host).getAttribute('data-seat')).toBe(seats[0])
  expect(host.url()).toBe(invitation)

  // Seven seconds without a network: it is seen, in words, and it ends. In a game that ends, the end comes meanwhile.
  if (ends) await poll(() => tickOf(host), 'late in the match').toBeGreaterThan((MATCH_SECONDS - 8) * 60)
  await guest.context().setOffline(true)
  await guest.getByTestId('reconnecting').waitFor()
  expect(await guest.getByTestId('reconnecting').textContent()).toContain('Reconnecting')
  await guest.waitForTimeout(7000)
  // On a busy machine a match runs slower than the clock.
  if (ends) await host.getByTestId('end').waitFor({ timeout: 120_000 })
  await guest.context().setOffline(false)
  await guest.getByTestId('reconnecting').waitFor({ state: 'detached' })
  await poll(() => online(guest).getAttribute('data-status')).toBe('playing')
  expect(await online(guest).getAttribute('data-seat')).toBe(seats[1])
  if (!ends) {
    const returned = await tickOf(guest)
    await poll(() => tickOf(guest), 'it plays again').toBeGreaterThan(returned + 20)
  }

  // [PL20] Whoever comes back or comes in after the end sees how it ended.
  const heading = (page: Page) => page.getByTestId('end').getByRole('heading').textContent()
  if (ends) {
    await guest.getByTestId('end').waitFor()
    expect(await guest.getByTestId('end').locator('tbody tr').count()).toBe(2)
  }
  await guest.reload()
  await online(guest).waitFor({ state: 'attached' })
  await poll(() => online(guest).getAttribute('data-status')).toBe('playing')
  // [PL15] Told once is enough.
  expect(await guest.getByTestId('start').count()).toBe(0)

  if (ends) {
    await guest.getByTestId('end').waitFor()
    expect(await heading(guest)).toMatch(/ wins?$|^A draw$/)
    await host.getByTestId('rematch').click()
    await poll(() => host.getByTestId('rematch').textContent()).toContain('1 of 2')
    await guest.getByTestId('rematch').click()
    for (const page of [host, guest]) {
      await page.getByTestId('end').waitFor({ state: 'detached' })
      await poll(() => tickOf(page), 'the next match').toBeLessThan((MATCH_SECONDS - 4) * 60)
    }
  }

  const watcher = await openAt(watchLink)
  await online(watcher).waitFor({ state: 'attached' })
  expect(await watcher.getByTestId('start').count()).toBe(0)
  await poll(() => tickOf(watcher), 'it is watched').toBeGreaterThan(0)
  await poll(() => roster(watcher).locator('li').count()).toBeGreaterThan(1)
  expect(await watcher.getByTestId('touch').count()).toBe(0)
  await Promise.all([host, guest, watcher].map((page) => page.context().close()))
})

test('[PL5] when the server is gone the page says so in words, and offers to come in again and to go home', async () => {
  const page = await openAt(`${url}/#game=slime-pit&page=online&join=create`)
  await online(page).waitFor({ state: 'attached' })
  await server.close()
  const ended = page.getByTestId('ended')
  await ended.waitFor()
  expect(await ended.getByRole('heading').textContent()).toBe('The server has been stopped.')
  expect(await ended.getByRole('link', { name: 'Home' }).getAttribute('href')).toBe('#games')
  await ended.getByRole('button', { name: 'Rejoin' }).click()
  await poll(() => page.getByRole('alert').textContent()).toContain('The server does not answer.')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.context().close()
})

test('[PL14] a page that the server has outgrown gets the new one before it joins; [PL21] installed, it bears the name of its game', async () => {
  const [old, next] = [await builtVersion(1), await builtVersion(2)]
  let running = createServer({ rooms: [roomOf(old.module)], pageFolder: old.pageFolder, limits: LOAD_TEST_LIMITS })
  const address = await running.listen(0, '127.0.0.1')
  const { page } = await openPage(browser!, { url: `${address}/`, close: async () => {} }, '', {
    ...small,
    serviceWorkers: 'allow',
  })
  await poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null), 'the page is kept').toBe(true)
  await page.locator('.card').first().waitFor()
  const manifest = await page.evaluate(async () => {
    const { href } = document.querySelector<HTMLLinkElement>('link[rel=manifest]')!
    return (await fetch(href)).json()
  })
  expect(manifest).toMatchObject({ name: 'Tiny 1', short_name: 'Tiny 1', description: 'As small as can be.' })
  // The server is started anew with other rules; the page stays open.
  await running.close()
  running = createServer({ rooms: [roomOf(next.module)], pageFolder: next.pageFolder, limits: LOAD_TEST_LIMITS })
  await running.listen(Number(new URL(address).port), '127.0.0.1')
  try {
    await page.evaluate(() => void (location.hash = '#game=tiny&page=online&join=create'))
    await online(page).waitFor({ state: 'attached', timeout: 60_000 })
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Tiny 2')
  } finally {
    await page.context().close()
    await running.close()
  }
})

/** The page and the module of a game that is all but empty, in one version of its rules. */
async function builtVersion(version: number): Promise<{ module: FoundModule; pageFolder: string }> {
  const folder = join(repositoryRoot, `.cache/studio-tests/version-${version}`)
  const file = join(folder, 'tiny.ts')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    file,
    `import { axis, declareGame, defineGame, spawn } from 'hurtbox'
import { defineModule } from 'hurtbox/module'
const declaration = declareGame({ id: 'tiny', rulesVersion: ${version}, tickRate: 30, layers: { unit: [] }, input: { moveX: axis() } })
const game = defineGame(declaration, { phases: {}, onJoin(world, player) { player.thing = spawn(world, 'unit', { radius: 10 }) } })
export default defineModule({ game, title: 'Tiny ${version}', goal: 'As small as can be.' })
`,
  )
  const pageFolder = join(folder, 'page')
  await buildApart({ files: [file], root: repositoryRoot, outDir: pageFolder })
  return { module: await loadModule(file), pageFolder }
}
