/** The other pages of the studio, and what holds for all of them: fingers, keys, size, policy. */

import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { clockOf, leaveControls, openTab, pause, poll, waitForClock } from './pages.ts'
import { useStudio } from './use-studio.ts'

const { open, blankPage, url } = useStudio()

const phone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

test('[ST10] the network lab at 200 ms and 5 % loss shows corrections and ends with equal hashes', async () => {
  const { page, problems } = await open('#game=jet-raiders&page=lab&seed=5')
  await page.getByLabel('Round trip').fill('200')
  await page.getByLabel('Loss').fill('5')
  await page.getByLabel('Speed').selectOption('4')
  const corrections = async (name: string) => Number(await page.getByTestId(`corrections-${name}`).textContent())
  for (const name of ['A', 'B']) await poll(() => corrections(name)).toBeGreaterThan(5)
  await page.getByTestId('lab-settle').click()
  const outcome = page.getByTestId('lab-outcome')
  await outcome.waitFor()
  const hashes = (await outcome.getAttribute('data-hashes'))!.split(' ')
  expect(hashes).toHaveLength(3)
  expect(hashes[0]).toMatch(/^[0-9a-f]{16}$/)
  expect(new Set(hashes).size).toBe(1)
  // The same bar looks back: an older tick looks different.
  const picture = () =>
    page
      .getByTestId('lab-0')
      .locator('canvas')
      .first()
      .evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL())
  const now = await picture()
  await page.getByTestId('lab-scrub').fill('40')
  await poll(picture).not.toBe(now)
  expect(problems).toEqual([])
})

test('[DG16] the network lab shows the path, loss each way, late inputs and the lead, and changes the path in mid-match', async () => {
  const { page, problems } = await open('#game=jet-raiders&page=lab&seed=5')
  await page.getByLabel('Loss').fill('20')
  await page.getByLabel('Speed').selectOption('4')
  const figure = (label: string) => page.getByTestId(`${label}-A`).textContent()
  const numbers = async (label: string) => ((await figure(label)) ?? '').match(/[\d.]+/g)!.map(Number)
  expect(await figure('path')).toBe('socket')
  await page.getByLabel('Path').selectOption('datagram')
  await poll(() => figure('path')).toBe('datagrams')
  await poll(async () => Math.min(...(await numbers('lost up, down')))).toBeGreaterThan(5)
  await poll(async () => (await numbers('late'))[0]).toBeGreaterThan(0)
  expect((await numbers('lead'))[0]).toBeGreaterThan(3)
  await page.getByLabel('Path').selectOption('stream')
  await poll(() => figure('path')).toBe('socket')
  await page.getByTestId('lab-settle').click()
  const outcome = page.getByTestId('lab-outcome')
  await outcome.waitFor()
  expect(await outcome.getAttribute('data-equal')).toBe('true')
  expect(problems).toEqual([])
})

test('[ST11] at 360 px a finger plays: stick and buttons move the player, nothing is wider than the screen', async () => {
  const { page } = await open('#game=jet-raiders&seed=5&inspect=1', phone)
  await waitForClock(page, ({ tick }) => tick > 2, 'the match to run')
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(360)
  const stick = page.locator('[data-stick="left"]')
  const box = (await stick.boundingBox())!
  const finger = { identifier: 1, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 }
  const touch = (type: string, place: object) =>
    stick.dispatchEvent(type, { pointerId: 7, pointerType: 'touch', isPrimary: true, bubbles: true, ...place })
  // Playwright's own tap is too short to fly anywhere.
  await stick.evaluate((element) => {
    element.setPointerCapture = () => {}
    element.hasPointerCapture = () => true
  })
  // The stick begins where the thumb comes down.
  await touch('pointerdown', finger)
  await touch('pointermove', { ...finger, clientY: finger.clientY - 40 })
  const knob = () => stick.locator('i').evaluate((element) => (element as HTMLElement).style.transform)
  expect(await knob()).toContain('-')
  await waitForClock(page, ({ tick }) => tick > 60, 'some flight')
  await touch('pointerup', finger)
  const moved = await pause(page)
  const idle = await open('#game=jet-raiders&seed=5&inspect=1', phone)
  await waitForClock(idle.page, ({ tick }) => tick > moved.tick, 'as many ticks')
  await pause(idle.page)
  await idle.page.getByTestId('scrub').fill(String(moved.tick))
  const still = await waitForClock(idle.page, ({ tick }) => tick === moved.tick, 'the same tick')
  expect(still.hash).not.toBe(moved.hash)
})

test('[ST11] every page fits into 360 px', async () => {
  for (const hash of ['', '#game=nightfall&seed=1&tick=60', '#game=jet-raiders&page=lab']) {
    const { page } = await open(hash, phone)
    await page.waitForTimeout(500)
    const widest = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(widest, hash).toBeLessThanOrEqual(360)
  }
})

test('[ST12] no key is taken while a person types text', async () => {
  const { page } = await open('#game=jet-raiders&seed=5&tick=30')
  const { tick } = await waitForClock(page, (clock) => clock.tick === 30, 'tick 30')
  const field = page.getByLabel('Id of a thing')
  await field.focus()
  await page.keyboard.type('h.n r1')
  expect(await field.inputValue()).toBe('h.n r1')
  expect((await clockOf(page)).tick).toBe(tick)
  expect(await page.getByRole('button', { name: 'Boxes' }).getAttribute('aria-pressed')).toBe('false')
})

test('[ST13] the keyboard alone reaches everything, and ? shows all keys', async () => {
  const { page } = await open('#game=jet-raiders&seed=5&tick=30')
  await waitForClock(page, ({ tick }) => tick === 30, 'tick 30')
  await leaveControls(page)
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keys' })
  await help.waitFor()
  const text = (await help.textContent())!
  for (const words of ['Play or pause', 'One tick back', 'Next hit', 'Boxes', 'fire']) expect(text).toContain(words)
  await page.keyboard.press('Escape')
  await poll(() => help.count()).toBe(0)
  // Every control can have the focus: Tab from the first one walks through header, stage, time and panels.
  await page.getByLabel('All games').focus()
  const seen = new Set<string>()
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab')
    seen.add(
      await page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
      ),
    )
  }
  for (const name of ['Scene', 'Boxes', 'Play', 'Tick', 'Speed', 'Tune', 'Why?']) expect([...seen]).toContain(name)
})

test('[ST14] the first page loads at most 150 kB, and three.js only for Sumo', async () => {
  const loads = async (hash: string, act: (page: Page) => Promise<void> = async () => {}, width = 1280) => {
    const page = await blankPage()
    await page.setViewportSize({ width, height: (width * 5) / 8 })
    const sizes = new Map<string, number>()
    let hasThree = false
    const reading: Promise<void>[] = []
    page.on('response', (response) => {
      reading.push(
        response.body().then(
          (body) => {
            sizes.set(new URL(response.url()).pathname, gzipSync(body).length)
            hasThree ||= body.includes('THREE.WebGLRenderer')
          },
          () => {},
        ),
      )
    })
    await page.goto(`${url()}${hash}`)
    await page.waitForTimeout(2000)
    await act(page)
    await page.waitForTimeout(500)
    await Promise.all(reading)
    return { sizes, hasThree: () => hasThree, page }
  }
  // Somebody moves over it and scrolls to its end: every game is there with its words and a still.
  const first = await loads('', async (page) => {
    await page.mouse.move(5, 300)
    await page.mouse.wheel(0, 3000)
  })
  const total = [...first.sizes.values()].reduce((sum, size) => sum + size, 0)
  expect(first.sizes.size).toBeGreaterThan(5)
  expect(first.hasThree()).toBe(false)
  expect(total).toBeLessThanOrEqual(150_000)
  const cards = first.page.locator('[data-game]')
  expect(await cards.count()).toBe(5)
  for (const card of await cards.all()) {
    expect(((await card.locator('p').textContent()) ?? '').length).toBeGreaterThan(20)
    // The first one plays already.
    if ((await card.locator('canvas').count()) > 0) continue
    expect(await card.locator('img').evaluate((still: HTMLImageElement) => still.naturalWidth)).toBeGreaterThan(0)
  }
  // A game is loaded and plays when somebody turns to its card.
  const nightfall = first.page.locator('[data-game=nightfall]')
  expect(await nightfall.locator('canvas').count()).toBe(0)
  await nightfall.hover()
  await nightfall.locator('canvas').waitFor()
  expect((await loads('#game=jet-raiders')).hasThree()).toBe(false)
  // Small: without a graphics card a large frame of it takes seconds.
  const sumo = await loads('#game=sumo', undefined, 400)
  await poll(() => sumo.hasThree()).toBe(true)
})

test('[ST15] the pages run under their policy: nothing inline, nothing from elsewhere, no errors', async () => {
  const { page, problems } = await open('')
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content')
  expect(policy).toContain("script-src 'self'")
  expect(policy).not.toMatch(/unsafe|\*/)
  for (const tab of ['Events', 'Tune', 'Measure', 'Replay', 'Layers']) {
    await page.goto(`${url()}#game=siege&seed=2&tick=40`)
    await openTab(page, tab)
    await page.waitForTimeout(300)
  }
  expect(problems).toEqual([])
  expect(requested.filter((address) => !address.startsWith(url()) && !address.startsWith('data:'))).toEqual([])
})
