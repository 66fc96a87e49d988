/**
 * `npm run measure -- mutate`: how many mistakes in the rules of the games and the engine do the tests notice?
 *
 * Mistakes of games (`domain.ts`: phases exchanged, a timer one tick longer, a gate left out) are all made. Of the small ones of any
 * program a seeded sample is. They are judged area by area, each in a process of its own at low priority. Verdicts are kept in
 * .cache/mutate: a run that was stopped goes on where it was, survivors are judged again by files of tests that have changed,
 * and everything in a source that has changed. All limits are CPU time, so that a busy machine changes no verdict. Golden hashes
 * do not count as tests. Why not Stryker: it has no seeded sample, and it cannot load a TypeScript without a JavaScript API,
 * which 7 is.
 *
 *   npm run measure -- mutate                          all of games, and the sample of 1,500 small ones
 *   npm run measure -- mutate --sample 3000         a larger one, which holds the smaller one
 *   npm run measure -- mutate --only sumo,motion    areas whose name has one of these in it; other areas may be judged beside it
 *   npm run measure -- mutate --classes order,timer  only these: small, order, timer, gate, who, edge, number, branch
 *   npm run measure -- mutate --report              scores and survivors of what is known, without judging
 *   npm run measure -- mutate --report --write      and writes them into REPORT.md beside this file
 *   npm run measure -- mutate --nice 5              the priority of the processes that judge; 19 unless told
 *   npm run measure -- mutate --budget 2            seconds of CPU that the tests of a mutant get at most; a larger one goes on from there
 */

import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parseArgs } from 'node:util'
import type { NumberedMutant } from './instrument.ts'
import { CLASSES } from './mutants.ts'
import {
  AREAS,
  type Area,
  CACHE,
  digest,
  isEquivalent,
  type Job,
  mutantsOf,
  noteTests,
  ROOT,
  readEquivalents,
  readSource,
  readVerdicts,
  sample,
  testsFor,
  type Verdict,
} from './plan.ts'
import { asPage, asText, scoresOf } from './report.ts'

const { values: options } = parseArgs({
  options: {
    sample: { type: 'string', default: '1500' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    classes: { type: 'string', default: CLASSES.join(',') },
    report: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    budget: { type: 'string', default: '60' },
    nice: { type: 'string', default: '19' },
  },
})

const budgetMs = 1000 * Number(options.budget)
/** How many of a small area are judged at least, so that its score says something. */
const LEAST = 100

mkdirSync(CACHE, { recursive: true })
const everything = AREAS.map((area) => ({ area, mutants: mutantsOf(area) }))
const classes = options.classes.split(',')
const isSmall = (mutant: NumberedMutant) => mutant.class === 'small'
const allSmall = everything.flatMap(({ mutants }) => mutants.filter(isSmall))
const sampled = new Set(
  [
    ...sample(allSmall, options.seed, Number(options.sample)),
    ...everything.flatMap(({ mutants }) => sample(mutants.filter(isSmall), options.seed, LEAST)),
  ].map(({ id }) => id),
)
const isChosen = (mutant: NumberedMutant) =>
  classes.includes(mutant.class) && (!isSmall(mutant) || sampled.has(mutant.id))
const equivalents = readEquivalents()
const wanted = everything
  .filter(({ area }) => options.only.split(',').some((part) => area.name.includes(part)))
  .map(({ area, mutants }) => ({
    area,
    mutants: mutants
      .filter((mutant) => isChosen(mutant) && !isEquivalent(mutant, equivalents))
      .map((mutant, n) => ({ ...mutant, number: n + 1 })),
  }))

if (!options.report) for (const { area, mutants } of wanted) await judgeArea(area, mutants)
const listed = everything.flatMap(({ mutants }) => mutants).filter((each) => isEquivalent(each, equivalents)).length
const about = `all mistakes of games, ${sampled.size} of ${allSmall.length} small ones, seed ${options.seed}; ${listed} are listed as equivalent`
const found = scoresOf(wanted)
console.log(asText(found, about))
if (options.write) writeFileSync(`${ROOT}scripts/mutate/REPORT.md`, asPage(found, about))

/** Starts processes until every mutant of an area has a verdict. */
async function judgeArea(area: Area, mutants: readonly NumberedMutant[]): Promise<void> {
  const digests = Object.fromEntries(area.sources.map((file) => [file, digest(readSource(file))]))
  const tests = Object.fromEntries(area.tests.map((file) => [file, digest(readSource(file))]))
  const testsDigest = digest(...Object.values(tests))
  noteTests(testsDigest, tests)
  for (;;) {
    const verdicts = readVerdicts()
    const open = mutants
      .map((mutant) => ({
        number: mutant.number,
        tests: testsFor(verdicts.get(`${mutant.id} ${digests[mutant.file]}`), tests, testsDigest, budgetMs),
      }))
      .filter((each) => each.tests.length > 0)
    if (open.length === 0) return
    console.log(`${area.name}: ${open.length} of ${mutants.length} to judge`)
    const job: Job = {
      mutants,
      tests: area.tests,
      open,
      digests,
      testsDigest,
      budgetMs,
    }
    const key = digest(area.name, testsDigest, ...Object.values(digests), JSON.stringify(mutants))
    const path = `${CACHE}${key}.json`
    writeFileSync(path, JSON.stringify(job))
    const stuck = await runDriver(path)
    const mutant = mutants.find(({ number }) => number === stuck)
    if (mutant === undefined) continue
    // It hung or broke its process: nobody would ship that.
    const verdict: Verdict = {
      id: mutant.id,
      source: digests[mutant.file],
      tests: testsDigest,
      fate: 'killed',
      by: 'the end of its process',
      ms: 0,
    }
    appendFileSync(`${CACHE}verdicts.jsonl`, `${JSON.stringify(verdict)}\n`)
  }
}

/** What the driver is doing: which mutant it judges, and how much CPU time this may take. */
type Doing = { readonly judging?: number; readonly limitMs?: number; readonly done?: boolean }

/** Runs the driver until it ends or hangs. Returns the number of the mutant it was about when it did not end well. */
async function runDriver(path: string): Promise<number> {
  const now = `${path}.now`
  writeFileSync(now, '{}')
  const vitest = `${ROOT}node_modules/vitest/vitest.mjs`
  const child = spawn(process.execPath, [vitest, 'run', '--config', `${ROOT}scripts/mutate/vitest.config.ts`], {
    cwd: ROOT,
    env: { ...process.env, MUTATE_JOB: path },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  })
  setPriority(child.pid!, Number(options.nice))
  const end = () => process.kill(-child.pid!, 'SIGKILL')
  process.once('exit', end)
  const readNow = () => JSON.parse(readFileSync(now, 'utf8') || '{}') as Doing
  let [last, since] = ['', cpuMsOf(child.pid!)]
  const watch = setInterval(() => {
    const what = readFileSync(now, 'utf8')
    if (what !== last) [last, since] = [what, cpuMsOf(child.pid!)]
    // A dry run takes as long as it takes. A loop that never lets go of the process is ended here, others by the driver.
    const { limitMs = Number.POSITIVE_INFINITY } = readNow()
    if (cpuMsOf(child.pid!) - since > 1.5 * limitMs + 2000) end()
  }, 1000)
  await new Promise((resolve) => child.once('close', resolve))
  clearInterval(watch)
  process.off('exit', end)
  const { judging, done } = readNow()
  if (done) return 0
  if (judging === undefined) throw new Error(`the driver ended before it judged anything; see ${path}`)
  return judging
}

/** The CPU time that a group of processes has used, in ms. Where there is no /proc it is the time that has passed. */
function cpuMsOf(group: number): number {
  if (!existsSync('/proc/self/stat')) return performance.now()
  let ticks = 0
  for (const path of globSync('/proc/[0-9]*/stat')) {
    try {
      // Behind the name, which may have spaces in it: state, parent, group, …, user time and system time.
      const fields = readFileSync(path, 'utf8').split(') ').at(-1)!.split(' ')
      if (Number(fields[2]) === group) ticks += Number(fields[11]) + Number(fields[12])
    } catch {
      // It has ended meanwhile.
    }
  }
  return 10 * ticks
}
