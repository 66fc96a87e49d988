import { stripTypeScriptTypes } from 'node:module'
import { expect, test } from 'vitest'
import { GameFailure } from '../../base/failure.ts'
import { tellError } from './tell-error.ts'

// Rule [EW7] is in docs/spec.md, section "Errors say where".

const SOURCE = `
/** Words, types and empty lines go when the file is served. */
type Slime = { hp: number }

enum Mood { calm, angry }

export function crawl(slime: Slime | undefined, mood: Mood): number {

  // Another one.
  return slime!.hp + mood
}
`

/** The file as a server under development sends it, with its map inside. */
const served = stripTypeScriptTypes(SOURCE, { mode: 'transform', sourceMap: true, sourceUrl: 'rules.ts' })
  .split('\n')
  .filter((line) => !line.startsWith('//# sourceURL'))
  .join('\n')
  .trim()

const placeIn = (text: string, words: string) => {
  const lines = text.split('\n')
  const line = lines.findIndex((each) => each.includes(words))
  return { line: line + 1, column: lines[line].indexOf(words) + 1 }
}

function thrownAt({ line, column }: { line: number; column: number }, path = '/game/rules.ts?t=17'): GameFailure {
  const cause = new TypeError('no hp')
  cause.stack = `TypeError: no hp\n    at crawl (http://localhost:5173${path}:${line}:${column})`
  return new GameFailure(cause, { what: 'phase crawl', phase: 'crawl', tick: 3 })
}

test('[EW7] a page tells the line of the source, by the source map of the file', async () => {
  const [at, real] = [placeIn(served, 'slime.hp'), placeIn(SOURCE, 'slime!.hp')]
  expect(at.line).not.toBe(real.line)
  const asked: string[] = []
  const read = async (path: string) => {
    asked.push(path)
    return served
  }
  const told = await tellError(thrownAt(at), read)
  expect(told).toBe(`phase crawl failed in tick 3: no hp (/game/rules.ts:${real.line}:${real.column})`)
  expect(asked).toEqual(['/game/rules.ts'])
})

test('[EW7] the map of a built page is a file beside it', async () => {
  const at = placeIn(served, 'slime.hp')
  const [code, map] = served.split('//# sourceMappingURL=data:application/json;base64,')
  const decoded = JSON.parse(Buffer.from(map, 'base64').toString())
  const files: Record<string, string> = {
    '/below/assets/index-1f.js': `${code}//# sourceMappingURL=index-1f.js.map\n`,
    '/below/assets/index-1f.js.map': JSON.stringify({ ...decoded, sources: ['../../game/rules.ts'] }),
  }
  const told = await tellError(thrownAt(at, '/below/assets/index-1f.js'), async (path) => files[path])
  expect(told).toContain(`(/game/rules.ts:${placeIn(SOURCE, 'slime!.hp').line}:`)
})

test('[EW7] without a map, or when it cannot be had, the line of the stack is told', async () => {
  const failure = thrownAt({ line: 1, column: 700 }, '/assets/index-1f.js')
  const known = 'phase crawl failed in tick 3: no hp (/assets/index-1f.js:1:700)'
  expect(await tellError(failure, async () => 'code()')).toBe(known)
  expect(await tellError(failure, async () => 'code()\n//# sourceMappingURL=data:application/json;base64,e30=')).toBe(
    known,
  )
  expect(await tellError(failure, () => Promise.reject(new Error('offline')))).toBe(known)
  expect(await tellError('a word')).toBe('a word')
})

test('[EW7] an error of the page itself has its line too', async () => {
  const error = new TypeError('no context')
  error.stack = 'TypeError: no context\n    at draw (http://localhost:5173/@fs/home/me/pit/client/draw.ts:9:3)'
  expect(await tellError(error, async () => '')).toBe('no context (/home/me/pit/client/draw.ts:9:3)')
})
