/**
 * What is written to a thing, a player, a row or the globals under a name that was not declared is refused.
 *
 * JavaScript would make a property of it: outside the state, so in no snapshot and no hash, and different on every machine.
 * The compiler finds `slime.hpp = 3`, but not `Object.assign(slime, { hpp: 3 })`. The trap is the last prototype of these
 * objects. A write to a declared name ends before it and never asks it, so it costs nothing.
 */

import { HurtboxError, nearestNames } from '../../base/errors.ts'

/** What the names of an object are called, the part of the declaration where more are declared, and which there are. */
export type Declared = readonly [what: string, part: string, names: readonly string[]]

/** A prototype that refuses writes under names that the objects below it do not have. */
export function refusingUnknown<T>(declaredOf: (object: T) => Declared): object {
  const set = (_target: object, name: string | symbol, _value: unknown, object: T): never => {
    const [what, part, names] = declaredOf(object)
    const [nearest] = nearestNames(name, names)
    const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
    throw new HurtboxError(
      'unknown-name',
      `There is no ${what} "${String(name)}" to write to.${hint} A new one is declared in ${part} of the declaration.`,
    )
  }
  return new Proxy({}, { set })
}
