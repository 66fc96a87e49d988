import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { findTraps } from 'hurtbox/lint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseCode } from '../../packages/cli/src/check/source.ts'
import { withPoisonedGlobals } from '../engines/poison.ts'

// Rules [EM10]..[EM12] are in docs/spec.md, section "Engine matrix".

const root = fileURLToPath(new URL('../..', import.meta.url))
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')

/** Each is one snippet, the line of the mistake, and a word of the advice. */
const BAD: readonly (readonly [code: string, line: number, advice: string])[] = [
  ['export const a = Math.sin(1)', 1, 'hurtbox/math'],
  ['export const a = [1, 2].map(Math.exp)', 1, 'hurtbox/math'],
  ['export const a = Math.max(1, Math.atan2(2, 3))', 1, 'hurtbox/math'],
  ['export const a = Math?.log(2)', 1, 'hurtbox/math'],
  ['export const a = Math.hypot(3, 4)', 1, 'Math.sqrt(x * x + y * y)'],
  ['export const a = Math.random()', 1, 'random stream'],
  ['export const a = Math.f16round(1)', 1, 'hurtbox/math'],
  ["export const a = Math['sin'](1)", 1, 'Math.name'],
  ['export const { sin } = Math', 1, 'Math.name'],
  ['const m = Math\nexport const a = m.sin(1)', 1, 'Math.name'],
  ['export const a = (Math as any).sin(1)', 1, 'Math.name'],
  ['declare function use(x: unknown): any\nexport const a = use(Math).sin', 2, 'Math.name'],
  ['declare function use(x: unknown): number\nexport const a = Math.max(use({ Math }))', 2, 'Math.name'],
  ['export const square = (x: number) => x ** 2', 1, 'Multiply'],
  ['export let x = 3\nx **= 2', 2, 'Multiply'],
  ['export const o = { x: 3 }\n// y = x\no.x **= 2', 3, 'Multiply'],
  ['export const now = Date.now()', 1, 'ticks'],
  ['export const now = new Date()', 1, 'ticks'],
  ['declare const performance: any\nexport const now = performance.now()', 2, 'ticks'],
  ['declare const setTimeout: any\nsetTimeout(() => {}, 5)', 2, 'due'],
  ['declare const setInterval: any\nsetInterval(() => {}, 5)', 2, 'due'],
  ['declare const queueMicrotask: any\nqueueMicrotask(() => {})', 2, 'due'],
  ['declare const crypto: any\nexport const a = crypto.randomUUID()', 2, 'random stream'],
  ["export const a = 'a'.localeCompare('b')", 1, 'code unit'],
  ['export const a = (1.5).toLocaleString()', 1, 'code unit'],
  ['export const a = new Intl.NumberFormat()', 1, 'view'],
  ['export const keys: string[] = []\nfor (const key in { a: 1 }) keys.push(key)', 2, 'declared order'],
  ['export const a = new WeakRef({})', 1, 'table'],
  ['export const a = globalThis.Math.sin(1)', 1, 'Import'],
]

const GOOD: readonly string[] = [
  'export const a = Math.sqrt(2) + Math.abs(-1) + Math.floor(1.5) + Math.imul(2, 3) + Math.fround(1) + Math.PI',
  'export const a = Math.max(1, 2) * Math.min(3, 4) - Math.round(2.5) + Math.trunc(1.5) + Math.sign(-1)',
  "import { cos, sin } from 'hurtbox/math'\nexport const a = sin(1) * cos(1)",
  '// Math.sin, x ** 2, Date.now() and for (k in o)\n/* Math.random() */\nexport const a = 1',
  "export const a = 'Math.sin(1) ** 2 Date **= for (k in o)'",
  'export const a = `Math.sin ** Date`',
  'export const pattern = /Math.sin|Date|\\*\\*=/',
  'export const o = { Date: 1, sin: 2, performance: 3, crypto: 4 }\nexport const a = o.Date + o.performance',
  "export const has = 'Date' in { a: 1 }",
  'export const a: number[] = []\nfor (const x of [1, 2]) a.push(x)',
  'export type Stamp = { readonly Intl: string }',
  "export let text = ''\ntext = '**='",
]

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hurtbox-lint-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('determinism lint', () => {
  test('[EM10] every forbidden thing is found, with its line and what to use instead', () => {
    const found = lint(
      'bad',
      BAD.map(([code]) => code),
    )
    const wrong = BAD.flatMap(([code, line, advice], i) => {
      const [first, ...more] = found[i]!
      return first?.line === line && first.message.includes(advice) && more.length === 0
        ? []
        : [{ code, found: found[i] }]
    })
    expect(wrong).toEqual([])
  })

  test('[EM10] exact functions, comments, texts, patterns and property names are left alone', () => {
    const found = lint('good', GOOD)
    expect(GOOD.flatMap((code, i) => (found[i]!.length === 0 ? [] : [{ code, found: found[i] }]))).toEqual([])
  })

  test('[EM10] the list of ESLint and `hurtbox check` has the same, and leaves the same alone', () => {
    // Lines stay as they are but for types, which take whole lines here.
    const trapsIn = (code: string) => {
      const { code: plain } = transformSync(code, { loader: 'ts', target: 'esnext' })
      return findTraps(parseCode(plain, 'snippet'), plain)
    }
    expect(BAD.filter(([code]) => trapsIn(code).length !== 1).map(([code]) => code)).toEqual([])
    expect(GOOD.filter((code) => trapsIn(code).length > 0)).toEqual([])
  })

  test('[EM12] the lint and the poison forbid the same functions of Math', () => {
    const names = Object.getOwnPropertyNames(Math).filter((name) => typeof Reflect.get(Math, name) === 'function')
    expect(names.length).toBeGreaterThan(30)
    const found = lint(
      'agree',
      names.map((name) => `export const f = Math.${name}`),
    )
    expect(names.filter((_, i) => found[i]!.length > 0)).toEqual(names.filter((name) => isPoisoned(name)))
  })

  test("[EM10] the repository's own configuration applies it to the engine and to the rules of games", () => {
    const project = join(folder, 'own')
    for (const file of ['biome.json', '.gitignore', 'packages/hurtbox/lint/determinism.grit']) {
      write(join(project, file), readFileSync(join(root, file), 'utf8'))
    }
    const places = ['packages/hurtbox/src/deep/er/a.ts', 'games/duel/rules/a.ts', 'games/duel/view/a.ts']
    for (const place of places) write(join(project, place), 'export const a = Math.sin(1)\n')
    const printed = runBiome(project)
    const found = [...printed.matchAll(/(\S+):1:18: plugin: Math\.sin is not the same/g)].map(([, path]) => path)
    expect(found.sort(), printed).toEqual(['games/duel/rules/a.ts', 'packages/hurtbox/src/deep/er/a.ts'])
  })
})

type Finding = { readonly line: number; readonly message: string }

/** Lints each snippet as a file of its own with nothing but our plugin; returns the findings per snippet. */
function lint(name: string, snippets: readonly string[]): Finding[][] {
  const project = join(folder, name)
  write(
    join(project, 'biome.json'),
    JSON.stringify({
      root: true,
      plugins: [join(root, 'packages/hurtbox/lint/determinism.grit')],
      linter: { rules: { preset: 'none' } },
    }),
  )
  for (const [i, code] of snippets.entries()) write(join(project, `src/${i}.ts`), `${code}\n`)
  const printed = runBiome(project)
  expect(printed).toContain(`Checked ${snippets.length + 1} files`)

  const findings: Finding[][] = snippets.map(() => [])
  for (const [, file, line, message] of printed.matchAll(/^\S+ src\/(\d+)\.ts:(\d+):\d+: plugin: (.*)$/gm)) {
    findings[Number(file)]!.push({ line: Number(line), message: message! })
  }
  return findings
}

function runBiome(project: string): string {
  const args = [biome, 'lint', '--reporter=concise', '--max-diagnostics=none', '--colors=off', '.']
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' })
  return stdout + stderr
}

function isPoisoned(name: string): boolean {
  return withPoisonedGlobals(() => {
    try {
      Reflect.get(Math, name).call(Math, 1, 1)
      return false
    } catch {
      return true
    }
  })
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
