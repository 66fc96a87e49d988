/**
 * Projectiles: somebody sends them off, they end by themselves, and some pass through a few victims before they are spent.
 */

import type { Outcome } from '../collide/rule.ts'
import type { Cells, ReadCells } from '../columns.ts'
import { addRow, type RowsBase } from '../table.ts'

type Released = 'id' | 'kind' | 'layer' | 'owner' | 'team' | 'x' | 'y' | 'radius'

/**
 * Adds what the thing in row `sender` sends off: where that stands, its property, of its team. Gives the new row, or -1 when
 * the table is full. Where it flies, how long and what it does there is the game's.
 */
export function release(
  things: RowsBase & { readonly [K in Released]: Cells },
  sender: number,
  kind: number,
  layer: number,
  radius: number,
): number {
  const row = addRow(things)
  if (row < 0) return -1
  things.kind[row] = kind
  things.layer[row] = layer
  things.owner[row] = things.id[sender]
  things.team[row] = things.team[sender]
  things.x[row] = things.x[sender]
  things.y[row] = things.y[sender]
  things.radius[row] = radius
  return row
}

/** A phase: what has reached the end of its life leaves. */
export function expire(world: {
  readonly clock: number
  readonly tables: { readonly things: { readonly count: number; readonly endsAt: ReadCells; readonly leaving: Cells } }
}): void {
  const { things } = world.tables
  const { clock } = world
  for (let row = 0, { count } = things; row < count; row++) {
    if (things.endsAt[row] !== 0 && things.endsAt[row] <= clock) things.leaving[row] = 1
  }
}

/**
 * Uses up a projectile by one hit: it goes on while it has victims left to pass through, and never hits the same one
 * twice. The rule needs the gate `already-hit`.
 */
export function pierce(
  view: { readonly tables: { readonly things: { readonly pierceLeft: ReadCells } } },
  outcome: Outcome,
  projectile: number,
): void {
  const { pierceLeft } = view.tables.things
  if (pierceLeft[projectile] === 0) {
    outcome.despawn(projectile)
    return
  }
  outcome.add(pierceLeft, projectile, -1)
  outcome.remember()
}
