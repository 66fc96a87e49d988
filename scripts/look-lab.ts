import { buildStudio, openPage, serveStudio, startBrowser, withoutWebGl } from './test/studio/browser.ts'
import { leaveControls, openTab, pause, scrubTo, waitForClock } from './test/studio/pages.ts'
const only = process.argv.slice(2)
const out = '/tmp/lab'
const folder = process.env.BUILT ?? (await buildStudio('look-lab'))
const served = await serveStudio(folder)
const browser = (await startBrowser())!
const shots: Record<string, [string, (page: any) => Promise<void>]> = {
  jet: ['#game=jet-raiders&seed=5&tick=600', async (page) => {
    await waitForClock(page, (c) => c.tick === 600 && c.hash !== '', '600')
    await page.keyboard.press('h'); await page.keyboard.press('c')
    await page.keyboard.press('n'); await page.waitForTimeout(600)
    await page.screenshot({ path: `${out}/jet-ask.png` })
    await page.locator('.rows button', { hasText: 'depth' }).first().click().catch(() => {})
    await page.waitForTimeout(800)
    await page.screenshot({ path: `${out}/jet-why.png` })
    await openTab(page, 'Events'); await page.waitForTimeout(500)
    await page.screenshot({ path: `${out}/jet-events.png` })
    await openTab(page, 'Phases'); await page.waitForTimeout(800)
    await page.getByLabel('The other tick').fill('560'); await page.getByRole('button', { name: /Compare with/ }).click(); await page.waitForTimeout(600)
    await page.screenshot({ path: `${out}/jet-phases.png` })
    await openTab(page, 'Frames'); await page.waitForTimeout(600)
    await page.screenshot({ path: `${out}/jet-frames.png` })
  }],
  futures: ['#game=jet-raiders&seed=5&tick=600', async (page) => {
    await waitForClock(page, (c) => c.tick === 600 && c.hash !== '', '600')
    await scrubTo(page, 300)
    await openTab(page, 'Tune')
    await page.locator('[data-knob="shipSpeed"]').fill('220'); await page.locator('[data-knob="shipSpeed"]').press('Enter')
    await page.getByTestId('fork').waitFor()
    await scrubTo(page, 420)
    await openTab(page, 'Futures'); await page.waitForTimeout(1500)
    await page.screenshot({ path: `${out}/futures.png` })
  }],
  measure: ['#game=siege&seed=7&tick=3000', async (page) => {
    await waitForClock(page, (c) => c.tick === 3000 && c.hash !== '', '3000')
    await openTab(page, 'Measure')
    await page.getByTestId('play').click(); await page.waitForTimeout(4000); await pause(page)
    await page.screenshot({ path: `${out}/measure.png` })
    await page.getByTestId('lanes').focus(); for (let i = 0; i < 12; i++) await page.keyboard.press('+')
    await leaveControls(page); await page.keyboard.press('s'); await page.waitForTimeout(500)
    await page.screenshot({ path: `${out}/measure-zoom.png` })
  }],
  sumo: ['#game=sumo&seed=5&tick=700', async (page) => {
    await waitForClock(page, (c) => c.tick === 700 && c.hash !== '', '700')
    await page.keyboard.press('n'); await page.waitForTimeout(800)
    await openTab(page, 'Frames'); await page.waitForTimeout(800)
    await page.screenshot({ path: `${out}/sumo-frames.png` })
  }],
  lab: ['#game=jet-raiders&page=lab&seed=5', async (page) => {
    await page.getByLabel('Round trip').fill('250')
    await page.waitForTimeout(4000)
    await page.getByTestId('lab-compare').click(); await page.waitForTimeout(500)
    await page.getByTestId('lab-next').click(); await page.waitForTimeout(800)
    await page.screenshot({ path: `${out}/lab.png` })
  }],
  nightfall: ['#game=nightfall&seed=11&tick=36000', async (page) => {
    await page.waitForTimeout(3000)
    await page.screenshot({ path: `${out}/nightfall-progress.png` })
    await waitForClock(page, (c) => c.tick === 36000 && c.hash !== '', '36000').catch(() => {})
    await page.waitForTimeout(800)
    await page.screenshot({ path: `${out}/nightfall.png` })
  }],
}
for (const [name, [hash, act]] of Object.entries(shots)) {
  if (only.length > 0 && !only.includes(name)) continue
  const { page, problems } = await openPage(browser, served, hash, { viewport: { width: 1440, height: 900 }, before: withoutWebGl })
  page.setDefaultTimeout(30000)
  await act(page).catch(async (error: unknown) => { console.log(name, String(error).slice(0, 300)); await page.screenshot({ path: `${out}/${name}-error.png` }) })
  console.log(name, problems)
  await page.context().close()
}
await browser.close(); await served.close()
