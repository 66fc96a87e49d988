/** The floor of a map in space. Bodies need something to stand on, whatever else there is. */

import type { Block } from '../../rules/collide/blocks.ts'

/** How far `ground` reaches to the sides and down: beyond any map, and near enough for doubles to be exact on it. */
const FAR = 1e6

/** A block that is the ground everywhere, solid from `z` downwards: `{ layer: 'ground', ...ground(0) }`. */
export function ground(z: number): Omit<Block, 'layer' | 'door'> {
  return { minX: -FAR, minY: -FAR, minZ: z - FAR, maxX: FAR, maxY: FAR, maxZ: z }
}
