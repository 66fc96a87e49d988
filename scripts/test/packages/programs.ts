/** The small programs that the installed packages are asked to run. */

import { readFileSync } from 'node:fs'
import { repositoryRoot } from '../../engines/install-npm.ts'

/** What `fight.js` reports: one and the same in every runtime. */
export type Report = {
  /** The state after the fight. */
  readonly hash: string
  /** What the README's program prints. */
  readonly said: readonly string[]
  /** How many names each way in exports. */
  readonly ways: Readonly<Record<string, number>>
}

const readme = readFileSync(`${repositoryRoot}README.md`, 'utf8')
const blocksOf = (language: string) =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text]) => text)

/** What the README says that its program prints. */
export const SAID: readonly string[] = blocksOf('text')[0].trimEnd().split('\n')

const importAll = (waysIn: readonly string[]) => waysIn.map((way, i) => `import * as way${i} from '${way}'`).join('\n')
/** An object: how many names each way in exports. */
const countAll = (waysIn: readonly string[]) =>
  `{ ${waysIn.map((way, i) => `'${way}': Object.keys(way${i}).length`).join(', ')} }`

/**
 * The README's fight as a module that exports a `Report`. It needs nothing but the language: what it prints is collected,
 * since a bare context has no console.
 */
export function fight(waysIn: readonly string[]): string {
  return `
${importAll(waysIn)}
import { hashWorld } from 'hurtbox'
const said = []
const console = { log: (...words) => said.push(words.join(' ')) }
${blocksOf('ts').join('\n')}
export const report = { hash: hashWorld(world), said, ways: ${countAll(waysIn)} }
`
}

export const PRINT = `
import { report } from './fight.js'
console.log(JSON.stringify(report))
`

/** The README's fight for the compiler alone, where the language is all there is. */
export function typedFight(waysIn: readonly string[]): string {
  return `
${importAll(waysIn)}
declare const console: { log(...words: unknown[]): void }
${blocksOf('ts').join('\n')}
console.log(${countAll(waysIn)})
`
}

export function countWays(waysIn: readonly string[]): string {
  return `
${importAll(waysIn)}
console.log(JSON.stringify(${countAll(waysIn)}))
`
}

/** A mistake that the engine throws about. */
export const MISTAKE = `
import { declareGame } from 'hurtbox'
declareGame({ id: 'no spaces please', tickRate: 30 })
`

/**
 * Runs `fight.js` in a context that has the globals of the language alone, all of them frozen: a package without side
 * effects has no need to change one. Modules are the installed files; only relative ones and `hurtbox` itself are found.
 */
export const BARE = `
import { readFileSync } from 'node:fs'
import { SourceTextModule, constants, createContext, runInContext } from 'node:vm'

const context = createContext(constants.DONT_CONTEXTIFY)
runInContext(\`
  delete globalThis.console
  delete globalThis.WebAssembly
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    Object.freeze(globalThis[name]?.prototype)
    Object.freeze(globalThis[name])
  }
\`, context)
const modules = new Map()
function load(url) {
  const known = modules.get(url)
  if (known) return known
  const module = new SourceTextModule(readFileSync(new URL(url), 'utf8'), { context, identifier: url })
  modules.set(url, module)
  return module
}
const resolve = (specifier, from) => {
  if (specifier.startsWith('.')) return new URL(specifier, from).href
  if (/^hurtbox(\\/|$)/.test(specifier)) return import.meta.resolve(specifier)
  throw new Error(from + ' imports ' + specifier)
}
const module = load(new URL('fight.js', import.meta.url).href)
await module.link((specifier, from) => load(resolve(specifier, from.identifier)))
await module.evaluate()
console.log(JSON.stringify(module.namespace.report))
`

/** A Colyseus server with one room, and a client that plays in it until its own knight has walked. */
export const ROOM = `
import { defineRoom, defineServer } from '@colyseus/core'
import { WebSocketTransport } from '@colyseus/ws-transport'
import { gameRoom } from '@hurtbox/colyseus'
import { joinGame } from '@hurtbox/colyseus/client'
import { SPECTATOR } from '@hurtbox/netcode'
import type { AddressInfo } from 'node:net'
import { game } from './game/rules.ts'

const server = defineServer({
  rooms: { 'slime-pit': defineRoom(gameRoom({ game })) },
  transport: new WebSocketTransport(),
  greet: false,
})
await server.listen(0, '127.0.0.1')
const { port } = server.transport.server!.address() as AddressInfo
const client = await joinGame(\`http://127.0.0.1:\${port}\`, game)
await client.whenPlaying()

const xs = new Set<number>()
const end = performance.now() + 20_000
while (performance.now() < end && xs.size < 10) {
  const state = client.update(performance.now(), () => ({ moveX: 1 }))
  if (state !== undefined && state.after.tick > 0) xs.add(state.after.tables.things.x[0])
  await new Promise((resolve) => setTimeout(resolve, 8))
}
const [first, ...later] = xs
const walked = later.every((x) => x > first)
console.log(JSON.stringify({ isPlayer: client.seat !== SPECTATOR, walked, places: xs.size, desyncs: client.desyncs.length }))
await client.leave()
await server.gracefullyShutdown(false)
process.exit(0)
`
