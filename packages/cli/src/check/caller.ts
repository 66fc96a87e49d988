/** Which line of the game is running: the innermost one on the stack. */

import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Source } from './source.ts'

/** Deep enough for a rule that calls a library that calls a clock. */
const STACK_DEPTH = 64

type Caller = {
  readonly source: Source
  readonly line: number
  readonly column: number
  /** The package in between. */
  readonly through: string | undefined
}

/** The innermost line of the game on the stack. */
export function callerIn(files: readonly Source[]): Caller | undefined {
  let through: string | undefined
  for (const { file, line, column } of stack()) {
    const source = files.find((candidate) => candidate.file === file)
    if (source !== undefined) return { source, line, column, through }
    through ??= packageOf(file)
  }
  return undefined
}

function stack(): { readonly file: string; readonly line: number; readonly column: number }[] {
  const { prepareStackTrace, stackTraceLimit } = Error
  Error.stackTraceLimit = STACK_DEPTH
  Error.prepareStackTrace = (_error, sites) => sites
  const sites = new Error().stack as unknown as NodeJS.CallSite[]
  Error.prepareStackTrace = prepareStackTrace
  Error.stackTraceLimit = stackTraceLimit
  return sites.flatMap((site) => {
    const name = site.getFileName()
    if (!name || name.startsWith('node:')) return []
    const file = name.startsWith('file:') ? fileURLToPath(name) : name
    return [{ file, line: site.getLineNumber() ?? 0, column: site.getColumnNumber() ?? 0 }]
  })
}

const OURS = dirname(dirname(fileURLToPath(import.meta.url)))

function packageOf(file: string): string | undefined {
  if (file.startsWith(OURS + sep)) return undefined
  const [, name] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file) ?? []
  return name === 'hurtbox' ? undefined : name
}
