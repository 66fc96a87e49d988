/** What a mutation run is about: areas of the source, the tests that count for each, the sample, and what is known already. */

import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { listDomainMutants, type Surroundings } from './domain.ts'
import type { NumberedMutant } from './instrument.ts'
import { brief, listMutants, type Mutant } from './mutants.ts'

export const ROOT: string = fileURLToPath(new URL('../..', import.meta.url))
/** Outside git. */
export const CACHE = `${ROOT}.cache/mutate/`

export type Area = {
  readonly name: string
  readonly sources: readonly string[]
  readonly tests: readonly string[]
  /** How many of the small ones are to be killed at least, per cent; undefined where nothing was promised. */
  readonly wanted: number | undefined
  /** Whether small mistakes are made in it, too, and not only those of games. */
  readonly hasSmall: boolean
}

/**
 * Golden hashes are no tests here: they change with everything, and say nothing of what is right. Nor are pages that are written from
 * the numbers they are compared with.
 */
const NOT_COUNTED =
  /(determinism|command|golden|heap|allocation|types|examples|builds|readme)(\.slow|\.heavy)?\.test\.ts$/
/** What the commands of a README print has hashes in it, and its tables are those of the declaration. */
export const NOT_COUNTED_TITLE = /the commands of the README|CONTENT\.md|the README has the headings/

const GAMES = ['jet-raiders', 'nightfall', 'siege', 'sumo', 'vinyl-frontier']
const ENGINE = ['kits/combat', 'kits/abilities', 'kits/motion', 'rules/collide']
/** Where only the mistakes of games are made. */
const ENGINE_DOMAIN = [
  'kits/attach',
  'kits/match',
  'kits/platformer',
  'kits/query',
  'kits/status',
  'rules/contacts',
  'rules/rewind',
]

/** The tests of the engine that can reach the parts that are mutated, without those about files, sessions and geometry alone. */
const ENGINE_TESTS = [
  'packages/hurtbox/src/{kits,rules,world/handles}/**/*.test.ts',
  'packages/hurtbox/src/world/step.test.ts',
  'packages/hurtbox/src/record/session/session.test.ts',
  'packages/hurtbox/test/bad-input.test.ts',
]

export const AREAS: readonly Area[] = [
  ...GAMES.map((game) =>
    area(`games/${game}/rules`, [`games/${game}/rules/**/*.ts`], [`games/${game}/test/*.test.ts`], 85),
  ),
  ...ENGINE.map((folder) =>
    area(
      `packages/hurtbox/src/${folder}`,
      [`packages/hurtbox/src/${folder}/**/*.ts`],
      ENGINE_TESTS,
      folder === 'kits/combat' || folder === 'rules/collide' ? 90 : undefined,
    ),
  ),
  ...ENGINE_DOMAIN.map((folder) => ({
    ...area(`packages/hurtbox/src/${folder}`, [`packages/hurtbox/src/${folder}/**/*.ts`], ENGINE_TESTS),
    hasSmall: false,
  })),
  area('packages/server/src, hooks', ['packages/server/src/room-hooks.ts'], ['packages/server/src/room-hooks.test.ts']),
]

function area(name: string, sources: readonly string[], tests: readonly string[], wanted?: number): Area {
  const own = files(sources).filter((file) => !/\.test\.ts$|\/fixtures\//.test(file))
  const counted = files(tests).filter((file) => !NOT_COUNTED.test(file))
  return { name, sources: own, tests: counted, wanted, hasSmall: true }
}

function files(patterns: readonly string[]): string[] {
  return globSync([...patterns], { cwd: ROOT }).sort()
}

export function readSource(file: string): string {
  return readFileSync(ROOT + file, 'utf8')
}

/** All mutants of an area, numbered from 1. The hooks of the server are no rules. */
export function mutantsOf({ sources, hasSmall }: Area): NumberedMutant[] {
  const isRules = (file: string) => !file.startsWith('packages/server/')
  const domain = (file: string) => listDomainMutants(file, readSource(file), surroundingsOf(file), brief)
  return sources
    .flatMap((file) => [
      ...(hasSmall ? listMutants(file, readSource(file)) : []),
      ...(isRules(file) ? domain(file) : []),
    ])
    .map((mutant, n) => ({ ...mutant, number: n + 1 }))
}

/** The columns that are timers, and the rate of the game that a file is of. */
function surroundingsOf(file: string): Surroundings {
  const textOf = (pattern: string) =>
    files([pattern])
      .filter((each) => !each.endsWith('.test.ts'))
      .map(readSource)
      .join('\n')
  const home = file.startsWith('games/') ? textOf(`${file.split('/').slice(0, 3).join('/')}/**/*.ts`) : ''
  const all = home + textOf('packages/hurtbox/src/kits/**/*.ts')
  const timers = [...all.matchAll(/(\w+): (?:wide\()?'timer'/g)].map(([, name]) => name)
  const [, tickRate = '60'] = home.match(/(?:tickRate:|TICK_RATE =) (\d[\d.]*)/) ?? []
  return { timers: new Set(timers), tickRate }
}

/** A seeded sample: a larger one of the same seed holds the smaller one. */
export function sample<M extends Mutant>(mutants: readonly M[], seed: string, size: number): M[] {
  const key = new Map(mutants.map((mutant) => [mutant, digest(seed, mutant.id)]))
  return [...mutants].sort((a, b) => (key.get(a)! < key.get(b)! ? -1 : 1)).slice(0, size)
}

export function digest(...texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 16)
}

/** What a process is told to do. */
export type Job = {
  /** All of the sample in this area, judged or not: they are in the sources. */
  readonly mutants: readonly NumberedMutant[]
  readonly tests: readonly string[]
  /** Those to judge, each with the files of tests that have not let it live already. */
  readonly open: readonly { readonly number: number; readonly tests: readonly string[] }[]
  readonly digests: Readonly<Record<string, string>>
  readonly testsDigest: string
  /** How much CPU time the tests of one mutant may take, by what they take without it. */
  readonly budgetMs: number
}

export type Verdict = {
  readonly id: string
  /** Of the file that it is a mutant of: a changed file is judged again. */
  readonly source: string
  /** Of the tests that let it live: those that are new or changed judge it again. */
  readonly tests: string
  /** Files of tests that the budget left out, and that budget: a larger one judges again by them. */
  readonly leftOut?: readonly string[]
  readonly budgetMs?: number
  readonly fate: 'killed' | 'survived' | 'unreached'
  /** The test that killed it. */
  readonly by?: string
  readonly ms: number
}

/** Mutants that change nothing that anybody could see, with the reason. `line` is the text of the line they stand in. */
export type Equivalent = {
  readonly file: string
  readonly line: string
  readonly mutant: string
  readonly reason: string
}

export function readEquivalents(): Equivalent[] {
  return JSON.parse(readSource('scripts/mutate/equivalent.json')) as Equivalent[]
}

export function isEquivalent({ file, text, context }: Mutant, equivalents: readonly Equivalent[]): boolean {
  return equivalents.some((each) => each.file === file && each.mutant === text && each.line === context)
}

/** What the digest of an area's tests stands for, file by file; nothing is known of a digest that was never noted. */
export function noteTests(testsDigest: string, digests: Readonly<Record<string, string>>): void {
  writeFileSync(`${CACHE}tests-${testsDigest}.json`, JSON.stringify(digests))
}

function notedTests(testsDigest: string): Readonly<Record<string, string>> {
  const path = `${CACHE}tests-${testsDigest}.json`
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>) : {}
}

/** The files of tests that have to judge a mutant, after what is known of it; `tests` are the digests of all. */
export function testsFor(
  verdict: Verdict | undefined,
  tests: Readonly<Record<string, string>>,
  testsDigest: string,
  budgetMs: number,
): readonly string[] {
  if (verdict === undefined) return Object.keys(tests)
  if (verdict.fate === 'killed') return []
  const { leftOut = [], budgetMs: before = 0 } = verdict
  if (verdict.tests === testsDigest) return budgetMs > before ? leftOut : []
  const noted = notedTests(verdict.tests)
  return Object.keys(tests).filter((file) => tests[file] !== noted[file] || leftOut.includes(file))
}

/** One verdict per line, the last one counts. */
export function readVerdicts(): Map<string, Verdict> {
  const path = `${CACHE}verdicts.jsonl`
  if (!existsSync(path)) return new Map()
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return new Map(
    lines.map((line) => {
      const verdict = JSON.parse(line) as Verdict
      return [`${verdict.id} ${verdict.source}`, verdict]
    }),
  )
}
