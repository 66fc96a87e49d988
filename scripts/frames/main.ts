/**
 * `npm run measure -- frames`: what the script of a page takes of a phone's time, by part of a frame, for every game played alone and online.
 *
 * A phone is a Chromium whose main thread is six times slower; worker and server are not. The way to the server takes 80 ms there and back. Games and
 * ways take turns, and the median of the rounds counts, because the machine has other things to do: what other programs take of a processor looks like
 * time of the page.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildApart } from '@hurtbox/studio/node'
import { loadModules } from 'hurtbox/module/node'
import type { Browser } from 'playwright-core'
import { gameFiles } from '../../packages/studio/test/browser.ts'
import { messageOf, startChild } from '../child.ts'
import { repositoryRoot } from '../engines/install-npm.ts'
import { madeOnce } from '../test/once.ts'
import { withBrowser } from '../with-studio.ts'
import { type Sources, sourcesOf } from './profile.ts'
import { type Plan, type Visit, visit } from './visit.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Games; an address such as `game=siege&scene=crowd&option.crowd=5000` is measured instead of them. */
    only: { type: 'string' },
    ways: { type: 'string', default: 'offline,mirror,terminal' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '8' },
    slower: { type: 'string', default: '6' },
    /** How many functions to print, the most expensive first. */
    top: { type: 'string', default: '0' },
  },
})

const DELAY_MS = 40

const folder = await buildWithSources()
const sources = sourcesOf(folder)
const plans = await listPlans()
const measured = new Map<Plan, Visit[]>(plans.map((plan) => [plan, []]))
await withServer(folder, (url) =>
  withBrowser(async (browser) => {
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const plan of plans) measured.get(plan)!.push(await visitOnce(browser, url, sources, plan))
    }
  }),
)
console.log(`\nmedians of ${values.rounds}, at a CPU ${values.slower} times slower`)
for (const [plan, visits] of measured) print(plan, visits)
process.exit()

async function listPlans(): Promise<Plan[]> {
  const [slower, seconds] = [Number(values.slower), Number(values.seconds)]
  if (positionals.length > 0)
    return positionals.map((moment) => ({ moment, mode: 'offline', slower, seconds, tickRate: 0 }))
  const { modules } = await loadModules(repositoryRoot)
  const wanted = values.only?.split(',')
  return modules
    .filter(({ id, room }) => room !== undefined && (wanted?.includes(id) ?? true))
    .flatMap(({ id, game }) =>
      values.ways
        .split(',')
        // What a player may not see is not sent: such a game has no mirrors.
        .filter((mode) => mode !== 'mirror' || game.behaviour.visible === undefined)
        .map((mode) => ({
          moment: `game=${id}${mode === 'offline' ? '' : '&page=online&join=create'}`,
          mode: mode as Plan['mode'],
          slower,
          seconds,
          tickRate: game.declaration.tickRate,
        })),
    )
}

async function visitOnce(browser: Browser, url: string, sources: Sources, plan: Plan): Promise<Visit> {
  const found = await visit(browser, url, sources, plan)
  process.stderr.write(`${plan.moment} ${plan.mode}: script ${(100 * scriptShare(found)).toFixed(0)} %\n`)
  return found
}

function scriptShare({ split }: Visit): number {
  return Object.values(split.parts).reduce((sum, ms) => sum + ms, 0) / split.wallMs
}

function print(plan: Plan, visits: readonly Visit[]): void {
  const of = (read: (visit: Visit) => number) => median(visits.map(read))
  const perFrame = (ms: (visit: Visit) => number) => of((each) => ms(each) / each.frames)
  const parts = [...new Set(visits.flatMap(({ split }) => Object.keys(split.parts)))]
    .map((part) => ({ part, ms: perFrame(({ split }) => split.parts[part] ?? 0) }))
    .sort((a, b) => b.ms - a.ms)
  const long = visits.flatMap(({ longTasks }) => longTasks)
  console.log(`${plan.moment} ${plan.mode}`)
  console.log(
    `  ${of(({ rate }) => rate).toFixed(1)} ticks a second${plan.tickRate > 0 ? ` of ${plan.tickRate}` : ''}, ` +
      `${of(({ frames, split }) => (1000 * frames) / split.wallMs).toFixed(0)} frames; script ${(100 * of(scriptShare)).toFixed(1)} %, ` +
      `drawing ${(100 * of(({ split }) => split.drawingMs / split.wallMs)).toFixed(1)} %; ` +
      `${(long.length / visits.length).toFixed(1)} tasks above 50 ms, the longest ${Math.max(0, ...long).toFixed(0)} ms`,
  )
  console.log(`  ms a frame: ${parts.map(({ part, ms }) => `${part} ${ms.toFixed(2)}`).join(', ')}`)
  const names = new Set(visits.flatMap(({ split }) => [...split.functions.keys()]))
  const functions = [...names].map((name) => ({ name, ms: perFrame(({ split }) => split.functions.get(name) ?? 0) }))
  for (const { name, ms } of functions.sort((a, b) => b.ms - a.ms).slice(0, Number(values.top))) {
    console.log(`    ${ms.toFixed(3)} ${name}`)
  }
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]
}

async function buildWithSources(): Promise<string> {
  const files = await gameFiles()
  const config = fileURLToPath(new URL('vite.config.ts', import.meta.url))
  const kind = 'studio-builds-mapped'
  const made = { kind, sources: ['packages', 'games', 'package.json', 'package-lock.json'], except: ['test'] }
  return madeOnce(made, (outDir) => buildApart({ files, root: repositoryRoot, outDir, config }))
}

/** A server with the page, and a way to it that takes a while. */
async function withServer(page: string, act: (url: string) => Promise<void>): Promise<void> {
  const server = startChild(new URL('server.ts', import.meta.url), [page])
  const { url } = (await messageOf(server)) as { readonly url: string }
  const port = await freePort()
  const delay = fileURLToPath(new URL('../world/delay.ts', import.meta.url))
  const way = spawn(process.execPath, [delay, String(port), '127.0.0.1', new URL(url).port, String(DELAY_MS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await once(way.stdout, 'data')
    await act(`http://127.0.0.1:${port}/`)
  } finally {
    way.kill()
    server.kill()
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  server.close()
  await once(server, 'close')
  return port
}
