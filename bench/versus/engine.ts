/**
 * The engine and the games of any checkout, loaded by path.
 *
 * The two sides of a comparison may have different APIs, so nothing here is imported by type. A function may also move
 * from one entry point of the package to another between two commits; names are therefore looked up in all of them.
 */

import { existsSync, readdirSync, realpathSync } from 'node:fs'
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
  const source = join(root, 'packages/hurtbox/src')
  const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const places = [source, ...folders.map(({ name }) => join(source, name)).sort()]
  const engine: Record<string, unknown> = {}
  const failures: unknown[] = []
  for (const place of places) {
    const index = join(place, 'index.ts')
    if (!existsSync(index)) continue
    // A broken entry point matters only to cases that need it.
    const names = await importFile(index).catch((error: unknown) => failures.push(error) && {})
    // The main entry point comes first and keeps its names.
    for (const [name, value] of Object.entries(names)) engine[name] ??= value
  }
  const missing = REQUIRED.filter((name) => engine[name] === undefined)
  if (missing.length > 0) {
    const reasons = failures.map((failure) => ` ${String(failure)}`).join('')
    throw new Error(`no index file in ${source} exports ${missing.join(', ')}.${reasons}`)
  }
  return engine as Engine
}

export async function loadGame(root: string, name: string): Promise<GameModule> {
  // A checkout from before modules of games exports game, scenes and bots by name.
  const exported = (await importFile(join(root, 'games', name, 'index.ts'))) as GameModule & { default?: GameModule }
  return exported.default ?? exported
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
