/**
 * What a game adds to `npx hurtbox`: options of `run`, and commands of its own.
 *
 * The file that `commands` of a module loads default-exports a `GameCommands`. It runs in Node only, so it may read files.
 * A mistake of the caller is thrown as an error with a sentence: the command prints it and exits with 2.
 */

import type { Scene } from '../../record/session/scene.ts'
import type { AnyWorld } from '../../world/world.ts'

export type GameCommands = {
  /** What `npx hurtbox run <game>` takes besides its own options. */
  readonly run?: RunCommand
  /** `npx hurtbox <game> <name>`, or `npx hurtbox <name>` while no other command has that name. */
  readonly commands?: readonly GameCommand[]
}

/** An option as people type it. */
export type CommandOption = {
  /** `--verbose` for a switch, `--team <name>` for a text, `--file <path...>` for several. */
  readonly flags: string
  readonly about: string
  readonly default?: unknown
  /** Turns the text into a value; throws a sentence about what it must be. */
  read?(text: string): unknown
}

/** Values by the names of the options in camel case: `--legacy-mode` is `legacyMode`. Only what was given, or has a default. */
export type GivenOptions = Readonly<Record<string, unknown>>

export type RunCommand = {
  readonly options: readonly CommandOption[]
  /** What to play; `undefined` plays the scene as for any other game. Called only if it is this game that is run. */
  choose(request: RunRequest, output: CommandOutput): RunChoice | undefined | Promise<RunChoice | undefined>
}

export type RunRequest = {
  /** The options of the game itself. */
  readonly given: GivenOptions
  /** The scene that would be played, with the seed, length, options and tuning of the command line. */
  readonly scene: Scene
  /** Whether `--scene` or `--bots` was given: then the match is set up already. */
  readonly isSceneChosen: boolean
  /** Whether `--ticks` was given: then `scene.ticks` is what was asked for. */
  readonly isLengthChosen: boolean
}

export type RunChoice = {
  /** A match to play instead; left out, nothing is played: `choose` has printed what there is. */
  readonly scene?: Scene
  /** Lines to print after each tick. With them nothing measured is printed, so that two logs can be compared. */
  log?(world: AnyWorld): readonly string[]
}

export type GameCommand = {
  readonly name: string
  readonly about: string
  readonly options?: readonly CommandOption[]
  /** Returns the exit code: 0 fine, 1 what was checked is not so. */
  run(given: GivenOptions, output: CommandOutput): number | Promise<number>
}

export type CommandOutput = {
  /** A line of the result, to stdout. */
  print(line: string): void
  /** Rows in columns. */
  printTable(rows: readonly (readonly string[])[]): void
  /** A remark for people, to stderr. */
  warn(line: string): void
}
