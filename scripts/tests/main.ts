/**
 * `npm run measure -- tests`: which test files take the time of `npm test`, and why.
 *
 * A file waits when the processors are idle for it, and computes when they are not. What waits can run beside others; what
 * computes gets faster only with less work.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { comparisonOf, reportOf } from './report.ts'
import { LAST_RUN, loadRun, SAVED_RUN, saveRun } from './times.ts'

const HELP = `Runs the tests and prints what each file takes: set-up and imports, tests, processors.

  npm run measure -- tests [paths]           runs them, or those of some files
  npm run measure -- tests --last            the last measured run again
  npm run measure -- tests --against <file>  what was added since a saved run (default: that of the repository)
  npm run measure -- tests --save            makes this run that of the repository, by which files are ordered
  npm run measure -- tests --top <n>         how many files are listed (default 40)

The last run is in .cache/tests.jsonl. Exit codes: 0 the tests passed, 1 they failed, 2 wrong arguments.`

export async function main(args: readonly string[], print: (line: string) => void): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      last: { type: 'boolean' },
      against: { type: 'string', default: SAVED_RUN },
      save: { type: 'boolean' },
      top: { type: 'string', default: '40' },
      help: { type: 'boolean' },
    },
  })
  const top = Number(values.top)
  const before = loadRun(values.against)
  if (values.help || !(top >= 0) || (before === undefined && values.against !== SAVED_RUN)) {
    print(before === undefined ? `There is no file ${values.against}.` : HELP)
    return values.help ? 0 : 2
  }
  const code = values.last ? 0 : await runTests(positionals)
  const run = loadRun(LAST_RUN)
  if (run === undefined) {
    print('There is no measured run yet: run it without --last.')
    return 2
  }
  print(reportOf(run, availableParallelism(), top))
  if (before !== undefined) print(`\n${comparisonOf(before, run)}`)
  if (values.save) saveRun(SAVED_RUN, run)
  return code
}

async function runTests(paths: readonly string[]): Promise<number> {
  const reporters = ['--reporter=default', `--reporter=${import.meta.dirname}/reporter.ts`]
  const tests = spawn('npx', ['vitest', 'run', ...reporters, ...paths], {
    stdio: 'inherit',
    env: { ...process.env, HURTBOX_TIMES: '1' },
    shell: process.platform === 'win32',
  })
  const [code] = await once(tests, 'close')
  return code === 0 ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`))
