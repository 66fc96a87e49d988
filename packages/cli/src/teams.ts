/**
 * Vinyl Frontier on the command line: teams, legacy flags, traces, the comparison of its two collision engines.
 *
 * The game brings what it adds to the command in a module of its own, which is loaded when it is needed. This
 * file declares the options and turns the game's complaints into mistakes of the command line.
 */

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Command, Option } from 'commander'
import type { Scene } from 'hurtbox'
import type { AnyWorld } from 'hurtbox/tools'
import { wholeNumber } from './arguments.ts'
import { type RunOptions, run, runScene } from './commands/run.ts'
import { orUsageError, UsageError } from './errors.ts'
import { loadGame } from './games.ts'
import { applyOptions } from './match.ts'
import { print, printError } from './output.ts'

export const TEAM_GAME = 'vinyl-frontier'
const MODULE = new URL('../../../games/vinyl-frontier/command.ts', import.meta.url)
const TEAM = 'idle, miner, script:FILE or module:FILE'
const HEADING = 'Options of vinyl-frontier:'

export type Comparison = {
  readonly scenario: string
  readonly about: string
  readonly new: number
  readonly legacy: number
}

/** What the game's module exports. */
type TeamModule = {
  chooseMatch(
    flags: object,
    seed: number,
    options: Readonly<Record<string, unknown>>,
    warn: (text: string) => void,
  ): Promise<Scene>
  logLines(world: AnyWorld): readonly string[]
  traceJson(file: string, preset?: string, mode?: string): string
  compare(options: object, warn: (text: string) => void): AsyncGenerator<Comparison>
}

export type TeamRunOptions = RunOptions & {
  readonly verbose?: boolean
  readonly trace?: string
  readonly preset?: string
  readonly mode?: string
}

/** Names of the options below, as commander stores them. */
const OWN_OPTIONS: readonly string[] = [
  ...['team1', 'team2', 'team3', 'team4', 'verbose', 'trace', 'preset', 'mode', 'legacyCollisionHandling'],
  ...['legacyPhysics', 'legacyAsteroidEatDamage', 'legacyDocking', 'legacyAll', 'legacyMode'],
]

export function withTeamOptions(command: Command): Command {
  const add = (flags: string, about: string) => command.addOption(new Option(flags, about).helpGroup(HEADING))
  for (let team = 1; team <= 4; team++) add(`--team${team} <team>`, team < 3 ? `${TEAM} (default: miner)` : TEAM)
  add('--verbose', 'print the log: contacts, lasers, MOMENTUM, Fragment, announcements')
  add('--preset <name>', 'document or original')
  add('--legacy-collision-handling', 'the old collision loop with its repeated hits')
  add('--legacy-physics', 'old impacts, lasers and recoil')
  add('--legacy-asteroid-eat-damage', 'eating hurts')
  add('--legacy-docking', 'launches that dock again')
  add('--legacy-all', 'the four flags above together')
  add('--legacy-mode', 'everything as it used to be, thrust and laser fuel too')
  add('--trace <file>', 'play a trace file and print the trace that comes out, as JSON')
  add('--mode <name>', 'for --trace: new, legacych, legacy4, lphys, leat, ldock or legacymode')
  return command
}

/** Runs a game; for Vinyl Frontier a match of teams, unless a scene is named. */
export async function runWithTeams(gameName: string, options: TeamRunOptions): Promise<number> {
  const asked = OWN_OPTIONS.filter((name) => name in options)
  if (gameName !== TEAM_GAME) {
    if (asked.length > 0) throw new UsageError(`--${dashed(asked[0])} is an option of ${TEAM_GAME}.`)
    return run(gameName, options)
  }
  const game = await loadTeamModule()
  if (options.trace !== undefined) {
    print(await orUsageError(() => game.traceJson(options.trace!, options.preset, options.mode)))
    return 0
  }
  if (options.mode !== undefined) throw new UsageError('--mode goes with --trace.')
  const isScene = options.scene !== undefined || options.bots !== undefined
  if (isScene && asked.length > 0) {
    throw new UsageError(`--${dashed(asked[0])} does not go with --scene or --bots: it sets up a match of its own.`)
  }
  if (isScene) return run(gameName, options)

  const module = await loadGame(gameName)
  const chosen = applyOptions(module, module.scenes[0], options)
  const seed = options.seed ?? module.scenes[0].seed
  const match = await orUsageError(() => game.chooseMatch(options, seed, chosen.options ?? {}, printError))
  const scene = { ...match, tuning: chosen.tuning ?? {}, ticks: options.ticks ?? match.ticks }
  return runScene(scene, options, options.verbose ? (world) => game.logLines(world) : undefined)
}

/** The game's part of the command; the installed command comes without any game. */
export async function loadTeamModule(): Promise<TeamModule> {
  if (!existsSync(fileURLToPath(MODULE))) throw new UsageError(`${TEAM_GAME} is played in the repository.`)
  return await import(MODULE.href)
}

export const wholeTurns: (text: string) => number = wholeNumber(1, 100_000)
export const TEAM_ABOUT: string = TEAM

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
