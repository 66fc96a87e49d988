/**
 * An error for the people who look at a page: its sentence, with file and line of the source.
 *
 * The stack of a browser names lines of what was served. Where that has a source map (every page under development has) the
 * line of the source is looked up; else the line of the stack is what is known.
 */

import { ownPlace, placeOfFailure, type SourcePlace } from '../../base/stack.ts'

// What browsers and Node have; the engine is compiled without their types, so that rules cannot use them.
declare const fetch: (path: string) => Promise<{ text(): Promise<string> }>
declare const atob: (base64: string) => string
declare const URL: new (address: string, base: string) => { readonly pathname: string }
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string }

/** Reads a file of the page. */
type ReadFile = (path: string) => Promise<string>

type SourceMap = { readonly sources: readonly string[]; readonly mappings: string }

/** What an error says, and where it was thrown: `phase crawl failed in tick 3: … (/game/rules.ts:12:9)`. */
export async function tellError(error: unknown, read: ReadFile = readFromPage): Promise<string> {
  if (!(error instanceof Error)) return String(error)
  const place = placeOfFailure(error) ?? ownPlace(error)
  const { file, line, column } = place ?? {}
  if (file === undefined || line === undefined || column === undefined) return error.message
  const { file: source, line: row, column: at } = await placeInSource({ file, line, column }, read)
  return `${error.message} (${source.replace(/^\/@fs\//, '/')}:${row}:${at})`
}

async function placeInSource(place: SourcePlace, read: ReadFile): Promise<SourcePlace> {
  try {
    const [, address] = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(await read(place.file)) ?? []
    if (address === undefined) return place
    const [, inline] = /^data:application\/json[^,]*;base64,(.*)$/.exec(address) ?? []
    const map = JSON.parse(inline ? textOf(inline) : await read(resolve(address, place.file))) as SourceMap
    const found = originalOf(map.mappings, place)
    if (found === undefined) return place
    return { file: resolve(map.sources[found.source], place.file), line: found.line, column: found.column }
  } catch {
    return place
  }
}

function resolve(address: string, from: string): string {
  return decodeURI(new URL(address, `http://page${from}`).pathname)
}

function textOf(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)))
}

/** The last mapping that does not begin after the place; each is a difference to the one before it, in all lines. */
function originalOf(mappings: string, { line, column }: SourcePlace) {
  let [source, row, at] = [0, 0, 0]
  let found: { readonly source: number; readonly line: number; readonly column: number } | undefined
  const lines = mappings.split(';').slice(0, line)
  lines.forEach((segments, i) => {
    let made = 0
    for (const segment of segments.split(',')) {
      const [step = 0, ...original] = numbersOf(segment)
      made += step
      if (original.length < 3) continue
      source += original[0]
      row += original[1]
      at += original[2]
      if (i === line - 1 && made < column) found = { source, line: row + 1, column: at + 1 }
    }
  })
  return found
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Numbers in five bits a letter, the lowest first; the sixth says that more follow, the very lowest is the sign. */
function numbersOf(segment: string): number[] {
  const numbers: number[] = []
  let [value, shift] = [0, 0]
  for (const letter of segment) {
    const digit = DIGITS.indexOf(letter)
    value += (digit & 31) << shift
    shift += 5
    if (digit >= 32) continue
    numbers.push(value & 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return numbers
}

async function readFromPage(path: string): Promise<string> {
  return (await fetch(path)).text()
}
