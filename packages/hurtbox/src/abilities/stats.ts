/** Buffs: a factor on one of a thing's stats, for a while. A new one replaces the one before. */

import type { ReadCells } from '../columns.ts'
import { STATS } from './content.ts'
import type { AbilityView, AbilityWorld } from './world.ts'

type Buffs = {
  readonly clock: number
  readonly tables: { readonly things: { readonly buffFactor: ReadCells; readonly buffUntil: ReadCells } }
}

/** The factor on a stat of the thing in `row`: 1 unless a buff is on. */
export function buffed(view: Buffs, row: number, stat: number): number {
  const { buffFactor, buffUntil } = view.tables.things
  const at = row * STATS + stat
  return buffUntil[at] > view.clock ? buffFactor[at] : 1
}

/** Where in the wide columns of buffs a stat of a thing stands. */
export function buffAt(row: number, stat: number): number {
  return row * STATS + stat
}

/** Whether the thing may do anything of its own will. */
export function canAct(view: AbilityView, row: number): boolean {
  const { things } = view.tables
  return things.leaving[row] === 0 && things.stunnedUntil[row] <= view.clock && things.heldBy[row] === 0
}

/** Whether the thing stands still in hit stop. */
export function isStopped(view: AbilityView, row: number): boolean {
  return view.tables.things.stillUntil[row] > view.clock
}

/** Shields whose time is over are gone. */
export function endShields(world: AbilityWorld): void {
  const { things } = world.tables
  for (let row = 0, { count } = things; row < count; row++) {
    if (things.shieldUntil[row] === 0 || things.shieldUntil[row] > world.clock) continue
    things.shieldUntil[row] = 0
    things.shield[row] = 0
  }
}
