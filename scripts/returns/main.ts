/**
 * `npm run measure -- returns`: real browsers leave a match in every way there is and come back, in every game. Prints, and writes into
 * docs/server.md with --write, whether it was the same seat and how long it took to the first picture with new ticks.
 *
 *   --case <name>     one of those in cases.ts; may be given several times (default: all)
 *   --game <id>       may be given several times (default: all five)
 *   --browser <name>  may be given several times (default: those that can do it)
 *   --rounds <n>      of each game (default 4: 20 in all)
 *   --jobs <n>        browsers at once (default 4); they wait most of the time
 */

import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { repositoryRoot } from '../engines/install-npm.ts'
import type { Place } from '../world/place.ts'
import type { BrowserName } from '../world/tab.ts'
import type { Visitor } from '../world/visitor.ts'
import { play, type World } from '../world/world.ts'
import { CASES, type Case } from './cases.ts'
import { GAMES, lineOf, mergeRow, type Round } from './table.ts'

const DOCS = join(repositoryRoot, 'docs/server.md')
const URL_OF_SERVER = 'http://10.77.1.2:45000/'
const LOOK_MS = 10
const PATIENCE_MS = 90_000
const GIVEN_AWAY = 'Your seat was given away after 60 s.'

const { values } = parseArgs({
  options: {
    case: { type: 'string', multiple: true, default: Object.keys(CASES) },
    game: { type: 'string', multiple: true, default: [...GAMES] },
    browser: { type: 'string', multiple: true, default: ['chromium', 'firefox'] },
    rounds: { type: 'string', default: '4' },
    jobs: { type: 'string', default: '4' },
    write: { type: 'boolean', default: false },
  },
})
for (const name of values.case)
  if (CASES[name] === undefined) throw new Error(`There is no case "${name}". Known: ${Object.keys(CASES).join(', ')}.`)
const rows = values.case.flatMap((name) =>
  CASES[name].browsers
    .filter((browser) => values.browser.includes(browser))
    .map((browser) => ({ name, browser, missing: values.game.length, rounds: [] as Round[] })),
)
const waiting = rows.flatMap((row) => values.game.map((game) => ({ row, game })))
/** Loading a page takes a core: if all did it at once, returns would be measured on another machine. */
const oneAtATime = createQueue()
await Promise.all(Array.from({ length: Number(values.jobs) }, work))
process.exit()

async function work(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { row, game } = next
    row.rounds.push(...(await measure(CASES[row.name], row.name, game, row.browser)))
    if (--row.missing > 0) continue
    const asked = values.game.length * Number(values.rounds)
    console.log(lineOf({ ...row, asked }))
    // At once: a run of all of them takes an hour, and may be stopped.
    if (values.write) writeFileSync(DOCS, mergeRow(readFileSync(DOCS, 'utf8'), { ...row, asked }, Object.keys(CASES)))
  }
}

/** One after the other, in the order in which they ask. */
function createQueue(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (act) => {
    const done = last.then(act)
    last = done.catch(() => {})
    return done
  }
}

/** The rounds of a game; some are lacking where one could not be played to its end, and why is printed. */
async function measure(each: Case, name: string, game: string, browser: BrowserName): Promise<Round[]> {
  const rounds: Round[] = []
  const { failure } = await play({
    name: `returns-${name.replaceAll(/\W+/g, '-')}-${game}`,
    says: name,
    needs: [],
    async run(world) {
      const own = game === GAMES[0] ? [] : [join(repositoryRoot, `games/${game}/index.ts`)]
      const { place, player, accompany } = await oneAtATime(async () => ({
        place: await world.place({ runs: 'studio', args: own }),
        player: await world.visit(URL_OF_SERVER, browser, { windowed: true }),
        accompany: await startCompanion(world, game),
      }))
      const joinMatch = async (round: number) => {
        await player.goto(`${URL_OF_SERVER}?round=${round}#game=${game}&page=online&join=create`)
        const joined = await seePlaying(world, player)
        await accompany(joined.room)
        await world.wait(1)
      }
      const stay = () => leaveAndReturn(each, player, place)
      for (let round = 0; round < Number(values.rounds); round++) {
        if (each.seconds <= 1) rounds.push({ game, ...(await oneAtATime(() => joinMatch(round).then(stay))) })
        else {
          await oneAtATime(() => joinMatch(round))
          rounds.push({ game, ...(await stay()) })
        }
      }
    },
  })
  const times = rounds.map(({ ms }) => Math.round(ms))
  process.stderr.write(`${name}, ${browser}, ${game}: ${times.join(', ')} ms\n`)
  if (failure !== undefined) console.error(`${name}, ${browser}, ${game}: ${failure}`)
  return rounds
}

async function leaveAndReturn(each: Case, player: Visitor, place: Place): Promise<Omit<Round, 'game'>> {
  const before = await glance(player)
  await each.leave(player, place)
  // A page that is hidden draws no more, and one without a line soon has nothing more to draw.
  if (each.seconds > 0) await sleep(1000)
  let last = await glance(player)
  await each.leaveMore?.(player, place)
  await sleep(1000 * Math.max(0, each.seconds - 1))
  if (each.leaveMore === undefined && each.seconds > 1) last = await glance(player)
  let from = performance.now()
  await each.comeBack(player, place)
  // What takes its time, such as the start of a server, is not the return.
  if (each.settlesMs === undefined) from = performance.now()
  else {
    await sleep(each.settlesMs)
    last = await glance(player)
  }
  const now = await seen(player, (look) => (each.isTooLate ? look.ending !== '' : isNewer(look, last)))
  const ms = performance.now() - from
  const isRight = each.isTooLate ? now.ending === GIVEN_AWAY : now.seat === before.seat && now.room === before.room
  if (!isRight) console.error(`not as it should be: ${JSON.stringify({ before, now })}`)
  return { ms, isRight }
}

/** What the page shows, read in a moment: pictures are slow to read. */
type Glance = {
  /** When the page was loaded. */
  readonly page: number
  readonly status: string
  readonly phase: string
  readonly seat: number
  readonly room: string
  readonly tick: number
  /** Messages of the server so far. */
  readonly heard: number
  /** Why the match has ended for this player; else ''. */
  readonly ending: string
}

/** Runs in the page. */
function look(): Glance {
  const { dataset } = document.querySelector<HTMLElement>('[data-testid=online]') ?? { dataset: {} as DOMStringMap }
  return {
    page: performance.timeOrigin,
    status: dataset.status ?? '',
    phase: dataset.phase ?? '',
    seat: Number(dataset.seat ?? -1),
    room: document.querySelector('[data-testid=room]')?.textContent?.replace('room ', '') ?? '',
    tick: Number(dataset.tick ?? -1),
    heard: Number(dataset.heard ?? 0),
    ending: document.querySelector('[data-testid=ended] h2')?.textContent ?? '',
  }
}

function glance(player: Visitor): Promise<Glance> {
  return player.evaluate<Glance>(`(${look})()`)
}

/** The match is there, and the picture is a new one: of a tick that was not shown before the return. */
function isNewer({ page, status, phase, tick, heard }: Glance, last: Glance): boolean {
  if (status !== 'playing') return false
  if (page !== last.page) return tick > 0
  return heard > last.heard && (tick !== last.tick || phase === 'over')
}

async function seen(player: Visitor, isSo: (look: Glance) => boolean): Promise<Glance> {
  for (const until = performance.now() + PATIENCE_MS; ; await sleep(LOOK_MS)) {
    // A page that is being loaded cannot be looked at.
    const now = await glance(player).catch(() => undefined)
    if (now !== undefined && isSo(now)) return now
    if (performance.now() > until) throw new Error(`not back after 90 s; last seen: ${JSON.stringify(now)}`)
  }
}

function seePlaying(world: World, player: Visitor): Promise<Glance> {
  return world.see(
    'playing',
    () => glance(player),
    ({ status, seat, tick }) => status === 'playing' && seat >= 0 && tick > 3,
  )
}

/** On the server's side of the line. Returns what lets it into a room. */
async function startCompanion(world: World, game: string): Promise<(room: string) => Promise<void>> {
  const program = fileURLToPath(new URL('companion.ts', import.meta.url))
  const child = world.net().start('server', process.execPath, [program, URL_OF_SERVER, game], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: repositoryRoot,
  })
  const lines = createInterface(child.stdout!)
  await once(lines, 'line')
  return async (room) => {
    child.stdin!.write(`${room}\n`)
    await once(lines, 'line')
  }
}
