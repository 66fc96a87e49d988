import { expect, test } from 'vitest'
import { instrument } from '../mutate/instrument.ts'
import { listMutants } from '../mutate/mutants.ts'
import { AREAS, mutantsOf, readEquivalents, sample, testsFor, type Verdict } from '../mutate/plan.ts'

const SOURCE = `
const seen = []
const limits = { capacity: 9, max: 8, gates: ['owner', 'team'] }
let sum = 0
for (let i = 0; i < 3; i++) {
  if (i === 1 && sum >= 0) sum += 2 * i
  else sum++
  seen.push(Math.max(i, 1) - 1)
}
!sum || seen.push(-sum)
const word = () => {
  return sum > 4 ? 'much' : limits.gates.join()
}
seen.push(word(), seen.length ?? 0, true)
return JSON.stringify([sum, seen, limits.gates])
`

/** Runs text as a function, with the switchboard that instrumented code needs. */
function runText(text: string, active = 0): string {
  const board = { a: active, c: new Uint8Array(200), n: 10_000 }
  try {
    return String(new Function('__M', text)(board))
  } catch (error) {
    return `threw ${error}`
  }
}

// The text of a function, so that it may return.
const asModule = (text: string) => `function f() {${text}}`
const HEAD = 'function f() {'.length

test('[MU1] every small mistake is listed once; types, imports, what is thrown, room and limits are left alone', () => {
  const texts = (source: string) => listMutants('a.ts', source).map(({ text }) => text)
  expect(texts('x = a < b')).toEqual(['x = a < b → nothing', 'a < b → (a) <= (b)', 'a < b → (a) >= (b)'])
  expect(texts('if (!done) go(3)')).toEqual([
    '!done → true',
    '!done → false',
    '!done → done',
    'go(3) → nothing',
    '3 → 4',
  ])
  expect(texts("const gates = ['owner', 'team']")).toEqual([
    "['owner', 'team'] → ['team']",
    "['owner', 'team'] → ['owner']",
  ])
  expect(texts("function f(): 'a' | 1 { return 'refused' }")).toEqual(["'refused' → ''"])
  expect(
    texts("import a from 'b'\nthrow new Error(1 + 2)\ntype T = 3\nconst x = { max: 4, capacity: 5 } as const"),
  ).toEqual([])
})

test('[MU2] instrumented code without a mutant does what the source does, and with one what the mutated text does', () => {
  const module = asModule(SOURCE)
  const mutants = listMutants('a.ts', module).map((mutant, n) => ({ ...mutant, number: n + 1 }))
  expect(mutants.length).toBeGreaterThan(30)
  const body = (text: string) => text.slice(HEAD, -1)
  const instrumented = body(instrument(module, mutants))
  const plain = runText(SOURCE)
  expect(runText(instrumented)).toBe(plain)
  let different = 0
  for (const { number, start, end, replacement, text } of mutants) {
    const mutated = `${module.slice(0, start)}${replacement === '' ? '{}' : `(${replacement})`}${module.slice(end)}`
    const expected = runText(body(mutated))
    expect(runText(instrumented, number), text).toBe(expected)
    if (expected !== plain) different++
  }
  expect(different).toBeGreaterThan(mutants.length / 2)
})

test('[MU2] a loop that a mutant makes endless is an error', () => {
  const module = asModule('let n = 0\nwhile (n < 3) { n++ }\nreturn n')
  const mutants = listMutants('a.ts', module).map((mutant, n) => ({ ...mutant, number: n + 1 }))
  const instrumented = instrument(module, mutants).slice(HEAD, -1)
  const endless = mutants.find(({ text }) => text === 'n++ → n--')!
  expect([runText(instrumented), runText(instrumented, endless.number)]).toEqual(['3', 'threw Error: endless'])
})

test('[MU3] a sample depends on its seed alone, and a larger one holds the smaller', () => {
  const mutants = mutantsOf(AREAS.find(({ name }) => name === 'games/sumo/rules')!)
  const ids = (seed: string, size: number) => sample(mutants, seed, size).map(({ id }) => id)
  expect(ids('1', 40)).toEqual(ids('1', 100).slice(0, 40))
  expect(ids('2', 40)).not.toEqual(ids('1', 40))
  expect(new Set(ids('1', 100)).size).toBe(100)
})

test('[MU4] every area has sources and tests, and every listed equivalent is a mutant of today with a reason', () => {
  for (const { name, sources, tests } of AREAS)
    expect([sources.length > 0, tests.length > 0], name).toEqual([true, true])
  const all = AREAS.flatMap(mutantsOf)
  for (const { file, line, mutant, reason } of readEquivalents()) {
    const known = all.some((each) => each.file === file && each.context === line && each.text === mutant)
    expect(known, `${file}: ${mutant}`).toBe(true)
    expect(reason).toMatch(/\w \w/)
  }
})

test('[MU5] a mutant is judged once; a survivor again by tests that have changed, and with more time by those left out', () => {
  const tests = { 'a.test.ts': '1', 'b.test.ts': '2' }
  const verdict = (fields: Partial<Verdict>): Verdict => {
    return { id: 'x.ts#1', source: '0', tests: 'now', fate: 'survived', ms: 1, ...fields }
  }
  const ask = (fields: Partial<Verdict>, budgetMs = 1000) => testsFor(verdict(fields), tests, 'now', budgetMs)
  expect(testsFor(undefined, tests, 'now', 1000)).toEqual(['a.test.ts', 'b.test.ts'])
  expect([ask({}), ask({ fate: 'unreached' }), ask({ fate: 'killed', tests: 'before' })]).toEqual([[], [], []])
  // Nothing was noted of these tests: they count as changed.
  expect(ask({ tests: 'never noted' })).toEqual(['a.test.ts', 'b.test.ts'])
  const late = { leftOut: ['b.test.ts'], budgetMs: 1000 }
  expect([ask(late), ask(late, 1001)]).toEqual([[], ['b.test.ts']])
})
