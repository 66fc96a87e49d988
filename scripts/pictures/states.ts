/**
 * Pictures of every game at its start, in play, at its end and online, at the sizes of a desk, a tablet and a phone held either way.
 * They are for looking at, and go to `.cache/states`.
 */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { loadModules } from 'hurtbox/module/node'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { LOAD_TEST_LIMITS } from '../../packages/server/src/limits.ts'
import { serve } from '../../packages/server/src/serve.ts'
import { buildStudio, openPage } from '../../packages/studio/test/browser.ts'
import { repositoryRoot } from '../engines/install-npm.ts'
import { withBrowser } from '../with-studio.ts'

const FOLDER = join(repositoryRoot, '.cache/states')
const SLOW_MS = 120_000

const SIZES: readonly BrowserContextOptions[] = [
  { viewport: { width: 1440, height: 900 } },
  { viewport: { width: 1024, height: 768 } },
  { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true },
]

/** How a match comes to its end soon: a tick after which bots have played it out, and options that make it short. */
const ENDS: Readonly<Record<string, string>> = {
  'jet-raiders': 'option.matchSeconds=20&tick=1300',
  nightfall: 'seed=2&tick=80000',
  siege: 'seed=3&tick=60000',
  sumo: 'seed=5&tick=30000',
  'vinyl-frontier': 'option.maxTurns=60&tick=400',
}

type State = {
  readonly name: string
  /** The only game that has this state. */
  readonly of?: string
  readonly hash: (game: string) => string
  show(page: Page): Promise<void>
}

/** A moment of a scene that stands still. */
function moment(name: string, of: string, hash: string): State {
  return {
    name,
    of,
    hash: () => hash,
    show: (page) => page.locator('.match-view').waitFor(),
  }
}

const STATES: readonly State[] = [
  {
    name: 'start',
    hash: (game) => `#game=${game}&inspect=0&seed=5`,
    show: (page) => page.getByTestId('start').waitFor(),
  },
  {
    name: 'play',
    hash: (game) => `#game=${game}&inspect=0&seed=6`,
    async show(page) {
      await page.getByTestId('begin').click()
      await page.getByTestId('countdown').waitFor({ state: 'detached' })
      await page.waitForTimeout(3500)
    },
  },
  {
    name: 'end',
    hash: (game) => `#game=${game}&inspect=0&${ENDS[game] ?? 'tick=20000'}`,
    show: (page) => page.getByTestId('end').waitFor(),
  },
  {
    name: 'online',
    hash: (game) => `#game=${game}&page=online&join=create`,
    async show(page) {
      await page.getByTestId('roster').waitFor({ state: 'attached' })
      await page.getByTestId('begin').click()
      await page.waitForTimeout(2500)
    },
  },
  {
    name: 'invited',
    hash: (game) => `#game=${game}&page=online&join=create`,
    show: (page) => page.getByTestId('begin').waitFor(),
  },
  {
    name: 'inspect',
    hash: (game) => `#game=${game}&inspect=1&seed=6&tick=400`,
    async show(page) {
      await page.locator('[data-testid=clock][data-tick="400"]').waitFor({ state: 'attached' })
      // Where there is no graphics card, a frame of Sumo takes a while.
      await page.waitForTimeout(1500)
    },
  },
  {
    name: 'draft',
    of: 'nightfall',
    hash: () => '#game=nightfall&inspect=0&seed=6',
    async show(page) {
      await page.getByTestId('begin').click()
      await page.getByTestId('countdown').waitFor({ state: 'detached' })
      for (let i = 0; i < 3; i++) await page.keyboard.press('=')
      await page.getByTestId('choices').waitFor()
    },
  },
  moment('startup', 'sumo', '#game=sumo&scene=dummy&tick=274&inspect=1'),
  moment('active', 'sumo', '#game=sumo&scene=dummy&tick=278&inspect=1'),
  moment('recovery', 'sumo', '#game=sumo&scene=dummy&tick=284&inspect=1'),
  moment('brawl', 'sumo', '#game=sumo&scene=brawl&tick=36&inspect=1'),
]

/** All of them, or those whose game, state or width is named. */
export async function takeStates(wanted: readonly string[]): Promise<void> {
  const isWanted = (name: string, all: readonly string[]) =>
    wanted.includes(name) || !wanted.some((each) => all.includes(each))
  const { modules } = await loadModules(repositoryRoot)
  const games = modules.filter(({ room }) => room !== undefined)
  const ids = games.map(({ id }) => id)
  const names = STATES.map(({ name }) => name)
  const widths = SIZES.map(({ viewport }) => `${viewport!.width}`)
  mkdirSync(FOLDER, { recursive: true })
  const server = await serve({
    games,
    page: await buildStudio(),
    port: 0,
    limits: LOAD_TEST_LIMITS,
    replays: false,
    matches: false,
    signals: false,
    logLevel: 'error',
    say() {},
  })
  try {
    await withBrowser(async (browser) => {
      for (const size of SIZES.filter((_, i) => isWanted(widths[i], widths))) {
        for (const state of STATES.filter(({ name }) => isWanted(name, names))) {
          for (const id of ids.filter((id) => isWanted(id, ids) && (state.of ?? id) === id)) {
            await take(browser, `${server.url}/`, id, state, size)
          }
        }
      }
    })
  } finally {
    await server.close()
  }
}

/** What cannot be shown is said, and its picture taken as it is. */
async function take(
  browser: Browser,
  url: string,
  game: string,
  state: State,
  size: BrowserContextOptions,
): Promise<void> {
  const { width, height } = size.viewport!
  const name = `${game}-${state.name}-${width}x${height}`
  const tellProblem = (error: unknown) => console.error(`${name}: ${String(error).split('\n')[0]}`)
  const { page } = await openPage(browser, { url, close: async () => {} }, state.hash(game), size)
  page.setDefaultTimeout(SLOW_MS)
  try {
    await state.show(page)
    await page.waitForTimeout(300)
  } catch (error) {
    tellProblem(error)
  }
  await page.screenshot({ path: join(FOLDER, `${name}.png`), timeout: SLOW_MS }).catch(tellProblem)
  await page.context().close()
  console.log(name)
}
