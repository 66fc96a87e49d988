/** A static map: rectangles along the axes, some of them long, scattered over a square. Rays over it are those of `queries.ts`. */

import { createRandom, offLattice, onLattice } from './random.ts'

export type Walls = {
  readonly count: number
  readonly side: number
  readonly minX: Float64Array
  readonly minY: Float64Array
  readonly maxX: Float64Array
  readonly maxY: Float64Array
}

/** One wall in about 40 px × 40 px, as in a town: most are crates, every fifth is a wall of up to 120 px. */
export function scatteredWalls(count: number, seed = 9): Walls {
  const random = createRandom(seed)
  const side = Math.ceil(Math.sqrt(count)) * 40
  const column = () => new Float64Array(count)
  const walls: Walls = { count, side, minX: column(), minY: column(), maxX: column(), maxY: column() }
  for (let i = 0; i < count; i++) {
    const long = 4 + random() * (i % 5 === 0 ? 116 : 12)
    const isFlat = random() < 0.5
    walls.minX[i] = onLattice(random() * side)
    walls.minY[i] = onLattice(random() * side)
    walls.maxX[i] = offLattice(walls.minX[i] + (isFlat ? long : 4))
    walls.maxY[i] = offLattice(walls.minY[i] + (isFlat ? 4 : long))
  }
  return walls
}
