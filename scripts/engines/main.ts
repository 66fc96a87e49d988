/**
 * `npm run engines`: every scene in every JavaScript engine there is, and one verdict.
 *
 * The promise "same inputs, same bits, on every engine" cannot be argued, only tried. This runs one bundle in each
 * runtime it finds, one after the other, and compares the hashes.
 */

import { arch } from 'node:os'
import { parseArgs } from 'node:util'
import { bundleProbe } from './bundle.ts'
import { compare } from './compare.ts'
import { installFromDebian, whyNoDebianInstall } from './install-debian.ts'
import { type Output, printJson, printTables, type Row } from './print.ts'
import { exitOnSignals } from './process.ts'
import { Absent, type Runtime, runtimes, SMALL } from './runtimes.ts'

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

type Options = {
  readonly json: boolean
  readonly min: number
  readonly chosen: readonly Runtime[]
  readonly install: boolean
  readonly control: boolean
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
    if (options.install) await installFromDebian((progress) => output.log(`engines: ${progress}`))

    const { rows, skipped } = await runAll(options, output)
    const ran = rows.filter((row) => row.error === undefined)
    const comparison = compare(ran)
    const equal = comparison.differences.length === 0 && ran.length === rows.length && ran.length > 0
    const ok = equal && ran.length >= options.min

    const matrix = { rows, skipped, comparison, equal, ok, min: options.min }
    if (options.json) printJson(matrix, output)
    else printTables(matrix, output)
    return ok ? 0 : 1
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    output.log(`engines: ${error.message}`)
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
  return [...new Set(names)].map((name) => {
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
    const log = (progress: string) => output.log(`engines: ${runtime.id}: ${progress}`)
    const row = await runOne(runtime, script, log)
    if ('skipped' in row) {
      skipped[runtime.id] = row.skipped
      log(`SKIPPED: ${row.skipped}`)
    } else {
      rows.push(row)
      log(row.error === undefined ? `done in ${(row.ms / 1000).toFixed(1)} s` : `FAILED: ${row.error}`)
    }
  }
  return { rows, skipped }
}

async function runOne(
  runtime: Runtime,
  script: string,
  log: (progress: string) => void,
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
    const ready = await runtime.prepare(log)
    const { version, emulator } = ready
    log(`running ${version}`)
    try {
      const report = await ready.run(script)
      // A browser does not report it; it runs on the CPU that we run on.
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

if (import.meta.main) {
  exitOnSignals()
  process.exitCode = await main(process.argv.slice(2), {
    print: (line) => process.stdout.write(`${line}\n`),
    log: (line) => process.stderr.write(`${line}\n`),
    width: process.stdout.columns ?? 120,
  })
}
