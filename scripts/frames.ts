/**
 * `npm run measure -- frames`: how long ticks and frames take in the page, with thousands of things on the stage.
 *
 * The scene is Siege's crowd: two armies of 5,000 minions that meet all over the map and push each other. Ticks run in the
 * worker, frames on the page; both have a budget, and the page must stay smooth whatever the worker does.
 */

import { openPage } from '../packages/studio/test/browser.ts'
import { openTab, waitForClock } from '../packages/studio/test/pages.ts'
import { withStudio } from './with-studio.ts'

const [moment = 'game=siege&scene=crowd&option.crowd=5000'] = process.argv.slice(2)
const MEASURED_MS = 8000

await withStudio(async (browser, served) => {
  const { page } = await openPage(browser, served, `#${moment}`, { isSmooth: true })
  await waitForClock(page, ({ tick }) => tick > 30, 'the scene to run')
  const gaps = await page.evaluate(
    (ms) =>
      new Promise<number[]>((resolve) => {
        const found: number[] = []
        const begin = performance.now()
        let last = begin
        const onFrame = (now: number) => {
          found.push(now - last)
          last = now
          if (now - begin < ms) requestAnimationFrame(onFrame)
          else resolve(found.slice(1))
        }
        requestAnimationFrame(onFrame)
      }),
    MEASURED_MS,
  )
  await openTab(page, 'Measure')
  await page.getByTestId('figures').waitFor()
  const figures = (await page.getByTestId('figures').locator('div').allTextContents()).join(', ')
  const sorted = [...gaps].sort((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))].toFixed(1)
  console.log(`${moment}: ${figures}`)
  console.log(
    `${gaps.length} frames in ${MEASURED_MS / 1000} s; between two: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms`,
  )
})
