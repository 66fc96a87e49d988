/**
 * A picture of each game for its card on the studio's front page, `card.webp` beside its module.
 *
 * The page itself plays the card, and the browser packs the picture.
 */

import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gameFiles } from '../../packages/studio/test/browser.ts'
import { withStudio } from '../with-studio.ts'

const QUALITY = 0.4
/** Of the picture, px: a card is not much larger. */
const SIZE = { width: 320, height: 200 } as const
/** How long a card plays before its picture is taken, ms. */
const PLAYS_MS = 8000

export function takeCards(wanted: readonly string[]): Promise<void> {
  return withStudio(async (browser, served) => {
    for (const file of await gameFiles()) {
      const game = dirname(file).split('/').at(-1)!
      if (wanted.length > 0 && !wanted.includes(game)) continue
      const page = await browser.newPage({ viewport: { width: 1240, height: 1000 }, locale: 'en-US' })
      await page.goto(served.url)
      await page.locator(`[data-game=${game}]`).hover()
      await page.locator(`[data-game=${game}] canvas`).waitFor()
      await page.waitForTimeout(PLAYS_MS)
      const picture = await page.locator(`[data-game=${game}] .card-live`).screenshot({ timeout: 120_000 })
      const packed = await page.evaluate(
        async ([png, quality, size]) => {
          const image = new Image()
          image.src = `data:image/png;base64,${png}`
          await image.decode()
          const canvas = document.createElement('canvas')
          canvas.width = size.width
          canvas.height = size.height
          canvas.getContext('2d')!.drawImage(image, 0, 0, size.width, size.height)
          return canvas.toDataURL('image/webp', quality)
        },
        [picture.toString('base64'), QUALITY, SIZE] as const,
      )
      const bytes = Buffer.from(packed.split(',')[1], 'base64')
      writeFileSync(join(dirname(file), 'card.webp'), bytes)
      console.log(`${game}: ${(bytes.length / 1000).toFixed(1)} kB`)
      await page.close()
    }
  })
}
