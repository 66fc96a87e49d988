/** Runs the command line: arguments in, exit code out. */

import { readFileSync } from 'node:fs'
import { CommanderError } from 'commander'
import { placeOfFailure } from 'hurtbox/tools'
import { messageOf, UsageError } from './errors.ts'
import { printError } from './output.ts'
import { createProgram } from './program.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

// `exit` and not `exitCode`: a module of the user's own may keep a timer or a socket open.
process.exit(await main(process.argv))

async function main(argv: readonly string[]): Promise<number> {
  let exitCode = 0
  try {
    const setExitCode = (code: number) => {
      exitCode = code
    }
    const program = await createProgram(version, setExitCode, argv.slice(2))
    await program.parseAsync(argv)
    return exitCode
  } catch (error) {
    // Commander has already said what is wrong; help and version come this way too.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    printError(`hurtbox: ${messageOf(error)}`)
    if (process.env.HURTBOX_DEBUG) printError(stackOf(error))
    if (error instanceof UsageError) return 2
    // Something else threw, and nobody knows where: its stack is what one needs next.
    const isTold = placeOfFailure(error)?.file !== undefined
    if (!process.env.HURTBOX_DEBUG && error instanceof Error && error.cause && !isTold) {
      printError('HURTBOX_DEBUG=1 shows where.')
    }
    return 1
  }
}

/** The stack, and those of the errors that caused it. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${error.stack}${error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`}`
}
