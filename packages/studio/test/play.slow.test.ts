/** Playing in the page, from the title to the end, and the bugs that an audit of the page found. */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { withoutWebGl } from './browser.ts'
import { expectNothingCovered, overlaps } from './covering.ts'
import { clockOf, leaveControls, openTab, pause, poll, scrubTo, waitForClock } from './pages.ts'
import { useStudio } from './use-studio.ts'

const { open } = useStudio()

const small = { viewport: { width: 1000, height: 640 } }

test('[PL1] a game opens with title, goal, key caps and strength; the keyboard alone starts, plays, pauses, scrubs and leaves it', async () => {
  const { page, problems } = await open('#game=jet-raiders&seed=5', small)
  const start = page.getByTestId('start')
  await start.waitFor()
  expect(await start.getByRole('heading').textContent()).toBe('Jet Raiders')
  const words = await start.textContent()
  for (const text of ['Shoot the others down', 'Space', 'thrust', 'fire']) expect(words).toContain(text)
  expect(await start.getByRole('button', { pressed: true }).textContent()).toBe('medium')
  // Nothing but the game is there, and it waits.
  expect(await page.locator('.panel').isVisible()).toBe(false)
  const { tick } = await clockOf(page)
  expect(tick).toBeLessThan(5)
  // The strength is remembered, and chosen without a mouse.
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  expect(await start.getByRole('button', { pressed: true }).textContent()).toBe('hard')
  await page.getByTestId('begin').focus()
  await page.keyboard.press('Enter')
  await page.getByTestId('countdown').waitFor()
  expect(await page.getByTestId('countdown').textContent()).toMatch(/^[123]$/)
  await waitForClock(page, (clock) => clock.tick > 10, 'the match to run')
  await page.keyboard.down('KeyW')
  await waitForClock(page, (clock) => clock.tick > 25, 'some flight')
  await page.keyboard.up('KeyW')
  await page.keyboard.press('p')
  await page.getByTestId('paused').waitFor()
  const paused = await clockOf(page)
  // One key opens the panels, with which one goes through time.
  await page.keyboard.press('i')
  await page.getByTestId('paused').waitFor({ state: 'detached' })
  await page.getByTestId('scrub').focus()
  await page.keyboard.press('Home')
  await waitForClock(page, (clock) => clock.tick === 0, 'the beginning')
  expect(paused.tick).toBeGreaterThan(20)
  // Tab from the page reaches the first control, and takes no panel away (it used to).
  await leaveControls(page)
  await page.evaluate(() => scrollTo(0, 0))
  await page.getByLabel('All games').focus()
  await page.keyboard.press('Tab')
  expect(await page.locator('.panel').isVisible()).toBe(true)
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
  await page.getByLabel('All games').focus()
  await page.keyboard.press('Enter')
  await page.locator('.front').waitFor()
  // The panels are remembered.
  await page.goto(`${page.url().split('#')[0]}?again#game=jet-raiders&seed=5`)
  await page.getByTestId('inspect').waitFor()
  expect(await page.getByTestId('inspect').getAttribute('aria-pressed')).toBe('true')
  expect(problems).toEqual([])
})

test('[ST40] Tab moves between controls and hides nothing; [ST41] help waits with the match; [ST42] a key is changed', async () => {
  const { page } = await open('#game=jet-raiders&seed=5&tick=30', small)
  await waitForClock(page, ({ tick }) => tick === 30, 'tick 30')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('All games')
  expect(await page.locator('.panel').isVisible()).toBe(true)
  // Help waits with the match, and lets it go on.
  await leaveControls(page)
  await page.getByTestId('play').click()
  await leaveControls(page)
  await waitForClock(page, ({ tick }) => tick > 35, 'the match to run')
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await page.waitForTimeout(300)
  const held = await clockOf(page)
  await page.waitForTimeout(500)
  expect((await clockOf(page)).tick, 'the match waits while help is open').toBe(held.tick)
  // Another key for what a key does, remembered.
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Space', exact: true }).click()
  await page.keyboard.press('KeyV')
  await poll(() => dialog.getByRole('button', { name: 'V', exact: true }).count(), 'a key is changed').toBe(1)
  expect(await page.evaluate(() => localStorage.getItem('hurtbox-keys-jet-raiders'))).toContain('KeyV')
  await page.keyboard.press('Escape')
  await waitForClock(page, ({ tick }) => tick > held.tick + 3, 'the match to go on')
  // After a reload the title names the new key, and the key does what the old one did.
  await page.goto(`${page.url().split('#')[0]}?again#game=jet-raiders&seed=5&inspect=0`)
  const title = page.getByTestId('start')
  await title.waitFor()
  expect(await title.locator('kbd').allTextContents()).toContain('V')
  await page.getByTestId('begin').click()
  await waitForClock(page, ({ tick }) => tick > 3, 'the match to run')
  await page.keyboard.press('i')
  await openTab(page, 'Events')
  await leaveControls(page)
  const ownShots = page.getByTestId('feed').locator('li', { hasText: 'You fire' })
  expect(await ownShots.count()).toBe(0)
  await page.keyboard.down('KeyV')
  await poll(() => ownShots.count(), 'the new key').toBeGreaterThan(0)
})

test('[ST43] two futures rest at the same tick', async () => {
  const { page } = await open('#game=jet-raiders&seed=5&tick=300', small)
  await waitForClock(page, ({ tick, hash }) => tick === 300 && hash !== '', 'tick 300')
  await scrubTo(page, 100)
  await openTab(page, 'Tune')
  const knob = page.locator('[data-knob="shipSpeed"]')
  await knob.fill('300')
  await knob.press('Enter')
  await page.getByTestId('fork').waitFor()
  for (const until of [110, 125, 150]) {
    await page.getByTestId('play').click()
    await waitForClock(page, ({ tick }) => tick > until, `tick ${until}`)
    const { tick } = await pause(page)
    await waitForClock(page, (clock) => clock.tick === tick, `the other future at ${tick}`, 'fork')
  }
  // What the slider covers is what stands below it, and a number that does nothing here says so.
  const row = page.locator('.knob', { has: page.locator('[data-knob="turnRate"]') })
  const range = row.locator('input[type=range]')
  expect(await row.locator('.muted').textContent()).toContain(`… ${await range.getAttribute('max')}`)
  const ramming = page.locator('.knob', { has: page.locator('[data-knob="rammingDamage"]') })
  expect(await ramming.textContent()).toContain('ramming is off')
})

test('[ST44] a cut-off replay says what can be played of it; a damaged link says so; news never cover the legend', async () => {
  const { page, problems } = await open('#game=siege&seed=3&tick=60', small)
  await waitForClock(page, ({ tick, hash }) => tick === 60 && hash !== '', 'tick 60')
  await openTab(page, 'Replay')
  await page.getByTestId('verify').click()
  await poll(() => page.getByTestId('verify-outcome').textContent()).toContain('✓')
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('save').click()])
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const cut = bytes.subarray(0, Math.floor(bytes.length * 0.6))
  await page.getByTestId('open').setInputFiles({ name: 'cut.hbr', mimeType: '', buffer: cut })
  await poll(() => page.getByTestId('diverged').textContent()).toMatch(/DAMAGED|NOT READ/)
  expect(await page.getByTestId('verify-outcome').textContent()).toBe('')
  if ((await page.locator('.toast').count()) > 0) {
    expect(await page.locator('.toast').textContent()).not.toMatch(/^\d+ ticks\. They play exactly/)
  }
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('button', { name: 'Boxes' }).click()
  await leaveControls(page)
  await page.keyboard.press('s')
  await page.locator('.toast').waitFor()
  const covered = await overlaps(page, ['.toast', '.legend', '.transport', '.hud', '.bar'])
  // For the moment that it stands, a message may cover what the game writes.
  expect(covered.filter((pair) => !/^\.toast .* and written at/.test(pair))).toEqual([])
  // The canvas of the game has a name for those who do not see it.
  expect(await page.getByRole('img', { name: /Siege/ }).count()).toBe(1)
  expect(problems).toEqual([])
  await page.goto(`${page.url().split('#')[0]}?damaged#game=siege&seed=1&tick=10&record=AAAA%25%25%25`)
  await poll(() => page.getByRole('alert').textContent()).toContain('link are damaged')
})

test('[ST45] without WebGL a game that needs it is drawn flat', async () => {
  const { page } = await open('#game=sumo&seed=5&tick=40', { ...small, before: withoutWebGl })
  await waitForClock(page, ({ tick }) => tick === 40, 'tick 40')
  await poll(() => inkOf(page)).toBeGreaterThan(1000)
  expect(await page.locator('.stage-label').textContent()).toContain('Drawn flat')
})

test('[EW10] a view that throws is told with tick and place, and the match is drawn flat', async () => {
  const { page, problems } = await open('#game=siege&seed=5&tick=40', small)
  await waitForClock(page, ({ tick }) => tick === 40, 'tick 40')
  await page.evaluate(() => {
    CanvasRenderingContext2D.prototype.drawImage = () => {
      throw new Error('no ink')
    }
  })
  await poll(() => page.locator('.stage-label').textContent()).toMatch(
    /^Drawn flat, because draw of the view failed in tick \d+: no ink \(\/\S+:\d+:\d+\)$/,
  )
  await poll(() => inkOf(page)).toBeGreaterThan(1000)
  // Once, although there are many frames.
  expect(problems.filter((problem) => problem.includes('no ink'))).toHaveLength(1)
})

test('[PL18] what a player is asked to choose is a row of cards, taken with a click; [PL23] on the way to a far moment the page says how far it is', async () => {
  // A draft; the bot would choose in the next tick.
  const { page } = await open('#game=nightfall&seed=5&tick=1193', small)
  const cards = page.getByTestId('choices').getByRole('button')
  await cards.first().waitFor()
  expect(await cards.count()).toBe(3)
  expect(await cards.locator('kbd').allTextContents()).toEqual(['1', '2', '3'])
  expect(await cards.first().isDisabled(), 'who watches does not choose').toBe(true)
  await page.getByRole('button', { name: 'Bots play' }).click()
  await page.getByTestId('play').click()
  await waitForClock(page, ({ tick }) => tick > 1200, 'a person to take its time')
  await cards.nth(1).click()
  await page.getByTestId('choices').waitFor({ state: 'detached' })
  // A link far into a match is not a black screen: the page says how far it is.
  await page.goto(`${page.url().split('#')[0]}?far#game=nightfall&seed=2&tick=70000&inspect=0`)
  await poll(() => page.getByTestId('on-the-way').textContent()).toMatch(/Playing to this moment….*%/)
})

test('[PL3] [PL16] nothing covers anything on a phone: figures, sticks, buttons, bars, notices, and what games write', async () => {
  await expectNothingCovered(open, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
})

/** How many pixels of the match are drawn at all. */
function inkOf(page: Page): Promise<number> {
  return page.locator('.stage-view').evaluate((element) => {
    const canvas = element as HTMLCanvasElement
    const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
    let count = 0
    for (let i = 3; i < data.length; i += 4) if (data[i] > 0) count++
    return count
  })
}
