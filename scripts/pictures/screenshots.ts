/**
 * The pictures of README and docs, taken from the studio as it is.
 *
 * Every picture is of a seed and a tick, so it can be taken again; what only
 * pleases the eye (sparks, trails) may differ.
 */

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { openPage, type Served, withoutWebGl } from '../../packages/studio/test/browser.ts'
import { leaveControls, waitForClock } from '../../packages/studio/test/pages.ts'
import { withStudio } from '../with-studio.ts'
import { withAttachedStudio } from './attached.ts'
import { encodeSmallPng, type Picture } from './small-png.ts'

const FOLDER = new URL('../../docs/images/', import.meta.url)
const LARGEST = 200_000
const SLOW_MS = 240_000

type Shot = {
  readonly name: string
  readonly hash: string
  readonly width?: number
  readonly height?: number
  /** Seen from above: the renderer of a machine without graphics card takes a second for a frame. */
  readonly isFlat?: boolean
  act(page: Page): Promise<void>
}

/** Goes to a tick of a match of bots and plays a little, so that there are sparks in the air. */
function game(id: string, seed: number, tick: number, more: (page: Page) => Promise<void> = async () => {}): Shot {
  return {
    name: id,
    hash: `#game=${id}&seed=${seed}&tick=${tick}`,
    async act(page) {
      await waitForClock(page, (clock) => clock.tick === tick, `tick ${tick}`)
      await page.getByTestId('play').click()
      await waitForClock(page, (clock) => clock.tick >= tick + 20, 'some ticks')
      await page.getByTestId('play').click()
      await leaveControls(page)
      await more(page)
      await page.waitForTimeout(400)
    },
  }
}

const shots: readonly Shot[] = [
  {
    name: 'front',
    hash: '',
    height: 1080,
    act: (page) => page.mouse.move(640, 20).then(() => page.waitForTimeout(6000)),
  },
  game('jet-raiders', 5, 280),
  game('nightfall', 11, 2400),
  game('siege', 7, 3000),
  game('vinyl-frontier', 3, 120),
  {
    // Paused, because the renderer of a machine without graphics card draws it one frame a second.
    name: 'sumo',
    hash: '#game=sumo&seed=5&tick=302',
    async act(page) {
      await waitForClock(page, (clock) => clock.tick === 302, 'tick 302')
      await page.keyboard.press('h')
      await page.waitForTimeout(6000)
    },
  },
  {
    ...game('jet-raiders', 5, 200, async (page) => {
      await page.keyboard.press('n')
      await page.waitForTimeout(500)
      for (const key of ['h', 'c', 'v']) await page.keyboard.press(key)
      const contact = page.locator('.rows button', { hasText: 'depth' }).first()
      await contact.waitFor()
      await contact.click()
      await page.getByTestId('verdicts').waitFor()
    }),
    name: 'inspector',
  },
  {
    ...game('jet-raiders', 5, 300, async (page) => {
      await page.getByTestId('scrub').fill('180')
      await page.waitForTimeout(500)
      await page.getByRole('tab', { name: 'Tune' }).click()
      await page.locator('[data-knob="shipSpeed"]').fill('300')
      await page.locator('[data-knob="shipSpeed"]').press('Enter')
      await page.getByTestId('fork').waitFor()
      await page.getByTestId('scrub').fill('260')
      await page.getByRole('tab', { name: 'Futures' }).click()
      await page.getByTestId('parting').waitFor()
      await page.waitForTimeout(1000)
    }),
    name: 'futures',
  },
  {
    ...game('jet-raiders', 5, 580, async (page) => {
      await page.keyboard.press('n')
      await page.waitForTimeout(800)
      for (const key of ['h', 'c']) await page.keyboard.press(key)
      await page.locator('.rows button', { hasText: 'depth' }).first().click()
      await page.getByTestId('verdicts').waitFor()
    }),
    name: 'lab-why',
  },
  {
    ...game('siege', 7, 2400, async (page) => {
      await page.getByTestId('scrub').fill('1500')
      await page.waitForTimeout(800)
      await leaveControls(page)
      await page.keyboard.press('s')
      await page.getByLabel('Note for tick 1500').fill('look here')
      await page.getByRole('tab', { name: 'Events' }).click()
      await page.getByTestId('feed').locator('li').first().waitFor()
      // The message that a tick is kept goes away.
      await page.waitForTimeout(4500)
    }),
    name: 'lab-timeline',
  },
  {
    name: 'lab-frames',
    isFlat: true,
    hash: '#game=sumo&seed=5&tick=700',
    async act(page) {
      await waitForClock(page, (clock) => clock.tick === 700, 'tick 700')
      await page.getByRole('tab', { name: 'Frames' }).click()
      await page.getByTestId('frame-meter').waitFor()
      await page.waitForTimeout(1500)
    },
  },
  {
    name: 'network-lab',
    hash: '#game=jet-raiders&page=lab&seed=5',
    async act(page) {
      await page.getByLabel('Round trip').fill('250')
      await page.getByLabel('Loss').fill('5')
      await page.waitForTimeout(5000)
      await page.getByTestId('lab-play').click()
      await page.getByTestId('lab-settle').click()
      await page.getByTestId('lab-outcome').waitFor()
    },
  },
  {
    name: 'phone',
    hash: '#game=nightfall&seed=4',
    width: 360,
    height: 720,
    async act(page) {
      await page.getByTestId('begin').click()
      await waitForClock(page, ({ tick }) => tick > 240, 'some ticks')
    },
  },
]

export function takeScreenshots(wanted: readonly string[]): Promise<void> {
  return withStudio(async (browser, served) => {
    for (const shot of shots) {
      if (wanted.length === 0 || wanted.includes(shot.name)) await take(browser, served, shot)
    }
    if (wanted.length === 0 || wanted.includes('attached')) {
      await withAttachedStudio(browser, (page) => write('attached', page))
    }
  })
}

async function take(browser: Browser, served: Served, shot: Shot): Promise<void> {
  const { width = 1200, height = 750 } = shot
  const isPhone = width < 500
  const { page } = await openPage(browser, served, shot.hash, {
    viewport: { width, height },
    hasTouch: isPhone,
    ...(shot.isFlat && { before: withoutWebGl }),
  })
  page.setDefaultTimeout(SLOW_MS)
  await shot.act(page)
  await write(shot.name, page)
  await page.context().close()
}

async function write(name: string, page: Page): Promise<void> {
  const png = encodeSmallPng(await decode(page, await page.screenshot({ timeout: SLOW_MS })))
  const file = fileURLToPath(new URL(`studio-${name}.png`, FOLDER))
  writeFileSync(file, png)
  console.log(`${name}: ${(png.length / 1000).toFixed(0)} kB`)
  if (png.length > LARGEST) throw new Error(`${file} has ${png.length} bytes; at most ${LARGEST} are wanted.`)
}

/** The browser took the picture, so it can also read it. */
async function decode(page: Page, png: Buffer): Promise<Picture> {
  // A page of its own, because the studio's policy forbids fetching a data address.
  const reader = await page.context().newPage()
  const read = await reader.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const context = canvas.getContext('2d')!
    context.drawImage(bitmap, 0, 0)
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height)
    let text = ''
    for (let i = 0; i < data.length; i += 8192) text += String.fromCharCode(...data.subarray(i, i + 8192))
    return { width: bitmap.width, height: bitmap.height, rgba: btoa(text) }
  }, png.toString('base64'))
  await reader.close()
  return { ...read, rgba: Buffer.from(read.rgba, 'base64') }
}
