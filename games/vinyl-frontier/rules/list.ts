/**
 * Who is in the original's list of things, and how they leave it.
 *
 * Rows of the table that are `leaving` are out of the list. The dead are not: they drift on and can be shot at until a
 * sweep removes them, and the original's sweep removes one of them at a time.
 */

import type { VinylWorld } from './declaration.ts'

/** Removes the first dead thing; the others wait for the next sweep. */
export function sweepOne({ tables: { things } }: VinylWorld): void {
  for (let row = 0; row < things.count; row++) {
    if (things.leaving[row] !== 0 || things.dead[row] === 0) continue
    things.leaving[row] = 1
    return
  }
}

export function sweepAll({ tables: { things } }: VinylWorld): void {
  for (let row = 0; row < things.count; row++) if (things.dead[row] !== 0) things.leaving[row] = 1
}
