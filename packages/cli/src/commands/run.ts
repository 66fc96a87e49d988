/** `hurtbox run`: plays a match and prints the result. */

import { HurtboxError, hashWorld, listEvents, type Scene } from 'hurtbox'
import type { ReplayOptions } from 'hurtbox/replay'
import { type AnyWorld, GameFailure, type Result, statsOf } from 'hurtbox/tools'
import { messageOf } from '../errors.ts'
import type { RunExtension } from '../game-commands.ts'
import { loadGame } from '../games.ts'
import { chooseScene, type MatchOptions, playMatch, startMatch } from '../match.ts'
import { createProgress, isOutputClosed, print, printError, printJson } from '../output.ts'
import { createReplayFile } from '../replay-file.ts'
import { grouped, inColumns, listed, rounded } from '../text.ts'

export type RunOptions = MatchOptions & {
  readonly json?: boolean
  readonly progress?: boolean
  readonly events?: boolean
  readonly hashEvery?: number
  readonly replay?: string
  readonly keyframeEvery?: number
}

/** A run never goes back, and snapshots of a long one would fill the memory. */
const KEEP_NO_SNAPSHOTS = 1 << 20

type LogOf = (world: AnyWorld) => readonly string[]

/** What happened over the whole match; the world itself only knows its last tick. */
type Tally = { readonly events: Record<string, number>; readonly refusedEvents: Record<string, number> }

/** `added` is what the game itself adds to the command. */
export async function run(
  gameName: string | undefined,
  options: RunOptions,
  added?: RunExtension | undefined,
): Promise<number> {
  const module = await loadGame(gameName)
  const scene = chooseScene(module, options)
  const choice = await added?.choose(scene, options)
  if (choice === undefined) return runScene(scene, options)
  return choice.scene === undefined ? 0 : runScene(choice.scene, options, choice.log)
}

/** Plays a scene; see `playAndTell`. A number that is not finite is noticed by hashing, so later than it came. */
function runScene(scene: Scene, options: RunOptions, logOf?: LogOf): number {
  try {
    return playAndPrint(scene, options, logOf)
  } catch (error) {
    const isHash = error instanceof HurtboxError && !(error instanceof GameFailure) && error.code === 'not-finite'
    const isLate = isHash && options.hashEvery !== 1
    throw isLate
      ? new Error(`${messageOf(error)} It may have happened earlier: --hash-every 1 finds the first tick.`)
      : error
  }
}

/** Plays a scene. `logOf` gives a game's own log of a tick; with one, nothing measured is printed: logs are compared. */
function playAndPrint(scene: Scene, options: RunOptions, logOf?: LogOf): number {
  const session = startMatch(scene, KEEP_NO_SNAPSHOTS)
  const { world } = session
  const replay =
    options.replay === undefined ? undefined : createReplayFile(options.replay, session, replayOptions(options))
  const progress = createProgress(options.progress === true)
  const tally = createTally(world)

  let result: Result | undefined
  let replayBytes: number | undefined
  const startedAt = performance.now()
  try {
    result = playMatch(scene, session, scene.ticks, () => {
      count(tally, world)
      replay?.keepUp()
      if (logOf !== undefined) printLog(logOf(world), options.json === true)
      if (options.events) printEvents(world, options.json === true)
      if (world.tick % (options.hashEvery ?? Number.POSITIVE_INFINITY) === 0) printHash(world, options.json === true)
      progress.show(() => `tick ${grouped(world.tick)} of ${grouped(scene.ticks)}`)
      return !isOutputClosed()
    })
  } finally {
    // A match that fails leaves a replay of the ticks before: what a bug report needs.
    replayBytes = replay?.finish()
    progress.clear()
  }
  const playedMs = performance.now() - startedAt
  if (isOutputClosed()) return 0

  const summary = summarise(scene, world, tally, result, options.replay)
  if (options.json) printJson('summary', summary)
  else printSummary(scene, world, summary, { playedMs: logOf === undefined ? playedMs : undefined, replayBytes })
  return 0
}

function printLog(lines: readonly string[], json: boolean): void {
  for (const text of lines) {
    if (json) printJson('log', { text })
    else print(text)
  }
}

/** A replay takes the hashes that are asked for, as far apart as its format allows. */
function replayOptions({ hashEvery, keyframeEvery }: RunOptions): ReplayOptions {
  return {
    ...(hashEvery === undefined ? {} : { hashEvery: Math.min(hashEvery, 256) }),
    ...(keyframeEvery === undefined ? {} : { keyframeEvery }),
  }
}

function createTally(world: AnyWorld): Tally {
  const tally: Tally = { events: {}, refusedEvents: {} }
  for (const { name } of world.memory.events) tally.events[name] = tally.refusedEvents[name] = 0
  return tally
}

function count(tally: Tally, world: AnyWorld): void {
  for (const list of world.memory.events) {
    tally.events[list.name] += list.count
    tally.refusedEvents[list.name] += list.refused
  }
}

function printEvents(world: AnyWorld, json: boolean): void {
  for (const event of listEvents(world)) {
    if (json) {
      printJson('event', event)
      continue
    }
    const { tick, kind, n, ...fields } = event
    const values = Object.entries(fields).map(([name, value]) => `${name} ${[value].flat().map(showField).join(' ')}`)
    print(`tick ${tick}  ${kind}  ${values.join(', ')}`)
  }
}

function showField(value: number | string): string {
  return typeof value === 'number' ? rounded(value) : value
}

function printHash(world: AnyWorld, json: boolean): void {
  const hash = hashWorld(world)
  if (json) printJson('hash', { tick: world.tick, hash })
  else print(`tick ${world.tick}  hash ${hash}`)
}

/** No measured time in here: the same command prints the same summary. */
function summarise(scene: Scene, world: AnyWorld, tally: Tally, result: Result | undefined, replay?: string) {
  const { game } = scene
  const refused: Record<string, number> = {}
  for (const table of world.memory.tables) if (table.refused > 0) refused[table.name] = table.refused
  for (const [name, times] of Object.entries(tally.refusedEvents)) if (times > 0) refused[`event ${name}`] = times
  return {
    game: game.declaration.id as string,
    rulesVersion: game.declaration.rulesVersion as number,
    scene: scene.name,
    seed: scene.seed,
    options: world.options,
    tuning: scene.tuning ?? {},
    ticks: world.tick,
    over: result?.over ?? false,
    ...(result === undefined ? {} : { result }),
    rows: Object.fromEntries(world.memory.tables.map((table) => [table.name, table.count])),
    events: tally.events,
    refused,
    stats: statsOf(world) ?? {},
    hash: hashWorld(world),
    ...(replay === undefined ? {} : { replay }),
  }
}

type Summary = ReturnType<typeof summarise>

function printSummary(
  scene: Scene,
  world: AnyWorld,
  summary: Summary,
  { playedMs, replayBytes }: { readonly playedMs: number | undefined; readonly replayBytes: number | undefined },
): void {
  const { tickRate } = scene.game.declaration
  const { ticks, result } = summary
  const ticksPerSecond = ticks / ((playedMs ?? 0) / 1000)
  const lines = [
    ['ticks', `${grouped(ticks)}, ${(ticks / tickRate).toFixed(1)} s of play at ${tickRate} a second`],
    ['result', result === undefined ? 'this game has none' : describeResult(result)],
    ['rows', world.memory.tables.map((t) => `${t.name} ${grouped(t.count)} of ${grouped(t.capacity)}`).join(', ')],
    ['events', listed(summary.events) || 'none'],
  ]
  if (playedMs !== undefined) {
    const speed = `${grouped(Math.round(ticksPerSecond))} ticks a second, ${Math.round(ticksPerSecond / tickRate)} × real time`
    lines.splice(1, 0, ['speed', speed])
  }
  if (Object.keys(summary.refused).length > 0) lines.push(['refused', `${listed(summary.refused)} (full)`])
  if (Object.keys(summary.stats).length > 0) lines.push(['stats', listed(summary.stats)])
  lines.push(['hash', summary.hash])
  if (replayBytes !== undefined) lines.push(['replay', `${summary.replay} (${grouped(replayBytes)} bytes)`])
  print(`${summary.game}, scene ${summary.scene}, seed ${summary.seed}: ${scene.about}`)
  const rows = inColumns(lines).split('\n')
  // How fast it was differs from run to run. On stderr it is seen, and two logs of the same match are the same file.
  for (const [i, row] of rows.entries()) (lines[i]?.[0] === 'speed' ? printError : print)(row)
}

function describeResult({ over, winner, summary }: Result): string {
  const who = winner === undefined ? '' : `, ${winner} ${over ? 'wins' : 'leads'}`
  return `${over ? 'over' : 'still going'}${who}${summary === undefined ? '' : ` (${summary})`}`
}
