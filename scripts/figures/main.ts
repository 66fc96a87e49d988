/**
 * `npm run measure -- figures`: measures again what the pages claim, saves it and writes the pages from it.
 *
 * One command, because figures that are gathered by hand are soon wrong. With `--check` nothing is written; it says what
 * does not hold any more.
 */

import { parseArgs } from 'node:util'
import { stalePages, updatePages } from './pages.ts'
import { renderAll } from './render.ts'
import { steps as all, type Step } from './steps.ts'

const HELP = `Measures what README and guides claim, saves it in docs/figures and writes the pages from it.

  npm run measure -- figures [options]

  --check      write nothing; say what does not hold any more
  --only a,b   these alone: ${all.map(({ name }) => name).join(', ')}
  --pages      measure nothing; only write (or check) the pages

Without --only: all but ${all.flatMap(({ isLong, name }) => (isLong ? [name] : [])).join(', ')}, which take long.

Exit codes: 0 all is as written; 1 something is not, or a command failed; 2 wrong arguments.`

type Output = { print(line: string): void; log(line: string): void }

/** What is done with the pages once all is measured: each gives those that were not what the results say. */
type Pages = { stale(): string[]; update(): string[] }

const realPages: Pages = { stale: () => stalePages(renderAll()), update: () => updatePages(renderAll()) }

/** Runs the command line and gives its exit code. `known` and `pages` are parameters for tests. */
export async function main(
  args: readonly string[],
  output: Output,
  known: readonly Step[] = all,
  pages: Pages = realPages,
): Promise<number> {
  const options = parse(args, known)
  if (typeof options === 'string') {
    output.log(`figures: ${options}`)
    return 2
  }
  if (options.help) {
    output.print(HELP)
    return 0
  }
  const problems: string[] = []
  for (const step of options.chosen) problems.push(...(await runStep(step, options.check, output)))
  if (options.check) problems.push(...pages.stale().map((page) => `${page} is not what docs/figures says.`))
  else for (const page of pages.update()) output.print(`wrote ${page}`)

  for (const problem of problems) output.print(`DIFFERS  ${problem}`)
  if (problems.length === 0) output.print(options.check ? 'All figures hold.' : 'All figures are written.')
  return problems.length === 0 ? 0 : 1
}

/** A step that fails does not keep the others from running. */
async function runStep(step: Step, isCheck: boolean, output: Output): Promise<string[]> {
  const started = performance.now()
  output.log(`figures: ${step.name} …`)
  const log = (progress: string) => output.log(`figures: ${step.name}: ${progress}`)
  try {
    const problems = isCheck ? await step.check(log) : await step.update(log)
    log(`${problems.length === 0 ? 'done' : 'DIFFERS'}, ${((performance.now() - started) / 1000).toFixed(0)} s`)
    return problems.map((problem) => `${step.name}: ${problem}`)
  } catch (error) {
    log('FAILED')
    return [`${step.name}: ${(error as Error).message}`]
  }
}

/** A sentence if the arguments are invalid. */
function parse(args: readonly string[], known: readonly Step[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        check: { type: 'boolean', default: false },
        only: { type: 'string' },
        pages: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    const names = values.only?.split(',')
    const unknown = names?.find((name) => known.every((step) => step.name !== name))
    if (unknown !== undefined) {
      return `there is no figure "${unknown}". There are: ${known.map(({ name }) => name).join(', ')}.`
    }
    const wanted = known.filter(({ name, isLong }) => names?.includes(name) ?? !isLong)
    return { check: values.check, help: values.help, chosen: values.pages ? [] : wanted }
  } catch (error) {
    return `${(error as Error).message}\n\n${HELP}`
  }
}

if (import.meta.main) {
  process.exitCode = await main(process.argv.slice(2), {
    print: (line) => process.stdout.write(`${line}\n`),
    log: (line) => process.stderr.write(`${line}\n`),
  })
}
