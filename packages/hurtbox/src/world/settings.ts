/**
 * What tuning values and options have in common: declared by name, with a default, and checked when they are set.
 *
 * A kind of setting (`tune(…)`, `flag(…)`) brings the function that checks a value, so that a page carries those that its
 * game has.
 */

import { HurtboxError, unknownName } from '../base/errors.ts'
import { requireName } from '../state/columns.ts'

/** What the world stores for a value that was set. Under a symbol, so that to everything that lists keys a spec is plain data. */
export const READ: unique symbol = Symbol('read')

export type Setting<T> = {
  /** The default. */
  readonly value: T
  /** Throws when the value does not fit. */
  readonly [READ]: (value: unknown, name: string, tickRate: number) => T
}

type Settings<T> = Readonly<Record<string, Setting<T>>>

/** `makers` are the functions that make such a setting. */
export function checkSettings(specs: Settings<unknown>, what: string, makers: string): void {
  for (const [name, spec] of Object.entries(specs)) {
    requireName(name, what)
    if (typeof spec?.[READ] === 'function') continue
    throw new HurtboxError('bad-declaration', `${what} ${name} must be made with ${makers}.`)
  }
}

export function readSetting<T>(specs: Settings<T>, what: string, name: string, value: unknown, tickRate: number): T {
  if (!Object.hasOwn(specs, name)) throw unknownName(what, name, Object.keys(specs))
  return specs[name][READ](value, name, tickRate)
}

/** All settings by name: what was given, checked, and the defaults for the rest. */
export function readSettings<T>(
  specs: Settings<T>,
  what: string,
  given: Readonly<Record<string, unknown>>,
  tickRate: number,
): Record<string, T> {
  const values: Record<string, T> = {}
  for (const name of Object.keys({ ...specs, ...given })) {
    const value = given[name] === undefined ? specs[name]?.value : given[name]
    values[name] = readSetting(specs, what, name, value, tickRate)
  }
  return values
}
