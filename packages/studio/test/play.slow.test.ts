/** Playing in the page, from the title to the end, and the bugs that an audit of the page found. */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { withoutWebGl } from './browser.ts'
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
  const inked = () =>
    page.locator('.stage-view').evaluate((element) => {
      const canvas = element as HTMLCanvasElement
      const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
      let count = 0
      for (let i = 3; i < data.length; i += 4) if (data[i] > 0) count++
      return count
    })
  await poll(inked).toBeGreaterThan(1000)
  expect(await page.locator('.stage-label').textContent()).toContain('Drawn flat')
})

test('[PL2] at the end: the winner by name, a table, and play again, another seed, the last hit, a link; who killed you meanwhile', async () => {
  const { page, problems } = await open('#game=jet-raiders&seed=5&option.matchSeconds=14', {
    ...small,
    permissions: ['clipboard-write', 'clipboard-read'],
  })
  await page.getByRole('button', { name: 'hard' }).click()
  await page.getByTestId('begin').click()
  await waitForClock(page, ({ tick }) => tick > 3, 'the match to run')
  await leaveControls(page)
  await page.keyboard.press('=')
  // Idle, one is shot down soon: by whom, and when one is back.
  const death = page.getByTestId('death')
  await poll(async () => ((await death.count()) > 0 ? await death.textContent() : ''), 'who it was').toMatch(
    /P\d kills you.*back in \d/s,
  )
  const end = page.getByTestId('end')
  await end.waitFor({ timeout: 90_000 })
  expect(await end.getByRole('heading').textContent()).toMatch(/^(You win|P\d wins|A draw)$/)
  expect(await end.locator('tbody tr').count()).toBe(6)
  expect(await end.locator('thead').textContent()).toContain('kills')
  const { length } = await clockOf(page)
  await end.getByRole('button', { name: 'Share' }).click()
  await poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('record=')
  await end.getByRole('button', { name: 'Watch the last hit' }).click()
  await waitForClock(page, ({ tick }) => tick < length, 'the past')
  await end.waitFor({ timeout: 90_000 })
  await page.getByTestId('again').click()
  await page.getByTestId('countdown').waitFor()
  await waitForClock(page, (clock) => clock.length < length && clock.tick > 3, 'the same match again')
  expect(problems).toEqual([])
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

const GAMES = ['siege', 'sumo', 'jet-raiders', 'nightfall', 'vinyl-frontier']
const touch = { hasTouch: true, isMobile: true }
const screens = [
  { viewport: { width: 1440, height: 900 } },
  { viewport: { width: 1024, height: 768 } },
  { viewport: { width: 390, height: 844 }, ...touch },
  { viewport: { width: 844, height: 390 }, ...touch },
]

test.each(screens)(
  '[PL3] [PL16] nothing covers anything at $viewport.width: figures, sticks, buttons, bars, notices, and what games write',
  async (screen) => {
    const { width, height } = screen.viewport
    const isPhone = 'isMobile' in screen
    const { page } = await open(`#game=${GAMES[0]}&seed=5&inspect=1`, { ...screen, before: withoutWebGl })
    for (const game of GAMES) {
      await page.evaluate((next) => void (location.hash = next), `#game=${game}&seed=5&inspect=1`)
      await page.getByRole('heading', { name: titles[game] }).waitFor()
      await page.getByTestId('hud').waitFor()
      // Written on the canvas: at least the time. Sumo has names in space, which have a test of their own.
      const written = page.locator('.stage-view[data-hud*=" "]')
      if (game !== 'sumo') await written.waitFor()
      const where = `${game} ${width}`
      if (!isPhone) {
        const parts = ['.bar', '.hud', '.frame-meter', '.switches', '.transport', '.panel']
        await poll(() => overlaps(page, parts), `${where}, panels`).toEqual([])
      }
      await page.getByTestId('inspect').click()
      // The end of a life is told now and then; here it is.
      await page.evaluate(() => {
        const notice = document.createElement('div')
        notice.className = 'notice is-bad'
        notice.innerHTML = '<b>P2 throws you off the ring</b><span>back in 1.0 s</span>'
        document.querySelector('.match-view')!.append(notice)
      })
      await page.locator('.panel').waitFor({ state: 'hidden' })
      // Until the view has drawn at the new size.
      await poll(() => overlaps(page, ['.bar', '.hud', '.stick', '.touch-button', '.notice']), where).toEqual([])
      if (!isPhone) continue
      expect(await page.locator('[data-stick="left"]').count(), where).toBe(1)
      const stage = (await page.locator('.stage').boundingBox())!
      expect(stage.height, where).toBeGreaterThan(height * 0.85)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), where).toBe(width)
    }
  },
)

const titles: Readonly<Record<string, string>> = {
  siege: 'Siege',
  sumo: 'Sumo',
  'jet-raiders': 'Jet Raiders',
  nightfall: 'Nightfall',
  'vinyl-frontier': 'Vinyl Frontier',
}

/** Pairs of boxes that overlap by more than a pixel: of these elements, and of what the view has written on its canvas. */
async function overlaps(page: Page, selectors: readonly string[]): Promise<string[]> {
  return page.evaluate((wanted) => {
    const boxes = wanted.flatMap((selector) =>
      [...document.querySelectorAll<HTMLElement>(selector)]
        .filter((element) => element.checkVisibility())
        .map((element) => ({
          name: `${selector} ${element.textContent?.slice(0, 20)}`,
          box: element.getBoundingClientRect(),
        })),
    )
    for (const canvas of document.querySelectorAll<HTMLElement>('.stage-view[data-hud*=" "]')) {
      const { left, top } = canvas.getBoundingClientRect()
      for (const each of canvas.dataset.hud!.split(',')) {
        const [x, y, width, height] = each.split(' ').map(Number)
        boxes.push({ name: `written at ${each}`, box: new DOMRect(left + x, top + y, width, height) })
      }
    }
    const found: string[] = []
    boxes.forEach((a, i) => {
      for (const b of boxes.slice(i + 1)) {
        const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left)
        const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top)
        if (wide > 1 && high > 1) found.push(`${a.name} and ${b.name}`)
      }
    })
    // So is a figure that stands out of its frame.
    for (const figure of document.querySelectorAll<HTMLElement>('.hud-line > b')) {
      const { right } = figure.closest('.hud')!.getBoundingClientRect()
      if (figure.checkVisibility() && figure.getBoundingClientRect().right > right) {
        found.push(`${figure.textContent} out of its frame`)
      }
    }
    // What is cut off by an edge is as good as covered.
    for (const { name, box } of boxes) {
      const isOut = box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1
      if (isOut) found.push(`${name} beyond the edge`)
    }
    return found
  }, selectors)
}
