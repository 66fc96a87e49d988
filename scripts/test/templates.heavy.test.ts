/** Shield Ball, the game of the templates: generated from the packed packages, built, drawn by four renderers, played online. */

import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../packages/server/test/free-port.ts'
import { startPrefixProxy } from '../../packages/server/test/prefix.ts'
import { drawSeldom, startBrowser } from '../../packages/studio/test/browser.ts'
import { repositoryRoot as root } from '../engines/install-npm.ts'
import { WATCH } from './packages/clients.ts'
import { buildPage, unpackPackages } from './packages/generated.ts'

const { scratch, project, create, start, remove } = await unpackPackages('installed')
afterAll(remove, 60_000)

const isLong = process.env.HURTBOX_LONG !== undefined

describe('Shield Ball, drawn by four renderers', () => {
  const WAIT = { timeout: 60_000 }
  const GOAL = { timeout: 180_000 }
  let browser: Browser | undefined
  beforeAll(async () => void (browser = await startBrowser()), 120_000)
  afterAll(() => browser?.close())

  /** Generates a project, with what is installed beside it, and builds its page. */
  function generate(template: string): string {
    const folder = join(scratch, `court-${template}`)
    expect(create(`court-${template}`, '--template', template).code).toBe(0)
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
    buildPage(folder, { STUDIO: '1' })
    const files = [...readFileSync(join(folder, 'dist/index.html'), 'utf8').matchAll(/(?:src|href)="([^"]+)"/g)]
    for (const [, file] of files) expect(file, '[TP5]').toMatch(/^(\.\/(assets\/|$)|data:,$)/)
    return folder
  }

  /** Starts the server of a project; returns its address. */
  async function serve(folder: string): Promise<string> {
    const port = await freePort()
    await start(`127.0.0.1:${port}`, { PORT: String(port) }, join(folder, 'server/main.ts'))
    return `http://127.0.0.1:${port}`
  }

  async function open(url: string): Promise<{ page: Page; problems: string[] }> {
    const page = await (
      await browser!.newContext({
        viewport: { width: 700, height: 560 },
        permissions: ['clipboard-read', 'clipboard-write'],
      })
    ).newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    await drawSeldom(page)
    await page.goto(url)
    return { page, problems }
  }

  async function showsCourt(folder: string): Promise<void> {
    const { page, problems } = await open(await serve(folder))
    await page.click('[data-part=begin]', WAIT)
    const seen = async () => {
      const counts = await countColours(page)
      return Object.keys(counts).filter((colour) => counts[colour as keyof typeof counts] > 20)
    }
    await expect.poll(seen, WAIT).toEqual(['wall', 'goal', 'blue', 'orange', 'ball'])
    // The studio over it, with boxes.
    await page.keyboard.press('F2')
    const panel = page.getByTestId('attached-studio')
    await panel.getByText('played in this page').waitFor(WAIT)
    await panel.getByRole('button', { name: 'Boxes' }).click()
    const hasBoxes = () =>
      page.getByTestId('attached-boxes').evaluate((canvas) => {
        const { width, height } = canvas as HTMLCanvasElement
        const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height)
        return data.some((value) => value > 0)
      })
    await expect.poll(hasBoxes, WAIT).toBe(true)
    expect(problems).toEqual([])
    await page.close()
  }

  test('[TP1] each has its own renderer and no other; a template that does not exist is refused', () => {
    expect(create('no-such', '--template', 'svg')).toEqual({
      code: 2,
      printed: expect.stringContaining('There are: slime-pit, canvas, pixi, phaser, three.'),
    })
    expect(create('court', '--template', 'phaser').code).toBe(0)
    const { name, devDependencies } = JSON.parse(readFileSync(join(scratch, 'court/package.json'), 'utf8'))
    expect([name, 'phaser' in devDependencies, 'three' in devDependencies, 'pixi.js' in devDependencies]).toEqual([
      'court',
      true,
      false,
      false,
    ])
    const views = readdirSync(join(scratch, 'court/client')).filter((file) => file.startsWith('view'))
    expect(views).toEqual(['view.ts'])
    expect(readFileSync(join(scratch, 'court/client/view.ts'), 'utf8')).toContain("from '@hurtbox/view/phaser'")
    expect(readFileSync(join(scratch, 'court/game/rules.ts'), 'utf8')).toContain("id: 'court'")
  })

  test.each(['canvas', 'pixi', 'phaser', 'three'])(
    '[TP2] the template %s builds from the packages, a frame of it shows court, players and ball, and F2 opens the studio',
    { timeout: 180_000 },
    async (template) => {
      const folder = generate(template)
      if (browser !== undefined) await showsCourt(folder)
    },
  )

  // Fetches packages that nothing else needs, so not in `npm test`.
  test.runIf(isLong).each(['pixi', 'phaser', 'three'] as const)(
    '[TP4] the template %s also builds and draws with the oldest version of the renderer that @hurtbox/view admits',
    { timeout: 600_000 },
    async (template) => {
      const { peerDependencies } = JSON.parse(readFileSync(join(root, 'packages/view/package.json'), 'utf8'))
      const name = template === 'pixi' ? 'pixi.js' : template
      const oldest = peerDependencies[name].replace(/^\D+/, '')
      const folder = join(scratch, `oldest-${template}`)
      expect(create(`oldest-${template}`, '--template', template).code).toBe(0)
      // The packages of the project above, as copies where they import the renderer, so that they find this one.
      const modules = join(folder, 'node_modules')
      const installed = join(scratch, `renderer-${template}`)
      mkdirSync(installed)
      writeFileSync(join(installed, 'package.json'), '{}')
      execFileSync('npm', ['install', '--no-audit', '--no-fund', `${name}@${oldest}`], {
        cwd: installed,
        stdio: 'pipe',
      })
      renameSync(join(installed, 'node_modules'), modules)
      cpSync(join(project, 'node_modules/@hurtbox/view'), join(modules, '@hurtbox/view'), {
        recursive: true,
        dereference: true,
      })
      for (const entry of readdirSync(join(project, 'node_modules'))) {
        if (!existsSync(join(modules, entry))) symlinkSync(join(project, 'node_modules', entry), join(modules, entry))
      }
      for (const entry of readdirSync(join(project, 'node_modules/@hurtbox'))) {
        const to = join(modules, '@hurtbox', entry)
        if (!existsSync(to)) symlinkSync(join(project, 'node_modules/@hurtbox', entry), to)
      }
      expect(JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).version).toBe(oldest)
      buildPage(folder)
      if (browser === undefined) return
      await showsCourt(folder)
    },
  )

  test('[TP5] below a path of another server, the page loads and plays online', { timeout: 180_000 }, async () => {
    if (browser === undefined) return
    const folder = existsSync(join(scratch, 'court-canvas')) ? join(scratch, 'court-canvas') : generate('canvas')
    const proxy = await startPrefixProxy(await serve(folder), '/games/court/')
    try {
      const { page, problems } = await open(proxy.url)
      await page.click('[data-part=online]')
      await expect.poll(() => page.textContent('[data-part=status]'), WAIT).toMatch(/^online, seat \d$/)
      expect(problems).toEqual([])
      await page.close()
    } finally {
      proxy.close()
    }
  })

  test.each(isLong ? ['canvas', 'pixi', 'phaser', 'three'] : ['canvas'])(
    '[TP3] [PL19] two browsers play the template %s on its own server: create, invite, join, play, lose the connection and return, rematch, watch',
    { timeout: 420_000 },
    async (template) => {
      const folder = existsSync(join(scratch, `court-${template}`))
        ? join(scratch, `court-${template}`)
        : generate(template)
      if (browser === undefined) return
      // One goal ends a match: more would have to be waited for. It may end at any time, and the next one begins.
      const rules = join(folder, 'game/rules.ts')
      const text = readFileSync(rules, 'utf8')
      writeFileSync(rules, text.replace('goalsToWin: tune(5,', 'goalsToWin: tune(1,'))
      expect(readFileSync(rules, 'utf8')).not.toBe(text)
      buildPage(folder)
      const url = await serve(folder)
      type Player = Awaited<ReturnType<typeof open>>
      const clipboard = ({ page }: Player) => page.evaluate(() => navigator.clipboard.readText())
      const seatOf = async ({ page }: Player) => {
        let status = ''
        const read = async () => (status = (await page.textContent('[data-part=status]')) ?? '')
        await expect.poll(read, WAIT).toMatch(/^online, seat \d$/)
        return Number(status.at(-1))
      }

      const host = await open(url)
      await host.page.click('[data-part=online]')
      const seats = [await seatOf(host)]
      // The address is the invitation.
      const invitation = host.page.url()
      expect(invitation).toMatch(/#room=[\w-]+$/)
      await host.page.click('[data-part=invite]')
      await expect.poll(() => clipboard(host)).toBe(invitation)
      await host.page.click('[data-part=watch]')
      const watchLink = invitation.replace('#room', '#watch')
      await expect.poll(() => clipboard(host)).toBe(watchLink)
      const guest = await open(invitation)
      seats.push(await seatOf(guest))

      // One runs down, the other up.
      await host.page.keyboard.down('s')
      await guest.page.keyboard.down('w')
      writeFileSync(join(folder, 'watch.ts'), WATCH)
      const watched = execFileSync(process.execPath, ['watch.ts', url, ...seats.map(String)], {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      expect(JSON.parse(watched)).toEqual({ players: 4, ranDown: true, ranUp: true, desyncs: 0 })
      await host.page.keyboard.up('s')
      await guest.page.keyboard.up('w')

      await guest.page.context().setOffline(true)
      await expect.poll(() => guest.page.textContent('[data-part=status]'), WAIT).toContain('Reconnecting')
      await sleep(7000)
      await guest.page.context().setOffline(false)
      expect(await seatOf(guest)).toBe(seats[1])

      // After the goal, for which a long rally may have to end. The server has heard who wants the next match, and begins it.
      await host.page.click('[data-part=rematch]', GOAL)
      await expect.poll(() => host.page.isDisabled('[data-part=rematch]'), WAIT).toBe(true)
      await guest.page.click('[data-part=rematch]', WAIT)
      for (const player of [host, guest]) await seatOf(player)

      const watcher = await open(watchLink)
      await expect.poll(() => watcher.page.textContent('[data-part=status]'), WAIT).toMatch(/^watching$|over/)
      await expect.poll(() => watcher.page.textContent('[data-part=hud] b'), WAIT).toMatch(/^\d+ : \d+$/)
      expect(watcher.page.url()).toBe(watchLink)
      for (const { page, problems } of [host, guest, watcher]) {
        expect(problems).toEqual([])
        await page.context().close()
      }
    },
  )
})

/** How many pixels of a screenshot have the colours of the court; light and shade of three included. */
async function countColours(page: Page) {
  const image = (await page.screenshot({ clip: (await page.locator('[data-part=stage]').boundingBox())! })).toString(
    'base64',
  )
  // In an empty page: the one of the game may not fetch what it likes.
  const desk = await page.context().newPage()
  const counts = await desk.evaluate(async (data) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob())
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!
    context.drawImage(bitmap, 0, 0)
    const { data: pixels } = context.getImageData(0, 0, bitmap.width, bitmap.height)
    const counts = { wall: 0, goal: 0, blue: 0, orange: 0, ball: 0 }
    for (let i = 0; i < pixels.length; i += 4) {
      const [r, g, b] = pixels.subarray(i, i + 3)
      if (r > 225 && g > 225 && b > 225) counts.ball++
      else if (b > 180 && r < 130) counts.blue++
      else if (r > 180 && b < 110) counts.orange++
      else if (g > 1.5 * r && g > 1.3 * b && g > 70) counts.goal++
      else if (r > 48 && r < 80 && b > r && b < 110) counts.wall++
    }
    return counts
  }, image)
  await desk.close()
  return counts
}
