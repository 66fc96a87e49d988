/** A fresh start, for a new life or a new round: clears everything from before. */

import { ABILITY_COLUMNS } from './abilities.ts'
import { endCast } from './casts.ts'
import { letGo } from './holds.ts'
import { type AbilityThing, rowOfThing, thingWithId, worldOfThing } from './world.ts'

const COLUMNS: ReadonlySet<string> = new Set(
  Object.keys(ABILITY_COLUMNS).filter((name) => name !== 'facingX' && name !== 'facingY'),
)

/** Ends everything a thing runs, holds, suffers and waits for, cooldowns as well. It keeps its facing. */
export function resetAbilities(thing: AbilityThing): void {
  const world = worldOfThing(thing)
  const row = rowOfThing(thing)
  const { things, casts } = world.tables
  const { id } = thing
  for (let cast = 0, { count } = casts; cast < count; cast++) {
    if (casts.caster[cast] === id && casts.leaving[cast] === 0) endCast(world, cast, row)
  }
  letGo(thing)
  const holder = thingWithId(world, thing.heldBy)
  if (holder?.holds === id) holder.holds = 0
  thing.shield = 0
  for (let c = 0; c < things.columns.length; c++) {
    const { name, array, width } = things.columns[c]
    if (!COLUMNS.has(name)) continue
    for (let i = row * width; i < (row + 1) * width; i++) array[i] = 0
  }
}
