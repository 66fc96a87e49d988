/** A game of one's own, from the packed packages alone: generated, checked, built, tested and played online. */

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
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
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hasRedis, startRedis } from '../../packages/server/test/redis-process.ts'
import { unpackPackages } from './packages/generated.ts'
import { ALONE, PROBES, rowsOf } from './packages/limits.ts'
import { startBrowser } from './studio/browser.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { scratch, project, remove } = unpackPackages('goblin-hunt')
const started: ChildProcess[] = []

/** Runs a command in the project; returns what it printed, throws with it when it fails. */
function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Writes a program into the project and runs it. */
function program(file: string, text: string, ...args: string[]): string {
  writeFileSync(join(project, file), text)
  return run(process.execPath, file, ...args)
}

function create(...args: string[]): { code: number; printed: string } {
  const bin = join(scratch, 'create/bin/create-hurtbox.js')
  try {
    return {
      code: 0,
      printed: execFileSync(process.execPath, [bin, ...args], { cwd: scratch, encoding: 'utf8', stdio: 'pipe' }),
    }
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: string }
    return { code: status, printed: stderr }
  }
}

afterAll(() => {
  for (const process of started) process.kill('SIGKILL')
  remove()
}, 60_000)

describe('create-hurtbox', () => {
  test('[CR1] makes a game that bears its name, and leaves a folder alone that holds something', () => {
    const refused = create('goblin-hunt')
    expect([refused.code, refused.printed]).toEqual([2, expect.stringMatching(/goblin-hunt is not empty.*--force/)])
    expect(create('goblin-hunt', '--force').code).toBe(0)
    expect(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).name).toBe('goblin-hunt')
    expect(readFileSync(join(project, 'game/rules.ts'), 'utf8')).toContain("id: 'goblin-hunt'")
    expect(readFileSync(join(project, '.gitignore'), 'utf8')).toContain('node_modules')
    expect(readFileSync(join(project, 'AGENTS.md'), 'utf8')).toContain('# Working on goblin-hunt')
    expect(create('Bad Name').printed).toMatch(/cannot be a name/)
    expect(create().printed).toMatch(/give one folder/)
    expect(create('--nonsense', 'x').code).toBe(2)
  })

  test('[CR5] it can be made from packages that were never published', () => {
    expect(create('from-tarballs', '--packages', scratch)).toEqual({
      code: 2,
      printed: expect.stringMatching(/there is no hurtbox-<version>\.tgz in .*npm run pack/),
    })
    expect(create('from-tarballs', '--packages', 'packed').code).toBe(0)
    const manifest = JSON.parse(readFileSync(join(scratch, 'from-tarballs/package.json'), 'utf8'))
    for (const [name, from] of [
      ['hurtbox', manifest.dependencies.hurtbox],
      ['@hurtbox/colyseus', manifest.dependencies['@hurtbox/colyseus']],
      ['@hurtbox/server', manifest.dependencies['@hurtbox/server']],
      ['@hurtbox/cli', manifest.devDependencies['@hurtbox/cli']],
      ['@hurtbox/studio', manifest.devDependencies['@hurtbox/studio']],
    ]) {
      const packed = execFileSync('tar', ['xzOf', from.replace('file:', ''), 'package/package.json'], {
        encoding: 'utf8',
      })
      expect(JSON.parse(packed).name).toBe(name)
    }
    expect(manifest.devDependencies.vite).toMatch(/^\d/)
  })

  test('[CR2] its types check, its own test passes, its page builds', { timeout: 120_000 }, () => {
    run(join(root, 'node_modules/.bin/tsc'))
    expect(run(process.execPath, '--test', 'test/game.test.ts')).toMatch(/pass 2/)
    run(join(root, 'node_modules/.bin/vite'), 'build', 'client', '--logLevel', 'error')
    expect(readFileSync(join(project, 'dist/index.html'), 'utf8')).toMatch(/type="module"/)
  })

  test('[CR3] the installed command plays it', () => {
    const command = join(project, 'node_modules/@hurtbox/cli/bin/hurtbox.js')
    expect(run(process.execPath, command, 'run', 'game/index.ts', '--ticks', '300')).toMatch(
      /goblin-hunt, scene two-bots/,
    )
    expect(run(process.execPath, command, 'synctest', 'game/index.ts', '--ticks', '120', '--depth', '8')).toMatch(
      /same|equal|in sync|ok/i,
    )
  })

  test('[CR4] its server plays a match of two clients', { timeout: 60_000 }, async () => {
    const port = await freePort()
    await start(`127.0.0.1:${port}`, { PORT: String(port) }, 'server/main.ts')
    writeFileSync(join(project, 'two.ts'), TWO_CLIENTS)
    const seen = JSON.parse(run(process.execPath, 'two.ts', `http://127.0.0.1:${port}`))
    expect(seen).toEqual({ seats: [0, 1], players: [2, 2], walked: true, desyncs: 0 })
    const page = await fetch(`http://127.0.0.1:${port}/`)
    expect(await page.text()).toContain('goblin-hunt')
    const second = spawnSync(process.execPath, ['server/main.ts'], {
      cwd: project,
      env: { ...process.env, PORT: String(port) },
      encoding: 'utf8',
      timeout: 20_000,
    })
    // The folder of matches belongs to the first one too, which is said before.
    const [matches, taken] = second.stderr.split('\n')
    expect(second.status).toBe(1)
    expect(matches).toMatch(/^hurtbox: matches are not kept: process \d+ keeps its matches in \.cache\/matches\./)
    expect(taken).toBe(`Port ${port} is taken. Take another: ${port + 1}, or 0 for any.`)
  })

  test('[TG1] its server holds every row of the table of limits', { timeout: 600_000 }, async () => {
    // What comes on a data channel is held by DG5 to DG7.
    const rows = rowsOf(readFileSync(join(root, 'docs/server.md'), 'utf8')).filter(
      ({ way }) => !/datagram|data channel/.test(way),
    )
    expect(Object.keys(PROBES).sort()).toEqual(rows.map(({ way }) => way).sort())
    const port = await freePort()
    const token = 'a-token-of-the-operator'
    await start(`127.0.0.1:${port}`, { PORT: String(port), HURTBOX_TOKEN: token }, 'server/main.ts')
    const hello = JSON.parse(program('about.ts', ABOUT))
    const target = {
      url: `http://127.0.0.1:${port}`,
      port,
      folder: project,
      game: 'goblin-hunt',
      token,
      hello,
      pid: started.at(-1)!.pid!,
    }
    const outcomeOf = ({ way, budget }: (typeof rows)[number], i: number) =>
      PROBES[way](target, `127.0.1.${i + 1}`, budget).catch((error) => `${way}: ${error.message}`)
    const outcomes = await Promise.all(rows.map((row, i) => (ALONE.includes(row.way) ? undefined : outcomeOf(row, i))))
    for (const row of rows) if (ALONE.includes(row.way)) outcomes.push(await outcomeOf(row, 0))
    expect(outcomes.filter((outcome) => outcome !== undefined)).toEqual([])
  })

  test('[TG2] a server with accounts refuses strangers and lets players in', { timeout: 120_000 }, () => {
    expect(JSON.parse(program('accounts.ts', ACCOUNTS))).toEqual({
      stranger: expect.stringContaining('Sign in first'),
      banned: expect.stringContaining('Not before Monday.'),
      names: ['Ada'],
      results: [{ id: 'account-1', end: 'abandoned' }],
    })
  })

  test('[TG3] load measures it and gives a verdict', { timeout: 120_000 }, () => {
    const command = join(project, 'node_modules/@hurtbox/cli/bin/hurtbox.js')
    const args = [command, 'load', '--rooms', '1', '--clients', '2', '--seconds', '1']
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' })
    expect(stdout, stderr).toMatch(/^goblin-hunt, 1 room, 2 clients \(mirror\), 1 s\n[\s\S]*\n +verdict +\S/)
    // A busy machine may not hold the rate; the verdict says so, and so does the exit code.
    expect(status).toBe(/verdict +held/.test(stdout) ? 0 : 1)
  })

  test.skipIf(!hasRedis())('[TG4] two processes with one Redis play one room', { timeout: 120_000 }, async () => {
    const redis = await startRedis()
    onTestFinished(() => void redis.child.kill())
    const ports = [await freePort(), await freePort()]
    for (const port of ports) {
      await start(`127.0.0.1:${port}`, { PORT: String(port), REDIS_URL: redis.url }, 'server/main.ts')
    }
    const seen = JSON.parse(program('two-processes.ts', TWO_PROCESSES, ...ports.map(String)))
    expect(seen).toEqual({ sameRoom: true, seats: [0, 1], players: [2, 2], listed: [1, 1] })
  })

  test('[TG5] npm test checks its rules first, and an older Node is refused when installing', () => {
    const { scripts, engines } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    expect(scripts.test).toMatch(/^hurtbox check game\/index\.ts && /)
    const command = join(project, 'node_modules/@hurtbox/cli/bin/hurtbox.js')
    expect(run(process.execPath, command, 'check', '--ticks', '60', '--no-runtimes')).toContain('is fit to be played')
    expect(readFileSync(join(project, '.npmrc'), 'utf8')).toContain('engine-strict=true')
    expect(engines.node).toMatch(/^>=\d+\.\d+$/)
  })

  test('[TG7] check in the project names file and line of a planted Math.sin, of ** and of state in a closure', {
    timeout: 180_000,
  }, () => {
    const command = join(project, 'node_modules/@hurtbox/cli/bin/hurtbox.js')
    const file = join(project, 'game/rules.ts')
    const rules = readFileSync(file, 'utf8')
    onTestFinished(() => writeFileSync(file, rules))
    /** What `check` says with these words in place of others, and the line of the first of them. */
    const check = (...changes: readonly (readonly [from: string, to: string])[]) => {
      const planted = changes.reduce((text, [from, to]) => text.replace(from, () => to), rules)
      expect(planted).not.toBe(rules)
      writeFileSync(file, planted)
      const args = [command, 'check', '--ticks', '120', '--no-runtimes']
      const { status, stdout } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' })
      expect(status, stdout).toBe(1)
      return stdout
    }
    const lineOf = (words: string) => readFileSync(file, 'utf8').split(words)[0].split('\n').length

    const sine = check(['world.tuning.swordPush)', 'world.tuning.swordPush * Math.sin(1))'])
    expect(sine).toMatch(new RegExp(`^game/rules\\.ts:${lineOf('Math.sin(1)')}:\\d+ {2}Math\\.sin .*phase hits`, 'm'))
    const power = check(['world.tuning.swordPush)', 'world.tuning.swordPush ** 1.5)'])
    expect(power).toMatch(new RegExp(`^game/rules\\.ts:${lineOf('** 1.5')}:\\d+ {2}\\*\\* is not the same`, 'm'))
    const closure = check(
      ['function steer(', 'const count = (() => {\n  let n = 0\n  return () => ++n\n})()\nfunction steer('],
      ['const { tuning, clock', 'world.globals.swings += count()\n  const { tuning, clock'],
    )
    expect(closure).toMatch(
      /^game\/rules\.ts:\d+:\d+ {2}tick 0 comes out differently .*, first in phase steer: globals\.swings is/m,
    )
  })

  test('[TG8] a page that does not fit the rules is not built, and its lines are named', { timeout: 120_000 }, () => {
    const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    expect([scripts.build, scripts.start]).toEqual(['tsc && vite build client', 'npm run build && node server/main.ts'])
    const file = join(project, 'game/rules.ts')
    const rules = readFileSync(file, 'utf8')
    onTestFinished(() => writeFileSync(file, rules))
    // Another game, in which things face nowhere.
    writeFileSync(file, rules.replaceAll('facingX', 'headingX').replaceAll('facingY', 'headingY'))
    const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), { cwd: project, encoding: 'utf8' })
    expect(status).not.toBe(0)
    expect(stdout).toMatch(/client\/draw\.ts.*facingX/s)
  })

  test('[CR9] however the rules are saved, the page under work gets them', { timeout: 60_000 }, async () => {
    const port = await freePort()
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    const args = ['client', '--host', '127.0.0.1', '--port', String(port), '--strictPort']
    await start(`127.0.0.1:${port}`, { PORT: '4567' }, vite, ...args)
    const served = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
    const main = await served('/main.ts')
    expect(main).toContain('"ROOMS_PORT": "4567"')
    const rules = /"(\/@fs[^"]*game\/rules\.ts)"/.exec(main)![1]
    const file = join(project, 'game/rules.ts')
    const text = readFileSync(file, 'utf8')
    onTestFinished(() => writeFileSync(file, text))
    for (const version of ['101', '102', '103', '104']) {
      const changed = text.replace('rulesVersion: 1,', `rulesVersion: ${version},`)
      // Written in place and replaced soon after, as by an editor with a formatter: a watch of the file alone gets lost.
      for (let pauseMs = 0; pauseMs < 20; pauseMs++) {
        writeFileSync(file, changed)
        writeFileSync(`${file}.new`, changed)
        renameSync(`${file}.new`, file)
        await sleep(pauseMs)
      }
      const versionServed = async () => /rulesVersion: (\d+)/.exec(await served(rules))?.[1]
      await expect.poll(versionServed, { timeout: 5000 }).toBe(version)
    }
  })

  test('[CR6] what the guide changes in it fits, checks and can be rolled back', { timeout: 120_000 }, () => {
    const guide = readFileSync(join(root, 'docs/guide/own-game.md'), 'utf8')
    writeFileSync(join(project, 'server/guide.ts'), /```ts\n([\s\S]*?)```/.exec(guide)![1])
    const changes = changesIn(guide)
    expect(changes.length).toBeGreaterThan(6)
    for (const { file, before, after } of changes) {
      const text = readFileSync(join(project, file), 'utf8')
      expect(text.split(before).length - 1, `how often ${file} has\n${before}`).toBe(1)
      writeFileSync(
        join(project, file),
        text.replace(before, () => after),
      )
    }
    run(join(root, 'node_modules/.bin/tsc'))
    expect(run(process.execPath, '--test', 'test/game.test.ts')).toMatch(/pass 2/)
  })
})

const isLong = process.env.HURTBOX_LONG !== undefined

describe('Shield Ball, drawn by four renderers', () => {
  const WAIT = { timeout: 60_000 }
  let browser: Browser | undefined
  beforeAll(async () => void (browser = await startBrowser()), 120_000)
  afterAll(() => browser?.close())

  /** Generates a project beside the one above, with the packages of that one, and builds its page. */
  function generate(template: string): string {
    const folder = join(scratch, `court-${template}`)
    expect(create(`court-${template}`, '--template', template).code).toBe(0)
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
    build(folder)
    return folder
  }

  function build(folder: string): void {
    const vite = join(root, 'node_modules/.bin/vite')
    // Vitest says `test` here, and Vite would build a page under work.
    const env = { ...process.env, NODE_ENV: 'production' }
    execFileSync(vite, ['build', 'client', '--logLevel', 'error'], { cwd: folder, env, stdio: 'pipe' })
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
    await page.goto(url)
    return { page, problems }
  }

  async function showsCourt(folder: string): Promise<void> {
    const { page, problems } = await open(await serve(folder))
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
    const { name, dependencies } = JSON.parse(readFileSync(join(scratch, 'court/package.json'), 'utf8'))
    expect([name, 'phaser' in dependencies, 'three' in dependencies, 'pixi.js' in dependencies]).toEqual([
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
      build(folder)
      if (browser === undefined) return
      await showsCourt(folder)
    },
  )

  test.each(isLong ? ['canvas', 'pixi', 'phaser', 'three'] : ['canvas'])(
    '[TP3] [PL19] two browsers play the template %s on its own server: create, invite, join, play, lose the connection and return, rematch, watch',
    { timeout: 240_000 },
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
      build(folder)
      const url = await serve(folder)
      type Player = Awaited<ReturnType<typeof open>>
      const clipboard = ({ page }: Player) => page.evaluate(() => navigator.clipboard.readText())
      const seatOf = async ({ page }: Player) => {
        let status = ''
        const read = async () => (status = (await page.textContent('#status')) ?? '')
        await expect.poll(read, WAIT).toMatch(/^online, seat \d$/)
        return Number(status.at(-1))
      }

      const host = await open(url)
      await host.page.click('#online')
      const seats = [await seatOf(host)]
      // The address is the invitation.
      const invitation = host.page.url()
      expect(invitation).toMatch(/#room=[\w-]+$/)
      await host.page.click('#invite')
      await expect.poll(() => clipboard(host)).toBe(invitation)
      await host.page.click('#watch')
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
      await expect.poll(() => guest.page.textContent('#status'), WAIT).toContain('Reconnecting')
      await sleep(7000)
      await guest.page.context().setOffline(false)
      expect(await seatOf(guest)).toBe(seats[1])

      // After the goal. The server has heard who wants the next match, and begins it.
      await host.page.click('#rematch', WAIT)
      await expect.poll(() => host.page.isDisabled('#rematch'), WAIT).toBe(true)
      await guest.page.click('#rematch', WAIT)
      for (const player of [host, guest]) await seatOf(player)

      const watcher = await open(watchLink)
      await expect.poll(() => watcher.page.textContent('#status'), WAIT).toMatch(/^watching$|over/)
      await expect.poll(() => watcher.page.textContent('#score'), WAIT).toMatch(/^\d+ : \d+$/)
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
  const image = (await page.screenshot({ clip: (await page.locator('#stage').boundingBox())! })).toString('base64')
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

/** A spectator that waits until the two players have run to the walls. */
const WATCH = `
import { joinGame } from '@hurtbox/colyseus/client'
import { playerAt } from 'hurtbox'
import { HEIGHT } from './game/map.ts'
import { game } from './game/rules.ts'

const [url, down, up] = process.argv.slice(2)
const match = await joinGame(url, game, { spectate: true })
await match.whenPlaying()
const seen = { players: 0, ranDown: false, ranUp: false, desyncs: 0 }
const end = performance.now() + 60_000
while (performance.now() < end && !(seen.ranDown && seen.ranUp)) {
  const after = match.update(performance.now(), () => ({}))?.after
  if (after !== undefined) {
    seen.players = after.tables.players.count
    seen.ranDown ||= (playerAt(after, Number(down))?.thing?.y ?? 0) > HEIGHT - 40
    seen.ranUp ||= (playerAt(after, Number(up))?.thing?.y ?? HEIGHT) < 40
  }
  await new Promise((resolve) => setTimeout(resolve, 8))
}
seen.desyncs = match.desyncs.length
console.log(JSON.stringify(seen))
process.exit(0)
`

/** Starts a program of Node in the project; resolves when it has printed `sign`. */
function start(sign: string, env: Readonly<Record<string, string>>, ...args: string[]): Promise<void> {
  const program = spawn(process.execPath, args, {
    cwd: project,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(program)
  return new Promise((resolve, reject) => {
    program.stdout.on('data', (text) => String(text).includes(sign) && resolve())
    program.on('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)))
  })
}

/** The hunks of a page's diffs. A diff names its file in the first line; `@@` stands between two places. */
function changesIn(page: string): { file: string; before: string; after: string }[] {
  return [...page.matchAll(/```diff\n--- (\S+)\n([\s\S]*?)```/g)].flatMap(([, file, diff]) =>
    diff.split(/^@@.*\n/m).map((hunk) => {
      const side = (sign: string) =>
        (hunk.match(/.*\n/g) ?? []).filter((line) => line[0] === sign || line[0] === ' ').map((line) => line.slice(1))
      return { file, before: side('-').join(''), after: side('+').join('') }
    }),
  )
}

/** What a client of the game says of itself. */
const ABOUT = `
import { helloOf } from '@hurtbox/colyseus/netcode'
import { game } from './game/rules.ts'
console.log(JSON.stringify(helloOf(game)))
`

/** A server with accounts and results of its own. A busy machine must not refuse rooms here. */
const ACCOUNTS = `
import { joinGame } from '@hurtbox/colyseus/client'
import { serve } from '@hurtbox/server'
import module from './game/index.ts'

const results = []
const server = await serve({
  games: [module],
  port: 0,
  logLevel: 'silent',
  limits: { load: 10, loopDelayMs: 60_000 },
  auth: (token) => (token === 'banned' ? 'Not before Monday.' : token === 'ada' ? { id: 'account-1', name: 'Ada' } : undefined),
  results: { take: ({ end, players }) => void results.push({ id: players[0].id, end }) },
})
const refusal = (choices) => joinGame(server.url, module.game, choices).then(() => 'let in', String)
const [stranger, banned] = [await refusal({}), await refusal({ token: 'banned' })]
const match = await joinGame(server.url, module.game, { token: 'ada', name: 'Mallory' })
await match.whenPlaying()
const names = () => [...match.room.state.roster.values()].filter(({ isBot }) => !isBot).map(({ name }) => name)
const until = async (isSo) => { for (let i = 0; i < 1000 && !isSo(); i++) await new Promise((resolve) => setTimeout(resolve, 20)) }
await until(() => names().length > 0 && match.update(performance.now(), () => ({}))?.after.tick > 3)
const seen = names()
await match.leave()
await until(() => results.length > 0)
console.log(JSON.stringify({ stranger, banned, names: seen, results }))
process.exit(0)
`

/** One opens a room at the first process; the other joins it by asking the second. */
const TWO_PROCESSES = `
import { joinGame } from '@hurtbox/colyseus/client'
import { game } from './game/rules.ts'

const urls = process.argv.slice(2).map((port) => 'http://127.0.0.1:' + port)
const join = async (url, choices) => {
  for (;;) {
    try {
      return await joinGame(url, game, choices)
    } catch (error) {
      // A busy machine makes a busy server, which opens no rooms for a while.
      if (!/busy|cannot agree/.test(String(error))) throw error
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}
const first = await join(urls[0], { create: true })
const clients = [first, await join(urls[1], { roomId: first.room.roomId })]
await Promise.all(clients.map((client) => client.whenPlaying()))
let players = [0, 0]
let listed = [0, 0]
for (let i = 0; i < 1000 && (players.join() !== '2,2' || listed.join() !== '1,1'); i++) {
  players = clients.map((client) => client.update(performance.now(), () => ({}))?.after.tables.players.count ?? 0)
  if (i % 50 === 0) listed = await Promise.all(urls.map(async (url) => (await (await fetch(url + '/rooms.json')).json()).length))
  await new Promise((resolve) => setTimeout(resolve, 16))
}
const sameRoom = clients[0].room.roomId === clients[1].room.roomId
console.log(JSON.stringify({ sameRoom, seats: clients.map(({ seat }) => seat).sort(), players, listed }))
process.exit(0)
`

/** Two players join; the first walks to the right until the second sees it. */
const TWO_CLIENTS = `
import { joinGame } from '@hurtbox/colyseus/client'
import { game } from './game/rules.ts'

const [url] = process.argv.slice(2)
const clients = [await joinGame(url, game), await joinGame(url, game)]
await Promise.all(clients.map((client) => client.whenPlaying()))
let [first, last] = [Number.NaN, Number.NaN]
let players = [0, 0]
const end = performance.now() + 20_000
while (performance.now() < end && !(last > first + 30 && players.join() === '2,2')) {
  clients.forEach((client, i) => {
    const state = client.update(performance.now(), () => (i === 0 ? { moveX: 1 } : {}))
    if (state === undefined) return
    players[i] = state.after.tables.players.count
    if (i === 1) {
      last = state.after.tables.things.x[0]
      if (Number.isNaN(first)) first = last
    }
  })
  await new Promise((resolve) => setTimeout(resolve, 8))
}
const desyncs = clients.reduce((sum, client) => sum + client.desyncs.length, 0)
console.log(JSON.stringify({ seats: clients.map((client) => client.seat).sort(), players, walked: last > first + 30, desyncs }))
process.exit(0)
`

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
