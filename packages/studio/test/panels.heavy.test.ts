/** The panels of the lab on real matches, in one browser and mostly one page: a launch costs more than a test. */

import { readFileSync } from 'node:fs'
import { readModule } from 'hurtbox/module'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import jetRaiders from '../../../games/jet-raiders/index.ts'
import { playTick, startMatch } from '../src/sim/match.ts'
import { packOverlay } from '../src/sim/overlay.ts'
import { CONTACT } from '../src/sim/protocol.ts'
import { withoutWebGl } from './browser.ts'
import { leaveControls, openTab, poll, scrubTo, waitForClock } from './pages.ts'
import { useStudio } from './use-studio.ts'

const { open } = useStudio()

async function openAt(hash: string, tick: number) {
  // Pixels are counted.
  const opened = await open(hash, {
    viewport: { width: 1280, height: 860 },
    deviceScaleFactor: 1,
    before: withoutWebGl,
  })
  await waitForClock(opened.page, (clock) => clock.tick === tick && clock.hash !== '', `tick ${tick}`)
  return opened
}

/** How many pixels of the overlay have about the colour of what is pointed at. */
function ringed(page: Page): Promise<number> {
  return page
    .locator('.stage-overlay')
    .first()
    .evaluate((element) => {
      const { width, height } = element as HTMLCanvasElement
      const { data } = (element as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height)
      let count = 0
      for (let i = 0; i < data.length; i += 4) {
        if (
          data[i + 3] > 200 &&
          Math.abs(data[i] - 0x7f) < 12 &&
          Math.abs(data[i + 1] - 0xe3) < 12 &&
          data[i + 2] > 240
        )
          count++
      }
      return count
    })
}

test('[LB3] [LB4] [LB5] a hit is told by names, lights up on the stage, and is followed through the phases of its tick', async () => {
  const { page, problems } = await openAt('#game=jet-raiders&seed=5&tick=600', 600)
  // The whole match is marked right after the link was opened, by player and by kind.
  const timeline = page.getByTestId('timeline')
  await poll(() => timeline.getAttribute('data-indexed')).toBe('600')
  expect(Number(await timeline.getAttribute('data-marks'))).toBeGreaterThan(100)
  expect(await page.getByTestId('lanes').getAttribute('data-lanes')).toMatch(/^P1 P2 P3 P4 P5 P6 kill hit/)

  await page.keyboard.press('c')
  await page.keyboard.press('n')
  const { tick } = await waitForClock(page, (clock) => clock.tick > 600, 'the next hit')
  await openTab(page, 'Events')
  const row = page
    .getByTestId('feed')
    .locator('li', { hasText: `${tick - 1}hit` })
    .first()
  await row.getByText(/P\d's bullet hits P\d, \d+ hp left/).waitFor()
  // Pointing at a name lights the ship up; leaving puts it out.
  expect(await ringed(page)).toBe(0)
  await row.locator('.who').nth(1).hover()
  await poll(() => ringed(page), 'a ring').toBeGreaterThan(30)
  await page.getByLabel('Kind of event').hover()
  await poll(() => ringed(page), 'no ring').toBe(0)
  // Ids are one click away.
  expect(await row.textContent()).not.toMatch(/victim \d/)
  await page.getByLabel('ids').check()
  expect(await row.textContent()).toMatch(/victim \d+/)

  await openTab(page, 'Ask')
  await page.locator('.rows button', { hasText: 'depth' }).first().click()
  const verdicts = page.getByTestId('verdicts')
  await verdicts
    .getByText(/bullet hits ship: P\d's bullet and P\d: accepted/)
    .first()
    .waitFor()
  expect(await verdicts.textContent()).toMatch(/P\d: health \d+ → \d+/)

  // The ship that was hit: its health changed in the phase of hits, by that rule.
  await page.locator('.chosen').nth(1).click()
  await poll(() => page.getByTestId('columns').locator('h3').first().textContent()).toBe('Changed in this tick')
  expect(await page.getByTestId('columns').locator('section').first().textContent()).toContain('health')
  await openTab(page, 'Phases')
  const path = page.getByTestId('phase-path')
  await path.locator('[data-phase="hits"]').waitFor()
  expect(await path.locator('[data-phase="hits"]').textContent()).toMatch(
    /bullet hits ship.*accepted.*health \d+ → \d+/,
  )
  expect(await page.getByTestId('phase-table').locator('th', { hasText: 'health' }).count()).toBe(1)
  await page.getByLabel('The other tick').fill('560')
  await page.getByRole('button', { name: /Compare with tick/ }).click()
  await page.getByTestId('compared').getByText('tick 560').waitFor()
  expect(await page.getByTestId('compared').textContent()).toContain('health')

  // What is pointed at on the stage lights up in the panel.
  await openTab(page, 'Ask')
  await leaveControls(page)
  await page.keyboard.press('Escape')
  await page.locator('.rows .who').first().waitFor()
  const name = await page.locator('.rows .who').first().textContent()
  const box = (await page.getByTestId('stage').boundingBox())!
  search: for (let y = 40; y < box.height; y += 24) {
    for (let x = 40; x < box.width; x += 24) {
      await page.mouse.move(box.x + x, box.y + y)
      if ((await page.locator('.rows .who.is-pointed', { hasText: name! }).count()) > 0) break search
    }
  }
  expect(await page.locator('.rows .who.is-pointed', { hasText: name! }).count()).toBeGreaterThan(0)
  // Reading the stage so often is this test's doing.
  expect(problems.filter((text) => !text.includes('willReadFrequently'))).toEqual([])
})

test('[LB3] a wall is asked about like a hit', async () => {
  // The tick after something has flown into a wall.
  const module = readModule({ default: jetRaiders }, 'jet-raiders')
  const match = startMatch(module, {
    game: module.id,
    scene: 'melee',
    seed: module.scenes.find(({ name }) => name === 'melee')!.seed,
    seats: [],
  })
  const isAtWall = () => {
    const { contacts } = packOverlay(match.session.world, match.collisions, match.phases.ids)
    return contacts.some((value, i) => [CONTACT.a, CONTACT.b].includes((i % CONTACT.fields) as never) && value < 0)
  }
  do playTick(match, undefined)
  while (!isAtWall() && match.session.world.tick < 3000)
  const { tick } = match.session.world
  const { page } = await openAt(`#game=jet-raiders&scene=melee&tick=${tick}`, tick)
  await page.keyboard.press('c')
  await page
    .locator('.rows button', { hasText: /wall \d/ })
    .first()
    .click()
  const verdicts = page.getByTestId('verdicts')
  await verdicts.locator('article').first().waitFor()
  expect(await verdicts.textContent()).toMatch(/and wall \d+: /)
})

test('[LB2] [LB5] two futures: one tick, a mark where they part, the phase, and what changed for each player', async () => {
  const { page, problems } = await openAt('#game=jet-raiders&seed=5&tick=500', 500)
  await scrubTo(page, 300)
  await openTab(page, 'Tune')
  const knob = page.locator('[data-knob="shipSpeed"]')
  await knob.fill('220')
  await knob.press('Enter')
  await page.getByTestId('fork').waitFor()
  await openTab(page, 'Futures')
  const parting = page.getByTestId('parting')
  await parting.getByText(/phase steer/).waitFor()
  expect(await parting.getAttribute('data-tick')).toBe('300')
  const futures = page.getByTestId('futures')
  for (const tick of [420, 301, 499]) {
    await scrubTo(page, tick)
    await poll(() => futures.getAttribute('data-tick')).toBe(String(tick))
    expect(await futures.getAttribute('data-other')).toBe(String(tick))
    expect(await page.getByTestId('fork').getAttribute('data-tick')).toBe(String(tick))
  }
  expect(await futures.locator('table').first().locator('tbody').count()).toBe(6)
  expect(await futures.locator('.is-different').count()).toBeGreaterThan(3)
  await futures.getByText('Everything that differs').click()
  expect(await page.getByTestId('compared').textContent()).toContain('as it would be')
  // Playing keeps them together, too.
  await page.getByTestId('play').click()
  for (let i = 0; i < 12; i++) {
    const ticks = await page.evaluate(() =>
      ['clock', 'fork'].map((id) => document.querySelector<HTMLElement>(`[data-testid=${id}]`)!.dataset.tick),
    )
    expect(ticks[0]).toBe(ticks[1])
    await page.waitForTimeout(40)
  }
  expect(problems).toEqual([])
})

test('[LB5] the timeline is zoomed and panned by wheel and keys; bookmarks with notes travel in the address; a loop repeats', async () => {
  const { page } = await openAt('#game=jet-raiders&seed=8&tick=400', 400)
  const lanes = page.getByTestId('lanes')
  const stretch = async () => [
    Number(await lanes.getAttribute('data-from')),
    Number(await lanes.getAttribute('data-to')),
  ]
  expect(await stretch()).toEqual([0, 400])
  const box = (await lanes.boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + 20)
  await poll(() => page.getByTestId('pointed').textContent()).toMatch(/^tick (199|200|201) · 0:03/)
  await page.mouse.wheel(0, -300)
  await poll(async () => (await stretch())[1] - (await stretch())[0]).toBeLessThan(330)
  const [from, to] = await stretch()
  expect((from + to) / 2).toBeGreaterThan(190)
  expect((from + to) / 2).toBeLessThan(210)
  await lanes.focus()
  await page.keyboard.press('ArrowRight')
  await poll(async () => (await stretch())[0]).toBeGreaterThan(from)
  await page.keyboard.press('Home')
  await poll(stretch).toEqual([0, 400])
  // Two fingers go apart: the same stretch, seen from nearer.
  await lanes.evaluate((element) => {
    const { left, top, width } = element.getBoundingClientRect()
    const finger = (type: string, pointerId: number, part: number) =>
      element.dispatchEvent(
        new PointerEvent(type, {
          pointerId,
          pointerType: 'touch',
          clientX: left + width * part,
          clientY: top + 8,
          bubbles: true,
        }),
      )
    element.setPointerCapture = () => {}
    finger('pointerdown', 11, 0.4)
    finger('pointerdown', 12, 0.6)
    finger('pointermove', 12, 0.9)
    finger('pointerup', 11, 0.4)
    finger('pointerup', 12, 0.9)
  })
  await poll(async () => (await stretch())[1] - (await stretch())[0]).toBeLessThan(200)
  await page.getByRole('button', { name: 'Whole match' }).click()
  await page.mouse.click(box.x + box.width / 4, box.y + 20)
  const { tick } = await waitForClock(
    page,
    (clock) => Math.abs(clock.tick - 100) < 3,
    'tick 100 by a click on the lanes',
  )

  await leaveControls(page)
  await page.keyboard.press('s')
  await page.getByLabel(`Note for tick ${tick}`).fill('look here')
  await page.getByLabel(`Note for tick ${tick}`).press('Enter')
  await scrubTo(page, 300)
  await poll(() => page.url()).toMatch(/tick=300\b/)
  expect(page.url()).toMatch(/bookmarks=/)
  const { page: again } = await openAt(new URL(page.url()).hash, 300)
  expect(await again.getByLabel(`Note for tick ${tick}`).inputValue()).toBe('look here')
  await leaveControls(again)
  await again.keyboard.press('l')
  await waitForClock(again, (clock) => clock.tick === tick, 'the bookmark')

  // From here to twelve ticks on, again and again.
  await again.keyboard.press('k')
  await scrubTo(again, tick + 12)
  await leaveControls(again)
  await again.keyboard.press('k')
  await again.getByTestId('loop').waitFor()
  await waitForClock(again, (clock) => clock.tick > tick + 4, 'the loop to play')
  await waitForClock(again, (clock) => clock.tick <= tick + 3, 'the loop to begin again')
})

test('[LB6] Sumo: the meter names moves, shows the advantage that the table promises, and goes where one points; the table is saved', async () => {
  const { page, problems } = await openAt('#game=sumo&seed=5&tick=900', 900)
  await openTab(page, 'Frames')
  const table = page.getByTestId('frame-table')
  await table.getByText('punch 1').waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('frames-json').click()])
  const moves = JSON.parse(readFileSync((await download.path())!, 'utf8')) as {
    move: string
    startup: number
    onHit?: number
  }[]
  expect(moves.map(({ move }) => move)).toContain('punch 3')
  const [csv] = await Promise.all([page.waitForEvent('download'), page.getByTestId('frames-csv').click()])
  expect(readFileSync((await csv.path())!, 'utf8').split('\n').length).toBe(moves.length + 2)

  const cells = page.getByTestId('frame-cells')
  await poll(async () => Number(await cells.getAttribute('data-count'))).toBeGreaterThan(60)
  const from = Number(await cells.getAttribute('data-from'))
  const box = (await cells.boundingBox())!
  await page.mouse.move(box.x + 20 * 8 + 3, box.y + 5)
  await waitForClock(page, (clock) => clock.tick === from + 20, 'the tick of the cell under the pointer')
  await poll(() => page.getByTestId('frame-pointed').textContent()).toMatch(
    new RegExp(`^tick ${from + 20}: P1, .*\\d+ of \\d+`),
  )
  // Somewhere along the cells an exchange is over: one is ahead by as much as the other is behind.
  const advantages = page.getByTestId('advantage')
  let found: string[] = []
  for (let column = 30; column < 118 && found.length === 0; column += 4) {
    await page.mouse.move(box.x + column * 8 + 3, box.y + 5)
    await page.waitForTimeout(150)
    found = (await advantages.allTextContents()).filter((text) => text !== '')
  }
  expect(found.length).toBe(2)
  const [one, other] = found.map((text) => Number(text.replace('−', '-').replace('±', '')))
  expect(one + other).toBe(0)
  expect(problems.filter((text) => !text.includes('WebGL'))).toEqual([])
})

test('[LB7] [LB6] Siege: a flame of its phases, figures and room; a game without moves has the timers that ran', async () => {
  const { page, problems } = await openAt('#game=siege&seed=7&tick=600', 600)
  await openTab(page, 'Measure')
  await page.getByTestId('play').click()
  await waitForClock(page, (clock) => clock.tick > 640, 'some ticks')
  await page.getByTestId('play').click()
  const flame = page.getByTestId('flame')
  await flame.locator('[data-phase="hits"]').waitFor({ state: 'attached' })
  const widths = await flame
    .locator('.flame-row')
    .nth(2)
    .locator('span')
    .evaluateAll((bars) => bars.map((bar) => (bar as HTMLElement).getBoundingClientRect().width))
  const tickWide = (await flame.locator('[data-phase="tick"]').boundingBox())!.width
  expect(widths.length).toBeGreaterThan(10)
  expect(widths.reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(tickWide + widths.length + 1)
  expect(await page.getByTestId('room').textContent()).toMatch(/things\d+ of 8192/)
  expect(await page.getByTestId('figures').textContent()).toMatch(/pairs checked \d+/)
  await openTab(page, 'Frames')
  await page.getByTestId('timers').locator('tbody tr').first().waitFor()
  await page.getByTestId('frame-meter').waitFor()
  expect(problems).toEqual([])
})

test('[LB4] the network lab compares what a client predicted with what the server played, at the same tick', async () => {
  const { page, problems } = await open('#game=jet-raiders&page=lab&seed=5', { viewport: { width: 1280, height: 800 } })
  await page.getByLabel('Round trip').fill('250')
  await poll(async () => Number(await page.getByTestId('corrections-A').textContent())).toBeGreaterThan(5)
  await page.getByTestId('lab-compare').click()
  const sides = page.getByTestId('lab-sides')
  await page.getByTestId('lab-next').click()
  await sides.getByTestId('compared').getByText('server', { exact: true }).waitFor()
  const tick = Number(await sides.getAttribute('data-tick'))
  expect(tick).toBeGreaterThan(0)
  // A ship that turned out to be elsewhere: both values, side by side.
  expect(await sides.getByTestId('compared').locator('tbody').first().textContent()).toMatch(/P\d/)
  expect(await sides.getByTestId('compared').locator('tr').count()).toBeGreaterThan(2)
  expect(problems).toEqual([])
})
