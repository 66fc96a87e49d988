/**
 * What the main thread of a page did, by part of a frame.
 *
 * A CPU profile knows which function ran when. Its sources, by the source maps of the build, say which part of a frame that was; what
 * runs below the engine belongs to whoever called it. Drawing itself, layout and compositing are no script: the browser does them, on a
 * machine without a graphics card on the same thread and slowly, and a profile has them as "(program)".
 */

import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { basename, join } from 'node:path'

type CallFrame = {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
  readonly columnNumber: number
}
type ProfileNode = { readonly id: number; readonly callFrame: CallFrame; readonly children?: readonly number[] }
export type CpuProfile = {
  readonly nodes: readonly ProfileNode[]
  readonly startTime: number
  readonly endTime: number
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** The parts of a frame, by where their sources are; the first that fits. What fits none, like the engine, is its caller's. */
const PARTS: readonly (readonly [part: string, source: RegExp])[] = [
  ['prediction', /packages\/netcode\//],
  ['connection', /packages\/(colyseus|datagrams)\/|node_modules\/@colyseus/],
  ['places', /packages\/view\//],
  ['effects', /games\/view\/effects|games\/sumo\/view\/(sparks|numbers)/],
  ['words', /games\/sumo\/view\/(labels|names)/],
  ['world', /games\/([^/]+\/)?view\/|node_modules\/three\//],
  ['stage', /packages\/studio\/src\/draw\//],
  ['states', /packages\/studio\/src\/(show|sim|model)\//],
  ['page', /packages\/studio\/src\/|node_modules\//],
]
/** Functions of the views that write words, whatever file they are in. */
const WORDS = /^(words|writeWords|write|drawNotes)$/

export type Split = {
  /** Milliseconds of the whole profile. */
  readonly wallMs: number
  readonly drawingMs: number
  /** Script by part of a frame, garbage collection among them. */
  readonly parts: Readonly<Record<string, number>>
  /** Milliseconds by function and source, for looking closer. */
  readonly functions: ReadonlyMap<string, number>
}

export function splitProfile({ nodes, samples, timeDeltas, startTime, endTime }: CpuProfile, sources: Sources): Split {
  const parents = new Map<number, ProfileNode>()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node)
  const places = new Map(nodes.map((node) => [node.id, sources.placeOf(node.callFrame)]))
  const partOf = memoized((id: number): string => {
    const { functionName } = byId.get(id)!.callFrame
    if (functionName === '(garbage collector)') return 'garbage'
    if (functionName === '(program)') return 'drawing'
    if (functionName === '(idle)') return 'idle'
    for (let at: ProfileNode | undefined = byId.get(id); at !== undefined; at = parents.get(at.id)) {
      const { source, name } = places.get(at.id)!
      if (source.includes('games/') && WORDS.test(name)) return 'words'
      const found = PARTS.find(([, pattern]) => pattern.test(source))
      if (found !== undefined) return found[0]
    }
    return 'page'
  })
  const ms: Record<string, number> = {}
  const functions = new Map<string, number>()
  samples.forEach((id, i) => {
    const spent = (timeDeltas[i + 1] ?? 0) / 1000
    const part = partOf(id)
    ms[part] = (ms[part] ?? 0) + spent
    const { name, source } = places.get(id)!
    const caller = source === '' && parents.has(id) ? ` < ${places.get(parents.get(id)!.id)!.name}` : ''
    const key = `${part}: ${name}${caller} ${basename(source)}`
    functions.set(key, (functions.get(key) ?? 0) + spent)
  })
  const { drawing = 0, idle: _, ...parts } = ms
  return { wallMs: (endTime - startTime) / 1000, drawingMs: drawing, parts, functions }
}

function memoized<T>(find: (id: number) => T): (id: number) => T {
  const known = new Map<number, T>()
  return (id) => {
    if (!known.has(id)) known.set(id, find(id))
    return known.get(id)!
  }
}

export type Sources = { placeOf(frame: CallFrame): { readonly name: string; readonly source: string } }

/** Where the built files of a folder come from. */
export function sourcesOf(folder: string): Sources {
  const maps = new Map<string, SourceMap | undefined>()
  const mapOf = (url: string) => {
    if (!maps.has(url)) {
      try {
        const text = readFileSync(join(folder, 'assets', `${basename(new URL(url).pathname)}.map`), 'utf8')
        maps.set(url, new SourceMap(JSON.parse(text)))
      } catch {
        // A file of the browser's own.
        maps.set(url, undefined)
      }
    }
    return maps.get(url)
  }
  return {
    placeOf({ functionName, url, lineNumber, columnNumber }) {
      const entry = url === '' ? undefined : mapOf(url)?.findEntry(lineNumber, columnNumber)
      if (entry === undefined || !('originalSource' in entry)) return { name: functionName, source: url }
      const { name = functionName, originalSource } = entry as { name?: string; originalSource: string }
      return { name, source: originalSource }
    },
  }
}
