/** `hurtbox games`: lists games, their scenes, options and tuning. */

import type { LoadedModule } from 'hurtbox/module'
import { loadModules } from 'hurtbox/module/node'
import { type OptionSpec, type OptionSpecs, printLayers, type TuningSpecs } from 'hurtbox/tools'
import { orUsageError } from '../errors.ts'
import { loadGame } from '../games.ts'
import { print, printError, printJson } from '../output.ts'
import { grouped, inColumns } from '../text.ts'

export type GamesOptions = { readonly json?: boolean; readonly layers?: boolean }

export async function games(gameName: string | undefined, options: GamesOptions): Promise<number> {
  const { modules, problems } =
    gameName === undefined
      ? await orUsageError(() => loadModules())
      : { modules: [await loadGame(gameName)], problems: [] }
  if (modules.length + problems.length === 0) {
    printError('This project lists no games. Give yours as a path: hurtbox games ./my-game.ts')
    printError('Or list it in package.json: "hurtbox": { "games": ["game/index.ts"] }')
  }
  for (const module of modules) {
    if (options.json) printGameJson(module)
    else printGame(module, options.layers === true)
  }
  for (const problem of problems) printError(`hurtbox: ${problem}`)
  return problems.length === 0 ? 0 : 1
}

function printGame({ game, goal, scenes, bots }: LoadedModule, withLayers: boolean): void {
  const { id, rulesVersion, tickRate, seats, options = {}, tuning = {} } = game.declaration
  print(`${id}: ${seats.min} to ${seats.max} players, ${tickRate} ticks a second, rules version ${rulesVersion}`)
  if (goal !== '') print(`  ${goal}`)
  section(
    'scenes',
    scenes.map((scene) => [scene.name, `${scene.about} (${grouped(scene.ticks)} ticks, seed ${scene.seed})`]),
  )
  section(
    'options',
    Object.entries(options as OptionSpecs).map(([name, spec]) => [
      name,
      `${describeOption(spec)}, default ${spec.value}`,
      spec.help,
    ]),
  )
  section(
    'tuning',
    Object.entries(tuning as TuningSpecs).map(([name, { value, unit, min, max, help, fromNextSpawn }]) => [
      name,
      `${value} ${unit}`.trim(),
      `from ${min} to ${max}`,
      [help, fromNextSpawn ? 'a change counts from the next spawn' : ''].filter(Boolean).join('; '),
    ]),
  )
  section(
    'bots',
    bots.map(({ name, about }) => [name, about]),
  )
  if (withLayers) {
    print('  layers')
    print(printLayers(game.layers).replace(/^/gm, '    '))
  }
}

function printGameJson({ game, title, about, goal, scenes, scenarios, bots }: LoadedModule): void {
  const { id, rulesVersion, tickRate, seats, options = {}, tuning = {}, layers = {} } = game.declaration
  printJson('game', {
    game: id,
    title,
    about,
    goal,
    rulesVersion,
    tickRate,
    seats,
    scenes: scenes.map(({ name, about, seed, ticks }) => ({ name, about, seed, ticks })),
    options,
    tuning,
    layers,
    bots: bots.map(({ name, about }) => ({ name, about })),
    scenarios: scenarios.map(({ name, source, expected }) => ({ name, source, expected })),
  })
}

function section(title: string, rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return
  print(`  ${title}`)
  print(inColumns(rows, '    '))
}

function describeOption(spec: OptionSpec): string {
  if (spec.kind === 'flag') return 'true or false'
  return spec.kind === 'oneOf' ? spec.names.join(' | ') : `whole number from ${spec.min} to ${spec.max}`
}
