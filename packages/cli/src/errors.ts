/**
 * Errors of the command line.
 *
 * Exit codes give scripts what people read in the message: 2 is a mistake in how the command was used, 1 that the thing
 * checked is not so. Commands throw the one and return the other.
 */

import { type FailurePlace, GameFailure, placeOfFailure } from 'hurtbox/tools'
import { shown } from './text.ts'

/** The command was used wrongly: an unknown name, a bad number, a file that cannot be read. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** For a name that is not known: says what is, and what was probably meant. */
export function unknownName(what: string, got: string, known: readonly string[], hint = ''): UsageError {
  const nearest = known.filter((name) => editDistance(got, name) <= Math.max(2, got.length / 3))
  const guess = nearest.length === 0 ? '' : ` Did you mean ${nearest.join(' or ')}?`
  const list = known.length === 0 ? '' : ` Known: ${known.join(', ')}.`
  return new UsageError(`there is no ${what} "${got}".${guess}${list}${hint && ` ${hint}`}`)
}

/** Does what may fail because of how the command was used. */
export async function orUsageError<T>(action: () => T | Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error })
  }
}

/** What an error says; of code of a game, with file and line. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error instanceof GameFailure ? error.message + tellLine(placeOfFailure(error)) : error.message
}

/** ` (src/rules.ts:12:9)`, where it is known. */
export function tellLine({ file, line, column }: FailurePlace): string {
  return file === undefined ? '' : ` (${shown(file)}:${line}:${column})`
}

/** How many letters to change, add or drop to make one name of another: to suggest what was probably meant. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min(substitution, previous[j] + 1, current[j - 1] + 1))
    }
    previous = current
  }
  return previous[b.length]
}
