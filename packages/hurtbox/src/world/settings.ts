/**
 * What tuning values and options have in common: declared by name, with a default, and checked when they are set.
 *
 * A kind of setting (`tune(…)`, `flag(…)`) brings the function that checks a value, and the first that is made what reads and shows
 * them (`read-settings.ts`), so that a page carries what its game has.
 */

import { HurtboxError, requireFields } from '../base/errors.ts'
import { requireName } from '../state/columns.ts'
import type { SettingKinds } from './read-settings.ts'

/** What the world stores for a value that was set. Under a symbol, so that to everything that lists keys a spec is plain data. */
export const READ: unique symbol = Symbol('read')

export type Setting<T> = {
  /** The default. */
  readonly value: T
  /** Throws when the value does not fit. */
  readonly [READ]: (value: unknown, name: string, tickRate: number) => T
}

export type Settings<T> = Readonly<Record<string, Setting<T>>>

/** Undefined until a setting is made. */
export const settings: { used: SettingKinds | undefined } = { used: undefined }

/** `makers` are the functions that make such a setting. */
export function checkSettings(specs: Settings<unknown>, what: string, makers: string): void {
  for (const [name, spec] of Object.entries(specs)) {
    requireName(name, what)
    if (typeof spec?.[READ] === 'function') continue
    throw new HurtboxError('bad-declaration', `${what} ${name} must be made with ${makers}.`)
  }
}

/** All settings by name: what was given, checked, and the defaults for the rest. */
export function readSettings<T>(
  specs: Settings<T>,
  what: string,
  given: Readonly<Record<string, unknown>>,
  tickRate: number,
): Record<string, T> {
  if (settings.used !== undefined) return settings.used.readSettings(specs, what, given, tickRate)
  requireFields(given, `${what}s`, [])
  return {}
}
