/** `hurtbox why`: which gate or rule decided about two things in one tick, or what each phase did to one. */

import { statSync } from 'node:fs'
import { findRow, type Session, seek, why as traceOf } from 'hurtbox'
import { isModuleFile, isPath } from 'hurtbox/module/node'
import { sessionFromReplay } from 'hurtbox/replay'
import { type AnyWorld, changesByPhase, type TraceEntry } from 'hurtbox/tools'
import { UsageError } from '../errors.ts'
import { loadGame } from '../games.ts'
import { chooseScene, type MatchOptions, playMatch, startMatch } from '../match.ts'
import { createProgress, print, printError, printJson } from '../output.ts'
import { readReplayFile } from '../replay-file.ts'
import { grouped, rounded, withShortNumbers } from '../text.ts'

export type WhyOptions = MatchOptions & {
  readonly json?: boolean
  readonly progress?: boolean
  readonly game?: string
  readonly tick: number
  readonly a: number
  readonly b?: number
  readonly wall?: number
}

export async function why(gameOrReplay: string | undefined, options: WhyOptions): Promise<number> {
  const { tick, a } = options
  if (options.b !== undefined && options.wall !== undefined) {
    throw new UsageError('name one other: --b with the id of a thing, or --wall with the place of a wall.')
  }
  const { session, name } = isReplay(gameOrReplay)
    ? await openReplay(gameOrReplay, options)
    : await playUpTo(gameOrReplay, options)
  if (tick >= session.log.length) {
    throw new UsageError(`there is no tick ${tick}: ${name} has ${session.log.length} ticks, counted from 0.`)
  }
  const other = options.b ?? (options.wall === undefined ? undefined : { wall: options.wall })
  if (other === undefined) return tellChanges(session, name, options)
  const entries = traceOf(session, tick, a, other)
  seek(session, tick)
  if (options.json) printJsonAnswer(session, options, entries)
  else printAnswer(session.world, name, options, entries)
  return 0
}

/** Without a second one: what became of the thing in this tick, phase by phase. */
function tellChanges(session: Session, name: string, { tick, a, json }: WhyOptions): number {
  const phases = changesByPhase(session, tick, a)
  seek(session, tick)
  if (json) {
    for (const each of phases) printJson('phase', each)
    printJson('answer', { game: session.game.declaration.id, seed: session.setup.seed, tick, a, phases: phases.length })
    return 0
  }
  print(`${name}: tick ${tick}`)
  print(`  ${describeThing(session.world, a)}`)
  for (const { phase, changes } of phases) {
    print(`${phase}:`)
    for (const { column, before, after } of changes) {
      // What appears has all its columns from here on; those that are 0 say nothing.
      if (before === undefined && after === 0) continue
      print(`  ${column} ${shown(before)} → ${shown(after)}`)
    }
  }
  if (phases.length === 0) print('No phase changed it.')
  return 0
}

function shown(value: number | undefined): string {
  return value === undefined ? 'nothing' : rounded(value)
}

/** A file that is no module is a replay; a folder has a game, and what is neither is the id of one. */
function isReplay(text: string | undefined): text is string {
  if (text === undefined || isModuleFile(text)) return false
  const about = statSync(text, { throwIfNoEntry: false })
  return about === undefined ? isPath(text) : !about.isDirectory()
}

/** Plays a scene as far as the tick asked about, however long it plays otherwise. */
async function playUpTo(
  gameName: string | undefined,
  options: WhyOptions,
): Promise<{ session: Session; name: string }> {
  const scene = chooseScene(await loadGame(gameName), options)
  const session = startMatch(scene)
  const progress = createProgress(options.progress === true)
  playMatch(scene, session, options.tick + 1, (world) => {
    progress.show(() => `playing: tick ${grouped(world.tick)} of ${grouped(options.tick + 1)}`)
    return true
  })
  progress.clear()
  return { session, name: `${scene.game.declaration.id}, scene ${scene.name}, seed ${scene.seed}` }
}

async function openReplay(path: string, options: WhyOptions): Promise<{ session: Session; name: string }> {
  const replay = await readReplayFile(path, options.game)
  for (const problem of replay.problems) printError(`hurtbox: ${path}: ${problem}`)
  return { session: sessionFromReplay(replay.game, replay), name: path }
}

function printAnswer(world: AnyWorld, name: string, options: WhyOptions, entries: readonly TraceEntry[]): void {
  const { tick, a, b, wall } = options
  print(`${name}: tick ${tick}`)
  print(`  ${describeThing(world, a)}`)
  print(`  ${b === undefined ? `wall ${wall}` : describeThing(world, b)}`)
  let phase = ''
  for (const entry of entries) {
    if (entry.phase !== phase) print(`${(phase = entry.phase)}:`)
    print(`  ${withShortNumbers(entry.text)}`)
    for (const change of entry.changes) print(`    ${withShortNumbers(change)}`)
  }
  if (entries.length === 0) print('No phase was about the two of them, and none changed both.')
}

function printJsonAnswer(session: Session, { tick, a, b, wall }: WhyOptions, entries: readonly TraceEntry[]): void {
  for (const entry of entries) printJson('entry', entry)
  const { game, setup } = session
  printJson('answer', {
    game: game.declaration.id,
    seed: setup.seed,
    tick,
    a,
    ...(b === undefined ? { wall } : { b }),
    entries: entries.length,
    hits: entries.filter((entry) => entry.verdict === 'accepted').length,
  })
}

/** A thing as it was before the tick. */
function describeThing(world: AnyWorld, id: number): string {
  const { things } = world.tables
  const row = findRow(things, id)
  if (row < 0) return `${id}: not there before this tick`
  const layer = world.game.layers.names[things.layer[row]] ?? `kind ${things.kind[row]}`
  const owner = things.owner[row] > 0 ? `, owner ${things.owner[row]}` : ''
  return `${id}: ${layer} at ${rounded(things.x[row])}, ${rounded(things.y[row])}, radius ${rounded(things.radius[row])}${owner}`
}
