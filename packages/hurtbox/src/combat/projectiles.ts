/** Projectiles: they end by themselves, and some pass through a few victims before they are spent. */

import type { Outcome } from '../collide/rule.ts'
import type { Cells, ReadCells } from '../columns.ts'

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
