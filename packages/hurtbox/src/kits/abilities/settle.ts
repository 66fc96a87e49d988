/**
 * After the hits of a tick: what they mean for things that run abilities.
 *
 * A thing that was stunned or grabbed is interrupted. Hit stop freezes a thing in time: every timer it has (all columns of
 * that type, those of the game included) is moved by as long.
 */

import { columnType } from '../../state/columns.ts'
import type { AnyTable } from '../../state/table.ts'
import type { Abilities } from './abilities.ts'
import { busyCast, interruptRow } from './casts.ts'
import { letGo } from './holds.ts'
import { traceWindows } from './windows.ts'
import { type AbilityWorld, thingAt } from './world.ts'

/** Makes a phase, right after the one in which things meet: interruptions and hit stop. */
export function settleHits(abilities: Abilities): (world: AbilityWorld) => void {
  return (world) => {
    const { things, casts } = world.tables
    const { clock } = world
    for (let row = 0, { count } = things; row < count; row++) {
      if (things.stunnedUntil[row] > clock || things.heldBy[row] !== 0) {
        const cast = busyCast(world, row)
        if (cast >= 0 && !abilities.list[casts.ability[cast]].superArmor) interruptRow(world, row)
        if (things.holds[row] !== 0) letGo(thingAt(world, row))
      }
      if (things.stopFor[row] !== 0) stop(world, row)
    }
    traceWindows(abilities, world)
  }
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
export function shiftTimers({ columns }: AnyTable, row: number, clock: number, ticks: number): void {
  for (let c = 0; c < columns.length; c++) {
    const { spec, array, width } = columns[c]
    if (columnType(spec) !== 'timer') continue
    for (let i = row * width; i < (row + 1) * width; i++) if (array[i] > clock) array[i] += ticks
  }
}
