/** A fresh start: whoever comes back (a new life, a new round) has nothing left of what went on before. */

import { findRow } from '../table.ts'
import type { Abilities } from './abilities.ts'
import { endCast } from './casts.ts'
import { letGo } from './holds.ts'
import type { AbilityWorld } from './world.ts'

/** Ends all that the thing in `row` runs, holds, suffers and waits for, cooldowns as well. It still looks where it did. */
export function resetAbilities(abilities: Abilities, world: AbilityWorld, row: number): void {
  const { things, casts } = world.tables
  const id = things.id[row]
  for (let cast = 0, { count } = casts; cast < count; cast++) {
    if (casts.caster[cast] === id && casts.leaving[cast] === 0) endCast(world, cast, row)
  }
  letGo(world, row)
  const holder = findRow(things, things.heldBy[row])
  if (holder >= 0 && things.holds[holder] === id) things.holds[holder] = 0
  things.shield[row] = 0
  for (let c = 0; c < things.columns.length; c++) {
    const { name, array, width } = things.columns[c]
    if (!Object.hasOwn(abilities.columns, name) || name === 'facingX' || name === 'facingY') continue
    for (let i = row * width; i < (row + 1) * width; i++) array[i] = 0
  }
}
