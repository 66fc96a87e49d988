/**
 * `npm run engines`: every scene in every JavaScript engine there is, and one verdict.
 *
 * The promise "same inputs, same bits, on every engine" cannot be argued, only tried. This runs one bundle in each
 * runtime it finds, one after the other, and compares the hashes.
 */

import { arch } from 'node:os'
import { parseArgs } from 'node:util'
import { bundleProbe } from './bundle.ts'
import { type Comparison, compare, describeDifference, letters } from './compare.ts'
import { installFromDebian, whyNoDebianInstall } from './install.ts'
import { exitOnSignals } from './process.ts'
import type { SceneResult } from './report.ts'
import { Absent, type EngineFamily, type Runtime, runtimes, SMALL } from './runtimes.ts'
import { table } from './table.ts'

const HELP = `Runs every scene in each JavaScript engine found and compares the hashes.

  npm run engines -- [options]

  --json          one JSON object per runtime and line, a summary last
  --min N         fail when fewer than N runtimes ran (default 3; with --only, as many as it names)
  --only a,b      these runtimes alone: ${runtimes.map(({ id }) => id).join(', ')}
  --small         ${SMALL.join(', ')} alone: what npm test runs
  --install       on Debian as root: first apt-get install the engines npm does not carry
  --control       also show how far native Math differs between the engines; no part of the verdict

Exit codes: 0 all equal; 1 a hash differs, a runtime failed or too few ran; 2 wrong arguments.`

const DEFAULT_MIN = 3
const HASH_DIGITS_SHOWN = 8

export type Output = {
  /** The result: what a script reads. */
  print(line: string): void
  /** Progress: what a person watches. */
  say(line: string): void
  readonly width: number
}

type Options = {
  readonly json: boolean
  readonly min: number
  readonly chosen: readonly Runtime[]
  readonly install: boolean
  readonly control: boolean
}

/** One runtime that is here; `error` when it could not do its work. */
type Row = {
  readonly runtime: string
  readonly version: string
  readonly engine: EngineFamily
  readonly cpu: string
  readonly ms: number
  readonly scenes: readonly SceneResult[]
  readonly control: readonly SceneResult[]
  readonly error?: string
}

class UsageError extends Error {}

/** Runs the command line and gives its exit code. `known` is a parameter so that a test can bring a runtime that lies. */
export async function main(
  args: readonly string[],
  output: Output,
  known: readonly Runtime[] = runtimes,
): Promise<number> {
  try {
    const options = parseOptions(args, known)
    if (options === 'help') {
      output.print(HELP)
      return 0
    }
    if (options.install) await installFromDebian((progress) => output.say(`engines: ${progress}`))

    const { rows, skipped } = await runAll(options, output)
    const ran = rows.filter((row) => row.error === undefined)
    const comparison = compare(ran)
    const equal = comparison.differences.length === 0 && ran.length === rows.length && ran.length > 0
    const ok = equal && ran.length >= options.min

    if (options.json) printJson(rows, comparison, { equal, ok, min: options.min, skipped }, output)
    else printTables(rows, comparison, { equal, min: options.min, skipped, control: options.control }, output)
    return ok ? 0 : 1
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    output.say(`engines: ${error.message}`)
    return 2
  }
}

function parseOptions(args: readonly string[], known: readonly Runtime[]): Options | 'help' {
  const values = parseFlags(args)
  if (values.help) return 'help'

  let chosen = known
  if (values.only !== undefined) chosen = runtimesNamed(values.only.split(','), known)
  else if (values.small) chosen = runtimesNamed(SMALL, known)

  const min = values.min === undefined ? (values.only === undefined ? DEFAULT_MIN : chosen.length) : Number(values.min)
  if (!Number.isInteger(min) || min < 1)
    throw new UsageError(`--min must be a whole number from 1, got "${values.min}".`)

  const hindrance = values.install ? whyNoDebianInstall() : undefined
  if (hindrance !== undefined) throw new UsageError(hindrance)

  return { json: values.json, min, chosen, install: values.install, control: values.control }
}

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean', default: false },
        min: { type: 'string' },
        only: { type: 'string' },
        small: { type: 'boolean', default: false },
        install: { type: 'boolean', default: false },
        control: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${HELP}`)
  }
}

function runtimesNamed(names: readonly string[], known: readonly Runtime[]): Runtime[] {
  return names.map((name) => {
    const runtime = known.find(({ id }) => id === name.trim())
    if (runtime !== undefined) return runtime
    throw new UsageError(`there is no runtime "${name}". Known: ${known.map(({ id }) => id).join(', ')}.`)
  })
}

async function runAll(
  options: Options,
  output: Output,
): Promise<{ rows: readonly Row[]; skipped: Readonly<Record<string, string>> }> {
  const script = await bundleProbe({ control: options.control })
  const rows: Row[] = []
  const skipped: Record<string, string> = {}
  // One after the other: side by side they would slow each other down into their timeouts.
  for (const runtime of options.chosen) {
    const say = (progress: string) => output.say(`engines: ${runtime.id}: ${progress}`)
    const row = await runOne(runtime, script, say)
    if ('skipped' in row) {
      skipped[runtime.id] = row.skipped
      say(`SKIPPED: ${row.skipped}`)
    } else {
      rows.push(row)
      say(row.error === undefined ? `done in ${(row.ms / 1000).toFixed(1)} s` : `FAILED: ${row.error}`)
    }
  }
  return { rows, skipped }
}

async function runOne(
  runtime: Runtime,
  script: string,
  say: (progress: string) => void,
): Promise<Row | { skipped: string }> {
  const empty = {
    runtime: runtime.id,
    engine: runtime.engine,
    version: 'unknown',
    cpu: 'unknown',
    ms: 0,
    scenes: [],
    control: [],
  }
  try {
    const ready = await runtime.prepare(say)
    const { version, emulator } = ready
    say(`running ${version}`)
    try {
      const report = await ready.run(script)
      // A browser does not tell; it runs on the CPU that we run on.
      const cpu = (report.cpu ?? arch()) + (emulator === undefined ? '' : ` (${emulator})`)
      return { ...empty, version, cpu, ms: report.ms, scenes: report.scenes, control: report.control ?? [] }
    } catch (error) {
      return { ...empty, version, error: (error as Error).message }
    }
  } catch (error) {
    if (error instanceof Absent) return { skipped: error.message }
    return { ...empty, error: (error as Error).message }
  }
}

function printJson(
  rows: readonly Row[],
  comparison: Comparison,
  verdict: { equal: boolean; ok: boolean; min: number; skipped: Readonly<Record<string, string>> },
  output: Output,
): void {
  for (const { runtime, version, engine, cpu, ms, scenes, control, error } of rows) {
    const differences = comparison.differences.filter((difference) => difference.runtime === runtime)
    output.print(
      JSON.stringify({
        runtime,
        version,
        engine,
        cpu,
        hashes: hashesByScene(scenes),
        equal: error === undefined && differences.length === 0,
        ms,
        ...(control.length > 0 && { control: hashesByScene(control) }),
        ...(differences.length > 0 && { differences }),
        ...(error !== undefined && { error }),
      }),
    )
  }
  const ran = rows.filter((row) => row.error === undefined)
  output.print(
    JSON.stringify({
      runtimes: ran.length,
      engines: countDistinct(ran, 'engine'),
      cpus: countDistinct(ran, 'cpu'),
      scenes: comparison.scenes.length,
      ...verdict,
    }),
  )
}

function printTables(
  rows: readonly Row[],
  comparison: Comparison,
  verdict: { equal: boolean; min: number; skipped: Readonly<Record<string, string>>; control: boolean },
  output: Output,
): void {
  const { scenes, differences } = comparison
  const header = ['runtime', 'version', 'engine', 'cpu', 'equal', 'ms', ...scenes]
  const cells = rows.map((row) => [
    row.runtime,
    row.version,
    row.engine,
    row.cpu,
    row.error !== undefined ? 'FAILED' : differences.some(({ runtime }) => runtime === row.runtime) ? 'NO' : 'yes',
    String(row.ms),
    ...scenes.map(
      (scene) => row.scenes.find((result) => result.scene === scene)?.hash.slice(0, HASH_DIGITS_SHOWN) ?? '-',
    ),
  ])
  output.print(table(header, cells, output.width))
  output.print('')

  if (verdict.control) printControl(rows, output)

  for (const reason of new Set(Object.values(verdict.skipped))) {
    const ids = Object.keys(verdict.skipped).filter((id) => verdict.skipped[id] === reason)
    output.print(`skipped  ${ids.join(', ')}: ${reason}`)
  }
  for (const row of rows) if (row.error !== undefined) output.print(`failed   ${row.runtime}: ${row.error}`)
  for (const difference of differences) output.print(`differs  ${describeDifference(difference)}`)

  const ran = rows.filter((row) => row.error === undefined)
  const what = `${count(scenes.length, 'scene')} in ${count(ran.length, 'runtime')}, ${count(countDistinct(ran, 'engine'), 'engine')}, ${count(countDistinct(ran, 'cpu'), 'CPU')}`
  output.print(verdict.equal ? `One hash per scene: ${what}.` : `NOT EQUAL: ${what}.`)
  if (ran.length < verdict.min) output.print(`Too few: ${ran.length} ran, at least ${verdict.min} must.`)
}

function printControl(rows: readonly Row[], output: Output): void {
  const names = rows.find((row) => row.control.length > 0)?.control.map(({ scene }) => scene) ?? []
  output.print('Control: native Math, no part of the verdict. Same letter, same bits.')
  const cells = names.map((name) => {
    const groups = letters(rows.map((row) => row.control.find(({ scene }) => scene === name)?.hash))
    return [name, String(new Set(groups.filter((letter) => letter !== '-')).size), ...groups]
  })
  output.print(table(['function', 'distinct', ...rows.map((row) => row.runtime)], cells, output.width))
  output.print('')
}

function hashesByScene(scenes: readonly SceneResult[]): Record<string, string> {
  return Object.fromEntries(scenes.map(({ scene, hash }) => [scene, hash]))
}

function countDistinct(rows: readonly Row[], column: 'engine' | 'cpu'): number {
  return new Set(rows.map((row) => row[column])).size
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}

if (import.meta.main) {
  exitOnSignals()
  process.exitCode = await main(process.argv.slice(2), {
    print: (line) => process.stdout.write(`${line}\n`),
    say: (line) => process.stderr.write(`${line}\n`),
    width: process.stdout.columns ?? 120,
  })
}
