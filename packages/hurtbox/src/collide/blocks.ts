/** The static map in space: rectangles with a height, for phases whose boxes are volumes. */

import { HurtboxError, requireQuantity } from '../errors.ts'
import { box } from '../volumes/volume.ts'
import { STATIC_OWNER } from './boxes.ts'
import { createStatics, doorsOf, type Rectangle, rectangleColumns, type Statics, type WithLayers } from './statics.ts'
import { closeVolume, openVolume } from './volume-boxes.ts'

export type Block = Rectangle & { readonly minZ: number; readonly maxZ: number }

/**
 * A map of blocks, in the order given: in a contact with the third one `hit.wall` is 2. For phases in space.
 *
 * @example
 * ```ts
 * import { addVolume, collide, createWorld, declareGame, defineBlocks, defineGame, spawn, step } from 'hurtbox'
 * import { sphere } from 'hurtbox/volumes'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { ball: ['wall'], wall: [] }, things: { z: 'f64' } })
 * const statics = defineBlocks(arena, [{ layer: 'wall', minX: 10, minY: -9, minZ: 0, maxX: 20, maxY: 9, maxZ: 5 }])
 * const round = sphere(4)
 * const bounce = collide(
 *   arena,
 *   { 'ball hits wall': { between: ['ball', 'wall'], decide: (ball) => void (ball.vx = -ball.vx) } },
 *   { statics, pose: { ball: (ball, boxes) => addVolume(boxes, round, ball) } },
 * )
 * const world = createWorld(defineGame(arena, { phases: { bounce } }))
 * const low = spawn(world, 'ball', { x: 8, vx: 3 })
 * const high = spawn(world, 'ball', { x: 8, z: 20, vx: 3 })
 * step(world)
 * console.log(low.vx, high.vx) // -3 3
 * ```
 */
export function defineBlocks(declaration: WithLayers, blocks: readonly Block[]): Statics {
  const columns = rectangleColumns(declaration, blocks)
  const volumes = blocks.map(({ minX, minY, minZ, maxX, maxY, maxZ }, i) => {
    requireQuantity(minZ, `block ${i} minZ`)
    requireQuantity(maxZ, `block ${i} maxZ`)
    if (minZ > maxZ)
      throw new HurtboxError('bad-argument', `block ${i} must have minZ below maxZ, got ${minZ} to ${maxZ}.`)
    return box((maxX - minX) / 2, (maxY - minY) / 2, (maxZ - minZ) / 2)
  })
  const pieces = volumes.map((shape, i) => {
    const { minX, minY, minZ, maxX, maxY, maxZ } = blocks[i]
    return { shape, x: (minX + maxX) / 2, y: (minY + maxY) / 2, z: (minZ + maxZ) / 2 }
  })
  return createStatics(columns, {
    pieces,
    doors: doorsOf(declaration, blocks),
    addStatic(boxes, place) {
      const { shape, x, y, z } = pieces[place]
      const added = openVolume(boxes, STATIC_OWNER, columns.layer[place], shape)
      boxes.poseX[added] = x
      boxes.poseY[added] = y
      boxes.poseZ[added] = z
      closeVolume(boxes, added)
      return added
    },
    penetration() {
      throw new HurtboxError('bad-argument', 'separation in the plane takes a map of defineStatics, not blocks.')
    },
  })
}
