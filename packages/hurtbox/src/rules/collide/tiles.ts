/** Tile grids and borders as pieces of a static map. */

import { describe, HurtboxError, requireFields, requireQuantity } from '../../base/errors.ts'
import type { Door, OnLayer, Rectangle } from './statics.ts'

export type TileGrid<L extends string = string> = {
  readonly layer: L
  /** One string per row, one character per tile. */
  readonly rows: readonly string[]
  /** Side of a tile. */
  readonly size: number
  /** The corner with the smallest coordinates. Default: 0, 0. */
  readonly x?: number
  readonly y?: number
  /** Which characters are solid. Default: `#`. */
  readonly solid?: string
}

/**
 * The solid tiles of a grid as rectangles for `defineStatics`, as few as merging neighbours gives: along a row first, then equal
 * runs of the rows below. So a floor is one piece, and nothing catches on the seam of two tiles.
 *
 * @example
 * ```ts
 * import { tiles } from 'hurtbox'
 *
 * const rows = ['####', '#..#', '####']
 * console.log(tiles({ layer: 'wall', rows, size: 10 }).length) // 4
 * ```
 */
export function tiles<const L extends string>(grid: TileGrid<L>): Rectangle<OnLayer<L, never>>[] {
  requireFields(grid, 'tiles', ['layer', 'rows', 'size', 'x', 'y', 'solid'])
  const { layer, rows, size, x = 0, y = 0, solid = '#' } = grid
  if (!(requireQuantity(size, 'size of tiles') > 0)) {
    throw new HurtboxError('out-of-range', `size of tiles must be more than 0, got ${size}.`)
  }
  requireQuantity(x, 'x of tiles')
  requireQuantity(y, 'y of tiles')
  if (!Array.isArray(rows) || !rows.every((row) => typeof row === 'string')) {
    throw new HurtboxError('bad-argument', "rows of tiles must be a list of texts, one per row, as ['####', '#..#'].")
  }
  if (typeof solid !== 'string') {
    throw new HurtboxError('bad-argument', `solid of tiles must be a text, as '#%', got ${describe(solid)}.`)
  }
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const isSolid = (col: number, row: number) => col < rows[row].length && solid.includes(rows[row][col])
  return mergeTiles(width, rows.length, isSolid).map(({ first, end, top, bottom }) => ({
    layer,
    minX: x + first * size,
    minY: y + top * size,
    maxX: x + end * size,
    maxY: y + bottom * size,
  }))
}

/** The solid tiles of a grid, neighbours as one: along a row first, then with equal runs of the rows below. */
export function mergeTiles(width: number, height: number, isSolid: (col: number, row: number) => boolean): Run[] {
  const found: Run[] = []
  // The runs of the row above, by where they begin.
  let above = new Map<number, Run>()
  for (let row = 0; row < height; row++) {
    const present = new Map<number, Run>()
    for (let first = 0; first < width; first++) {
      if (!isSolid(first, row)) continue
      let end = first + 1
      while (end < width && isSolid(end, row)) end++
      let run = above.get(first)
      if (run?.end === end) run.bottom = row + 1
      else {
        run = { first, end, top: row, bottom: row + 1 }
        found.push(run)
      }
      present.set(first, run)
      first = end
    }
    above = present
  }
  return found
}

/** Tiles side by side in some rows. */
export type Run = { readonly first: number; readonly end: number; readonly top: number; bottom: number }

/** The wall around a rectangle: on which layer, and how thick. Default: as thick as the rectangle is wide or high. */
export type Border<Named extends OnLayer = OnLayer> = Rectangle<Named> & { readonly thickness?: number }

/**
 * The four rectangles around one, for `defineStatics`: left, right, above and below, with their corners. What starts inside stays there.
 *
 * @example
 * ```ts
 * import { border } from 'hurtbox'
 *
 * const [left, right] = border({ layer: 'wall', minX: 0, minY: 0, maxX: 800, maxY: 600, thickness: 50 })
 * console.log(left.minX, left.maxX, right.minX, right.maxX, right.minY) // -50 0 800 850 -50
 * ```
 */
export function border<const L extends string, const Opener extends Door = never>(
  around: Border<OnLayer<L, Opener>>,
): Rectangle<OnLayer<L, Opener>>[] {
  requireFields(around, 'border', ['layer', 'minX', 'minY', 'maxX', 'maxY', 'thickness', 'door'])
  const { thickness, ...inner } = around
  const { minX, minY, maxX, maxY } = inner
  for (const side of ['minX', 'minY', 'maxX', 'maxY'] as const) requireQuantity(inner[side], `${side} of a border`)
  const thick = requireQuantity(thickness ?? Math.max(maxX - minX, maxY - minY), 'thickness of a border')
  if (minX > maxX || minY > maxY) {
    throw new HurtboxError('bad-argument', `border must have min below max, got ${minX}, ${minY} to ${maxX}, ${maxY}.`)
  }
  if (!(thick > 0)) throw new HurtboxError('out-of-range', `thickness of a border must be more than 0, got ${thick}.`)
  const outer = { ...inner, minX: minX - thick, minY: minY - thick, maxX: maxX + thick, maxY: maxY + thick }
  return [
    { ...outer, maxX: minX },
    { ...outer, minX: maxX },
    { ...outer, maxY: minY },
    { ...outer, minY: maxY },
  ]
}
