/**
 * `hurtbox map`: a level drawn in Tiled as a module of the game.
 *
 * A module, not the file of Tiled itself: the layers are names that the compiler checks, no page fetches or reads a level, and what
 * changed in it is seen in a diff.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, relative } from 'node:path'
import { type Level, readTiled, type TiledFile, type TiledSet } from 'hurtbox/tiled'
import { orUsageError, UsageError } from '../errors.ts'
import { print, printError, printJson } from '../output.ts'

export type MapOptions = { readonly out?: string; readonly json?: boolean }

/** The first line of what it writes; only such a file is written over. */
const MADE_BY = '// Made by `npx hurtbox map`'

export async function map(path: string, options: MapOptions): Promise<number> {
  const file = readJson<TiledFile>(path)
  const sets: Record<string, TiledSet> = {}
  for (const { source } of file.tilesets ?? []) {
    if (source === undefined) continue
    const set = join(dirname(path), source)
    if (extname(set) === '.tsx') {
      throw new UsageError(`the set of tiles ${set} is XML. Save it in Tiled as JSON (.tsj), or embed it into the map.`)
    }
    sets[source] = readJson<TiledSet>(set)
  }
  const level = await orUsageError(() => readTiled(file, sets))
  const out = options.out ?? `${path.slice(0, path.length - extname(path).length)}.ts`
  if (existsSync(out) && !readFileSync(out, 'utf8').startsWith(MADE_BY)) {
    throw new UsageError(`${out} was not made by hurtbox map; it is not written over. Name another file with --out.`)
  }
  await orUsageError(() => writeFileSync(out, moduleOf(level, relative(dirname(out), path).replaceAll('\\', '/'))))
  const pieces = countBy(level.map.map(({ layer }) => layer))
  const objects = countBy(level.objects.map(({ kind }) => kind || 'without a class'))
  if (options.json) printJson('map', { file: out, width: level.width, height: level.height, pieces, objects })
  else {
    print(`${out}: ${level.width} × ${level.height}`)
    print(`  pieces   ${told(pieces)}`)
    print(`  objects  ${told(objects)}`)
  }
  if (level.map.length > 0) return 0
  printError(
    'hurtbox: nothing in this level is solid. Give a layer of tiles or objects, or tiles of a set, the property',
  )
  printError('hurtbox: `layer` with the name of a layer of the game, as wall.')
  return 1
}

function readJson<T>(path: string): T {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch (error) {
    const why =
      error instanceof SyntaxError ? 'it is no JSON: save it in Tiled as .tmj or .tsj' : (error as Error).message
    throw new UsageError(`${path} cannot be read: ${why}.`, { cause: error })
  }
}

/** One line for each piece and object, so that a change of the level is a change of a few lines. */
function moduleOf({ width, height, map, objects }: Level, source: string): string {
  const union = (names: readonly string[]) =>
    names.length === 0
      ? 'never'
      : Object.keys(countBy(names))
          .map((name) => JSON.stringify(name))
          .join(' | ')
  const lines = (values: readonly unknown[]) => values.map((value) => `    ${JSON.stringify(value)},\n`).join('')
  return `${MADE_BY} from ${source}: change the level there, and make this again.

import type { Level } from 'hurtbox/tiled'

export const level: Level<${union(map.map(({ layer }) => layer))}, ${union(objects.map(({ kind }) => kind))}> = {
  width: ${width},
  height: ${height},
  map: [
${lines(map)}  ],
  objects: [
${lines(objects)}  ],
}
`
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

const told = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ') || 'none'
