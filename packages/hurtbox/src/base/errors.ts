/**
 * One error type for mistakes by the calling code.
 *
 * What a game refuses (on cooldown, out of range, already dead) is never an error: it is a verdict or an event, the
 * same in every replay. An error says what was wrong, what was got, and what to do.
 */

export type ErrorCode =
  | 'bad-argument'
  | 'not-finite'
  | 'out-of-range'
  | 'unknown-name'
  | 'bad-declaration'
  | 'stale-id'
  | 'bad-snapshot'
  | 'bad-replay'
  | 'broken-world'
  /** Code of the game threw an error of another type. */
  | 'failed'
  | 'desync'

/**
 * What the engine throws: a code for programs, a sentence for people.
 *
 * @example
 * ```ts
 * import { declareGame, HurtboxError } from 'hurtbox'
 *
 * try {
 *   declareGame({ id: 'no spaces please', tickRate: 60 })
 * } catch (error) {
 *   if (error instanceof HurtboxError) console.log(error.code) // bad-declaration
 * }
 * ```
 */
export class HurtboxError extends Error {
  override readonly name: string = 'HurtboxError'
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** Places, speeds and sizes beyond this would overflow when squared and summed; nothing a game needs is near it. */
export const MAX_MAGNITUDE = 1e12

/** Boundary check for numbers handed in by the caller. NaN spreads silently; stop it at the boundary. */
export function requireFinite(value: unknown, name: string): number {
  if (typeof value !== 'number') throw unfit('bad-argument', name, 'be a number', value, describe(value))
  if (!Number.isFinite(value)) throw unfit('not-finite', name, 'be a finite number', value)
  return value
}

/** A coordinate, speed or other signed quantity of the simulated space. */
export function requireQuantity(value: unknown, name: string): number {
  const number = requireFinite(value, name)
  if (Math.abs(number) > MAX_MAGNITUDE) throw unfit('out-of-range', name, `lie within ±${MAX_MAGNITUDE}`, value)
  return number
}

/** A radius, extent or length: a quantity that is not negative. */
export function requireSize(value: unknown, name: string): number {
  const number = requireQuantity(value, name)
  if (number < 0) throw unfit('out-of-range', name, 'not be negative', value)
  return number
}

export function requireInteger(value: unknown, name: string, min: number, max: number): number {
  const number = requireFinite(value, name)
  if (Number.isInteger(number) && number >= min && number <= max) return number
  throw unfit('out-of-range', name, `be a whole number from ${min} to ${max}`, value)
}

function unfit(code: ErrorCode, name: string, must: string, value: unknown, got: unknown = value): HurtboxError {
  return new HurtboxError(code, `${name} must ${must}, got ${got}.`, { name, value })
}

/** A record without other fields than these: one that is misspelt would otherwise be one that was left out. */
export function requireFields(value: object, what: string, known: readonly string[]): void {
  if (typeof value !== 'object' || value === null) {
    throw new HurtboxError('bad-argument', `${what} must be { ${known.join(', ')} }, got ${describe(value)}.`)
  }
  for (const name of Object.keys(value)) if (!known.includes(name)) throw unknownName(`field of ${what}`, name, known)
}

/** For messages about an unknown name: lists the known ones, nearest first. */
export function unknownName(what: string, got: string, known: readonly string[]): HurtboxError {
  const hint = known.length === 0 ? 'None is declared.' : `Known: ${nearestNames(got, known).join(', ')}.`
  return new HurtboxError('unknown-name', `There is no ${what} "${got}". ${hint}`)
}

/** The names most like `got` first: after a typo the start and the end usually still match. */
export function nearestNames(given: unknown, known: readonly string[]): string[] {
  // A wrong name may not even be a string.
  const got = String(given)
  const likeness = (name: string) => {
    let start = 0
    while (start < name.length && name[start] === got[start]) start++
    let end = 0
    while (end < name.length - start && name.at(-1 - end) === got.at(-1 - end)) end++
    return start + end
  }
  return [...known].sort((a, b) => likeness(b) - likeness(a))
}

export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return `the text ${JSON.stringify(value)}`
  return Array.isArray(value) ? 'an array' : typeof value
}
