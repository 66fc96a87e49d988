/** The studio on a game of one's own: a generated project with the packed packages, outside the repository, in a real browser. */

import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type Generated, generateProject } from '../packages/generated.ts'
import { openPage, startBrowser } from './browser.ts'
import { clockOf, leaveControls, pause, poll, waitForClock } from './pages.ts'

// Browsers on a busy machine take their time.
vi.setConfig({ testTimeout: 180_000 })

let generated: Generated
let studio: ChildProcess
let browser: Browser | undefined
let url = ''
const started: ChildProcess[] = []

beforeAll(async () => {
  generated = generateProject('goblin-hunt')
  ;[{ process: studio, url }, browser] = await Promise.all([
    startCommand('studio', 'game/index.ts', '--port', '0'),
    startBrowser(),
  ])
}, 240_000)

afterAll(async () => {
  await browser?.close()
  for (const each of started) each.kill('SIGKILL')
  generated?.remove()
}, 60_000)

/** Starts the installed command in the project; resolves with the address it prints. */
function startCommand(...args: string[]): Promise<{ process: ChildProcess; url: string }> {
  const bin = join(generated.project, 'node_modules/@hurtbox/cli/bin/hurtbox.js')
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: generated.project,
    env: { ...process.env, NODE_ENV: 'development', VITEST: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  return new Promise((resolve, reject) => {
    let printed = ''
    const read = (text: unknown) => {
      printed += text
      const found = / is at (http:\S+)/.exec(printed)
      if (found !== null) resolve({ process: child, url: found[1] })
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('exit', (code) => reject(new Error(`hurtbox ${args[0]} ended with ${code}:\n${printed}`)))
  })
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
  await waitForClock(page, ({ tick }) => tick > 60, 'some steps')
  await page.keyboard.up('KeyD')
  await pause(page)
  return { page, problems }
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
  await poll(() => mistake(page).textContent()).toMatch(/game\/rules\.ts: .*a bad phase/)
  await canGoOn()
  undoThrow()
  await poll(() => mistake(page).count()).toBe(0)
  await page.context().close()
})
