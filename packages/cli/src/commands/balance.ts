/** `hurtbox balance`: thousands of seeded bot matches over threads or machines, and what a tuning number does to them. */

import { statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import type { LoadedModule } from 'hurtbox/module'
import { isPath } from 'hurtbox/module/node'
import { fingerprint } from 'hurtbox/replay'
import { type Failure, groupFailures } from '../balance/failures.ts'
import { type Ledger, openLedger } from '../balance/ledger.ts'
import { countMatches, MAX_SETTINGS, type Plan, planHash, settingsOf, type Variable } from '../balance/plan.ts'
import { placeOf, playInQueue, runIdOf } from '../balance/queue.ts'
import { renderReport } from '../balance/report.ts'
import { summarise, winnersOf } from '../balance/summary.ts'
import { tableOf } from '../balance/table.ts'
import { playInThreads, type Run } from '../balance/threads.ts'
import { UsageError } from '../errors.ts'
import { loadGame } from '../games.ts'
import { chooseScene, defaultBots, type MatchOptions, startMatch } from '../match.ts'
import { createProgress, print, printError, printJson } from '../output.ts'
import { grouped, inColumns } from '../text.ts'

export type BalanceOptions = MatchOptions & {
  readonly matches: number
  readonly vary?: readonly Variable[]
  readonly workers?: number
  readonly queue?: string
  readonly out?: string
  readonly fresh?: boolean
  readonly json?: boolean
  readonly progress?: boolean
}

/** What a shell says of a process that was stopped by Ctrl+C. */
const INTERRUPTED = 130

export async function balance(givenName: string | undefined, options: BalanceOptions): Promise<number> {
  const module = await loadGame(givenName)
  const gameName = givenName ?? module.id
  const { id, tickRate } = module.game.declaration
  const variables = options.vary ?? []
  const plan = makePlan(module, gameName, options, variables)
  const scene = chooseScene(module, { ...plan.match, seed: plan.firstSeed })
  for (const setting of [plan.settings[0], plan.settings.at(-1)!]) {
    startMatch({ ...scene, tuning: { ...scene.tuning, ...setting } })
  }

  const folder = options.out ?? join('balance', id)
  requireFolder(folder)
  const hash = planHash(plan, JSON.stringify(fingerprint(module.game)))
  const ledger = openLedger(join(folder, 'matches.jsonl'), hash, options.fresh === true)
  const already = countMatches(plan) - missingIn(plan, ledger).length
  const failures = groupFailures(plan, gameName, await playAll(module, plan, { folder, hash, ledger }, options))

  const summaries = summarise(plan, ledger.records, tickRate)
  const report = join(folder, 'report.html')
  const about = aboutOf(plan, scene.name)
  writeFileSync(report, renderReport(`Balance of ${id}`, about, variables, summaries))
  if (options.json) {
    for (const summary of summaries) printJson('setting', summary)
    for (const failure of failures) printJson('failure', failure)
  } else {
    print(`${id}, ${about}`)
    if (already > 0) print(`  ${counted(already, 'match was', 'matches were')} there already.`)
    print(inColumns(tableOf(summaries)))
    if (winnersOf(summaries).length === 0) print('  No match had a winner; the report shows all that was counted.')
    for (const { message, matches, seeds, command } of failures) {
      print(
        `  ${counted(matches, 'match', 'matches')} failed (seed ${seeds.join(', ')}${matches > seeds.length ? ', …' : ''}): ${message}`,
      )
      print(`    ${command}`)
    }
    print(`  report  ${report}`)
  }
  return failures.length === 0 ? 0 : 1
}

function makePlan(
  module: LoadedModule,
  gameName: string,
  options: BalanceOptions,
  variables: readonly Variable[],
): Plan {
  const settings = settingsOf(variables)
  if (settings.length > MAX_SETTINGS) {
    throw new UsageError(
      `--vary makes ${grouped(settings.length)} settings; at most ${grouped(MAX_SETTINGS)}. Take fewer steps.`,
    )
  }
  const { scene, ticks, tune, option, seed = 1, matches } = options
  // Said in the plan, so that matches of another seating are not put together with these.
  const bots = options.bots ?? (defaultBots(module, chooseScene(module, { ...options, bots: 0 })) || undefined)
  return {
    // Workers have no folder of their own to start from.
    game: isPath(gameName) ? resolve(gameName) : gameName,
    match: JSON.parse(JSON.stringify({ scene, ticks, bots, tune, option })),
    firstSeed: seed,
    matchesPerSetting: Math.ceil(matches / settings.length),
    settings,
  }
}

function requireFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new UsageError(`--out ${path} is a file; give a folder.`)
  }
}

/** Plays what the ledger lacks. A match that fails is reported and not kept: a later run tries it again. */
async function playAll(
  { game }: LoadedModule,
  plan: Plan,
  { folder, hash, ledger }: { readonly folder: string; readonly hash: string; readonly ledger: Ledger },
  options: BalanceOptions,
): Promise<readonly Failure[]> {
  const failures: Failure[] = []
  const missing = missingIn(plan, ledger)
  if (missing.length === 0) return failures
  const total = missing.length
  const progress = createProgress(options.progress === true)
  const startedAt = performance.now()
  let done = 0
  const showDone = () => {
    done++
    progress.show(() => progressLine(done, total, failures.length, performance.now() - startedAt))
  }
  const run: Run = {
    plan,
    missing,
    onRecord(index, record) {
      ledger.add(index, record)
      showDone()
    },
    onFailure(index, message) {
      failures.push({ index, message })
      showDone()
    },
  }
  const interruption = new AbortController()
  const stop = () => {
    progress.clear()
    printError(
      `hurtbox: stopped after ${grouped(done)} of ${grouped(total)} matches; the same command goes on from there.`,
    )
    // What is in a queue is taken out first.
    if (options.queue === undefined || interruption.signal.aborted) process.exit(INTERRUPTED)
    interruption.abort()
  }
  process.on('SIGINT', stop)
  if (options.queue === undefined) await playInThreads(run, Math.min(options.workers ?? availableParallelism(), total))
  else {
    const url = options.queue
    const onIdle = () => {
      progress.clear()
      printError(
        `hurtbox: waiting for workers. Start some: npx hurtbox worker ${plan.game} --queue redis://${placeOf(url)}`,
      )
    }
    await playInQueue({ ...run, game, url, runId: runIdOf(hash, folder), onIdle }, interruption.signal)
  }
  process.off('SIGINT', stop)
  if (interruption.signal.aborted) process.exit(INTERRUPTED)
  progress.clear()
  return failures
}

function missingIn(plan: Plan, { records }: Ledger): number[] {
  return Array.from({ length: countMatches(plan) }, (_, i) => i).filter((i) => !records.has(i))
}

function progressLine(done: number, total: number, failed: number, elapsedMs: number): string {
  const leftSeconds = Math.round(((total - done) * elapsedMs) / done / 1000)
  const failures = failed === 0 ? '' : `, ${grouped(failed)} failed`
  return `${grouped(done)} of ${grouped(total)} matches${failures}, ${grouped(leftSeconds)} s to go`
}

function aboutOf({ settings, matchesPerSetting, firstSeed, match }: Plan, scene: string): string {
  const bots = match.bots === undefined ? '' : `, ${counted(match.bots, 'bot', 'bots')}`
  const seeds = `seeds from ${firstSeed} on`
  const matches = counted(matchesPerSetting, 'match', 'matches')
  if (settings.length === 1) return `scene ${scene}${bots}: ${matches}, ${seeds}.`
  return `scene ${scene}${bots}: ${grouped(settings.length)} settings, ${matches} each, ${seeds}, the same for every setting.`
}

function counted(count: number, one: string, many: string): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}
