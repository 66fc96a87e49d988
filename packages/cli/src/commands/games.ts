/** `hurtbox games`: lists games, their scenes, options and tuning. */

import { type OptionSpec, type OptionSpecs, printLayers, type TuningSpecs } from 'hurtbox/tools'
import { type GameModule, gameIds, loadGame } from '../games.ts'
import { print, printError, printJson } from '../output.ts'
import { grouped, inColumns } from '../text.ts'

export type GamesOptions = { readonly json?: boolean; readonly layers?: boolean }

export async function games(gameName: string | undefined, options: GamesOptions): Promise<number> {
  const names = gameName === undefined ? gameIds : [gameName]
  if (names.length === 0) printError('No games come with the command. Give yours as a path: hurtbox games ./my-game.ts')
  for (const name of names) {
    const module = await loadGame(name)
    if (options.json) printGameJson(module)
    else printGame(module, options.layers === true)
  }
  return 0
}

function printGame({ game, scenes, bots }: GameModule, withLayers: boolean): void {
  const { id, rulesVersion, tickRate, seats, options = {}, tuning = {} } = game.declaration
  print(`${id}: ${seats.min} to ${seats.max} players, ${tickRate} ticks a second, rules version ${rulesVersion}`)
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
    Object.entries(tuning as TuningSpecs).map(([name, { value, unit, min, max, help }]) => [
      name,
      `${value} ${unit}`.trim(),
      `from ${min} to ${max}`,
      help,
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

function printGameJson({ game, scenes, bots }: GameModule): void {
  const { id, rulesVersion, tickRate, seats, options = {}, tuning = {}, layers = {} } = game.declaration
  printJson('game', {
    game: id,
    rulesVersion,
    tickRate,
    seats,
    scenes: scenes.map(({ name, about, seed, ticks }) => ({ name, about, seed, ticks })),
    options,
    tuning,
    layers,
    bots: bots.map(({ name, about }) => ({ name, about })),
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
