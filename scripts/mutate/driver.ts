/**
 * Judges mutants in a warm process: every test is run once without any, then for each mutant those that reached it until one
 * fails: the test that killed the last mutant of the same file first, then the quickest.
 *
 * What runs while a module is loaded (numbers of the content, declarations) is judged by loading the module again with the
 * mutant switched on. A kill counts only if the test passes again right after it without the mutant; if not, the mutant has
 * left something broken behind, and the file is loaded again; if that does not help, a new process judges the mutant.
 */

import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { test, vi } from 'vitest'
import type { NumberedMutant, Switchboard } from './instrument.ts'
import { CACHE, type Job, NOT_COUNTED_TITLE, ROOT, type Verdict } from './plan.ts'
import { type CollectedTest, openCollection } from './shim.ts'

const job = JSON.parse(readFileSync(process.env.MUTATE_JOB!, 'utf8')) as Job
const board: Switchboard = { a: 0, c: new Uint8Array(job.mutants.length + 1), n: Number.POSITIVE_INFINITY }
Object.assign(globalThis, { __M: board })

/** What a test does without a mutant. */
type Known = {
  readonly name: string
  readonly ms: number
  readonly loops: number
  readonly reaches: readonly number[]
}
/** And what the loading of a file of tests does. */
type KnownFile = {
  readonly ms: number
  readonly loading: readonly number[]
  readonly tests: readonly (Known | null)[]
}
/** A test, and how to run it: a file is loaded when the first of its tests is wanted. */
type LoadedTest = Known & { readonly file: string; readonly place: number; run?: CollectedTest['run'] }

const tests: LoadedTest[] = []
/** The number of the mutant that is being judged, and by source the test that killed its last one. */
let judging = 0
const killers = new Map<string, string>()

test('mutants', async () => {
  const files = job.tests.filter((file) => job.open.some(({ tests }) => tests.includes(file)))
  const known = await dryRun(files)
  for (const file of files) {
    for (const [place, facts] of known[file].tests.entries()) if (facts) tests.push({ ...facts, file, place })
  }
  tests.sort((a, b) => a.ms - b.ms)
  for (const { number, tests: wanted } of job.open) {
    const mutant = job.mutants.find((each) => each.number === number)!
    const started = cpuMs()
    judging = number
    const leftOut = new Set<string>()
    const killer = killers.get(mutant.file)
    const isKiller = (each: LoadedTest) => Number(nameOf(each) === killer)
    const own = tests.filter(({ file }) => wanted.includes(file)).sort((a, b) => isKiller(b) - isKiller(a))
    const loading = wanted.filter((file) => known[file].loading.includes(number))
    const by = (await judge(number, own, leftOut)) || (await judgeLoading(mutant, loading, known, leftOut))
    if (by !== '') killers.set(mutant.file, by)
    // Files that are not asked this time may have reached it before.
    const isAgain = wanted.length < job.tests.length
    const isReached = isAgain || loading.length > 0 || own.some(({ reaches }) => reaches.includes(number))
    const ms = Math.round(cpuMs() - started)
    const fate = by !== '' ? 'killed' : isReached ? 'survived' : 'unreached'
    const verdict: Verdict = {
      id: mutant.id,
      source: job.digests[mutant.file],
      tests: job.testsDigest,
      fate,
      ...(by !== '' ? { by } : leftOut.size > 0 && { leftOut: [...leftOut], budgetMs: job.budgetMs }),
      ms,
    }
    appendFileSync(`${CACHE}verdicts.jsonl`, `${JSON.stringify(verdict)}\n`)
  }
  note({ done: true })
})

/** Says what is being done, so that the one who started this process knows what it hangs in. */
function note(what: object): void {
  writeFileSync(`${process.env.MUTATE_JOB}.now`, JSON.stringify(what))
}

async function load(file: string): Promise<CollectedTest[]> {
  vi.resetModules()
  const { tests } = openCollection()
  await import(/* @vite-ignore */ ROOT + file)
  return [...tests]
}

/** Loads the tests of a file, for the first time or again. */
async function loadTests(file: string): Promise<void> {
  note({ judging, loads: file })
  const collected = await load(file)
  for (const each of tests) if (each.file === file) each.run = collected[each.place].run
}

async function dryRun(files: readonly string[]): Promise<Readonly<Record<string, KnownFile>>> {
  const path = `${process.env.MUTATE_JOB}.known`
  const known: Record<string, KnownFile> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  for (const file of files) {
    if (known[file] !== undefined) continue
    note({ dry: file })
    board.c.fill(0)
    const startedLoading = cpuMs()
    const collected = await load(file)
    const loadingMs = cpuMs() - startedLoading
    const loading = reached()
    const tests: (Known | null)[] = []
    for (const { name, run } of collected) {
      if (NOT_COUNTED_TITLE.test(name)) {
        tests.push(null)
        continue
      }
      board.c.fill(0)
      board.n = 1e15
      const started = cpuMs()
      try {
        await within(run(), 120_000)
        const ms = cpuMs() - started
        tests.push({ name, ms, loops: 1e15 - board.n, reaches: reached() })
      } catch (error) {
        tests.push(null)
        console.error(`left out, it fails without a mutant: ${file} ${name}: ${error}`)
      }
    }
    known[file] = { ms: loadingMs, loading, tests }
    writeFileSync(path, JSON.stringify(known))
  }
  return known
}

function reached(): number[] {
  return job.mutants.filter(({ number }) => board.c[number] === 1).map(({ number }) => number)
}

/** The test that kills a mutant, or ''. */
async function judge(number: number, tests: readonly LoadedTest[], leftOut: Set<string>): Promise<string> {
  let left = job.budgetMs
  for (const each of tests) {
    if (!each.reaches.includes(number)) continue
    if (each.ms > left) {
      leftOut.add(each.file)
      continue
    }
    left -= each.ms
    if (each.run === undefined) await loadTests(each.file)
    const isKilled = await fails(each, number)
    if (!isKilled) continue
    if (await fails(each, 0)) {
      await loadTests(each.file)
      if (await fails(each, 0)) throw new Error(`mutant ${number} left something broken behind`)
    }
    return nameOf(each)
  }
  return ''
}

function nameOf({ file, name }: Pick<LoadedTest, 'file' | 'name'>): string {
  return `${file}: ${name}`
}

async function judgeLoading(
  { number, file: source }: NumberedMutant,
  files: readonly string[],
  known: Readonly<Record<string, KnownFile>>,
  leftOut: Set<string>,
): Promise<string> {
  let left = job.budgetMs
  // The file of the last killer first, then the tests of its namesake (rules/content/units.ts: content.test.ts), then the quickest.
  const stemOf = (file: string) => file.split('/').at(-1)!.split('.')[0]
  const rank = (file: string) => {
    if (killers.get(source)?.startsWith(file)) return -1
    if (stemOf(file) === stemOf(source) || source.includes(`/${stemOf(file)}/`)) return 0
    return known[file].tests.reduce((sum, each) => sum + (each?.ms ?? 0), known[file].ms)
  }
  for (const file of [...files].sort((a, b) => rank(a) - rank(b))) {
    if (known[file].ms > left) {
      leftOut.add(file)
      continue
    }
    try {
      board.a = number
      note({ judging, what: file, limitMs: 10 * known[file].ms + LIMIT_MS })
      const collected = await load(file)
      left -= known[file].ms
      const facts = known[file].tests
      const order = [...collected.keys()].filter((n) => facts[n]).sort((a, b) => facts[a]!.ms - facts[b]!.ms)
      for (const n of order) {
        if (facts[n]!.ms > left) {
          leftOut.add(file)
          break
        }
        left -= facts[n]!.ms
        if (await fails({ ...facts[n]!, run: collected[n].run }, number))
          return nameOf({ file, name: collected[n].name })
      }
    } catch (error) {
      return `${file}, loading: ${String(error).slice(0, 100)}`
    } finally {
      board.a = 0
    }
  }
  return ''
}

/** Runs a test with a mutant switched on (0: none). A test that takes many times as long as without it has failed. */
async function fails({ name, run, loops, ms }: Known & Partial<CollectedTest>, number: number): Promise<boolean> {
  const limitMs = 10 * ms + LIMIT_MS
  note({ judging, what: name, limitMs })
  board.a = number
  board.n = 20 * loops + 1e6
  try {
    await within(run!(), limitMs)
    return false
  } catch {
    return true
  } finally {
    board.a = 0
    board.n = Number.POSITIVE_INFINITY
  }
}

/** What a test or the loading of a file may take beyond what it takes without a mutant, ms of CPU. */
const LIMIT_MS = 4000
/** What it may wait beyond that. */
const IDLE_MS = 16_000

/** CPU time of this process: what a test takes, however busy the machine is. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Waits for a promise for so much CPU time, and at least as long again while the process has nothing to do. */
async function within(promise: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const started = cpuMs()
  let idle = 0
  const late = new Promise<void>((_resolve, reject) => {
    let before = started
    timer = setInterval(() => {
      const now = cpuMs()
      if (now - before < 10) idle += 100
      before = now
      if (now - started > ms || idle > ms + IDLE_MS) reject(new Error('too late'))
    }, 100)
  })
  await Promise.race([promise, late]).finally(() => clearInterval(timer))
}
