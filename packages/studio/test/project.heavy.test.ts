/** The studio on a game of one's own: a generated project with the packed packages, outside the repository, in a real browser. */

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeReplay } from 'hurtbox/replay'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { buildPage, type Generated, generateProject } from '../../../scripts/test/packages/generated.ts'
import { freePort } from '../../server/test/free-port.ts'
import { openPage, startBrowser } from './browser.ts'
import { clockOf, columnsOf, leaveControls, pause, pixelsOf, poll, scrubTo, waitForClock } from './pages.ts'
import { RENDERER_FILES, RENDERERS } from './renderers.ts'

// Browsers on a busy machine take their time.
vi.setConfig({ testTimeout: 180_000 })

let generated: Generated
let studio: ChildProcess
let browser: Browser | undefined
let url = ''
const started: ChildProcess[] = []

beforeAll(async () => {
  generated = await generateProject('goblin-hunt')
  ;[{ process: studio, url }, browser] = await Promise.all([
    startCommand('studio', 'game/index.ts', '--port', '0'),
    startBrowser(),
  ])
}, 600_000)

afterAll(async () => {
  await browser?.close()
  for (const each of started) each.kill('SIGKILL')
  generated?.remove()
}, 60_000)

/** Starts the installed command in the project; resolves with the address it prints. */
function startCommand(...args: string[]): Promise<{ process: ChildProcess; url: string }> {
  return startCommandIn(generated.project, ...args)
}

function startCommandIn(cwd: string, ...args: string[]): Promise<{ process: ChildProcess; url: string }> {
  const bin = join(cwd, 'node_modules/@hurtbox/cli/bin/hurtbox.js')
  const child = spawn(process.execPath, [bin, ...args], {
    cwd,
    env: { ...process.env, NODE_ENV: 'development', VITEST: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  return addressPrinted(child, / is at (http:\S+)/).then((url) => ({ process: child, url }))
}

function addressPrinted(child: ChildProcess, sign: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    const read = (text: unknown) => {
      printed += text
      const found = sign.exec(printed)
      if (found !== null) resolve(found[1])
    }
    child.stdout!.on('data', read)
    child.stderr!.on('data', read)
    child.on('exit', (code) => reject(new Error(`${child.spawnargs.join(' ')} ended with ${code}:\n${printed}`)))
  })
}

/** A folder beside the project with nothing in it but what is installed. */
function emptyFolder(name: string): string {
  const folder = join(generated.scratch, name)
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  for (const each of readdirSync(join(generated.project, 'node_modules'))) {
    if (!each.startsWith('.'))
      symlinkSync(join(generated.project, 'node_modules', each), join(folder, 'node_modules', each))
  }
  return folder
}

/** Changes a file of the project until the test ends. */
function edit(file: string, change: (text: string) => string): () => void {
  const path = join(generated.project, file)
  const before = readFileSync(path, 'utf8')
  const after = change(before)
  expect(after).not.toBe(before)
  writeFileSync(path, after)
  const undo = () => writeFileSync(path, before)
  onTestFinished(undo)
  return undo
}

/** A paused match of bots that a person has played in a little. */
async function openMatch(): Promise<{ page: Page; problems: string[] }> {
  const { page, problems } = await openPage(browser!, { url, close: async () => {} })
  await page.getByRole('heading', { name: 'Slime Pit' }).waitFor({ timeout: 60_000 })
  await waitForClock(page, ({ tick }) => tick > 20, 'the match to run')
  await page.keyboard.down('KeyD')
  const pressed = await clockOf(page)
  await waitForClock(page, ({ tick }) => tick > pressed.tick + 40, 'some steps')
  await page.keyboard.up('KeyD')
  await pause(page)
  return { page, problems }
}

/** Builds the project's own page and starts its server. */
async function serveOwnPage(): Promise<string> {
  buildPage(generated.project, { STUDIO: '1' })
  return (await startServer()).url
}

/** Starts the project's own server. */
async function startServer(): Promise<{ url: string }> {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: generated.project,
    env: { ...process.env, PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  return { url: await addressPrinted(child, /(http:\/\/127\.0\.0\.1:\d+)/) }
}

let withServer: Promise<{ address: string }> | undefined

/** The server of the project and a studio that shows its rooms, started once. */
function studioWithServer(): Promise<{ address: string }> {
  withServer ??= (async () => {
    const { url: server } = await startServer()
    const { url: address } = await startCommand('studio', 'game/index.ts', '--port', '0', '--server', server)
    return { address }
  })()
  return withServer
}

/** Waits until the room in a page has run so many ticks further. */
async function tickOnline(page: Page, ticks: number): Promise<void> {
  const tick = async () => Number(await page.getByTestId('online').getAttribute('data-tick'))
  await page.getByTestId('online').waitFor({ timeout: 40_000 })
  const first = await tick()
  await poll(tick).toBeGreaterThan(first + ticks)
}

/** Waits until a file is whole. */
async function finishedReplay(read: () => Buffer | undefined | ''): Promise<Buffer> {
  let bytes: Buffer | undefined
  await poll(() => {
    bytes = read() || undefined
    return bytes !== undefined && describeReplay(bytes)
  }).toMatch(/ complete;/)
  return bytes!
}

/** Drops a file on the page, as a hand with a mouse would. */
async function drop(page: Page, bytes: Buffer): Promise<void> {
  await page
    .locator('.stage')
    .first()
    .evaluate((element, base64) => {
      const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([content], 'match.hbr'))
      for (const kind of ['dragover', 'drop']) {
        element.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }))
      }
    }, bytes.toString('base64'))
}

const mistake = (page: Page) => page.getByTestId('mistake')

test('[ST22] hurtbox studio shows the game; an edit of the rules reloads it at the same tick, with the same seed and inputs', async () => {
  expect(studio.exitCode).toBeNull()
  const { page, problems } = await openMatch()
  const before = await clockOf(page)
  await page.waitForURL(/game=goblin-hunt.*record=/)

  const undo = edit('game/rules.ts', (text) => text.replace('knightSpeed: tune(3,', 'knightSpeed: tune(1.5,'))
  const edited = await waitForClock(page, ({ hash }) => hash !== '' && hash !== before.hash, 'the edited rules')
  expect(edited).toMatchObject({ tick: before.tick, length: before.length })
  undo()
  // Nothing of the edit is left, and nothing that came from outside is lost.
  expect(await waitForClock(page, ({ hash }) => hash === before.hash, 'the old rules')).toEqual(before)
  expect(await mistake(page).count()).toBe(0)
  expect(problems).toEqual([])
  await page.context().close()
})

test('[ST23] rules that do not compile, or that throw, are told, and the last good match goes on', async () => {
  const { page } = await openMatch()
  const before = await clockOf(page)
  const canGoOn = async () => {
    await leaveControls(page)
    const { tick } = await clockOf(page)
    await page.keyboard.press('.')
    await waitForClock(page, (clock) => clock.tick === tick + 1, 'one more tick')
    await page.keyboard.press(',')
    await waitForClock(page, (clock) => clock.tick === tick, 'the tick before')
  }
  const undoTypo = edit('game/rules.ts', (text) => text.replace('export const game = ', 'export const game = = '))
  await poll(() => mistake(page).textContent()).toMatch(/game\/rules\.ts:\d+:\d+/)
  expect(await clockOf(page)).toEqual(before)
  await canGoOn()
  undoTypo()
  await poll(() => mistake(page).count()).toBe(0)
  expect((await clockOf(page)).hash).toBe(before.hash)

  const undoThrow = edit('game/rules.ts', (text) =>
    text.replace('  phases: {', "  phases: {\n    bad() { throw new Error('a bad phase') },"),
  )
  await poll(() => mistake(page).textContent()).toMatch(
    /phase bad failed in tick \d+: a bad phase \(\S*game\/rules\.ts:\d+:\d+\)/,
  )
  await canGoOn()
  undoThrow()
  await poll(() => mistake(page).count()).toBe(0)
  await page.context().close()
})

test('[DI40] rules that keep something outside the world are told in the network lab, with phase and column', async () => {
  const undo = edit('game/rules.ts', (text) =>
    text
      .replace('function steer(', 'const count = (() => {\n  let n = 0\n  return () => ++n\n})()\nfunction steer(')
      .replace('const { tuning, clock', 'world.globals.swings += count()\n  const { tuning, clock'),
  )
  const { page } = await openPage(browser!, { url, close: async () => {} }, '#game=goblin-hunt&page=lab&seed=5')
  const desyncs = page.getByTestId('lab-desyncs')
  await poll(async () => ((await desyncs.count()) > 0 ? await desyncs.textContent() : ''), 'the desync').toMatch(
    /(Client )?[AB]: .*phase steer.*swings/,
  )
  undo()
  await page.context().close()
})

const TAG = `
import { axis, collide, declareGame, defineGame, players, spawn } from 'hurtbox'
import { defineModule } from 'hurtbox/module'

const declaration = declareGame({
  id: 'tag',
  tickRate: 30,
  seats: { min: 1, max: 4 },
  layers: { runner: ['runner'] },
  things: { caught: 'u32' },
  input: { moveX: axis(), moveY: axis() },
})
const game = defineGame(declaration, {
  onJoin(world, player) {
    player.thing = spawn(world, 'runner', { x: 30 * player.seat, radius: 12 })
  },
  phases: {
    run(world) {
      for (const { thing, moveX, moveY } of players(world)) {
        if (thing === undefined) continue
        thing.x += 3 * moveX
        thing.y += 3 * moveY
      }
    },
    tag: collide(declaration, {
      'runner tags runner': { between: ['runner', 'runner'], decide: (_first, second) => void second.caught++ },
    }),
  },
})
export default defineModule({ game, title: 'Tag', meaning: { nameOf: (thing) => \`runner \${thing.id}\` } })
`

test('[ST24] a game in an otherwise empty folder is shown as circles with names and played, with no other file touched', async () => {
  const folder = emptyFolder('empty')
  writeFileSync(join(folder, 'tag.js'), TAG)
  const { process: command, url: address } = await startCommandIn(folder, 'studio', './tag.js', '--port', '0')
  const { page, problems } = await openPage(browser!, { url: address, close: async () => {} })
  await page.getByRole('heading', { name: 'Tag' }).waitFor({ timeout: 60_000 })
  await waitForClock(page, ({ tick }) => tick > 10, 'the match to run')
  const { hash } = await pause(page)
  await page.getByLabel('Id of a thing').fill('1')
  await page.getByRole('button', { name: 'Why?' }).click()
  await page.getByText('runner 1').first().waitFor()
  const { x } = await columnsOf(page)
  await page.getByTestId('play').click()
  await leaveControls(page)
  // The keys of a game without a view are guessed from the names of its inputs.
  await page.keyboard.down('KeyD')
  await poll(async () => (await columnsOf(page)).x).not.toBe(x)
  await page.keyboard.up('KeyD')
  expect((await pause(page)).hash).not.toBe(hash)
  expect(readdirSync(folder).sort()).toEqual(['node_modules', 'tag.js'])
  expect(problems).toEqual([])
  command.kill()
  await page.context().close()
})

test('[ST26] with --server the rooms of one’s own server are listed, created, joined and watched', async () => {
  const { address } = await studioWithServer()
  const host = await openPage(browser!, { url: address, close: async () => {} }, '#games')
  await host.page.getByTestId('rooms').getByRole('link', { name: 'New room' }).click()
  await tickOnline(host.page, 0)
  const room = (await host.page.getByTestId('room').textContent())!.replace('room ', '')

  const guest = await openPage(browser!, { url: address, close: async () => {} }, '#games')
  const row = guest.page.getByTestId('rooms').getByRole('row').filter({ hasText: room })
  await row.getByRole('link', { name: 'Join' }).click()
  await tickOnline(guest.page, 60)
  // Both play in one room: each sees the other, and the server agrees.
  for (const { page } of [host, guest]) {
    expect(await page.getByTestId('room').textContent()).toBe(`room ${room}`)
    await poll(() => page.getByTestId('roster').locator('li', { hasNotText: 'bot' }).count()).toBe(2)
    expect(await page.getByTestId('online').getAttribute('data-desyncs')).toBe('0')
  }
  const watcher = await openPage(browser!, { url: address, close: async () => {} }, '#games')
  await watcher.page
    .getByTestId('rooms')
    .getByRole('row')
    .filter({ hasText: room })
    .getByRole('link', { name: 'Watch' })
    .click()
  await tickOnline(watcher.page, 30)
  expect(await watcher.page.getByTestId('roster').locator('.is-you').count()).toBe(0)
  for (const { page, problems } of [host, guest, watcher]) {
    expect(problems).toEqual([])
    await page.context().close()
  }
})

test('[ST27] the replay of a room, dropped on the page, plays there as it did on the server; a damaged one is told', async () => {
  const { address } = await studioWithServer()
  const { page, problems } = await openPage(browser!, { url: address, close: async () => {} }, '#games')
  const replays = join(generated.project, '.cache/replays')
  const before = new Set(existsSync(replays) ? readdirSync(replays) : [])
  await page.getByTestId('rooms').getByRole('link', { name: 'New room' }).click()
  await tickOnline(page, 90)
  const room = (await page.getByTestId('room').textContent())!.replace('room ', '')
  await page.getByRole('link', { name: 'Leave' }).click()
  await page.getByRole('link', { name: 'Play' }).first().click()
  await page.getByRole('heading', { name: 'Slime Pit' }).waitFor()
  const { hash } = await pause(page)
  const kept = () => readdirSync(replays).find((name) => !before.has(name) && name.includes(room))
  // The server ends the file when the last player has gone.
  const bytes = await finishedReplay(() => kept() && readFileSync(join(replays, kept()!)))

  await drop(page, bytes)
  await poll(() => page.getByText('They play exactly as recorded.').count()).toBe(1)
  const opened = await waitForClock(page, (clock) => clock.hash !== '' && clock.hash !== hash, 'the match of the file')
  expect(opened.length).toBeGreaterThanOrEqual(90)
  expect(await page.getByTestId('diverged').count()).toBe(0)
  const end = await scrubTo(page, opened.length)
  expect(end.hash).not.toBe(opened.hash)

  const damaged = Buffer.from(bytes)
  damaged[Math.floor(damaged.length / 2)] ^= 4
  await drop(page, damaged)
  await poll(() => page.getByTestId('diverged').textContent()).toMatch(/damaged|lost/i)
  expect(problems).toEqual([])
  await page.context().close()
})

let renderers: Promise<string> | undefined

/** A studio for the games whose views draw with Pixi, Phaser and three, started once; its address. */
function studioOfRenderers(): Promise<string> {
  renderers ??= (async () => {
    const folder = emptyFolder('renderers')
    for (const [name, text] of Object.entries(RENDERER_FILES)) writeFileSync(join(folder, name), text)
    const files = RENDERERS.map((name) => `./${name}.js`)
    return (await startCommandIn(folder, 'studio', ...files, '--port', '0')).url
  })()
  return renderers
}

// One in `npm test`, all three in the long suite.
test.each(process.env.HURTBOX_LONG === undefined ? RENDERERS.slice(0, 1) : RENDERERS)(
  '[ST28] a view %s draws in the studio, follows the match, and takes clicks and boxes',
  async (game) => {
    const address = await studioOfRenderers()
    // Where pixels are found, the mouse clicks.
    const pixels = { deviceScaleFactor: 1 }
    const { page, problems } = await openPage(
      browser!,
      { url: address, close: async () => {} },
      `#game=${game}`,
      pixels,
    )
    await page.getByRole('heading', { name: game }).waitFor({ timeout: 60_000 })
    const runners = () => pixelsOf(page, '.stage', [255, 32, 32])
    await poll(async () => (await runners()).count).toBeGreaterThan(500)
    const first = await runners()
    // The floor is the view's own, too.
    expect((await pixelsOf(page, '.stage', [16, 48, 80])).count).toBeGreaterThan(first.count)

    // A held key moves the own runner, and with it the pixels.
    await page.keyboard.down('KeyS')
    await poll(async () => (await runners()).maxY).toBeGreaterThan(first.maxY + 20)
    await page.keyboard.up('KeyS')
    await pause(page)

    // A click in the middle of a runner selects it; boxes lie over what the view draws.
    const { minX, maxY } = await runners()
    const box = (await page.locator('.stage').boundingBox())!
    const radius = (first.maxY - first.minY) / 2
    await page.mouse.click(box.x + minX + radius, box.y + maxY - radius)
    await poll(async () => (await columnsOf(page)).radius).toBe('20')
    const drawnOver = () =>
      page.locator('.stage-overlay').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL())
    const before = await drawnOver()
    await leaveControls(page)
    await page.keyboard.press('b')
    await poll(drawnOver).not.toBe(before)
    expect(problems).toEqual([])
    await page.context().close()
  },
)

test('[AS1] the line in the project’s own page loads nothing until F2; then the panel shows time, boxes, why and tuning of that match', async () => {
  const own = await serveOwnPage()
  const { page, problems } = await openPage(browser!, { url: own, close: async () => {} })
  // From the title into the match.
  await page.locator('[data-part=begin]').click()
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
  await page.waitForTimeout(1500)
  expect(loaded.filter((path) => path.endsWith('.js'))).toEqual([])
  const panel = page.getByTestId('attached-studio')
  expect(await panel.count()).toBe(0)

  await page.keyboard.press('F2')
  await panel.getByText('Slime Pit').waitFor()
  await panel.getByText('played in this page').waitFor()
  expect(loaded.some((path) => /panel.*\.js$/.test(path))).toBe(true)
  await waitForClock(page, ({ tick }) => tick > 120, 'the match to run on')

  // Paused, the page's match stands still, and the page draws the moment that is chosen.
  await panel.getByTestId('attached-play').click()
  const paused = await waitForClock(page, ({ hash }) => hash !== '', 'a hash')
  // What is drawn after the frame that is being made: the one before may show the tick before the pause.
  const picture = () =>
    page.locator('[data-part=stage] canvas').evaluate(async (canvas) => {
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
      return (canvas as HTMLCanvasElement).toDataURL()
    })
  const present = await picture()
  const past = await scrubTo(page, paused.tick - 60)
  expect(past.hash).not.toBe(paused.hash)
  await poll(picture).not.toBe(present)
  expect((await scrubTo(page, paused.tick)).hash).toBe(paused.hash)
  await poll(picture).toBe(present)

  // Boxes over the page's canvas.
  const drawnOver = () =>
    page.getByTestId('attached-boxes').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL())
  const nothing = await drawnOver()
  // The page gives its canvases a background; over it that would hide the game.
  const background = await page
    .getByTestId('attached-boxes')
    .evaluate((canvas) => getComputedStyle(canvas).backgroundColor)
  expect(background).toBe('rgba(0, 0, 0, 0)')
  await panel.getByRole('button', { name: 'Boxes' }).click()
  await poll(drawnOver).not.toBe(nothing)
  await panel.getByRole('button', { name: 'Boxes' }).click()
  await poll(drawnOver).toBe(nothing)

  // Why did the knight and a slime (not) hit? The second thing is the bot's knight.
  await panel.getByLabel('Id of a thing').fill('1')
  await panel.getByLabel('Id of another thing').fill('3')
  await panel.getByRole('button', { name: 'Why?' }).click()
  await poll(() => panel.locator('.verdict').count()).toBeGreaterThan(0)
  expect(await panel.locator('.verdict').first().textContent()).toMatch(/hits.*(were missing|slime)/)

  // A number changes the page's own match, from its present on.
  await panel.getByRole('tab', { name: 'Tune' }).click()
  await panel.locator('[data-knob="knightSpeed"]').fill('8')
  await panel.locator('[data-knob="knightSpeed"]').press('Enter')
  await panel.getByTestId('attached-play').click()
  await waitForClock(page, ({ tick }) => tick > paused.tick + 20, 'the match to go on')
  await poll(() => panel.locator('[data-knob="knightSpeed"]').inputValue()).toBe('8')

  await page.keyboard.press('F2')
  await poll(() => panel.count()).toBe(0)
  expect(await page.getByTestId('attached-boxes').count()).toBe(0)
  expect(problems).toEqual([])

  // Online the page knows what it has confirmed since the studio was opened, and says so.
  await page.locator('[data-part=online]').click()
  await page.keyboard.press('F2')
  await panel.getByText('online, predicted here').waitFor()
  expect(await panel.getByTestId('unknown').textContent()).toMatch(/before tick \d+.*only the server knows/)
  await panel.getByRole('tab', { name: 'Network' }).click()
  await poll(() => panel.getByTestId('network').textContent()).toMatch(
    /connectionplaying.*round trip\d+ ms.*corrections/,
  )
  const { length } = await clockOf(page)
  await waitForClock(page, (clock) => clock.length > length + 60, 'confirmed ticks')
  await panel.getByTestId('attached-play').click()
  const held = await waitForClock(page, ({ hash }) => hash !== '', 'a hash')
  const before = await scrubTo(page, held.tick - 30)
  expect((await scrubTo(page, held.tick)).hash).toBe(held.hash)
  expect(before.hash).not.toBe(held.hash)
  await panel.getByRole('tab', { name: 'Replay' }).click()
  await panel.getByText('The server keeps the whole replay').waitFor()
  await page.context().close()
})

test('[AS3] in a page that is only shown the match by its server, the panel says what it cannot know, and offers nothing of it', async () => {
  edit('game/index.ts', (text) => text.replace('  seating:', "  room: { modes: ['terminal'] },\n  seating:"))
  const { page, problems } = await openPage(browser!, { url: await serveOwnPage(), close: async () => {} })
  await page.locator('[data-part=online]').click()
  await poll(() => page.locator('[data-part=status]').textContent()).toBe('online, seat 0')
  await page.keyboard.press('F2')
  const panel = page.getByTestId('attached-studio')
  await panel.getByText('online, shown as it is sent').waitFor()
  expect(await panel.getByTestId('unknown').textContent()).toMatch(/cannot know why.*or go back/)
  await waitForClock(page, ({ tick }) => tick > 60, 'frames of the server')

  // Nothing goes back, and nothing asks why.
  for (const name of ['One tick back', 'Previous hit', 'One tick forward', 'Next hit', 'Why?']) {
    expect(await panel.getByRole('button', { name }).count(), name).toBe(0)
  }
  expect(await panel.getByTestId('scrub').count()).toBe(0)
  expect(await panel.getByLabel('Id of another thing').count()).toBe(0)
  // What it is sent, it shows: columns and circles.
  await panel.getByLabel('Id of a thing').fill('1')
  await panel.getByRole('button', { name: 'Show' }).click()
  await poll(async () => Object.keys(await columnsOf(page))).toContain('x')
  const drawnOver = () =>
    page.getByTestId('attached-boxes').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL())
  const nothing = await drawnOver()
  await panel.getByRole('button', { name: 'Boxes' }).click()
  await poll(drawnOver).not.toBe(nothing)

  await panel.getByRole('tab', { name: 'Events' }).click()
  await panel.getByText('does not know the inputs of the match').waitFor()
  await panel.getByRole('tab', { name: 'Tune' }).click()
  await panel.getByText('The numbers of an online match are the server’s.').waitFor()
  expect(await panel.locator('[data-knob="knightSpeed"]').isDisabled()).toBe(true)
  await panel.getByRole('tab', { name: 'Network' }).click()
  await poll(() => panel.getByTestId('network').textContent()).toMatch(/connectionplaying.*round trip\d+ ms/)
  expect(await panel.getByTestId('network').textContent()).not.toMatch(/corrections/)
  await panel.getByRole('tab', { name: 'Replay' }).click()
  await panel.getByText('The server keeps the replay').waitFor()
  expect(await panel.getByTestId('save').count()).toBe(0)
  await page.keyboard.press('F2')
  await poll(() => panel.count()).toBe(0)
  expect(problems).toEqual([])
  await page.context().close()
})
