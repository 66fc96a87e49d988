/** One page with one match in it, at a slow CPU: how often it draws, what its script takes, which tasks were long. */

import type { Browser, CDPSession, Page } from 'playwright-core'
import { openPage } from '../../packages/studio/test/browser.ts'
import { type CpuProfile, type Sources, type Split, splitProfile } from './profile.ts'

export type Visit = {
  /** Ticks a second. */
  readonly rate: number
  /** Frames while the profile was taken. */
  readonly frames: number
  readonly split: Split
  /** Tasks above 50 ms after the first second, ms. */
  readonly longTasks: readonly number[]
}

export type Plan = {
  /** The hash of the address. */
  readonly moment: string
  readonly mode: 'offline' | 'mirror' | 'terminal'
  /** How many times slower the CPU is. */
  readonly slower: number
  readonly seconds: number
  /** Ticks a second that the game should have; 0 where nobody says so. */
  readonly tickRate: number
}

/** As wide as a phone. */
const VIEWPORT = { width: 390, height: 844 }
/**
 * Without a graphics card the browser draws on the thread that runs the script, and takes most of its time for pixels. With few of them the script
 * makes the same calls, and what is left is what a phone with a graphics chip has to do.
 */
const PIXEL_RATIO = 0.1

export async function visit(browser: Browser, url: string, sources: Sources, plan: Plan): Promise<Visit> {
  const { page, problems } = await openPage(browser, { url, close: async () => {} }, `#${plan.moment}`, {
    isSmooth: true,
    viewport: VIEWPORT,
    deviceScaleFactor: PIXEL_RATIO,
    hasTouch: true,
    before: async (fresh) => {
      await fresh.addInitScript(watchTasks)
      if (plan.mode !== 'offline') await joinAs(fresh, plan.mode)
      const session = await fresh.context().newCDPSession(fresh)
      await session.send('Emulation.setCPUThrottlingRate', { rate: plan.slower })
    },
  })
  try {
    await start(page, plan)
    return await measure(page, await page.context().newCDPSession(page), sources, plan)
  } catch (error) {
    throw new Error(`${plan.moment}, ${plan.mode}: ${(error as Error).message}\n${problems.join('\n')}`)
  } finally {
    await page.context().close()
  }
}

/** Until the match runs. */
async function start(page: Page, { mode }: Plan): Promise<void> {
  await page.evaluate(() => {
    const begin = () => document.querySelector<HTMLElement>('[data-testid=begin]')?.click()
    setInterval(begin, 100)
  })
  await page.waitForFunction(
    (testId) => Number(document.querySelector<HTMLElement>(`[data-testid=${testId}]`)?.dataset.tick) > 0,
    mode === 'offline' ? 'clock' : 'online',
  )
}

async function measure(page: Page, session: CDPSession, sources: Sources, plan: Plan): Promise<Visit> {
  await page.waitForTimeout(1000)
  await session.send('Profiler.enable')
  await session.send('Profiler.setSamplingInterval', { interval: 500 })
  await session.send('Profiler.start')
  const begun = await page.evaluate(countFrames)
  await page.waitForTimeout(plan.seconds * 1000)
  const ended = await page.evaluate(readCounts)
  const { profile } = (await session.send('Profiler.stop')) as { profile: CpuProfile }
  const seconds = (ended.now - begun.now) / 1000
  const split = splitProfile(profile, sources)
  return {
    rate: (ended.tick - begun.tick) / seconds,
    frames: ended.frames - begun.frames,
    split,
    longTasks: ended.tasks.filter(({ startTime }) => startTime >= begun.now).map(({ duration }) => duration),
  }
}

type Counts = {
  readonly now: number
  readonly frames: number
  readonly tick: number
  readonly tasks: readonly { startTime: number; duration: number }[]
}
type Watched = { longTasks: { startTime: number; duration: number }[]; frames: number }

/** Runs in the page. */
function watchTasks(): void {
  const watched = window as unknown as Watched
  watched.longTasks = []
  watched.frames = 0
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) watched.longTasks.push({ startTime, duration })
  }).observe({ type: 'longtask', buffered: true })
}

/** Runs in the page. */
function countFrames(): Counts {
  const watched = window as unknown as Watched
  const onFrame = () => {
    watched.frames++
    requestAnimationFrame(onFrame)
  }
  requestAnimationFrame(onFrame)
  const { dataset } =
    document.querySelector<HTMLElement>('[data-testid=online]') ??
    document.querySelector<HTMLElement>('[data-testid=clock]')!
  return {
    now: performance.now(),
    frames: watched.frames,
    tick: Number(dataset.length ?? dataset.tick),
    tasks: watched.longTasks,
  }
}

/** Runs in the page. */
function readCounts(): Counts {
  const watched = window as unknown as Watched
  const { dataset } =
    document.querySelector<HTMLElement>('[data-testid=online]') ??
    document.querySelector<HTMLElement>('[data-testid=clock]')!
  return {
    now: performance.now(),
    frames: watched.frames,
    tick: Number(dataset.length ?? dataset.tick),
    tasks: watched.longTasks,
  }
}

/** The page takes what the room offers first. */
async function joinAs(page: Page, mode: Plan['mode']): Promise<void> {
  await page.route('**/matchmake/**', (route) => {
    const asked = route.request().postDataJSON() as object
    return route.continue({ postData: JSON.stringify({ ...asked, mode }) })
  })
}
