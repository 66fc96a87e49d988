/** What the tests read off a page of the studio and do on it. */

import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Machines that run tests have other things to do, too. */
const PATIENCE_MS = 40_000

/** `expect.poll` with that much patience. */
export const poll = ((read: () => unknown, message = '') =>
  expect.poll(read, { timeout: PATIENCE_MS, message })) as typeof expect.poll extends (
  read: infer R,
  ...rest: never[]
) => infer A
  ? (read: R, message?: string) => A
  : never

export type Clock = { readonly tick: number; readonly length: number; readonly hash: string }

export async function clockOf(page: Page, testId = 'clock'): Promise<Clock> {
  return page.getByTestId(testId).evaluate((element) => {
    const { tick, length, hash } = (element as HTMLElement).dataset
    return { tick: Number(tick), length: Number(length), hash: hash ?? '' }
  })
}

/** Waits until the clock says what is wanted, and fails with what it says instead. */
export async function waitForClock(
  page: Page,
  isRight: (clock: Clock) => boolean,
  what: string,
  testId = 'clock',
): Promise<Clock> {
  let clock: Clock | undefined
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; ) {
    clock = await clockOf(page, testId)
    if (isRight(clock)) return clock
    await page.waitForTimeout(50)
  }
  throw new Error(`waited for ${what}; the clock says ${JSON.stringify(clock)}`)
}

export async function pause(page: Page): Promise<Clock> {
  const button = page.getByTestId('play')
  if ((await button.getAttribute('aria-label')) === 'Pause') await button.click()
  // Ticks that were asked for before the pause still arrive.
  await page.waitForTimeout(200)
  return waitForClock(page, ({ hash }) => hash !== '', 'a hash')
}

/** Moves the scrub bar as a hand would: again, where a future that is being computed has moved it back meanwhile. */
export async function scrubTo(page: Page, tick: number): Promise<Clock> {
  const isThere = (clock: Clock) => clock.tick === tick && clock.hash !== ''
  let clock = await clockOf(page)
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until && !isThere(clock); clock = await clockOf(page)) {
    await page.getByTestId('scrub').evaluate((element, value) => {
      const input = element as HTMLInputElement
      input.value = String(value)
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }, tick)
    for (let look = 0; look < 100 && !isThere(await clockOf(page)); look++) await page.waitForTimeout(50)
  }
  return waitForClock(page, isThere, `tick ${tick}`)
}

/** Lets studio keys arrive at the page and not at the control that was used last. */
export async function leaveControls(page: Page): Promise<void> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
}

export async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name }).click()
}

/** The columns of the selected thing, by name. */
export async function columnsOf(page: Page): Promise<Record<string, string>> {
  const cells = (name: string) => page.getByTestId('columns').locator(name).allTextContents()
  const [names, values] = await Promise.all([cells('th'), cells('td')])
  return Object.fromEntries(names.map((name, i) => [name, values[i]]))
}

/** How many pixels of an element have a colour (each part within 8), and where: what a person sees, whatever has drawn it. */
export async function pixelsOf(
  page: Page,
  selector: string,
  colour: readonly [number, number, number],
): Promise<{ count: number; minX: number; minY: number; maxX: number; maxY: number }> {
  const clip = (await page.locator(selector).first().boundingBox())!
  const image = (await page.screenshot({ clip })).toString('base64')
  return page.evaluate(
    async ([data, red, green, blue]) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!
      context.drawImage(bitmap, 0, 0)
      const { data: pixels, width } = context.getImageData(0, 0, bitmap.width, bitmap.height)
      const found = { count: 0, minX: 1e9, minY: 1e9, maxX: -1, maxY: -1 }
      const isNear = (a: number, b: number) => Math.abs(a - b) <= 8
      for (let i = 0; i < pixels.length; i += 4) {
        if (!isNear(pixels[i], red) || !isNear(pixels[i + 1], green) || !isNear(pixels[i + 2], blue)) continue
        const x = (i / 4) % width
        const y = Math.floor(i / 4 / width)
        found.count++
        found.minX = Math.min(found.minX, x)
        found.minY = Math.min(found.minY, y)
        found.maxX = Math.max(found.maxX, x)
        found.maxY = Math.max(found.maxY, y)
      }
      return found
    },
    [image, ...colour] as const,
  )
}
