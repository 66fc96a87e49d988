/** The page that a created project has, made of the parts of @hurtbox/view: on a phone, by keys of one's own, from the title to the end. */

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { createServer } from 'vite'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { repositoryRoot } from '../../../scripts/engines/install-npm.ts'
import { seriousFindings } from '../../studio/test/axe.ts'
import { startBrowser } from '../../studio/test/browser.ts'

type Sheets = typeof import('@hurtbox/view/sheets')

// Inside the repository, so that its packages are found.
const project = join(repositoryRoot, '.cache/page-parts')
rmSync(project, { recursive: true, force: true })
mkdirSync(project, { recursive: true })
for (const from of ['shared', 'shield-ball']) {
  cpSync(join(repositoryRoot, 'packages/create-hurtbox', from), project, { recursive: true })
}
// One goal ends a match, and nobody has to be a good player.
const RULES = join(project, 'game/rules.ts')
writeFileSync(RULES, readFileSync(RULES, 'utf8').replace('goalsToWin: tune(5,', 'goalsToWin: tune(1,'))

const server = await createServer({ root: join(project, 'client'), logLevel: 'silent', server: { port: 0 } })
const browser = (await startBrowser())!
beforeAll(async () => void (await server.listen()))
afterAll(async () => {
  await browser.close()
  await server.close()
  rmSync(project, { recursive: true, force: true })
})

const WAIT = { timeout: 60_000 }
const DESK = { viewport: { width: 1000, height: 700 } }
const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }

async function open(options: BrowserContextOptions, prepare = ''): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  // Vite serves each of some hundred modules by itself.
  page.setDefaultTimeout(120_000)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  onTestFinished(() => expect(problems).toEqual([]))
  await page.addInitScript(prepare)
  await page.goto(server.resolvedUrls!.local[0])
  await page.waitForSelector('[data-part=begin]', WAIT)
  return page
}

/** The world that the page shows, by the module that Vite has served to it. */
function own(page: Page): Promise<{ x: number; y: number; dash: number; tick: number }> {
  return page.evaluate(() => {
    const { world } = (globalThis as never as { played: { world: Record<string, never> } }).played
    const { things } = (world as never as { tables: { things: Record<string, number[]> } }).tables
    const { tick } = world as never as { tick: number }
    return { x: things.x[0], y: things.y[0], dash: things.dashAgainAt[0], tick }
  })
}

/** Lets the tests look at the match of the page, and load a part by itself. */
function watch(): void {
  const main = join(project, 'client/main.ts')
  const text = readFileSync(main, 'utf8')
  if (text.includes('played')) return
  writeFileSync(
    main,
    `${text}\nObject.defineProperty(globalThis, 'played', { get: () => page.match })\nObject.assign(globalThis, { loadSheets: () => import('@hurtbox/view/sheets') })\n`,
  )
}
watch()

async function begin(page: Page): Promise<void> {
  await page.click('[data-part=begin]')
  await page.waitForSelector('[data-part=countdown]', WAIT)
  await page.waitForSelector('[data-part=countdown]', { state: 'detached', ...WAIT })
}

test('[VW46] on a phone sticks and buttons play, nothing is wider than the screen, and a mouse sees none of them', async () => {
  const page = await open(PHONE, 'globalThis.shaken = []; navigator.vibrate = (ms) => shaken.push(ms)')
  await begin(page)
  const before = await own(page)
  const stick = page.locator('[data-stick=left]')
  const { x, y, width, height } = (await stick.boundingBox())!
  const finger = { pointerId: 1, pointerType: 'touch', isPrimary: true, bubbles: true, cancelable: true }
  await stick.evaluate((element) => void (element.setPointerCapture = () => {}))
  const at = { clientX: x + width / 2, clientY: y + height / 2 }
  await stick.dispatchEvent('pointerdown', { ...finger, ...at })
  await stick.dispatchEvent('pointermove', { ...finger, clientX: at.clientX, clientY: at.clientY + 60 })
  await expect.poll(async () => (await own(page)).y, WAIT).toBeGreaterThan(before.y + 30)
  await stick.dispatchEvent('pointerup', { ...finger, clientX: at.clientX, clientY: at.clientY + 60 })
  const there = await own(page)
  const dash = page.locator('[data-touch=dash]')
  await dash.evaluate((element) => void (element.setPointerCapture = () => {}))
  await dash.dispatchEvent('pointerdown', { ...finger, pointerId: 2 })
  await expect.poll(async () => (await own(page)).dash, WAIT).toBeGreaterThan(there.tick)
  // No shaking that nobody has asked for.
  expect(await page.evaluate('shaken')).toEqual([])
  for (const [wide, high] of [[360, 640] as const, [640, 360] as const]) {
    await page.setViewportSize({ width: wide, height: high })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(wide)
    expect((await page.locator('[data-part=stage]').boundingBox())!.height).toBeGreaterThan(high / 2)
  }
  const narrow = await open({ viewport: { width: 500, height: 700 } })
  await begin(narrow)
  expect(await narrow.locator('[data-part=touch]').isVisible()).toBe(false)
}, 420_000)

test('[VW47] a key is changed in the dialog, acts at once and after a reload; the one before does what the new one did', async () => {
  const page = await open(DESK)
  await page.click('[data-part=how]')
  const cap = page.getByRole('button', { name: 'Space' })
  await cap.click()
  await page.keyboard.press('f')
  await page.getByRole('button', { name: 'F', exact: true }).waitFor(WAIT)
  expect(await seriousFindings(page)).toEqual([])
  await page.click('[data-part=close]')
  await page.reload()
  await page.waitForSelector('[data-part=begin]', WAIT)
  await begin(page)
  await page.keyboard.press('Space')
  await page.keyboard.press('f')
  await expect.poll(async () => (await own(page)).dash, WAIT).toBeGreaterThan(0)
  await page.click('[data-part=keys]')
  await page.click('[data-part=reset-keys]')
  await page.getByRole('button', { name: 'Space' }).waitFor(WAIT)
}, 420_000)

test('[VW48] title, countdown, pause, end and another match; sounds are made; axe finds nothing on the way', async () => {
  const prepare = `globalThis.tones = 0
    const Tone = OscillatorNode
    globalThis.OscillatorNode = class extends Tone { constructor(...given) { super(...given); tones++ } }`
  const page = await open(DESK, prepare)
  expect(await seriousFindings(page)).toEqual([])
  // Nothing runs before the player does.
  const first = await own(page)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect((await own(page)).tick).toBe(first.tick)
  await begin(page)
  await expect.poll(async () => (await own(page)).tick, WAIT).toBeGreaterThan(first.tick)
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.waitForSelector('[data-part=go-on]', WAIT)
  const { tick } = await own(page)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect((await own(page)).tick).toBe(tick)
  await page.click('[data-part=go-on]')
  const end = page.locator('[data-part=end]')
  await end.waitFor({ timeout: 240_000 })
  expect(await page.evaluate('tones')).toBeGreaterThan(0)
  expect(await seriousFindings(page)).toEqual([])
  await page.click('[data-part=alone-again]')
  await page.waitForSelector('[data-part=countdown]', WAIT)
  expect(await end.count()).toBe(0)
  await expect.poll(async () => (await own(page)).tick, WAIT).toBeGreaterThan(5)
}, 420_000)

test('[VW49] choices are cards that are taken by click, and a spectator takes none', async () => {
  const page = await open(DESK)
  const taken = await page.evaluate(async () => {
    const { createChoices } = await (globalThis as never as { loadSheets(): Promise<Sheets> }).loadSheets()
    const taken: string[] = []
    const view = { controls: { fields: { first: { kind: 'press', keys: ['KeyZ'], label: 'take' } } } } as never
    const element = document.querySelector<HTMLElement>('.hb-view')!
    for (const each of element.querySelectorAll('.hb-sheet, .hb-choices')) each.remove()
    const part = createChoices(element, { view, take: (control) => void taken.push(control) })
    const choices = [
      { control: 'first', title: '<b>Sharper</b>', text: 'cuts more', note: 'level 2', colour: '#ff8' },
      { control: 'second', title: 'Faster', text: 'swings sooner' },
    ]
    part.update({ choices, isPlayer: true })
    const cards = () => [...part.element.querySelectorAll('button')] as HTMLButtonElement[]
    const words = cards()[0].textContent
    cards()[1].click()
    cards()[0].click()
    part.update({ choices, isPlayer: false })
    cards()[0].click()
    Object.assign(globalThis, { part })
    return { taken, words, hidden: part.element.hidden }
  })
  expect(taken).toEqual({ taken: ['second', 'first'], words: '<b>Sharper</b>level 2cuts moreZ', hidden: false })
  expect(await seriousFindings(page)).toEqual([])
  await page.evaluate('part.update({ choices: [], isPlayer: true })')
  expect(await page.locator('[data-part=choices]').isVisible()).toBe(false)
}, 420_000)
