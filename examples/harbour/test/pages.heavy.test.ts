/** Harbour Brawl in two real pages and a third that watches, over a slow line: drawn by Phaser, heard, and compared with the server's replay. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve } from '@hurtbox/server'
import { listEvents, seek } from 'hurtbox'
import { loadReplay, sessionFromReplay } from 'hurtbox/replay'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawSeldom, startBrowser, withoutWebGl } from '../../../packages/studio/test/browser.ts'
import module from '../game/index.ts'
import { startSlowLine } from './slow-line.ts'

/** What is said of a page from its first tick on: pictures, sounds and events. */
type Told = {
  pictures: number
  notFinite: string[]
  sounds: Record<string, number>
  events: { kind: string; tick: number; text: string }[]
  from: number
  to: number
  desyncs: number
}
/** The sounds of what is certain, as the page makes them. */
const SOUNDS = { damage: 220, kill: 110, flagHome: 660 } as const

const folder = mkdtempSync(join(tmpdir(), 'harbour-'))
let browser: Browser | undefined
beforeAll(async () => {
  browser = await startBrowser()
  const root = fileURLToPath(new URL('../client', import.meta.url))
  await build({ root, base: './', configFile: false, logLevel: 'error', build: { outDir: join(folder, 'page') } })
}, 240_000)
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function open(url: string): Promise<{ page: Page; problems: string[] }> {
  const page = await (await browser!.newContext({ viewport: { width: 640, height: 420 } })).newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  await drawSeldom(page)
  await withoutWebGl(page)
  // Sounds that are counted by their pitch.
  await page.addInitScript(() => {
    const sounds: Record<string, number> = {}
    class Silent {
      gain = { exponentialRampToValueAtTime() {} }
      frequency: number
      constructor(_: unknown, { frequency = 0 }: { frequency?: number } = {}) {
        this.frequency = frequency
      }
      connect = (next: unknown) => next
      start() {
        sounds[this.frequency] = (sounds[this.frequency] ?? 0) + 1
      }
      stop() {}
    }
    Object.assign(globalThis, { sounds, AudioContext: Silent, OscillatorNode: Silent, GainNode: Silent })
  })
  await page.goto(url)
  return { page, problems }
}

/** Begins to note what the page shows and hears: pictures frame by frame, events as they are confirmed. */
function watch(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: what the page shows to the console.
    const { harbour, sounds } = globalThis as any
    const { match, game } = harbour
    const told: Told = {
      pictures: 0,
      notFinite: [],
      sounds: {},
      events: [],
      from: match.mirror.confirmed.tick,
      to: 0,
      desyncs: 0,
    }
    const before = { ...sounds }
    for (const kind of ['damage', 'kill', 'flagHome']) {
      match.on(kind, {
        confirmed: (event: { tick: number }) =>
          told.events.push({ kind, tick: event.tick, text: JSON.stringify(event) }),
      })
    }
    game.events.on('postrender', () => {
      told.pictures++
      const bodies = game.scene.scenes[0].children.list
      for (const { x, y, rotation, alpha, scaleX } of bodies) {
        if (![x, y, rotation, alpha, scaleX].every(Number.isFinite))
          told.notFinite.push(`${x} ${y} ${rotation} ${alpha} ${scaleX}`)
      }
    })
    Object.assign(globalThis, {
      tell(): Told {
        for (const pitch of Object.keys(sounds)) told.sounds[pitch] = sounds[pitch] - (before[pitch] ?? 0)
        return { ...told, to: match.mirror.confirmed.tick, desyncs: match.desyncs.length }
      },
    })
  })
}

const tell = (page: Page): Promise<Told> => page.evaluate(() => (globalThis as unknown as { tell(): Told }).tell())

test('[EX5] two pages and one that watches play over a slow line: every picture is finite, every sound is heard once, nothing is out of sync', {
  timeout: 600_000,
}, async ({ skip }) => {
  if (browser === undefined) return skip('no browser on this system')
  // A busy machine must not refuse rooms here.
  const limits = { load: 10, loopDelayMs: 60_000 }
  const dataDir = join(folder, 'data')
  const options = { page: join(folder, 'page'), port: 0, udp: 'off', dataDir, logLevel: 'silent', limits } as const
  const server = await serve({ games: [module], ...options })
  const line = await startSlowLine(Number(new URL(server.url).port))
  try {
    const url = `http://127.0.0.1:${line.port}/?bot`
    const first = await open(url)
    await first.page.click('#private')
    const status = first.page.locator('#status', { hasText: '#watch=' })
    await status.waitFor({ timeout: 120_000 })
    const [, code, roomId] = /#room=(\S+).*#watch=(\S+)/.exec((await status.textContent())!)!
    const second = await open(`${url}#room=${code}`)
    await second.page.mouse.click(5, 5)
    const third = await open(`${url}#watch=${roomId}`)
    const isOnline = () =>
      (globalThis as unknown as { harbour: { match: { room?: object } } }).harbour.match?.room !== undefined
    for (const { page } of [first, second, third]) await page.waitForFunction(isOnline, undefined, { timeout: 120_000 })
    for (const { page } of [first, second]) await watch(page)
    const heard = async () =>
      Math.min(...(await Promise.all([first, second].map(async ({ page }) => (await tell(page)).events.length))))
    await expect.poll(heard, { timeout: 400_000, interval: 2000 }).toBeGreaterThan(25)
    const told = await Promise.all([first, second].map(({ page }) => tell(page)))
    const watched = await third.page.locator('#score').textContent()
    for (const { problems, page } of [first, second, third]) {
      expect(problems).toEqual([])
      await page.close()
    }
    await server.close()
    const [file] = readdirSync(join(dataDir, 'replays'), { recursive: true }).filter((name) =>
      String(name).endsWith('.hbr'),
    )
    const happened = eventsIn(readFileSync(join(dataDir, 'replays', String(file))))
    for (const { pictures, notFinite, sounds, events, from, to, desyncs } of told) {
      expect(notFinite).toEqual([])
      expect(desyncs).toBe(0)
      expect(pictures).toBeGreaterThan(50)
      for (const [kind, pitch] of Object.entries(SOUNDS)) {
        expect(sounds[pitch] ?? 0, kind).toBe(events.filter((event) => event.kind === kind).length)
      }
      // Not the ticks at both ends, in the middle of which the page was asked.
      const isInside = ({ tick }: { tick: number }) => tick > from + 2 && tick < to - 2
      expect(events.filter(isInside).map(({ text }) => text)).toEqual(happened.filter(isInside).map(({ text }) => text))
    }
    expect(watched).toMatch(/\d : \d/)
  } finally {
    line.close()
    await server.close()
  }
})

/** The events with a sound, as the server had them. */
function eventsIn(bytes: Uint8Array): { tick: number; text: string }[] {
  const replay = loadReplay(module.game, bytes)
  const session = sessionFromReplay(module.game, replay)
  const events: { tick: number; text: string }[] = []
  for (let tick = 1; tick <= replay.ticks; tick++) {
    seek(session, tick)
    for (const event of listEvents(session.world)) {
      if (event.kind in SOUNDS) events.push({ tick: event.tick, text: JSON.stringify(event) })
    }
  }
  return events
}
