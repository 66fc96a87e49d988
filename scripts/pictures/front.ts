/**
 * The studio's front page with its five live games, as a moving picture for the README.
 *
 * Frames are taken as fast as the browser gives them and shown at an even pace; each is turned into a small WebP by the
 * browser itself.
 */

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { openPage } from '../../packages/studio/test/browser.ts'
import { withStudio } from '../with-studio.ts'
import { animateWebp } from './animated-webp.ts'

const OUT = fileURLToPath(new URL('../../docs/images/studio-front.webp', import.meta.url))
/** Three cards above three; the head of the page is left out. */
const VIEW = { width: 1280, height: 1120 }
const CLIP = { x: 50, y: 355, width: 1180, height: 740 }
const SCALE = 0.7
const FRAMES = 48
const FRAME_MS = 80
/** Until all five games have something to show. */
const WARM_UP_MS = 12_000

export function takeFront(): Promise<void> {
  return withStudio(async (browser, served) => {
    const { page } = await openPage(browser, served, '', { viewport: VIEW, isSmooth: true })
    // Cards wait until somebody is there.
    await page.mouse.move(1, 1)
    await page.waitForTimeout(WARM_UP_MS)
    const shots: Buffer[] = []
    for (let n = 0; n < FRAMES; n++) {
      const due = performance.now() + FRAME_MS
      shots.push(await page.screenshot({ clip: CLIP, type: 'jpeg', quality: 95, timeout: 200_000 }))
      await page.waitForTimeout(Math.max(0, due - performance.now()))
    }
    // A page of its own, because the studio's policy forbids reading foreign data.
    const packer = await page.context().newPage()
    const frames: Uint8Array[] = []
    for (const shot of shots) frames.push(await toWebp(packer, shot))
    const picture = animateWebp(frames, Math.round(CLIP.width * SCALE), Math.round(CLIP.height * SCALE), FRAME_MS)
    writeFileSync(OUT, picture)
    console.log(`moving picture: ${frames.length} frames, ${Math.round(picture.length / 1000)} kB`)
  })
}

/** Scales a screenshot and packs it. */
async function toWebp(packer: Page, jpeg: Buffer): Promise<Uint8Array> {
  const packed = await packer.evaluate(
    async ({ jpeg, scale }) => {
      const bytes = Uint8Array.from(atob(jpeg), (letter) => letter.charCodeAt(0))
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }))
      const canvas = new OffscreenCanvas(Math.round(image.width * scale), Math.round(image.height * scale))
      const context = canvas.getContext('2d')!
      context.imageSmoothingQuality = 'high'
      context.drawImage(image, 0, 0, canvas.width, canvas.height)
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.6 })
      let text = ''
      for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte)
      return btoa(text)
    },
    { jpeg: jpeg.toString('base64'), scale: SCALE },
  )
  return Buffer.from(packed, 'base64')
}
