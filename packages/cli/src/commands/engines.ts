/**
 * `hurtbox engines`: is it the same in every JavaScript engine? Plays the probes of each game here, then the recorded inputs in every
 * other runtime that is found, and compares the hash of the state after every tick.
 */

import { realpathSync } from 'node:fs'
import { type FoundModule, loadModule, loadModules } from 'hurtbox/module/node'
import type { Finding } from '../check/finding.ts'
import { playRecorded, recordOf } from '../check/match.ts'
import { runInRuntimes } from '../check/runtimes.ts'
import { orUsageError, UsageError } from '../errors.ts'
import { createProgress, print, printJson } from '../output.ts'
import { inColumns } from '../text.ts'

export type EnginesOptions = {
  readonly min: number
  readonly json?: boolean
  readonly progress?: boolean
}

type GameReport = {
  readonly game: string
  /** This Node first. */
  readonly runtimes: readonly string[]
  readonly skipped: readonly string[]
  readonly scenes: readonly { readonly scene: string; readonly ticks: number; readonly hash: string }[]
  readonly findings: readonly Finding[]
}

/** 1 when a hash differs, a scene fails, or too few runtimes played. */
export async function engines(names: readonly string[], options: EnginesOptions): Promise<number> {
  const games = await orUsageError(() => chosenGames(names))
  const progress = createProgress(options.progress === true)
  let isOk = true
  for (const module of games) {
    progress.show(() => `engines: ${module.id}`)
    const report = await compareGame(module)
    progress.clear()
    const isEnough = report.runtimes.length >= options.min
    const isEqual = report.findings.length === 0
    if (options.json) printObjects(report, isEqual, isEnough)
    else printReport(report, options.min)
    isOk &&= isEnough && isEqual
  }
  return isOk ? 0 : 1
}

async function chosenGames(names: readonly string[]): Promise<readonly FoundModule[]> {
  if (names.length > 0) return Promise.all(names.map((name) => loadModule(name)))
  const { modules, problems } = await loadModules()
  if (problems.length > 0) throw new UsageError(problems[0])
  // Without a list it says what to do.
  return modules.length > 0 ? modules : [await loadModule()]
}

async function compareGame(module: FoundModule): Promise<GameReport> {
  const matches = module.probes.map((scene) => playRecorded(module, scene, scene.ticks))
  const failures = matches.flatMap(({ failure }) => failure ?? [])
  const records = matches.map(recordOf)
  const others = await runInRuntimes(realpathSync(module.file), matches, records)
  return {
    game: module.id,
    runtimes: [`node ${process.versions.node}`, ...others.ran],
    skipped: others.skipped,
    scenes: records.map(({ hashes }, i) => ({
      scene: matches[i].scene.name,
      ticks: hashes.length,
      hash: hashes.at(-1) ?? '',
    })),
    findings: [...failures, ...others.findings],
  }
}

function printObjects(
  { game, runtimes, skipped, scenes, findings }: GameReport,
  equal: boolean,
  enough: boolean,
): void {
  for (const { message, scene, tick, runtime } of findings)
    printJson('difference', { game, runtime, scene, tick, message })
  printJson('engines', { game, ok: equal && enough, equal, runtimes, skipped, scenes })
}

function printReport({ game, runtimes, skipped, scenes, findings }: GameReport, min: number): void {
  const isEqual = findings.length === 0
  const verdict = !isEqual ? 'NOT EQUAL' : runtimes.length < min ? `too few: --min is ${min}` : 'equal in every tick'
  print(`${game}: ${scenes.length} ${scenes.length === 1 ? 'scene' : 'scenes'}, ${verdict}`)
  print(
    inColumns([
      ...scenes.map(({ scene, ticks, hash }) => [scene, `${ticks} ticks`, hash]),
      ['ran in', runtimes.join(', ')],
      ...(skipped.length === 0 ? [] : [['not in', skipped.join('; ')]]),
    ]),
  )
  for (const { runtime = 'here', scene, message } of findings)
    print(`  differs  ${runtime}, scene ${scene}: ${message}`)
}
