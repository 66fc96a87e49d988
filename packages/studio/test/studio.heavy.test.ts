/** The studio in a real browser, built as it is shipped. */

import { readFileSync } from 'node:fs'
import { bots } from '@hurtbox/games/jet-raiders/bots'
import { jetRaiders as game } from '@hurtbox/games/jet-raiders/rules'
import { scenes } from '@hurtbox/games/jet-raiders/scenes'
import { advance, createSession, hashWorld, playBots } from 'hurtbox'
import { createReplayWriter, drainReplay, finishReplay } from 'hurtbox/replay'
import { playScene, startScene } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import { clockOf, columnsOf, leaveControls, openTab, pause, poll, scrubTo, waitForClock } from './pages.ts'
import { useStudio } from './use-studio.ts'

const { open } = useStudio()

/** A paused moment of a match of bots. */
async function openMoment(hash: string) {
  const opened = await open(hash)
  const tick = Number(new URLSearchParams(hash.slice(1)).get('tick'))
  const clock = await waitForClock(opened.page, (each) => each.tick === tick && each.hash !== '', `tick ${tick}`)
  return { ...opened, clock }
}

const games = ['jet-raiders', 'nightfall', 'siege', 'vinyl-frontier', 'sumo']

/** A key of each game that moves its player. */
const movingKeys: Readonly<Record<string, string>> = {
  'jet-raiders': 'KeyW',
  nightfall: 'KeyD',
  siege: 'KeyD',
  'vinyl-frontier': 'KeyW',
  sumo: 'KeyD',
}

/** Nobody moves before: a round of Sumo begins with a countdown of 63 ticks. */
const countdownTicks: Record<string, number> = { sumo: 70 }

test.each(games)('[ST1] %s plays in the page, and a key changes what happens', async (game) => {
  // A small stage: the renderer that draws Sumo here does it without a graphics card.
  const { page, problems } = await open(`#game=${game}&seed=5&inspect=1`, { viewport: { width: 420, height: 560 } })
  await waitForClock(page, ({ tick }) => tick > (countdownTicks[game] ?? 2), 'the match to run')
  await page.getByLabel('Speed').selectOption('4')
  await leaveControls(page)
  await page.keyboard.down(movingKeys[game])
  const pressed = await clockOf(page)
  await waitForClock(page, ({ tick }) => tick > pressed.tick + 20, 'some ticks')
  await page.keyboard.up(movingKeys[game])
  const { tick, hash } = await pause(page)
  // The same match without a player at the keyboard: everything but the key is equal.
  await page.getByLabel('Restart with the same seed').click()
  await waitForClock(page, (clock) => clock.length > tick + 5, 'as many ticks')
  await pause(page)
  expect((await scrubTo(page, tick)).hash).not.toBe(hash)
  expect(problems).toEqual([])
})

test('[ST2] pausing, stepping and scrubbing forth and back reach the same hash', async () => {
  const { page } = await openMoment('#game=jet-raiders&scene=duel&tick=300')
  const end = await clockOf(page)
  // What the engine says without a page around it.
  const duel = scenes.find(({ name }) => name === 'duel')!
  const session = startScene(duel)
  const seen = new Map<number, string>()
  for (let tick = 0; tick <= 300; tick++) {
    seen.set(tick, hashWorld(session.world))
    playScene(duel, session, 1)
  }
  for (const tick of [300, 31, 200, 0, 299, 128, 300, 129]) {
    const { hash } = await scrubTo(page, tick)
    expect(hash, `tick ${tick}`).toBe(seen.get(tick))
  }
  await leaveControls(page)
  await page.keyboard.press('.')
  const forward = await waitForClock(page, ({ tick }) => tick === 130, 'tick 130')
  await page.keyboard.press(',')
  expect((await waitForClock(page, ({ tick }) => tick === 129, 'tick 129')).hash).toBe(seen.get(129))
  expect((await scrubTo(page, 130)).hash).toBe(forward.hash)
  expect((await scrubTo(page, 300)).hash).toBe(end.hash)
})

test('[ST3] the address names the moment, and opening it shows that moment', async () => {
  const { page } = await openMoment('#game=jet-raiders&seed=8&tick=250')
  const { hash } = await scrubTo(page, 137)
  await poll(() => page.url()).toMatch(/tick=137/)
  const again = await openMoment(new URL(page.url()).hash)
  expect(again.clock).toMatchObject({ tick: 137, hash })
})

test('[ST3] the address of a match that a person played contains the inputs', async () => {
  const { page } = await open('#game=jet-raiders&seed=8&inspect=1')
  await waitForClock(page, ({ tick }) => tick > 20, 'the match to run')
  await page.keyboard.down('Space')
  await page.keyboard.down('KeyA')
  await waitForClock(page, ({ tick }) => tick > 70, 'some shots')
  await page.keyboard.up('Space')
  await page.keyboard.up('KeyA')
  const { tick, hash } = await pause(page)
  await poll(() => page.url()).toMatch(/record=/)
  const again = await open(new URL(page.url()).hash)
  expect(await waitForClock(again.page, (clock) => clock.tick === tick, 'the moment')).toMatchObject({ tick, hash })
})

test('[ST4] overlays are switched by keys and buttons and drawn over the game', async () => {
  const { page } = await openMoment('#game=jet-raiders&seed=5&tick=300')
  const inked = () =>
    page.locator('.stage-overlay').evaluate((element) => {
      const canvas = element as HTMLCanvasElement
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
      let count = 0
      for (let i = 3; i < data.length; i += 4) if (data[i] > 0) count++
      return count
    })
  expect(await inked()).toBe(0)
  for (const [key, label] of [
    ['h', 'Boxes'],
    ['g', 'Grid'],
    ['b', 'Bounds'],
    ['v', 'Velocities'],
    ['c', 'Contacts'],
  ]) {
    await page.keyboard.press(key)
    expect(await page.getByRole('button', { name: label }).getAttribute('aria-pressed'), label).toBe('true')
    await poll(inked, label).toBeGreaterThan(20)
    await page.getByRole('button', { name: label }).click()
    await leaveControls(page)
    await poll(inked, `${label} off`).toBe(0)
  }
})

test('[SM7] with the boxes the whole static map is drawn, also where nothing is near', async () => {
  // Four walls around the plane, and the same plane without: what lies beyond its edges is filled, or is not.
  for (const [scene, hasWalls] of [
    ['melee', true],
    ['dogfight', false],
  ] as const) {
    const { page } = await openMoment(`#game=jet-raiders&scene=${scene}&tick=60`)
    const inked = () =>
      page.locator('.stage-overlay').evaluate((element) => {
        const { width, height } = element as HTMLCanvasElement
        const { data } = (element as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height)
        const isInked = (x: number, y: number) => data[4 * (y * width + x) + 3] > 0
        let corners = 0
        for (let x = 2; x < 22; x++) {
          for (let y = 2; y < 22; y++) {
            if (isInked(x, y)) corners++
            if (isInked(width - 1 - x, height - 1 - y)) corners++
          }
        }
        return { corners, boxes: data.some((value, i) => i % 4 === 3 && value > 0) }
      })
    expect((await inked()).boxes).toBe(false)
    await page.keyboard.press('h')
    await poll(async () => (await inked()).boxes, 'boxes').toBe(true)
    // Of 800 points in two opposite corners of the page.
    if (hasWalls) expect((await inked()).corners, scene).toBe(800)
    else expect((await inked()).corners, scene).toBeLessThan(200)
  }
})

test('[ST5] the verdict of a hit and of a miss is shown in words', async () => {
  const { page } = await openMoment('#game=jet-raiders&seed=5&tick=60')
  await page.keyboard.press('n')
  const { tick } = await waitForClock(page, (clock) => clock.tick !== 60, 'the next hit')
  await openTab(page, 'Events')
  const feed = page.getByTestId('feed')
  await feed
    .getByText(/hits P\d/)
    .first()
    .waitFor()
  const text = await feed
    .locator('li', { hasText: `${tick - 1}hit` })
    .first()
    .getByRole('button')
    .getAttribute('title')
  const [victim, , projectile] = [...text!.matchAll(/(?:victim|shooter|projectile) (\d+)/g)].map((match) => match[1])

  await openTab(page, 'Ask')
  const ask = async (a: string, b: string) => {
    await page.getByLabel('Id of a thing').fill(a)
    await page.getByLabel('Id of another thing').fill(b)
    await page.getByRole('button', { name: 'Why?' }).click()
  }
  await ask(projectile, victim)
  const verdicts = page.getByTestId('verdicts')
  await verdicts.getByText('bullet hits ship').first().waitFor()
  expect(await verdicts.textContent()).toMatch(/: accepted/)
  expect(await verdicts.locator('code').count()).toBeGreaterThan(0)
  // Two ships do not hit each other by these rules.
  await ask('1', '2')
  await poll(() => verdicts.textContent()).toMatch(/no rule about their layers|apart/)
})

test('[ST6] a changed number shows another future beside the old one; resetting it makes both equal', async () => {
  const { page } = await openMoment('#game=jet-raiders&seed=5&tick=300')
  await scrubTo(page, 100)
  await openTab(page, 'Tune')
  const knob = page.locator('[data-knob="shipSpeed"]')
  expect(await knob.inputValue()).toBe('150')
  await knob.fill('300')
  await knob.press('Enter')
  await page.getByTestId('fork').waitFor()
  const old = await scrubTo(page, 300)
  const changed = await waitForClock(page, (clock) => clock.tick === 300 && clock.hash !== '', 'the fork', 'fork')
  expect(changed.hash).not.toBe(old.hash)
  await scrubTo(page, 100)
  await page.getByRole('button', { name: 'Reset shipSpeed' }).click()
  await scrubTo(page, 300)
  await waitForClock(page, (clock) => clock.tick === 300 && clock.hash === old.hash, 'the same future', 'fork')
})

test('[ST7] a replay is saved, opened and verified; a damaged one is reported', async () => {
  const { page, clock } = await openMoment('#game=siege&seed=3&tick=200')
  await openTab(page, 'Replay')
  await page.getByTestId('verify').click()
  await poll(() => page.getByTestId('verify-outcome').textContent()).toContain('200 ticks play as recorded')
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('save').click()])
  const bytes = readFileSync((await download.path())!)

  const other = await openMoment('#game=siege&seed=4&tick=10')
  await openTab(other.page, 'Replay')
  const drop = (buffer: Buffer) =>
    other.page.getByTestId('open').setInputFiles({ name: 'match.hbr', mimeType: '', buffer })
  await drop(bytes)
  await waitForClock(other.page, ({ length }) => length === 200, 'the match of the file')
  expect((await scrubTo(other.page, 200)).hash).toBe(clock.hash)
  expect(await other.page.getByTestId('diverged').count()).toBe(0)

  const damaged = Buffer.from(bytes)
  damaged[Math.floor(damaged.length * 0.9)] ^= 4
  await drop(damaged)
  await poll(() => other.page.getByTestId('diverged').textContent()).toMatch(/damaged|lost/i)
  await drop(Buffer.from('<img src=x onerror=alert(1)>'))
  await poll(() => other.page.getByTestId('diverged').textContent()).toMatch(/NOT READ/)
})

test('[ST18] a replay that plays differently raises a banner that names tick, row and column', async () => {
  const session = createSession(game, { seed: 5 })
  const writer = createReplayWriter(session as never, { hashEvery: 1, keyframeEvery: 1 })
  const parts: Uint8Array[] = []
  for (let tick = 0; tick < 60; tick++) {
    // The world is changed outside the engine: no replay contains that.
    if (tick === 40) session.world.tables.things.x[1] += 1
    advance(session, playBots(bots[0], 3, 5)(tick, session.world as never) as never)
    parts.push(drainReplay(writer))
  }
  parts.push(finishReplay(writer))
  const { page } = await openMoment('#game=jet-raiders&seed=4&tick=10')
  await openTab(page, 'Replay')
  await page.getByTestId('open').setInputFiles({ name: 'bad.hbr', mimeType: '', buffer: Buffer.concat(parts) })
  const banner = page.getByTestId('diverged')
  await poll(() => banner.textContent()).toMatch(/DIVERGED.*tick 4\d.*things row 1 .*x is/)
  await page.getByRole('button', { name: /Go to tick/ }).click()
  await waitForClock(page, ({ tick }) => tick >= 39 && tick <= 42, 'the tick of the divergence')
})

test('[ST8] the sync test rolls back on every tick and finds all equal', async () => {
  const { page } = await openMoment('#game=jet-raiders&seed=5&tick=120')
  await openTab(page, 'Measure')
  await page.getByTestId('synctest').click()
  await poll(() => page.getByTestId('synctest-outcome').textContent()).toContain('120 ticks')
  expect(await page.getByTestId('synctest-outcome').textContent()).toContain('all equal')
})

test('[ST9] clicking a thing shows every column, live', async () => {
  const { page } = await openMoment('#game=jet-raiders&seed=5&tick=50')
  await page.getByLabel('Id of a thing').fill('1')
  await page.getByRole('button', { name: 'Why?' }).click()
  const before = await columnsOf(page)
  expect(before).toMatchObject({ id: '1', layer: 'ship', radius: '24' })
  await leaveControls(page)
  await page.keyboard.press('.')
  await waitForClock(page, ({ tick }) => tick === 51, 'tick 51')
  await poll(async () => (await columnsOf(page)).x).not.toBe(before.x)
})
