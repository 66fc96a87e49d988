/** Two options that every game has: how pairs are found. They never change an outcome; the determinism tests vary them. */

import { flag, whole } from 'hurtbox'
import { bruteForce } from 'hurtbox/space'

export const GRID_OPTIONS = {
  grid: flag(true, 'the broad phase uses a grid; never changes an outcome'),
  cellSize: whole(0, { min: 0, max: 1000, help: 'side of its cells, 0 to choose; never changes an outcome' }),
}

/** The same options as `collide` takes them. */
export function gridOf({ grid, cellSize }: { readonly grid: boolean; readonly cellSize: number }) {
  return { broadPhase: grid ? undefined : bruteForce, cellSize }
}
