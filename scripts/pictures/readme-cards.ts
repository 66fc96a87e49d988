/**
 * The small pictures on the five cards of the README: the liveliest part of each of the studio's pictures.
 *
 * Cut from the screenshots, so that there is one source of pictures. The browser scales and packs them.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { withBrowser } from '../with-studio.ts'

const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url))

/** Shown at half this size: sharp on fine screens. */
const WIDTH = 480
const HEIGHT = 300

/** Where to cut, in pixels of the studio's picture; the height follows. */
const CUTS: Readonly<Record<string, { readonly x: number; readonly y: number; readonly width: number }>> = {
  'jet-raiders': { x: 236, y: 190, width: 520 },
  nightfall: { x: 190, y: 215, width: 480 },
  siege: { x: 190, y: 230, width: 480 },
  'vinyl-frontier': { x: 300, y: 280, width: 440 },
  sumo: { x: 256, y: 186, width: 400 },
}

export function takeReadmeCards(wanted: readonly string[]): Promise<void> {
  return withBrowser(async (browser) => {
    const page = await browser.newPage()
    for (const [game, cut] of Object.entries(CUTS)) {
      if (wanted.length > 0 && !wanted.includes(game)) continue
      const png = readFileSync(`${IMAGES}studio-${game}.png`).toString('base64')
      const webp = await page.evaluate(
        async ({ png, cut, width, height }) => {
          const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0))
          const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
          const canvas = new OffscreenCanvas(width, height)
          const context = canvas.getContext('2d')!
          context.imageSmoothingQuality = 'high'
          context.drawImage(image, cut.x, cut.y, cut.width, (cut.width * height) / width, 0, 0, width, height)
          const packed = await canvas.convertToBlob({ type: 'image/webp', quality: 0.75 })
          let text = ''
          for (const byte of new Uint8Array(await packed.arrayBuffer())) text += String.fromCharCode(byte)
          return btoa(text)
        },
        { png, cut, width: WIDTH, height: HEIGHT },
      )
      const picture = Buffer.from(webp, 'base64')
      writeFileSync(`${IMAGES}card-${game}.webp`, picture)
      console.log(`${game}: ${(picture.length / 1000).toFixed(0)} kB`)
    }
  })
}
