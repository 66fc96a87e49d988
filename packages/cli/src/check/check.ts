/**
 * Is a game fit to be played everywhere? Six answers: what its sources say, what it calls while it steps, whether it can be
 * rolled back, whether all that is written has an effect, whether other runtimes agree, and whether its rules are those of their version.
 */

import { realpathSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { FoundModule } from 'hurtbox/module/node'
import { fingerprint, unprobedRules } from 'hurtbox/replay'
import { type AnyWorld, createEmptyWorld } from 'hurtbox/tools'
import { tellBroken } from './broken.ts'
import { errorsIn, type Finding, merged } from './finding.ts'
import { checkLock, type LockReport } from './lock.ts'
import { type Match, type MatchRecord, playRecorded, recordOf } from './match.ts'
import type { Poison } from './poison.ts'
import { runPoisoned } from './run-poisoned.ts'
import { nothingHappens, runSync } from './run-sync.ts'
import { type RuntimesReport, runInRuntimes } from './runtimes.ts'
import { type Scan, scan } from './scan.ts'
import { findSense } from './sense/sense.ts'
import { createWatch } from './sense/watch.ts'

export type CheckOptions = {
  /** At most so many ticks of each scene. */
  readonly ticks: number
  readonly runtimes: boolean
  readonly lock: boolean
  /** If nothing is found, the rules are from now on those of their version. */
  readonly release: boolean
  /** Installed before the game was loaded. */
  readonly poison: Poison
  progress(what: string): void
}

export type CheckReport = {
  readonly findings: readonly Finding[]
  readonly rules: Scan['rules']
  readonly matches: readonly Match[]
  /** Rules that no scene has reached. */
  readonly unreached: readonly string[]
  /** Rules that the probes of the fingerprint do not reach: two builds that differ in them have one fingerprint. */
  readonly unprobed: readonly string[]
  /** Whether the game at least agrees with itself, so that others can be asked. */
  readonly isComparable: boolean
  readonly runtimes: RuntimesReport | undefined
  readonly lock: LockReport | undefined
  readonly fingerprint: string
}

const NOT_PLAYED = {
  matches: [],
  unreached: [],
  unprobed: [],
  isComparable: false,
  runtimes: undefined,
  lock: undefined,
  fingerprint: 'unknown',
} as const

export async function checkGame(module: FoundModule, options: CheckOptions): Promise<CheckReport> {
  const { game, scenes } = module
  // Links are what people type; stacks and imports name the file itself.
  const file = realpathSync(module.file)
  options.progress('reading the sources')
  const scanned = scan(file)
  const { rules } = scanned
  const findings: Finding[] = [...scanned.findings]
  const broken = tellBroken(game, scanned)
  if (broken !== undefined) return { ...NOT_PLAYED, rules, findings: [...findings, broken] }
  const watch = createWatch()
  const matches: Match[] = []
  let hasChanged = false
  for (const scene of scenes) {
    options.progress(`playing ${scene.name}`)
    const match = playRecorded(module, scene, options.ticks)
    matches.push(match)
    if (match.failure !== undefined) findings.push(match.failure)
    const called = runPoisoned(match, scanned, options.poison, watch)
    findings.push(...called)
    options.progress(`rolling back ${scene.name}`)
    if (match.failure !== undefined || called.some(({ rule }) => rule === 'not-finite')) {
      hasChanged = true
      continue
    }
    const { findings: differences, changedTicks } = runSync(match, rules)
    findings.push(...differences)
    hasChanged ||= changedTicks > 0
  }
  options.poison.remove()
  if (!hasChanged) findings.push(nothingHappens(scanned.files))
  const unreached = [...(matches[0]?.unreached ?? [])].filter((name) =>
    matches.every((match) => match.unreached.has(name)),
  )
  options.progress('looking for what has no effect')
  findings.push(...findSense(module, file, scanned, watch, unreached))
  // A match that fails here fails elsewhere; one that differs from itself differs from others.
  const isComparable = findings.every(({ rule }) => !['failed', 'not-finite', 'desync'].includes(rule))
  options.progress('asking other runtimes')
  const records = isComparable ? matches.map(recordOf) : []
  const runtimes = options.runtimes && isComparable ? await runInRuntimes(file, matches, records) : undefined
  const isRepeated = (match: Match, record: MatchRecord) =>
    isDeepStrictEqual(record.ticks, recordOf(playRecorded(module, match.scene, options.ticks)).ticks)
  // Bots with chance of their own play another match each time, which says nothing about the rules.
  const played = matches.flatMap((match, i) =>
    options.lock && isComparable && isRepeated(match, records[i])
      ? [{ scene: match.scene.name, record: records[i] }]
      : [],
  )
  let lock = options.lock && isComparable ? checkLock(game, file, rules, played) : undefined
  const all = merged([...findings, ...(runtimes?.findings ?? []), ...(lock?.findings ?? [])])
  if (options.release && errorsIn(all).length === 0) lock = lock?.release()
  return {
    findings: withPhases(all, createEmptyWorld(game, {}) as AnyWorld),
    rules,
    matches,
    unreached,
    unprobed: unprobedRules(game),
    isComparable,
    runtimes,
    lock,
    fingerprint: fingerprint(game).hash,
  }
}

/** A line inside a function that is a phase belongs to it, also where no run has come by. */
function withPhases(findings: readonly Finding[], world: AnyWorld): Finding[] {
  const phaseOf = new Map<string, string>()
  const { phases } = world.game.behaviour
  const listed: Readonly<Record<string, unknown>> = typeof phases === 'function' ? phases(world.options) : phases
  for (const [name, phase] of Object.entries(listed)) {
    phaseOf.set(name, name)
    if (typeof phase === 'function' && phase.name !== '') phaseOf.set(phase.name, name)
  }
  return findings.map((finding) => {
    const around = finding.within?.find((name) => phaseOf.has(name))
    return around === undefined || finding.phase !== undefined ? finding : { ...finding, phase: phaseOf.get(around)! }
  })
}
