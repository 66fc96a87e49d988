/** Projectiles: they have a sender, expire by themselves, and may pierce a few victims. */

import type { Cells, ReadCells } from '../../state/columns.ts'
import type { AnyDeclaration, Declaration } from '../../world/game.ts'
import { requireHandle } from '../../world/handles/require.ts'
import { despawn, spawn } from '../../world/handles/things.ts'
import type { LayerName, OfGame, Thing, ThingValues } from '../../world/handles/types.ts'
import { checkValues, writeValues } from '../../world/handles/values.ts'

/**
 * Adds a thing where its sender is, owned by it and on its team: a bullet, a blast. Returns it. The game decides where
 * and how long it flies and what it does. If there is no room, it behaves as `spawn`.
 */
export function spawnFrom<const L extends LayerName<D>, D extends Declaration = AnyDeclaration>(
  sender: OfGame<D>,
  layer: L,
  values?: ThingValues<D>,
): Thing<D, L> {
  const { $pool: pool } = requireHandle(sender)
  const { block, table } = pool
  const { things } = block.world.tables
  if (values !== undefined) checkValues(table, values, block)
  const made = spawn(block.world, layer)
  if (made.id === 0) return made
  const at = things.count - 1
  things.owner[at] = sender.id
  // Through the handle: the sender may be a wall, which has no row.
  const { team, x, y } = sender as unknown as { readonly team: number; readonly x: number; readonly y: number }
  things.team[at] = team
  things.x[at] = x
  things.y[at] = y
  if (values !== undefined) writeValues(table, at, values, block)
  return made
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

/** Uses up a projectile by one hit: it goes on while it has victims left to pass through. The rule hits `once`. */
export function pierce(projectile: { readonly id: number; pierceLeft: number }): void {
  if (projectile.pierceLeft === 0) despawn(projectile)
  else projectile.pierceLeft -= 1
}
