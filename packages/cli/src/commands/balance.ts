/** `hurtbox balance`: thousands of seeded bot matches over worker threads, and what a tuning number does to them. */

import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { fingerprint } from 'hurtbox/replay'
import Tinypool from 'tinypool'
import { type Ledger, openLedger } from '../balance/ledger.ts'
import { countMatches, MAX_SETTINGS, matchAt, type Plan, planHash, settingsOf, type Variable } from '../balance/plan.ts'
import type { MatchRecord, MatchTask } from '../balance/play.ts'
import { describeMean, describeSetting, describeShare, renderReport } from '../balance/report.ts'
import { type SettingSummary, summarise } from '../balance/summary.ts'
import { messageOf, UsageError } from '../errors.ts'
import { gameIds, loadGame } from '../games.ts'
import { chooseScene, type MatchOptions, startMatch } from '../match.ts'
import { createProgress, print, printJson } from '../output.ts'
import { grouped, inColumns } from '../text.ts'

export type BalanceOptions = MatchOptions & {
  readonly matches: number
  readonly vary?: readonly Variable[]
  readonly workers?: number
  readonly out?: string
  readonly fresh?: boolean
  readonly json?: boolean
  readonly progress?: boolean
}

export async function balance(gameName: string, options: BalanceOptions): Promise<number> {
  const module = await loadGame(gameName)
  const { id, tickRate } = module.game.declaration
  const variables = options.vary ?? []
  const plan = makePlan(gameName, options, variables)
  const scene = chooseScene(module, { ...plan.match, seed: plan.firstSeed })
  for (const setting of [plan.settings[0], plan.settings.at(-1)!]) {
    startMatch({ ...scene, tuning: { ...scene.tuning, ...setting } })
  }

  const folder = options.out ?? join('balance', id)
  const hash = planHash(plan, JSON.stringify(fingerprint(module.game)))
  const ledger = openLedger(join(folder, 'matches.jsonl'), hash, options.fresh === true)
  const already = ledger.records.size
  const failures = await playAll(plan, ledger, options)

  const summaries = summarise(plan, ledger.records, tickRate)
  const report = join(folder, 'report.html')
  writeFileSync(report, renderReport(`Balance of ${id}`, aboutOf(plan, scene.name), variables, summaries))
  if (options.json) {
    for (const summary of summaries) printJson('setting', summary)
    for (const { index, message } of failures) printJson('failure', { match: index, ...matchAt(plan, index), message })
  } else {
    print(`${id}, scene ${scene.name}: ${aboutOf(plan, scene.name).at(-1)}`)
    if (already > 0) print(`  ${grouped(already)} matches were there already.`)
    print(inColumns(tableOf(summaries)))
    for (const { index, message } of failures) print(`  match ${index}, seed ${matchAt(plan, index).seed}: ${message}`)
    print(`  report  ${report}`)
  }
  return failures.length === 0 ? 0 : 1
}

function makePlan(gameName: string, options: BalanceOptions, variables: readonly Variable[]): Plan {
  const settings = settingsOf(variables)
  if (settings.length > MAX_SETTINGS) {
    throw new UsageError(
      `--vary makes ${grouped(settings.length)} settings; at most ${grouped(MAX_SETTINGS)}. Take fewer steps.`,
    )
  }
  const { scene, ticks, bots, tune, option, seed = 1, matches } = options
  return {
    // Workers have no folder of their own to start from.
    game: gameIds.includes(gameName) ? gameName : resolve(gameName),
    match: JSON.parse(JSON.stringify({ scene, ticks, bots, tune, option })),
    firstSeed: seed,
    matchesPerSetting: Math.ceil(matches / settings.length),
    settings,
  }
}

type Failure = { readonly index: number; readonly message: string }

/** Plays what the ledger lacks. A match that fails is reported and not kept: a later run tries it again. */
async function playAll(plan: Plan, ledger: Ledger, options: BalanceOptions): Promise<readonly Failure[]> {
  const total = countMatches(plan)
  const missing = Array.from({ length: total }, (_, index) => index).filter((index) => !ledger.records.has(index))
  const failures: Failure[] = []
  if (missing.length === 0) return failures
  const threads = Math.min(options.workers ?? availableParallelism(), missing.length)
  const source = import.meta.url.endsWith('.ts') ? '../balance/play.ts' : '../balance/play.js'
  const pool = new Tinypool({
    filename: new URL(source, import.meta.url).href,
    minThreads: threads,
    maxThreads: threads,
  })
  const progress = createProgress(options.progress === true)
  const startedAt = performance.now()
  const startedWith = ledger.records.size

  // Each lane takes the next match when its last one ends, so that the queue never grows with the plan.
  const lane = async () => {
    for (let index = missing.shift(); index !== undefined; index = missing.shift()) {
      const { setting, seed } = matchAt(plan, index)
      const task: MatchTask = { game: plan.game, match: { ...plan.match, seed }, tuning: plan.settings[setting] }
      try {
        ledger.add(index, (await pool.run(task)) as MatchRecord)
      } catch (error) {
        failures.push({ index, message: messageOf(error) })
      }
      progress.show(() => progressLine(ledger.records.size, total, startedWith, performance.now() - startedAt))
    }
  }
  await Promise.all(Array.from({ length: threads }, lane))
  progress.clear()
  await pool.destroy()
  return failures.sort((a, b) => a.index - b.index)
}

function progressLine(done: number, total: number, startedWith: number, elapsedMs: number): string {
  const leftSeconds = Math.round(((total - done) * elapsedMs) / (done - startedWith || 1) / 1000)
  return `${grouped(done)} of ${grouped(total)} matches, ${grouped(leftSeconds)} s to go`
}

function aboutOf({ settings, matchesPerSetting, firstSeed, match }: Plan, scene: string): readonly string[] {
  const bots = match.bots === undefined ? '' : `, ${match.bots} bots`
  return [
    `Scene ${scene}${bots}.`,
    `${grouped(settings.length)} settings, ${grouped(matchesPerSetting)} matches each, seeds from ${firstSeed} on, the same for every setting.`,
  ]
}

function tableOf(summaries: readonly SettingSummary[]): string[][] {
  const winners = Object.keys(summaries[0].wins)
  const head = ['setting', 'matches', ...winners.map((name) => `wins: ${name}`), 'seconds', 'hash']
  const rows = summaries.map((s) => [
    describeSetting(s.setting),
    grouped(s.matches),
    ...winners.map((name) => describeShare(s.wins[name])),
    describeMean(s.seconds),
    s.hash,
  ])
  return [head, ...rows]
}
