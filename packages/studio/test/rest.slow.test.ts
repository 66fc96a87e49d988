/** Menus, pauses and ends in a browser: nothing is drawn while nothing changes. */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { pause, poll, waitForClock } from './pages.ts'
import { useStudio } from './use-studio.ts'

const { open } = useStudio()

type Counted = { drawn: number; frames: number }

/** Counts the pictures of stages and the frames that the page asks for. */
async function countFrames(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const counted = window as unknown as Counted
    counted.drawn = 0
    counted.frames = 0
    const { clearRect } = CanvasRenderingContext2D.prototype
    CanvasRenderingContext2D.prototype.clearRect = function (...args) {
      if (this.canvas.className === 'stage-view') counted.drawn++
      clearRect.apply(this, args)
    }
    const ask = window.requestAnimationFrame
    window.requestAnimationFrame = (callback) => {
      counted.frames++
      return ask(callback)
    }
  })
}

const countsOf = (page: Page) =>
  page.evaluate(() => ({ drawn: (window as unknown as Counted).drawn, frames: (window as unknown as Counted).frames }))

/** What was drawn and asked for in a second and a half, once that has become nothing, or never did. */
async function whileAtRest(page: Page): Promise<Counted> {
  await poll(async () => {
    const { drawn } = await countsOf(page)
    await page.waitForTimeout(500)
    return (await countsOf(page)).drawn - drawn
  }).toBe(0)
  const before = await countsOf(page)
  await page.waitForTimeout(1500)
  const after = await countsOf(page)
  return { drawn: after.drawn - before.drawn, frames: after.frames - before.frames }
}

const isAtRest = ({ drawn, frames }: Counted) => drawn === 0 && frames <= 16

test('[SL6] a title, a pause and the end draw nothing while nothing changes, and are there when somebody moves', async () => {
  const options = { viewport: { width: 800, height: 600 }, before: countFrames }
  const { page } = await open('#game=jet-raiders&seed=5', options)
  await page.getByTestId('start').waitFor()
  expect(await whileAtRest(page), 'title').toSatisfy(isAtRest)

  await page.getByTestId('begin').click()
  await waitForClock(page, ({ tick }) => tick > 20, 'the match to run')
  await page.keyboard.press('p')
  await page.getByTestId('paused').waitFor()
  expect(await whileAtRest(page), 'pause').toSatisfy(isAtRest)
  const { drawn } = await countsOf(page)
  await page.mouse.move(200, 200)
  await poll(async () => (await countsOf(page)).drawn).toBeGreaterThan(drawn)

  const { page: ended } = await open('#game=jet-raiders&seed=5&option.matchSeconds=2&inspect=0&tick=400', options)
  await ended.getByTestId('end').waitFor()
  expect(await whileAtRest(ended), 'end').toSatisfy(isAtRest)
})

test('[SL6] panels beside a paused match draw nothing either, and follow when one steps', async () => {
  const { page } = await open('#game=nightfall&seed=5&tick=100', { before: countFrames })
  await waitForClock(page, ({ tick, hash }) => tick === 100 && hash !== '', 'tick 100')
  expect(await whileAtRest(page)).toSatisfy(isAtRest)
  await page.keyboard.press('.')
  await waitForClock(page, ({ tick }) => tick === 101, 'tick 101')
  expect(await whileAtRest(page)).toSatisfy(isAtRest)
  await page.getByTestId('play').click()
  await waitForClock(page, ({ tick }) => tick > 110, 'the match to run')
  const { drawn } = await countsOf(page)
  expect(drawn).toBeGreaterThan(3)
  await pause(page)
})

test('[SL6] where little motion is wanted the front page is still', async () => {
  const { page } = await open('', { reducedMotion: 'reduce', before: countFrames })
  await poll(async () => (await countsOf(page)).drawn, 'the first pictures').toBeGreaterThan(0)
  expect(await whileAtRest(page)).toSatisfy(isAtRest)
})
