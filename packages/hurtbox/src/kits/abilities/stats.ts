/** Buffs, and what a thing can do right now. */

import type { ReadCells } from '../../state/columns.ts'
import type { AnyHandle } from '../../world/handles/classes.ts'
import { worldOf } from '../../world/handles/require.ts'
import { type BuffStat, STATS } from './words.ts'

/** The factor on a stat of a thing: 1 unless a buff is on. */
export function buffed(thing: { readonly id: number }, stat: BuffStat): number {
  const { clock, tables } = worldOf(thing)
  const { buffUntil, buffFactor } = tables.things
  const at = (thing as AnyHandle).$row * STATS.length + STATS.indexOf(stat)
  return buffUntil[at] > clock ? buffFactor[at] : 1
}

type Acting = { readonly id: number; readonly leaving: number; readonly stunnedUntil: number; readonly heldBy: number }

/** Whether a thing can act: not stunned, not held, not leaving. */
export function canAct(thing: Acting): boolean {
  return thing.leaving === 0 && thing.heldBy === 0 && thing.stunnedUntil <= worldOf(thing).clock
}

/** Whether a thing stands still in hit stop. */
export function isStopped(thing: { readonly id: number; readonly stillUntil: number }): boolean {
  return thing.stillUntil > worldOf(thing).clock
}

type Stoppable = {
  readonly clock: number
  readonly tables: { readonly things: { readonly stillUntil: ReadCells } }
}

/** `isStopped` by row, for loops over all things. */
export function isRowStopped(world: Stoppable, row: number): boolean {
  return world.tables.things.stillUntil[row] > world.clock
}
