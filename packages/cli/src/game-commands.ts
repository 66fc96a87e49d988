/**
 * What games add to the command: options of `run`, and commands of their own.
 *
 * Only what is asked for is loaded: the game that `run` names, or all games of the project when the command is none of ours.
 */

import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Scene } from 'hurtbox'
import type { CommandOption, CommandOutput, GameCommand, GameCommands, LoadedModule, RunChoice } from 'hurtbox/module'
import { type FoundModule, loadModule, loadModules } from 'hurtbox/module/node'
import { messageOf, orUsageError, UsageError } from './errors.ts'
import type { MatchOptions } from './match.ts'
import { print, printError } from './output.ts'
import { inColumns } from './text.ts'

/** What a game does for `run`. */
export type RunExtension = {
  choose(scene: Scene, options: MatchOptions): Promise<RunChoice | undefined>
}

const OUTPUT: CommandOutput = {
  print,
  printTable: (rows) => print(inColumns(rows, '')),
  warn: printError,
}

/** Adds to `run` the options of the game it is asked to play. A game that cannot be loaded adds none: `run` tells why. */
export async function extendRun(run: Command, gameName: string | undefined): Promise<RunExtension | undefined> {
  let module: FoundModule
  try {
    module = await loadModule(gameName)
  } catch {
    return undefined
  }
  const { run: added } = await commandsOf(module)
  if (added === undefined) return undefined
  const names = await addOptions(run, added.options, module, `Options of ${module.id}:`)
  return {
    choose(scene, options) {
      const request = {
        given: pick(options, names),
        scene,
        isSceneChosen: options.scene !== undefined || options.bots !== undefined,
        isLengthChosen: options.ticks !== undefined,
      }
      return orUsageError(() => added.choose(request, OUTPUT))
    },
  }
}

/**
 * Adds the commands of all games of the project: `hurtbox <game> <command>`, and `hurtbox <command>` for names that only one
 * game has. Games that cannot be loaded are left out.
 */
export async function addGameCommands(program: Command, setExitCode: (code: number) => void): Promise<void> {
  const { modules } = await orUsageError(() => loadModules())
  const isFree = (name: string) => !program.commands.some((command) => command.name() === name)
  const found: { readonly module: LoadedModule; readonly command: GameCommand }[] = []
  for (const module of modules) {
    const { commands = [] } = await commandsOf(module)
    found.push(...commands.map((command) => ({ module, command })))
  }
  for (const { module, command } of found) {
    if (isFree(command.name) && found.filter((other) => other.command.name === command.name).length === 1) {
      await addCommand(program, command, module, setExitCode)
    }
  }
  for (const module of new Set(found.map((each) => each.module))) {
    if (!isFree(module.id)) continue
    const group = program.command(module.id, { hidden: true }).description(`commands of ${module.title}`)
    for (const each of found) if (each.module === module) await addCommand(group, each.command, module, setExitCode)
  }
}

async function addCommand(
  parent: Command,
  { name, about, options = [], run }: GameCommand,
  module: LoadedModule,
  setExitCode: (code: number) => void,
): Promise<void> {
  const command = parent.command(name).description(`${about} (${module.title})`)
  const names = await addOptions(command, options, module)
  command.action(async (given) => setExitCode(await orUsageError(() => run(pick(given, names), OUTPUT))))
}

/** Gives the names under which the values are found. */
async function addOptions(
  command: Command,
  options: readonly CommandOption[],
  module: LoadedModule,
  heading?: string,
): Promise<readonly string[]> {
  return orUsageError(() =>
    options.map(({ flags, about, default: value, read }) => {
      const option = new Option(flags, about)
      if (command.options.some(({ long }) => long === option.long)) {
        throw new UsageError(`${option.long} of ${module.id} is an option of the command itself: choose another name.`)
      }
      if (value !== undefined) option.default(value)
      if (read !== undefined) option.argParser((text: string) => orInvalid(() => read(text)))
      if (heading !== undefined) option.helpGroup(heading)
      command.addOption(option)
      return option.attributeName()
    }),
  )
}

function orInvalid<T>(action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error))
  }
}

async function commandsOf({ commands, id }: LoadedModule): Promise<GameCommands> {
  if (commands === undefined) return {}
  return orUsageError(async () => {
    const { default: exported } = await commands()
    if (typeof exported !== 'object' || exported === null) {
      throw new UsageError(`the commands of ${id} must be the default export: export default { run, commands }`)
    }
    return exported
  })
}

function pick(values: object, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
}
