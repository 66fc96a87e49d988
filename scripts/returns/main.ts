/**
 * `npm run measure -- returns`: real browsers leave a match in every way there is and come back, again and again. Prints, and writes into
 * docs/server.md with --write, whether it was the same seat and how long it took to the first picture with new ticks.
 *
 *   --case <name>     one of those below; may be given several times (default: all that are short)
 *   --game <id>       default jet-raiders
 *   --rounds <n>      default 20
 *   --browser <name>  chromium (default) or firefox, which cannot hide, freeze or crash its pages here
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repositoryRoot } from '../engines/install-npm.ts'
import type { Place } from '../world/place.ts'
import type { BrowserName } from '../world/tab.ts'
import type { Look, Visitor } from '../world/visitor.ts'
import { play, type World } from '../world/world.ts'
import { mergeRow, type Row } from './table.ts'

type Case = {
  readonly seconds: number
  leave(player: Visitor, place: Place): unknown
  /** From here on the clock runs. */
  comeBack(player: Visitor, place: Place): unknown
}

const nothing = () => {}
const hidden = (seconds: number): Case => ({
  seconds,
  leave: (player) => player.hide(),
  comeBack: (player) => player.show(),
})
const frozen = (seconds: number): Case => ({
  seconds,
  async leave(player) {
    await player.hide()
    await player.freeze()
  },
  async comeBack(player) {
    await player.thaw()
    await player.show()
  },
})
const dead = (seconds: number): Case => ({
  seconds,
  leave: (_, { line }) => line.die(),
  comeBack: (_, { line }) => line.revive(),
})
const CASES: Readonly<Record<string, Case>> = {
  'hidden 5 s': hidden(5),
  'hidden 20 s': hidden(20),
  'hidden 55 s': hidden(55),
  'frozen 5 s': frozen(5),
  'frozen 20 s': frozen(20),
  'frozen 55 s': frozen(55),
  'dead line 5 s': dead(5),
  'dead line 20 s': dead(20),
  'dead line 55 s': dead(55),
  'page reloaded': { seconds: 0, leave: nothing, comeBack: (player) => player.reload() },
  'tab crashed': { seconds: 1, leave: (player) => player.crash(), comeBack: (player) => player.reload() },
}
const DOCS = join(repositoryRoot, 'docs/server.md')
const LOOK_MS = 10
/** What one second of presence pays back of an absence. */
const PAID_BACK = 4

const { values } = parseArgs({
  options: {
    case: { type: 'string', multiple: true },
    game: { type: 'string', default: 'jet-raiders' },
    rounds: { type: 'string', default: '20' },
    browser: { type: 'string', default: 'chromium' },
    write: { type: 'boolean', default: false },
  },
})
const names = values.case ?? Object.keys(CASES).filter((name) => CASES[name].seconds <= 5)
for (const name of names)
  if (CASES[name] === undefined) throw new Error(`There is no case "${name}". Known: ${Object.keys(CASES).join(', ')}.`)
for (const name of names) {
  const row = await measure(name, CASES[name])
  if (row === undefined) continue
  console.log(
    `${row.game}, ${row.browser}, ${row.name}: ${row.same} of ${row.rounds} in the same seat, p50 ${row.p50} ms, p95 ${row.p95} ms`,
  )
  // At once: a run of all of them takes an hour, and may be stopped.
  if (values.write) writeFileSync(DOCS, mergeRow(readFileSync(DOCS, 'utf8'), row))
}

/** Undefined when it could not be played to its end; why is printed. */
async function measure(name: string, each: Case): Promise<Row | undefined> {
  const times: number[] = []
  let same = 0
  const { failure } = await play({
    name: `returns-${name.replaceAll(' ', '-')}`,
    says: name,
    needs: [],
    async run(world) {
      const { game } = values
      const own = game === 'jet-raiders' ? [] : [join(repositoryRoot, `games/${game}/index.ts`)]
      const place = await world.place({ runs: 'studio', args: own })
      const player = await world.visit('http://10.77.1.2:45000/', values.browser as BrowserName, { windowed: true })
      await player.evaluate(`void (location.hash = '#game=${game}&page=online&join=create')`)
      let before = await seePlaying(world, player)
      for (let round = 0; round < Number(values.rounds); round++) {
        await each.leave(player, place)
        await world.wait(each.seconds)
        const from = performance.now()
        await each.comeBack(player, place)
        const now = await firstTick(player, before.tick)
        times.push(performance.now() - from)
        if (now.seat === before.seat && now.room === before.room) same++
        await world.wait(each.seconds / PAID_BACK + 1.5)
        before = await seePlaying(world, player)
      }
    },
  })
  if (failure !== undefined) console.error(failure)
  if (times.length === 0) return undefined
  const sorted = times.sort((a, b) => a - b)
  const at = (part: number) => Math.round(sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)])
  const { game, browser } = values
  return { game, browser, name, rounds: times.length, same, p50: at(0.5), p95: at(0.95) }
}

function seePlaying(world: World, player: Visitor): Promise<Look> {
  return world.see('playing', player.look, ({ status, seat, tick }) => status === 'playing' && seat >= 0 && tick > 30)
}

/**
 * Looks until the match is played and newer ticks are drawn than before. A page that is being loaded cannot be looked at. Every way to leave ends
 * the state 'playing'; a change of the address need not, and a mirror predicts on meanwhile: so that is a scenario of the world alone.
 */
async function firstTick(player: Visitor, before: number): Promise<Look> {
  for (const until = performance.now() + 90_000; ; await new Promise((resolve) => setTimeout(resolve, LOOK_MS))) {
    const now = await player.look().catch(() => undefined)
    if (now?.status === 'playing' && now.tick > before + 1) return now
    if (performance.now() > until) throw new Error(`not back after 90 s; last seen: ${JSON.stringify(now)}`)
  }
}
