/**
 * Recent damage in the state: a ring of the latest hurts.
 *
 * Events are gone with the next step; what a rule of a later tick needs (the last attacker) has to be in the
 * state, and there it has to be bounded.
 */

import type { Cells, ReadCells } from '../../state/columns.ts'
import type { RowsBase } from '../../state/table.ts'

type RecentWorld = {
  readonly tick: number
  readonly globals: { recentCount: number }
  readonly arrays: {
    readonly recentTick: Cells
    readonly recentVictim: Cells
    readonly recentSource: Cells
    readonly recentType: Cells
    readonly recentTaken: Cells
  }
  readonly events: {
    readonly damage: RowsBase & {
      readonly victim: ReadCells
      readonly source: ReadCells
      readonly type: ReadCells
      readonly taken: ReadCells
    }
  }
}

/** A phase, after those that hurt: enters the damage of this tick into the ring. */
export function recordDamage(world: RecentWorld): void {
  const { arrays, globals, events, tick } = world
  const { damage } = events
  for (let n = 0; n < damage.count; n++) {
    const at = globals.recentCount % arrays.recentTick.length
    arrays.recentTick[at] = tick
    arrays.recentVictim[at] = damage.victim[n]
    arrays.recentSource[at] = damage.source[n]
    arrays.recentType[at] = damage.type[n]
    arrays.recentTaken[at] = damage.taken[n]
    globals.recentCount++
  }
}
