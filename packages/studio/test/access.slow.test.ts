/** The page for everybody: without a network, over a bad one, without eyes for it. */

import { expect, test } from 'vitest'
import { seriousFindings } from './axe.ts'
import { withoutWebGl } from './browser.ts'
import { poll, waitForClock } from './pages.ts'
import { useStudio } from './use-studio.ts'

const { open } = useStudio()

const small = { viewport: { width: 900, height: 600 }, before: withoutWebGl }

test('[PL10] after one visit all games start with the network off', async () => {
  const { page } = await open('#game=none', { ...small, serviceWorkers: 'allow' })
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}))
  await poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null), 'kept').toBe(true)
  await page.context().setOffline(true)
  await page.reload()
  for (const title of ['Jet Raiders', 'Nightfall', 'Siege', 'Sumo', 'Vinyl Frontier']) {
    const game = title.toLowerCase().replace(' ', '-')
    await page.evaluate((hash) => void (location.hash = hash), `#game=${game}&seed=3`)
    await page.getByTestId('start').getByRole('heading', { name: title }).waitFor()
    // The match is behind its title: the worker has its code, and the stage its view.
    await waitForClock(page, ({ tick }) => tick >= 1, `${title} without a network`)
    await poll(() => page.locator('.stage-view').count(), 'one stage').toBe(1)
  }
  await page.getByTestId('begin').click()
  await waitForClock(page, ({ tick }) => tick > 5, 'a match without a network')
})

test('[PL11] a part of the page that does not arrive is asked for again; when it never comes the page says so', async () => {
  const { page } = await open('', {
    ...small,
    before: async (blank) => {
      let failures = 2
      await blank.route(/\/assets\/play-/, (route) => (failures-- > 0 ? route.abort() : route.continue()))
      await blank.route(/\/assets\/lab-/, (route) => route.abort())
    },
  })
  await page.evaluate(() => void (location.hash = '#game=jet-raiders&seed=3'))
  await page.getByTestId('start').waitFor()
  await page.evaluate(() => void (location.hash = '#game=jet-raiders&page=lab'))
  await poll(() => page.getByRole('alert').textContent(), 'words').toContain('could not be loaded')
  await page.unroute(/\/assets\/lab-/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Network lab' }).waitFor()
})

test('[PL22] the front page shows a hit and says why it counted; [PL12] axe finds nothing serious there, at the start of a game, beside its panels, in its help, in the network lab', async () => {
  // Where little motion is wanted the hit is there at once.
  const { page } = await open('', { ...small, reducedMotion: 'reduce' })
  await poll(() => page.getByTestId('hero').textContent(), 'why, by names').toMatch(
    /Why, at tick \d+\?.*: P\d's \w+ and P\d: accepted.*P\d: \w+ \d+ → \d+/,
  )
  const look = async (hash: string, sign: string) => {
    await page.evaluate((next) => void (location.hash = next), hash)
    await page.locator(sign).first().waitFor()
    expect(await seriousFindings(page), hash || 'front page').toEqual([])
  }
  await look('', '.card')
  await look('#game=jet-raiders&seed=5&inspect=0', '[data-testid=begin]')
  await look('#game=jet-raiders&seed=5&tick=60', '[data-testid=scrub]')
  await page.getByRole('tab', { name: 'Tune' }).click()
  expect(await seriousFindings(page), 'Tune').toEqual([])
  await page.getByLabel('Keys and help').click()
  await page.getByRole('dialog').waitFor()
  expect(await seriousFindings(page), 'help').toEqual([])
  await page.keyboard.press('Escape')
  await look('#game=jet-raiders&page=lab&seed=2', '[data-testid=lab-settle]')
})
