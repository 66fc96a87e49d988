/**
 * `npm run measure -- returns`: real browsers leave a match in every way there is and come back, in every game. Prints, and writes into
 * docs/server.md with --write, whether it was the same seat and how long it took to the first picture with new ticks.
 *
 * Each browser stays with a game for all cases: starting a server, a browser and another player takes longer than most absences. All
 * servers keep seats for 60 s: Nightfall's own would keep them for 120.
 *
 *   --case <name>     one of those in cases.ts; may be given several times (default: all)
 *   --game <id>       may be given several times (default: all five)
 *   --browser <name>  may be given several times (default: those that can do it)
 *   --rounds <n>      of each game (default 4: 20 in all)
 *   --jobs <n>        browsers at once (default 5); they wait most of the time
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
import { CASES, type Case, SEAT_SECONDS } from './cases.ts'
import { GAMES, lineOf, mergeRow, type Round } from './table.ts'

const DOCS = join(repositoryRoot, 'docs/server.md')
const URL_OF_SERVER = 'http://10.77.1.2:45000/'
const LOOK_MS = 10
const LOOK_AGAIN_MS = 300
/** Who was away for so long is soon as one who never was. */
const SHORT_SECONDS = 5
const PATIENCE_MS = 90_000
/** So long a match must go on after a return that counts. */
const STAYS_MS = 500
/** Without a graphics card browsers draw with the processor, and a few pages would take all of it. */
const PIXEL_RATIO = 0.25
const GIVEN_AWAY = `Your seat was given away after ${SEAT_SECONDS} s.`

const { values } = parseArgs({
  options: {
    case: { type: 'string', multiple: true, default: Object.keys(CASES) },
    game: { type: 'string', multiple: true, default: [...GAMES] },
    browser: { type: 'string', multiple: true, default: ['chromium', 'firefox'] },
    rounds: { type: 'string', default: '4' },
    jobs: { type: 'string', default: '5' },
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
type Row = (typeof rows)[number]
/** What a browser has still to do in a game. */
type Station = { readonly browser: BrowserName; readonly game: string; readonly rows: Row[] }
const stations: Station[] = (['chromium', 'firefox'] as const).flatMap((browser) =>
  values.game.map((game) => ({ browser, game, rows: rows.filter((row) => row.browser === browser) })),
)
/** Loading a page takes a core: if all did it at once, returns would be measured on another machine. */
const oneAtATime = createQueue()
await Promise.all(Array.from({ length: Number(values.jobs) }, work))
process.exit()

async function work(): Promise<void> {
  for (let next = stations.shift(); next !== undefined; next = stations.shift()) {
    await measure(next)
    // What broke off counts as not as it should be, and what was still to come goes on in another world.
    const broken = next.rows.shift()
    if (broken === undefined) continue
    note(broken)
    stations.push(next)
  }
}

/** A game is through with a row. */
function note(row: Row): void {
  if (--row.missing > 0) return
  const made = { ...row, asked: values.game.length * Number(values.rounds) }
  console.log(lineOf(made))
  // At once: a run of all of them takes an hour, and may be stopped.
  if (values.write) writeFileSync(DOCS, mergeRow(readFileSync(DOCS, 'utf8'), made, Object.keys(CASES)))
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

/** Takes the rows that were played to their end from the station. */
async function measure(station: Station): Promise<void> {
  const { browser, game } = station
  if (station.rows.length === 0) return
  const { failure } = await play({
    name: `returns-${browser}-${game}`,
    says: station.rows.map(({ name }) => name).join('; '),
    needs: [],
    async run(world) {
      const own = game === GAMES[0] ? [] : [join(repositoryRoot, `games/${game}/index.ts`)]
      const { place, player, accompany } = await oneAtATime(async () => ({
        place: await world.place({ runs: 'studio', args: [...own, '--seat-seconds', String(SEAT_SECONDS)] }),
        player: await world.visit(URL_OF_SERVER, browser, { windowed: true, pixelRatio: PIXEL_RATIO }),
        accompany: await startCompanion(world, game),
      }))
      let joined = 0
      const joinMatch = async () => {
        await player.goto(`${URL_OF_SERVER}?match=${++joined}#game=${game}&page=online&join=create`)
        await accompany((await seePlaying(world, player)).room)
        await world.wait(1)
      }
      for (let row = station.rows.at(0); row !== undefined; row = station.rows.at(0)) {
        const times = await measureRow(row, game, { place, player, joinMatch })
        process.stderr.write(`${row.name}, ${browser}, ${game}: ${times.join(', ')} ms\n`)
        station.rows.shift()
        note(row)
      }
    },
  })
  if (failure !== undefined) console.error(`${station.rows[0]?.name}, ${browser}, ${game}: ${failure}`)
}

type Seated = { readonly place: Place; readonly player: Visitor; joinMatch(): Promise<void> }

async function measureRow(row: Row, game: string, { place, player, joinMatch }: Seated): Promise<number[]> {
  const each = CASES[row.name]
  const times: number[] = []
  const stay = async () => {
    const found = await leaveAndReturn(each, player, place)
    row.rounds.push({ game, ...found })
    times.push(Math.round(found.ms))
  }
  for (let round = 0; round < Number(values.rounds); round++) {
    // A seat's time is paid back by presence. A new match has all of it.
    const isNew = round === 0 || each.isTooLate || each.seconds > SHORT_SECONDS
    if (each.seconds <= 1)
      await oneAtATime(async () => {
        if (isNew) await joinMatch()
        await stay()
      })
    else {
      await (isNew ? oneAtATime(joinMatch) : sleep(1000 * SHORT_SECONDS))
      await stay()
    }
  }
  return times
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
  const isSame = (look: Glance) =>
    look.status === 'playing' && look.seat === before.seat && look.room === before.room && look.desyncs === 0
  await sleep(STAYS_MS)
  const isRight = each.isTooLate ? now.ending === GIVEN_AWAY : isSame(now) && isSame(await glance(player))
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
  /** How often its state was not that of the server. */
  readonly desyncs: number
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
    desyncs: Number(dataset.desyncs ?? 0),
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
    // A page that is being loaded cannot be looked at, and a question to one that has crashed is never answered.
    const now = await Promise.race([glance(player).catch(() => undefined), sleep(LOOK_AGAIN_MS)])
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
