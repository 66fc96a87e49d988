/**
 * Where to draw things between two states.
 *
 * Rows close up when a thing leaves, so a thing is followed by its id, not by its row. A new thing is drawn where it appeared,
 * and one that has teleported (`teleports` counts that: a respawn, a jump over the edge) is not dragged across the screen.
 */

import { facingXOf } from '../../geometry/math/facing.ts'
import { vectorLength } from '../../geometry/shapes/pose.ts'
import { findRow } from '../../state/table.ts'
import type { AnyWorld } from '../../world/world.ts'

/** Where a thing is drawn. `z` is 0 in games in the plane, the facing (1, 0) in games without one, and of things that were never turned. */
export type Place = { x: number; y: number; z: number; facingX: number; facingY: number }

/** Sides of a plane that wraps around; 0 along an axis that does not. */
export type Wrap = { readonly width: number; readonly height: number }

export function createPlace(): Place {
  return { x: 0, y: 0, z: 0, facingX: 1, facingY: 0 }
}

type Moment = { readonly before: AnyWorld; readonly after: AnyWorld; readonly alpha: number }

/** Writes where thing `id` is at the moment into `out`; false when it is not there. */
export function placeBetween({ before, after, alpha }: Moment, id: number, out: Place, wrap?: Wrap): boolean {
  const { things } = after.tables
  const row = findRow(things, id)
  if (row < 0) return false
  copyPlace(things, row, out)
  const { things: earlier } = before.tables
  const from = findRow(earlier, id)
  if (from < 0 || earlier.teleports[from] !== things.teleports[row]) return true
  const back = 1 - alpha
  out.x -= shorter(things.x[row] - earlier.x[from], wrap?.width) * back
  out.y -= shorter(things.y[row] - earlier.y[from], wrap?.height) * back
  if (things.z !== undefined) out.z -= (things.z[row] - earlier.z[from]) * back
  if (things.facingX !== undefined) turnBack(out, earlier.facingX[from], earlier.facingY[from], back)
  return true
}

// biome-ignore lint/suspicious/noExplicitAny: things of a game that the compiler does not know.
function copyPlace(things: any, row: number, out: Place): void {
  out.x = things.x[row]
  out.y = things.y[row]
  out.z = things.z === undefined ? 0 : things.z[row]
  out.facingY = things.facingY === undefined ? 0 : things.facingY[row]
  out.facingX = things.facingX === undefined ? 1 : facingXOf(things.facingX[row], out.facingY)
}

/** The straight line between two directions, as long as both; two opposite ones have no way between them. */
function turnBack(out: Place, facingX: number, facingY: number, back: number): void {
  const x = out.facingX + (facingXOf(facingX, facingY) - out.facingX) * back
  const y = out.facingY + (facingY - out.facingY) * back
  const length = vectorLength(x, y)
  if (length < 1e-6) return
  const scale = vectorLength(out.facingX, out.facingY) / length
  out.facingX = x * scale
  out.facingY = y * scale
}

/** The shorter of the two ways round. */
export function shorter(difference: number, side = 0): number {
  return side === 0 ? difference : difference - side * Math.round(difference / side)
}
