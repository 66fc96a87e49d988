/** A dispute from end to end: two real clients over a slow link, a hit that one of them did not see coming, the link and the text. */

import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { GameConnection } from '@hurtbox/colyseus/client'
import { bots } from '@hurtbox/games/jet-raiders/bots'
import { jetRaiders as game } from '@hurtbox/games/jet-raiders/rules'
import { findFrame, readScreensOf, readStory, type Screens, type Story, tellStory } from '@hurtbox/netcode/disputes'
import { hashWorld, listEvents, playerAt, seek, why } from 'hurtbox'
import { loadModule } from 'hurtbox/module/node'
import { loadReplay, readTrack } from 'hurtbox/replay'
import { botInput } from 'hurtbox/tools'
import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import { repositoryRoot } from '../../../scripts/engines/install-npm.ts'
import { joinAll, roomOf, slowWay, until } from '../../colyseus/test/server.ts'
import { openPage } from './browser.ts'
import { poll } from './pages.ts'

/** Where the match is played: a server with a room `disputed` that keeps tracks in `folder`. */
export type Place = { readonly url: string; readonly token: string; readonly folder: string; readonly browser: Browser }

/** Hashes of what a client showed, by the number of the frame. */
type Shown = Map<number, string>

/** Plays with a bot at the controls and notes what is shown in every frame. */
function playAndNote(connection: GameConnection, shown: Shown): void {
  const client = (connection.mirror ?? connection.terminal)!
  const log = client.screens!
  const frame = log.first + log.frames.length
  const picture = connection.update(performance.now(), (_tick, world) =>
    botInput(bots[0], world as never, connection.seat, 1),
  )
  if (picture !== undefined && log.first + log.frames.length > frame) shown.set(frame, hashWorld(picture.after))
}

/** Disputes of the match: hits on the player of a seat. */
function* hitsOn(screens: Screens, seat: number, from: number): Generator<{ tick: number; ask: [number, number] }> {
  const { session } = screens
  const { world } = session
  for (let tick = Math.max(from, 1); tick < session.log.length; tick++) {
    seek(session, tick)
    const victim = playerAt(world, seat)?.thing?.id
    const ids = [...world.tables.things.id.subarray(0, world.tables.things.count)]
    seek(session, tick + 1)
    if (victim === undefined || !listEvents(world).some((event) => event.kind === 'damage' && event.victim === victim))
      continue
    for (const id of ids) {
      if (!why(session, tick, id, victim).some(({ verdict, second }) => verdict === 'accepted' && second === victim))
        continue
      yield { tick, ask: [id, victim] }
    }
  }
}

/** Plays, disputes, and compares everything with everything. */
export async function disputeFromEndToEnd({ url, token, folder, browser }: Place): Promise<void> {
  const way = await slowWay(url, 100)
  const all = await joinAll(way.url, game, [
    { room: 'disputed', create: true, mode: 'mirror' },
    { room: 'disputed', mode: 'terminal' },
  ])
  const [mirror, terminal] = all
  const shown = new Map<number, Shown>(all.map(({ seat }) => [seat, new Map()]))
  const timer = setInterval(() => {
    for (const each of all) playAndNote(each, shown.get(each.seat)!)
  }, 8)
  const room = roomOf(mirror)
  let hits = 0
  mirror.on('damage', ({ victim }) => {
    if (playerAt(mirror.mirror!.confirmed, mirror.seat)?.thing?.id === victim) hits++
  })
  const module = await loadModule('jet-raiders', repositoryRoot)
  const bytes = (file: string) => new Uint8Array(readFileSync(join(folder, file)))
  const screensOf = (name: string, ending = '') => {
    const replay = loadReplay(game, bytes(`${name}.hbr${ending}`))
    return readScreensOf(replay, readTrack(replay.game, bytes(`${name}.hbt${ending}`)))
  }
  // Most hits are predicted: the files of the match are looked at after each, until one was not on the screen of its victim.
  for (let found = false, seen = 0, from = 0; !found; ) {
    await until('another hit', () => hits > seen, 240_000)
    const reported = mirror.mirror!.screens!.first + 200
    await until('reports of the last hits', () => mirror.mirror!.screens!.first > reported)
    const [name] = readdirSync(folder).flatMap((file) => (file.endsWith('.hbr.part') ? file.slice(0, -9) : []))
    const screens = screensOf(name, '.part')
    found = firstUnseen(module, screens, mirror.seat, from) !== undefined
    seen = hits
    // What came after the last report is looked at again.
    from = screens.session.log.length - 300
  }
  const running = readdirSync(folder).find((name) => name.endsWith('.hbr.part'))!
  // A match that runs is for the operator: it shows what fog hides.
  expect((await fetch(`${url}/replays/${running}`)).status).toBe(401)
  const authorization = `Bearer ${token}`
  expect((await fetch(`${url}/replays/${running}`, { headers: { authorization } })).status).toBe(200)
  clearInterval(timer)
  await Promise.all(all.map((each) => each.leave()))
  await room.disconnect()
  await way.close()
  await until('the files', () => readdirSync(folder).filter((name) => !name.endsWith('.part')).length === 2)

  const name = readdirSync(folder).find((file) => file.endsWith('.hbr'))!
  const screens = screensOf(name.slice(0, -4))
  const found = firstUnseen(module, screens, mirror.seat)
  expect(found, 'a hit that the victim had not predicted').toBeDefined()
  const { question, story } = found!

  // What is rebuilt is what the clients really drew.
  expect(story.screens.map(({ seat }) => seat).sort()).toEqual([mirror.seat, terminal.seat].sort())
  for (const { seat, screen } of story.screens) {
    const { at } = findFrame(screens, seat, story.tick, 'acted')!
    expect(hashWorld(screen.after), `seat ${seat}, frame ${at}`).toBe(shown.get(seat)!.get(at))
    expect(screen.isProven).toBe(true)
  }

  const chapters = tellStory(story)
  const { stdout } = await promisify(execFile)(
    join(repositoryRoot, 'node_modules/.bin/hurtbox'),
    [
      'dispute',
      `${url}/replays/${name}`,
      '--tick',
      `${story.tick}`,
      '--ask',
      question.ask.join(),
      '--player',
      `${mirror.seat}`,
    ],
    { cwd: repositoryRoot },
  )
  for (const { title, lines } of chapters) for (const line of [title, ...lines]) expect(stdout).toContain(line)

  const hash = `#replay=/replays/${name}&tick=${story.tick}&player=${mirror.seat}&ask=${question.ask.join()}`
  const { page, problems } = await openPage(browser, { url: `${url}/`, close: async () => {} }, hash)
  const dispute = page.getByTestId('dispute')
  await dispute.waitFor()
  await poll(() => dispute.getAttribute('data-busy')).toBe('false')
  const pictures = page.getByTestId('dispute-screen')
  await poll(() => pictures.count()).toBe(5)
  const captions = await pictures.locator('figcaption').allTextContents()
  expect(captions.filter((text) => text.includes('✓ the client’s own hash agrees')).length).toBe(2)
  for (const part of ['The truth', 'As it went on', 'Without this hit']) {
    expect(
      captions.some((text) => text.startsWith(part)),
      part,
    ).toBe(true)
  }
  const told = ((await dispute.textContent()) ?? '').replace(/\s+/g, ' ')
  for (const { title, lines } of chapters.slice(1)) {
    for (const line of [title, ...lines]) expect(told).toContain(line.trim().replace(/\s+/g, ' '))
  }
  // The pictures are painted, and those of two moments differ.
  const painted = await pictures
    .locator('canvas.stage-view')
    .evaluateAll((canvases) => canvases.map((canvas) => (canvas as HTMLCanvasElement).toDataURL().length))
  expect(Math.min(...painted)).toBeGreaterThan(2000)
  expect(problems).toEqual([])
  await page.context().close()
}

/** The first hit on a seat that its mirror had not predicted and of which both screens are known. */
function firstUnseen(
  module: Parameters<typeof readStory>[0],
  screens: Screens,
  seat: number,
  from = 0,
): { question: { ask: [number, number] }; story: Story } | undefined {
  for (const question of hitsOn(screens, seat, from)) {
    const story = readStory(module, screens, { ...question, player: seat })
    const own = story.screens.find((each) => each.seat === seat)
    const isWhole =
      story.screens.length === 2 && story.future !== undefined && story.screens.every(({ screen }) => screen.isProven)
    if (isWhole && own?.mispredicted.some(({ column }) => column === 'hp')) return { question, story }
  }
  return undefined
}
