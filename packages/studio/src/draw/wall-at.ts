/** Which wall is at a place, while boxes are shown. */

import * as shapes from 'hurtbox/shapes'
import { BOX, type Overlay } from '../sim/protocol.ts'

const dot = shapes.circle(0)

/** The wall at a place of the plane, as −1 less its place in the map; 0 for none. Of walls in the plane. */
export function wallAt({ boxes, shapes: list }: Overlay, x: number, y: number): number {
  const gap = shapes.createSeparation()
  for (let at = 0; at < boxes.length; at += BOX.fields) {
    const shape = list[boxes[at + BOX.shape]] as shapes.Shape | undefined
    if (boxes[at + BOX.id] >= 0 || shape === undefined || 'core' in shape) continue
    const [facingX, facingY] = [boxes[at + BOX.facingX], boxes[at + BOX.facingY]]
    const pose = shapes.pose({ x: boxes[at + BOX.x], y: boxes[at + BOX.y], facingX, facingY })
    shapes.separation({ shape, pose }, { shape: dot, pose: shapes.pose({ x, y, facingX: 1, facingY: 0 }) }, gap)
    if (gap.distance <= 0) return boxes[at + BOX.id]
  }
  return 0
}
