/**
 * After the hits of a tick: what they mean for those who run abilities.
 *
 * Whoever was stunned or grabbed is interrupted. Hit stop freezes whom it was asked for: for them time stands still, so every
 * timer they have (all columns of that type, whatever the game has added) is moved on by as long.
 */

import { columnType } from '../columns.ts'
import { type AnyTable, findRow } from '../table.ts'
import type { Abilities } from './abilities.ts'
import { interrupt } from './casts.ts'
import { letGo } from './holds.ts'
import { traceWindows } from './windows.ts'
import type { AbilityWorld } from './world.ts'

/** A phase, right after the one in which things meet. */
export function settleHits(abilities: Abilities, world: AbilityWorld): void {
  const { things, casts } = world.tables
  const { clock } = world
  for (let row = 0, { count } = things; row < count; row++) {
    if (things.stunnedUntil[row] > clock || things.heldBy[row] !== 0) {
      const cast = findRow(casts, things.busyWith[row])
      if (cast >= 0 && !abilities.list[casts.ability[cast]].steadfast) interrupt(world, row)
      if (things.holds[row] !== 0) letGo(world, row)
    }
    if (things.stopFor[row] !== 0) stop(world, row)
  }
  traceWindows(abilities, world)
}

/** Freezes a thing from the next tick on, for as long as was asked for; a longer stop is not made shorter. */
function stop(world: AbilityWorld, row: number): void {
  const { things, casts } = world.tables
  const { clock } = world
  const from = Math.max(things.stillUntil[row], clock + 1)
  const until = Math.max(from, clock + 1 + things.stopFor[row])
  things.stopFor[row] = 0
  if (until === from) return
  shiftTimers(things, row, clock, until - from)
  things.stillUntil[row] = until
  const id = things.id[row]
  for (let cast = 0, { count } = casts; cast < count; cast++) {
    if (casts.caster[cast] === id) shiftTimers(casts, cast, clock, until - from)
  }
}

/** Moves every timer of a row that is still ahead by `ticks`. */
export function shiftTimers(table: AnyTable, row: number, clock: number, ticks: number): void {
  const { columns } = table
  for (let c = 0; c < columns.length; c++) {
    const { spec, array, width } = columns[c]
    if (columnType(spec) !== 'timer') continue
    for (let i = row * width; i < (row + 1) * width; i++) if (array[i] > clock) array[i] += ticks
  }
}
