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
  | 'desync'

export class HurtboxError extends Error {
  override readonly name = 'HurtboxError'
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

/** Boundary check for numbers handed in by the caller. NaN spreads silently; stop it at the door. */
export function requireFinite(value: unknown, name: string): number {
  if (typeof value !== 'number') {
    throw new HurtboxError('bad-argument', `${name} must be a number, got ${describe(value)}.`, { name, value })
  }
  if (!Number.isFinite(value)) {
    throw new HurtboxError('not-finite', `${name} must be a finite number, got ${value}.`, { name, value })
  }
  return value
}

/** A coordinate, speed or other signed quantity of the simulated space. */
export function requireQuantity(value: unknown, name: string): number {
  const number = requireFinite(value, name)
  if (number > MAX_MAGNITUDE || number < -MAX_MAGNITUDE) {
    throw new HurtboxError('out-of-range', `${name} must lie within ±${MAX_MAGNITUDE}, got ${number}.`, { name, value })
  }
  return number
}

/** A radius, extent or length: a quantity that is not negative. */
export function requireSize(value: unknown, name: string): number {
  const number = requireQuantity(value, name)
  if (number < 0)
    throw new HurtboxError('out-of-range', `${name} must not be negative, got ${number}.`, { name, value })
  return number
}

export function requireInteger(value: unknown, name: string, min: number, max: number): number {
  const number = requireFinite(value, name)
  if (!Number.isInteger(number) || number < min || number > max) {
    throw new HurtboxError('out-of-range', `${name} must be a whole number from ${min} to ${max}, got ${number}.`, {
      name,
      value,
    })
  }
  return number
}

/** For messages about a name that is not known: lists what is, nearest first. */
export function unknownName(what: string, got: string, known: readonly string[]): HurtboxError {
  const nearest = [...known].sort((a, b) => editDistance(got, a) - editDistance(got, b) || (a < b ? -1 : 1))
  const hint = nearest.length === 0 ? 'None is declared.' : `Known: ${nearest.join(', ')}.`
  return new HurtboxError('unknown-name', `There is no ${what} "${got}". ${hint}`, { what, got, known })
}

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return `the text ${JSON.stringify(value)}`
  return Array.isArray(value) ? 'an array' : typeof value
}

/** How many letters to change, add or drop to make one name of another: for telling what was probably meant. */
export function editDistance(a: string, b: string): number {
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
