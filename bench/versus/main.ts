/**
 * How fast is this working tree, compared with an earlier commit? `npm run versus -- --base <git ref>`.
 *
 * Every figure is measured in pairs of fresh processes, one per side, in the order A B B A: a slow minute of the machine
 * falls on both sides alike, and code that the compiler happens to make faster or slower in one process is one value of
 * many. Only ratios inside a pair mean anything. What a process does is in child.ts.
 */

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { machineLine } from '../machine.ts'
import { type Args, parseArgs, type Topic, USAGE } from './args.ts'
import { addCheckout, describeCheckout, removeCheckout } from './checkout.ts'
import type { Measured, What } from './child.ts'
import { MATCHES } from './match.ts'
import { type Line, lineOf, meanLine, type Pair, table } from './report.ts'
import { SPACE } from './space.ts'

type Job = { readonly topic: Topic; readonly name: string; readonly what: What; readonly game?: string }
type Side = keyof Pair

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
/** Both sides run on it, whatever Node started this. */
const NODE = join(REPOSITORY, 'node_modules/node/bin/node')
const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))
/** Megabytes: more than a match allocates, so that nothing is collected while the heap is watched. */
const YOUNG = 256
const HEAP_FLAGS = ['--expose-gc', `--min-semi-space-size=${YOUNG}`, `--max-semi-space-size=${YOUNG}`]
/** Bytes vary less than time, and what varies is what the compiler chose: the quartiles show it. */
const HEAP_PAIRS = 9

const GAMES = Object.keys(MATCHES)
const JOBS: readonly Job[] = [
  ...GAMES.map((game): Job => ({ topic: 'games', name: game, what: 'game', game })),
  { topic: 'storm', name: 'storm, whole tick', what: 'storm' },
  { topic: 'hits', name: '60 hits, alone', what: 'hits' },
  { topic: 'hits', name: '60 hits, after five games', what: 'hits-after-games' },
  ...SPACE.map((name): Job => ({ topic: 'space', name, what: 'space', game: name })),
  ...GAMES.map((game): Job => ({ topic: 'heap', name: `${game}, allocated`, what: 'heap', game })),
]

const args = parseArgs(process.argv.slice(2))
if (args === undefined) {
  process.stdout.write(USAGE)
} else if (typeof args === 'string') {
  process.stderr.write(`${args}\n`)
  process.exitCode = 2
} else {
  await compare(args).catch((error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 2
  })
}

async function compare({ base, newDir, pairs, only, isJson }: Args): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hurtbox-versus-'))
  const started = performance.now()
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

  const roots: Record<Side, string> = {
    base: 'dir' in base ? resolve(base.dir) : join(folder, 'checkout'),
    new: newDir === undefined ? REPOSITORY : resolve(newDir),
  }
  if ('ref' in base) {
    addCheckout(REPOSITORY, base.ref, roots.base)
    process.prependOnceListener('exit', () => removeCheckout(REPOSITORY, roots.base))
  }
  const print = (text: string) => isJson || process.stdout.write(`${text}\n`)
  const sides = `${describeCheckout(roots.new)} (new) against ${describeCheckout(roots.base)} (base)`
  print(`${sides}. ${machineLine()}.`)
  print('CPU time or bytes, new : base; medians over pairs of processes; below 1 is better.\n')

  const measure = (side: Side, what: What, game = '') => {
    // A match of its own where only the code that ran before matters: the sides may differ in what a player can do.
    const matches = join(folder, what === 'hits-after-games' ? side : 'base')
    return runChild(roots[side], what, matches, game)
  }
  for (const side of ['base', 'new'] as const) {
    const matches = join(folder, side)
    mkdirSync(matches)
    // Space needs no match.
    if (only.every((topic) => topic === 'space')) continue
    for (const game of GAMES) await runChild(roots[side], 'record', matches, game)
  }

  const jobs = JOBS.filter(({ topic }) => only.includes(topic))
  const results = new Map<Job, Pair[]>(jobs.map((job) => [job, []]))
  for (let round = 0; round < pairs && results.size > 0; round++) {
    process.stderr.write(`pair ${round + 1} of ${pairs}, ${Math.round((performance.now() - started) / 1000)} s\n`)
    for (const [job, found] of results) {
      if (job.topic === 'heap' && round >= HEAP_PAIRS) continue
      try {
        const first = await measure(round % 2 === 0 ? 'base' : 'new', job.what, job.game)
        const second = await measure(round % 2 === 0 ? 'new' : 'base', job.what, job.game)
        found.push(round % 2 === 0 ? { base: first, new: second } : { base: second, new: first })
      } catch (error) {
        // A side in the middle of a redesign may fail in one of them; the others are still worth measuring.
        process.stderr.write(`${job.name} failed: ${(error as Error).message}\n`)
        process.exitCode = 1
        results.delete(job)
      }
    }
  }
  const lines = linesOf(results)
  if (isJson) for (const line of lines) process.stdout.write(`${JSON.stringify(line)}\n`)
  print(table(lines))
  print(statesOf(lines))
}

async function runChild(root: string, what: What, matches: string, game: string): Promise<Measured> {
  const flags = what === 'heap' ? HEAP_FLAGS : []
  const rest = ['--root', root, '--what', what, '--matches', matches, '--game', game]
  try {
    const { stdout } = await promisify(execFile)(NODE, [...flags, CHILD, ...rest], { encoding: 'utf8' })
    return JSON.parse(stdout) as Measured
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    const said = stderr.split('\n').find((line) => /^\w*Error\b/.test(line)) ?? message
    throw new Error(`${root}: ${said}`, { cause: error })
  }
}

function linesOf(results: ReadonlyMap<Job, readonly Pair[]>): Line[] {
  const lines = [...results].map(([{ topic, name }, pairs]) => lineOf(topic, name, pairs))
  const games = [...results].filter(([{ topic }]) => topic === 'games').map(([, pairs]) => pairs)
  return games.length < GAMES.length ? lines : [meanLine(games), ...lines]
}

function statesOf(lines: readonly Line[]): string {
  const compared = lines.filter(({ sameState }) => sameState !== undefined)
  if (compared.length === 0) return ''
  const differing = compared.filter(({ sameState }) => !sameState).map(({ name }) => name)
  return differing.length === 0
    ? '\nWhere a last state is shown, it is the same on both sides, bit for bit.'
    : `\nThe last states differ: ${differing.join('; ')}. The sides play different matches or store them differently.`
}
