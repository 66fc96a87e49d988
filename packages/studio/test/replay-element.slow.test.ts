/** `<hurtbox-replay>` in a page that is not ours. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bots } from '@hurtbox/games/jet-raiders/bots'
import { jetRaiders as game } from '@hurtbox/games/jet-raiders/rules'
import { advance, createSession, listEvents, playBots, seek, why } from 'hurtbox'
import { saveReplay } from 'hurtbox/replay'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { repositoryRoot } from '../../../scripts/engines/install-npm.ts'
import { openPage, type Served, serveStudio, startBrowser } from './browser.ts'
import { poll } from './pages.ts'

vi.setConfig({ testTimeout: 180_000 })

const root = join(repositoryRoot, '.cache/studio-tests/replay-page')
let served: Served | undefined
let browser: Browser | undefined

/** A match of bots, and its first hit: tick and ids. */
function playMatch() {
  const session = createSession(game, { seed: 5 })
  const inputs = playBots(bots[0], 3, 5)
  for (let i = 0; i < 1500; i++) advance(session, inputs(session.world.tick, session.world as never) as never)
  const bytes = saveReplay(session as never)
  for (let tick = 1; tick < 1500; tick++) {
    seek(session as never, tick)
    const ids = [...session.world.tables.things.id.subarray(0, session.world.tables.things.count)]
    seek(session as never, tick + 1)
    const hit = listEvents(session.world as never).find(({ kind }) => kind === 'damage')
    if (hit === undefined) continue
    const victim = (hit as unknown as { victim: number }).victim
    for (const id of ids) {
      const entry = why(session as never, tick, id, victim).find(({ verdict }) => verdict === 'accepted')
      if (entry !== undefined) return { bytes, tick, ask: [entry.first, entry.second], text: entry.text }
    }
  }
  throw new Error('nobody was hit')
}

const match = playMatch()

beforeAll(async () => {
  mkdirSync(join(root, 'public'), { recursive: true })
  writeFileSync(join(root, 'public/match.hbr'), match.bytes)
  writeFileSync(
    join(root, 'index.html'),
    '<!doctype html><title>A page</title><body><script type="module" src="./main.js"></script></body>',
  )
  writeFileSync(
    join(root, 'main.js'),
    `import { defineReplayElement } from '@hurtbox/studio/replay'
defineReplayElement({ 'jet-raiders': () => import('@hurtbox/games/jet-raiders') })`,
  )
  await build({ root, base: './', logLevel: 'error', configFile: false, build: { outDir: 'dist', emptyOutDir: true } })
  served = await serveStudio(join(root, 'dist'))
  browser = await startBrowser()
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await served?.close()
}, 60_000)

test('[DI30] a replay plays in any page: at its tick, with its boxes and the reason, and again from where it is led', async () => {
  const { page, problems } = await openPage(browser!, served!)
  const { tick, ask, text } = match
  await page.evaluate(
    ([at, pair]) => {
      document.body.insertAdjacentHTML(
        'beforeend',
        `<hurtbox-replay src="match.hbr" tick="${at}" ask="${pair}" boxes></hurtbox-replay>`,
      )
    },
    [String(tick), ask.join()],
  )
  const element = page.locator('hurtbox-replay').first()
  // One that was never in sight has a name for its button, too.
  await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      'beforeend',
      '<hurtbox-replay src="match.hbr" style="display: block; margin-top: 4000px"></hurtbox-replay>',
    )
  })
  await poll(() => page.locator('hurtbox-replay').nth(1).getByRole('button').textContent()).toBe('Play')
  const shown = () => element.locator('output').textContent()
  await poll(shown).toBe(`tick ${tick}`)
  expect(await element.locator('.why').textContent()).toContain(text)
  const picture = () =>
    element.locator('canvas.stage-view').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL())
  await poll(async () => (await picture()).length).toBeGreaterThan(2000)
  const before = await picture()
  // Attributes lead it elsewhere, its own button plays on.
  await element.evaluate((replay) => replay.setAttribute('tick', '40'))
  await poll(shown).toBe('tick 40')
  await poll(picture).not.toBe(before)
  await element.getByRole('button', { name: 'Play' }).click()
  await poll(async () => Number((await shown())?.slice(5))).toBeGreaterThan(45)
  await element.getByRole('button', { name: 'Pause' }).click()
  await element.getByRole('slider').fill('900')
  await poll(shown).toBe('tick 900')
  // One that is not there says so, and going away ends it.
  await element.evaluate((replay) => replay.setAttribute('src', 'nothing.hbr'))
  await poll(() => element.locator('.problem').textContent()).toBe('There is no replay at nothing.hbr.')
  await element.evaluate((replay) => replay.remove())
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
  await page.context().close()
})
