/**
 * The engine and the games of any checkout, loaded by path.
 *
 * The two sides of a comparison may have different APIs, so nothing here is imported by type. A function may also move
 * from one entry point of the package to another between two commits; names are therefore looked up in all of them. Which
 * entry points there are and where their files lie is read from each checkout's own package.json.
 */

import { readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What the comparison reads from a world. Tables differ between APIs, so only their scenes look into them. */
export type World = { readonly tick: number }

export type Inputs = {
  controls: readonly object[]
  count: number
  readonly seats: Uint8Array
  readonly codes: Uint32Array
}

export type Game = {
  readonly declaration: { readonly id: string }
  readonly behaviour: { result?(world: World): { readonly over?: boolean } | undefined }
}

/** The functions that the comparison calls, and whatever else the package exports. */
export type Engine = {
  createWorld(game: Game, options: object): World
  step(world: World, inputs?: object): void
  stepEncoded(world: World, inputs: Inputs): void
  createEncodedInputs(world: World): Inputs
  encodeInputs(world: World, inputs: object, into: Inputs): void
  botInputs(bot: unknown, world: World, seed: number, isBot: (seat: number) => boolean): object[]
  hashWorld(world: World): string
  // biome-ignore lint/suspicious/noExplicitAny: the scenes of `hits` call an API that only one of the two sides has.
  readonly [name: string]: any
}

export type GameModule = {
  readonly game: Game
  readonly bots: readonly unknown[]
  readonly scenes: readonly {
    readonly seed: number
    readonly ticks: number
    readonly options?: object
    readonly tuning?: object
    readonly inputs?: (tick: number, world: World) => { controls?: object[]; players?: object[] }
  }[]
}

/** What both sides are measured with; `encodeInputs` and `botInputs` only record, which the base does. */
const REQUIRED = ['createWorld', 'step', 'stepEncoded', 'createEncodedInputs', 'hashWorld']

export async function loadEngine(root: string): Promise<Engine> {
  requireOwnEngine(root)
  const engine: Record<string, unknown> = {}
  const failures: unknown[] = []
  for (const file of Object.values(entryPoints(root))) {
    // A broken entry point matters only to cases that need it.
    const names = await importFile(file).catch((error: unknown) => failures.push(error) && {})
    // The main entry point comes first and keeps its names.
    for (const [name, value] of Object.entries(names)) engine[name] ??= value
  }
  const missing = REQUIRED.filter((name) => engine[name] === undefined)
  if (missing.length > 0) {
    const reasons = failures.map((failure) => ` ${String(failure)}`).join('')
    throw new Error(`no entry point of the engine in ${root} exports ${missing.join(', ')}.${reasons}`)
  }
  return engine as Engine
}

export async function loadGame(root: string, name: string): Promise<GameModule> {
  // A checkout from before modules of games exports game, scenes and bots by name.
  const exported = (await importFile(join(root, 'games', name, 'index.ts'))) as GameModule & { default?: GameModule }
  return exported.default ?? exported
}

/** The module behind one entry point of the engine, such as `./space`. */
export async function importEntry(root: string, entry: string): Promise<object> {
  const file = entryPoints(root)[entry]
  if (file === undefined) throw new Error(`the engine in ${root} has no entry point ${entry}.`)
  return importFile(file)
}

/** Files by entry point, the main one first, then by name. */
function entryPoints(root: string): Record<string, string> {
  const folder = join(root, 'packages/hurtbox')
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { exports: Record<string, string> }
  const entries = Object.entries(manifest.exports).filter(([, path]) => path.endsWith('.ts'))
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([entry, path]) => [entry, join(folder, path)]),
  )
}

async function importFile(path: string): Promise<object> {
  return await import(pathToFileURL(path).href)
}

/** With a borrowed `node_modules` the games of one side would run on the engine of the other, and every ratio be 1. */
function requireOwnEngine(root: string): void {
  const found = realpathSync(createRequire(join(root, 'games/package.json')).resolve('hurtbox/package.json'))
  const own = realpathSync(join(root, 'packages/hurtbox/package.json'))
  if (found !== own) throw new Error(`the games in ${root} import another checkout's engine: ${found}.`)
}
