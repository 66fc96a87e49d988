/**
 * Loads modules of games in Node: by the path of a file, or by the id of a game that the project lists.
 *
 * A project lists its games in its package.json: `"hurtbox": { "games": ["game/index.ts"] }`; `*` stands for any one folder or
 * file name. The nearest package.json with such a list counts. The command line, the server and the engine matrix all find
 * games this way, so a new game is one more line there, or none if a `*` covers it.
 *
 * This file imports nothing of Node by name: it can be bundled and type-checked where there is no Node, and fails only when
 * it is called there.
 *
 * @module hurtbox/module/node
 */

import { HurtboxError, nearestNames } from '../../base/errors.ts'
import { ownPlace } from '../../base/stack.ts'
import { type LoadedModule, readModule } from './module.ts'

/** A module, and the absolute path of the file it came from. */
export type FoundModule = LoadedModule & { readonly file: string }

export type Project = {
  /** The folder of the package.json with the list; `undefined` if there is none. */
  readonly folder: string | undefined
  /** Absolute paths of the listed files, in the order of the list. */
  readonly files: readonly string[]
}

/** All games of a project, and what is wrong with those that could not be loaded. */
export type ProjectModules = { readonly modules: readonly FoundModule[]; readonly problems: readonly string[] }

/** What this file uses of Node. */
declare const process: {
  cwd(): string
  readonly versions: { readonly node: string }
  readonly features: { readonly typescript?: unknown }
  getBuiltinModule(name: 'node:fs'): {
    existsSync(path: string): boolean
    readFileSync(path: string, encoding: 'utf8'): string
    readdirSync(path: string): string[]
  }
  getBuiltinModule(name: 'node:path'): {
    readonly sep: string
    resolve(...parts: string[]): string
    join(...parts: string[]): string
    relative(from: string, to: string): string
    dirname(path: string): string
    basename(path: string, extension?: string): string
    extname(path: string): string
  }
  getBuiltinModule(name: 'node:url'): { pathToFileURL(path: string): { readonly href: string } }
}

const HOW_TO_LIST = 'list it in package.json: "hurtbox": { "games": ["game/index.ts"] }'

/**
 * A game by the path of its module or by its id; without a name the only game of the project. Throws a sentence when there is
 * none, or its file cannot be loaded. `from` is the folder that paths and the project are looked up from.
 */
export async function loadModule(idOrPath?: string, from: string = process.cwd()): Promise<FoundModule> {
  if (idOrPath === undefined) return loadOnly(from)
  if (isPath(idOrPath, from)) return importModule(moduleFile(idOrPath, from), idOrPath)
  const { files, folder } = findProject(from)
  // The file whose name is that of the game comes first, so that a mistake in one game does not keep others from running.
  for (const file of files) {
    if (likelyId(file) !== idOrPath) continue
    const module = await importModule(file, shown(file, folder))
    if (module.id === idOrPath) return module
  }
  const { modules, problems } = await loadModules(from, idOrPath)
  const found = modules.find(({ id }) => id === idOrPath)
  if (found !== undefined) return found
  const ids = nearestNames(
    idOrPath,
    modules.map(({ id }) => id),
  )
  const known = ids.length === 0 ? `This project has none; ${HOW_TO_LIST}.` : `Known: ${ids.join(', ')}.`
  throw new HurtboxError(
    'unknown-name',
    [`There is no game "${idOrPath}". ${known} A file is given as a path: ./my-game.ts`, ...problems].join('\n'),
  )
}

/** All games that the project lists. Stops early at the game with the id `until`. */
export async function loadModules(from: string = process.cwd(), until?: string): Promise<ProjectModules> {
  const { files, folder } = findProject(from)
  const modules: FoundModule[] = []
  const problems: string[] = []
  for (const file of files) {
    try {
      const module = await importModule(file, shown(file, folder))
      const twin = modules.find(({ id }) => id === module.id)
      if (twin === undefined) modules.push(module)
      else problems.push(`${shown(file, folder)} and ${shown(twin.file, folder)} are both the game "${module.id}".`)
      if (module.id === until) break
    } catch (error) {
      problems.push(messageOf(error))
    }
  }
  return { modules, problems }
}

/** The nearest package.json that lists games, from a folder upwards. */
export function findProject(from: string = process.cwd()): Project {
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs')
  const { dirname, join, resolve } = process.getBuiltinModule('node:path')
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const path = join(folder, 'package.json')
    if (existsSync(path)) {
      const list = listIn(readFileSync(path, 'utf8'), path)
      if (list !== undefined) return { folder, files: [...new Set(list.flatMap((entry) => filesOf(folder, entry)))] }
    }
    if (dirname(folder) === folder) return { folder: undefined, files: [] }
  }
}

/**
 * The file of a game by a path: the file itself, or the only game in a folder, which is the one that the folder's package.json
 * lists, else its index.ts, index.mts, index.js or index.mjs. Throws a sentence when a folder has no game, or several.
 */
export function moduleFile(path: string, from: string = process.cwd()): string {
  const { existsSync, readdirSync } = process.getBuiltinModule('node:fs')
  const { join, resolve } = process.getBuiltinModule('node:path')
  const place = resolve(from, path)
  const names = namesIn(place, readdirSync)
  if (names.length === 0) return place
  const listed = existsSync(join(place, 'package.json')) ? findProject(place) : undefined
  const files =
    listed?.folder === place
      ? listed.files
      : names.filter((name) => /^index\.m?[jt]s$/.test(name)).map((name) => join(place, name))
  if (files.length === 1) return files[0]
  const count =
    files.length === 0 ? 'no game: no index.ts or index.js, and no package.json that lists one' : 'several games'
  throw new HurtboxError('bad-argument', `The folder ${path} has ${count}. Give the path of the module.`)
}

/** Whether a text names a file or folder and not the id of a game: a dot, a slash, the ending of a module, or such a file exists. */
export function isPath(text: string, from: string = process.cwd()): boolean {
  const { existsSync } = process.getBuiltinModule('node:fs')
  const { resolve, extname } = process.getBuiltinModule('node:path')
  return /[\\/]|^\.\.?$/.test(text) || isModuleFile(text) || (extname(text) !== '' && existsSync(resolve(from, text)))
}

/** Whether a file has the ending of JavaScript or TypeScript. */
export function isModuleFile(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path)
}

async function loadOnly(from: string): Promise<FoundModule> {
  const { files, folder } = findProject(from)
  if (files.length === 1) return importModule(files[0], shown(files[0], folder))
  if (files.length === 0) {
    throw new HurtboxError('bad-argument', `Which game? Give the path of its module, or ${HOW_TO_LIST}.`)
  }
  const { modules } = await loadModules(from)
  throw new HurtboxError('bad-argument', `Which game? This project has ${modules.map(({ id }) => id).join(', ')}.`)
}

async function importModule(file: string, name: string): Promise<FoundModule> {
  const refuse = (reason: string, cause?: unknown) =>
    Object.assign(new HurtboxError('bad-argument', reason), cause !== undefined && { cause })
  if (!process.getBuiltinModule('node:fs').existsSync(file)) throw refuse(`There is no file ${name}.`)
  if (!isModuleFile(file)) throw refuse(`${name} is no JavaScript or TypeScript module (.js, .mjs, .ts, .mts).`)
  if (/ts$/.test(file) && !process.features.typescript) {
    throw refuse(`Node ${process.versions.node} cannot load ${name}. Use Node 22.18 or newer, or give JavaScript.`)
  }
  let exported: { readonly default?: unknown }
  try {
    exported = await import(process.getBuiltinModule('node:url').pathToFileURL(file).href)
  } catch (error) {
    throw refuse(`${name} could not be loaded: ${messageOf(error)}${placeOf(error)}`, error)
  }
  return { ...readModule(exported, name), file }
}

/** The line of the game that threw. Where a text is no TypeScript the first line of the stack says it, as file and line. */
function placeOf(error: unknown): string {
  const [first] = String((error as Error | undefined)?.stack).split('\n')
  if (/^(?:\/|[A-Z]:|file:).*:\d+$/.test(first)) return ` (${first})`
  const { file, line, column } = ownPlace(error) ?? {}
  return file === undefined ? '' : ` (${shown(file, process.cwd())}:${line}:${column})`
}

function listIn(text: string, path: string): readonly string[] | undefined {
  let manifest: { readonly hurtbox?: { readonly games?: unknown } }
  try {
    manifest = JSON.parse(text)
  } catch (error) {
    throw new HurtboxError('bad-argument', `${path} is no JSON: ${messageOf(error)}`)
  }
  const games = manifest?.hurtbox?.games
  if (games === undefined) return undefined
  if (Array.isArray(games) && games.every((entry) => typeof entry === 'string')) return games
  throw new HurtboxError('bad-argument', `"hurtbox": { "games": … } in ${path} must be a list of paths.`)
}

/** The files of one entry of the list, sorted by name. An entry without `*` is a file even if it is missing: that is told. */
function filesOf(folder: string, entry: string): string[] {
  const { existsSync, readdirSync } = process.getBuiltinModule('node:fs')
  const { join } = process.getBuiltinModule('node:path')
  if (!entry.includes('*')) return [join(folder, entry)]
  let places = [folder]
  for (const part of entry.split(/[\\/]/).filter((part) => part !== '.' && part !== '')) {
    places = places.flatMap((place) => {
      if (!part.includes('*')) return [join(place, part)]
      const pattern = new RegExp(`^${part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`)
      return namesIn(place, readdirSync)
        .filter((name) => pattern.test(name))
        .map((name) => join(place, name))
    })
  }
  return places.filter(existsSync)
}

function namesIn(folder: string, readdirSync: (path: string) => string[]): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    // A file, or a folder that is not there.
    return []
  }
}

/** What a game is probably called by its place: `games/arena/index.ts` and `arena.ts` are `arena`. */
export function likelyId(file: string): string {
  const { basename, dirname, extname } = process.getBuiltinModule('node:path')
  const name = basename(file, extname(file))
  return name === 'index' ? basename(dirname(file)) : name
}

function shown(file: string, folder: string | undefined): string {
  return folder === undefined ? file : process.getBuiltinModule('node:path').relative(folder, file)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
