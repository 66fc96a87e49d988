/** `hurtbox check`: is this game fit to be played everywhere? `hurtbox release`: then these are the rules of their version. */

import type { Command } from 'commander'
import { loadModule } from 'hurtbox/module/node'
import { wholeNumber } from '../arguments.ts'
import { type CheckReport, checkGame } from '../check/check.ts'
import { errorsIn, type Finding } from '../check/finding.ts'
import type { LockReport } from '../check/lock.ts'
import { installPoison } from '../check/poison.ts'
import { DEPTHS } from '../check/run-sync.ts'
import { orUsageError } from '../errors.ts'
import { createProgress, print, printJson } from '../output.ts'
import { grouped, inColumns, shown } from '../text.ts'

type CheckCommandOptions = {
  readonly ticks: number
  readonly runtimes: boolean
  readonly lock: boolean
  readonly json?: boolean
  readonly progress?: boolean
}

/** Declares the commands. */
export function addCheck(program: Command, setExitCode: (code: number) => void): void {
  withCheckOptions(program.command('check'))
    .description(
      'say whether a game is fit to be played everywhere: the same in every engine, safe to roll back, versioned',
    )
    .option('--no-lock', 'do not compare the rules with those of the last release')
    .action(async (game, options) => setExitCode(await check(game, options, false)))

  withCheckOptions(program.command('release'))
    .description('check a game and, if nothing is found, freeze its rules under their rulesVersion')
    .action(async (game, options) => setExitCode(await check(game, { ...options, lock: true }, true)))
}

function withCheckOptions(command: Command): Command {
  return command
    .argument('[game]', 'path of a module, or id of a game that the project lists (default: its only game)')
    .option('--ticks <n>', 'play at most so many ticks of each scene', wholeNumber(1, 1_000_000), 600)
    .option('--no-runtimes', 'do not ask other JavaScript runtimes')
    .option('--json', 'one JSON object per line, nothing else on stdout')
    .option('--progress', 'show progress on stderr even when it is no terminal')
}

async function check(gameName: string | undefined, options: CheckCommandOptions, release: boolean): Promise<number> {
  const startedAt = performance.now()
  const poison = installPoison()
  const module = await orUsageError(() => loadModule(gameName))
  const progress = createProgress(options.progress === true)
  const report = await checkGame(module, {
    ticks: options.ticks,
    runtimes: options.runtimes,
    lock: options.lock,
    release,
    poison,
    progress: (what) => progress.show(() => what),
  })
  progress.clear()
  const { findings } = report
  if (options.json) {
    for (const finding of findings) printJson(finding.isWarning ? 'warning' : 'finding', asObject(module.id, finding))
    printJson('summary', summarise(module.id, report))
  } else {
    for (const finding of findings) printFinding(finding)
    printSummary(module.id, report, (performance.now() - startedAt) / 1000)
    if (release) print(tellRelease(module.id, report))
  }
  return errorsIn(findings).length > 0 ? 1 : 0
}

/** The place in the file is an object of its own: `line` says of every line of output what it is. */
function asObject(game: string, { within: _, isWarning: __, file, line, column, text, ...finding }: Finding) {
  return { game, ...finding, ...(file !== undefined && { at: { file: shown(file), line, column, text } }) }
}

function printFinding({ file, line, column, text, message, instead, isWarning, ...place }: Finding): void {
  const where = file === undefined ? place.check : `${shown(file)}:${line}:${column}`
  print(`${where}  ${isWarning ? 'warning: ' : ''}${message}${tellPlace(place)} [${place.rule}]`)
  if (text !== undefined) print(`    ${text}`)
  print(`    ${instead}`)
}

function tellPlace({ check, rule, phase, scene, tick, runtime }: Omit<Finding, 'message' | 'instead'>): string {
  // A difference says itself in which tick and phase it showed, and so does an error.
  const isTold = check === 'runtimes' || rule === 'desync' || rule === 'failed'
  const words = [
    runtime,
    phase !== undefined && !isTold && `phase ${phase}`,
    scene !== undefined && `scene ${scene}`,
    tick !== undefined && !isTold && `tick ${tick}`,
  ].filter(Boolean)
  return words.length === 0 ? '' : ` (${words.join(', ')})`
}

/** No measured time in here: the same command prints the same summary. */
function summarise(game: string, report: CheckReport) {
  const { findings, rules, matches, unreached, unprobed, runtimes, lock, fingerprint } = report
  const errors = errorsIn(findings)
  return {
    game,
    ok: errors.length === 0,
    findings: errors.length,
    warnings: findings.length - errors.length,
    files: rules.map(({ file }) => shown(file)),
    scenes: matches.map(({ scene }) => scene.name),
    ticks: ticksOf(matches),
    unreached,
    unprobed,
    runtimes: runtimes?.ran ?? [],
    skipped: runtimes?.skipped ?? [],
    fingerprint,
    ...(lock !== undefined && { lock: tellState(lock) }),
  }
}

function printSummary(game: string, report: CheckReport, seconds: number): void {
  const { findings, rules, matches, lock, fingerprint } = report
  const lines = rules.reduce((sum, { text }) => sum + text.split('\n').length, 0)
  const found = (check: Finding['check']) => {
    const words = tellCounts(findings.filter((finding) => finding.check === check))
    return words === '' ? '' : `: ${words}`
  }
  const scenes = `${matches.length} ${matches.length === 1 ? 'scene' : 'scenes'}, ${grouped(ticksOf(matches))} ticks`
  const isFit = errorsIn(findings).length === 0
  print(isFit ? `${game} is fit to be played everywhere.` : `${game}: ${tellCounts(findings)}.`)
  print(
    inColumns([
      [
        'sources',
        `${rules.length} ${rules.length === 1 ? 'file' : 'files'} with rules, ${grouped(lines)} lines${found('sources')}`,
      ],
      ['poisoned', `${scenes}${found('poisoned')}`],
      ['sync', `${scenes}, rolled back by ${DEPTHS.join(' and ')} on every tick${found('sync')}`],
      ['sense', found('sense').slice(2) || 'all that is written has an effect'],
      ['runtimes', tellRuntimes(report) + found('runtimes')],
      ['rules', tellLock(fingerprint, lock) + found('rules')],
      ...tellUntried(report),
      ['time', `${seconds.toFixed(1)} s`],
    ]),
  )
}

/** What the answers above say nothing about. */
function tellUntried({ unreached, unprobed, matches }: CheckReport): string[][] {
  const cut = matches.filter(({ scene, session, failure }) => failure === undefined && session.log.length < scene.ticks)
  const ticks = cut.length === 0 ? '' : ` in its first ${grouped(cut[0].session.log.length)} ticks (--ticks plays more)`
  const scenes = unreached.length === 0 ? [] : [['not tried', `no scene reaches ${unreached.join(', ')}${ticks}`]]
  if (unprobed.length === 0) return scenes
  const words = `the fingerprint does not see ${unprobed.join(', ')}: raise rulesVersion with each change of it`
  return [...scenes, ['not seen', words]]
}

function tellRuntimes({ runtimes, isComparable }: CheckReport): string {
  if (runtimes === undefined) return isComparable ? 'not asked' : 'not asked: the game differs from itself, or fails'
  const { ran, skipped } = runtimes
  const others = ran.length === 0 ? 'none but this one' : ran.join(', ')
  return skipped.length === 0 ? others : `${others} (${skipped.join('; ')})`
}

function tellLock(fingerprint: string, lock: CheckReport['lock']): string {
  if (lock === undefined) return `fingerprint ${fingerprint}`
  const { rulesVersion, released, differences } = lock
  const since = differences.length === 0 ? 'nothing' : differences.join('; ')
  const words = {
    unreleased:
      released === undefined
        ? 'not released: edits need no new version'
        : `not released: edits need no new version. New since version ${released}: ${since}`,
    released: 'as it was released',
    'other-engine': 'released with another engine, so not compared: release it again',
    broken: `not as version ${released} was released`,
  }
  return `fingerprint ${fingerprint}, version ${rulesVersion}, ${words[lock.state]}`
}

function tellState({ file, state, rulesVersion, released, differences }: LockReport) {
  return { file: shown(file), state, rulesVersion, released, differences }
}

function tellRelease(game: string, { lock, findings }: CheckReport): string {
  if (lock === undefined || errorsIn(findings).length > 0)
    return `${game} was not released: first see to what was found.`
  return `Version ${lock.rulesVersion} of ${game} is released: other rules are from now on a version of their own. Commit ${shown(lock.file)}.`
}

/** `2 findings, 1 warning`; nothing for none. */
function tellCounts(findings: readonly Finding[]): string {
  const errors = errorsIn(findings).length
  const tell = (count: number, word: string) => (count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}`])
  return [...tell(errors, 'finding'), ...tell(findings.length - errors, 'warning')].join(', ')
}

function ticksOf(matches: CheckReport['matches']): number {
  return matches.reduce((sum, { session }) => sum + session.log.length, 0)
}
