/**
 * The boxes of the last tick as outlines, for debugging: what the rules saw, whatever is drawn over it.
 *
 * An outline is a list of corners, because every renderer can draw that.
 */

import type { Boxes } from 'hurtbox'
import type { Picture } from 'hurtbox/picture'
import type { Shape } from 'hurtbox/shapes'
import { type AnyWorld, collisionsOf } from 'hurtbox/tools'
import type { Volume } from 'hurtbox/volumes'

/** A closed outline: x and y of each corner in turn. `layer` is the name of the box's layer. */
export type DrawOutline = (corners: readonly number[], layer: string) => void

/** Corners of a full circle. */
const ROUND = 24

/**
 * Calls `draw` with the outline of every box that took part in the last tick. A world that was not stepped here (a terminal's)
 * has no boxes; of it the circles of all things are drawn.
 */
export function drawBoxes(picture: Pick<Picture, 'after'>, draw: DrawOutline): void {
  const world: AnyWorld = picture.after
  const { names } = world.game.layers
  let count = 0
  for (const { boxes } of collisionsOf(world).values()) {
    for (let box = 0; box < boxes.count; box++, count++) draw(boxOutline(boxes, box), names[boxes.layer[box]])
  }
  if (count > 0) return
  const { things } = world.tables
  for (let row = 0; row < things.count; row++) {
    draw(arcOf(things.x[row], things.y[row], things.radius[row], 0, 2 * Math.PI), names[things.layer[row]])
  }
}

function boxOutline(boxes: Boxes, box: number): number[] {
  if (boxes.isPlain) return arcOf(boxes.x[box], boxes.y[box], boxes.radius[box], 0, 2 * Math.PI)
  const [x, y, facingX, facingY] = [boxes.poseX[box], boxes.poseY[box], boxes.facingX[box], boxes.facingY[box]]
  const shape = boxes.shape[box] as Shape | Volume | undefined
  if (shape === undefined) return arcOf(x, y, boxes.size[box], 0, 2 * Math.PI)
  const outline = 'core' in shape ? footprint(shape) : outlineOf(shape)
  for (let i = 0; i < outline.length; i += 2) {
    const [px, py] = [outline[i], outline[i + 1]]
    outline[i] = x + px * facingX - py * facingY
    outline[i + 1] = y + px * facingY + py * facingX
  }
  return outline
}

/** A shape where it was made, facing +x: every corner is an arc of the shape's radius between the normals of its sides. */
function outlineOf(shape: Shape): number[] {
  const { corners, normals, radius } = shape
  if (shape.kind === 'arc') {
    const half = Math.atan2(shape.halfAngleSin, shape.halfAngleCos)
    return [corners[0], corners[1], ...arcOf(corners[0], corners[1], radius, -half, half)]
  }
  if (normals.length === 0) return arcOf(corners[0], corners[1], radius, 0, 2 * Math.PI)
  const count = corners.length / 2
  const angle = (side: number) => Math.atan2(normals[2 * side + 1], normals[2 * side])
  return Array.from({ length: count }, (_, corner) => {
    const from = angle((corner + count - 1) % count)
    const to = angle(corner)
    return arcOf(corners[2 * corner], corners[2 * corner + 1], radius, from, to < from ? to + 2 * Math.PI : to)
  }).flat()
}

/** A volume seen from above. */
function footprint({ kind, halfX, halfY, radius, offsetX, offsetY }: Volume): number[] {
  if (kind !== 'box') return arcOf(offsetX, offsetY, radius, 0, 2 * Math.PI)
  const [x, y] = [halfX + radius, halfY + radius]
  return [offsetX - x, offsetY - y, offsetX + x, offsetY - y, offsetX + x, offsetY + y, offsetX - x, offsetY + y]
}

function arcOf(x: number, y: number, radius: number, from: number, to: number): number[] {
  if (radius === 0) return [x, y]
  const steps = Math.max(1, Math.ceil((ROUND * (to - from)) / (2 * Math.PI)))
  const corners: number[] = []
  for (let i = 0; i <= steps; i++) {
    const angle = from + ((to - from) * i) / steps
    corners.push(x + Math.cos(angle) * radius, y + Math.sin(angle) * radius)
  }
  return corners
}
