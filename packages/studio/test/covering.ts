/** Whether anything on the page of a match covers anything else, at one size of the window. */

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { withoutWebGl } from './browser.ts'
import { poll } from './pages.ts'
import type { useStudio } from './use-studio.ts'

const GAMES = ['siege', 'sumo', 'jet-raiders', 'nightfall', 'vinyl-frontier']
const titles: Readonly<Record<string, string>> = {
  siege: 'Siege',
  sumo: 'Sumo',
  'jet-raiders': 'Jet Raiders',
  nightfall: 'Nightfall',
  'vinyl-frontier': 'Vinyl Frontier',
}

type Screen = {
  readonly viewport: { readonly width: number; readonly height: number }
  readonly hasTouch?: boolean
  readonly isMobile?: boolean
}

/** Opens all games at this size: figures, sticks, buttons, bars, notices and what games write must stand apart. */
export async function expectNothingCovered(open: ReturnType<typeof useStudio>['open'], screen: Screen): Promise<void> {
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
    await poll(() => overlaps(page, ['.bar', '.hud', '.hb-stick', '.hb-touch-button', '.notice']), where).toEqual([])
    if (!isPhone) continue
    expect(await page.locator('[data-stick="left"]').count(), where).toBe(1)
    const stage = (await page.locator('.stage').boundingBox())!
    expect(stage.height, where).toBeGreaterThan(height * 0.85)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), where).toBe(width)
  }
}

/** Pairs of boxes that overlap by more than a pixel: of these elements, and of what the view has written on its canvas. */
export async function overlaps(page: Page, selectors: readonly string[]): Promise<string[]> {
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
