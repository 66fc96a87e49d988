/** Which thing is under a place of the screen. */

import * as shapes from 'hurtbox/shapes'
import type { AnyWorld } from 'hurtbox/tools'
import { BOX, type Overlay } from '../sim/protocol.ts'
import type { Place } from './camera.ts'

/** From the world to CSS pixels. */
export type Project = (x: number, y: number, z: number, out: Place) => void

const at = { x: 0, y: 0 }
const beside = { x: 0, y: 0 }

/** The id of the thing under a place, the smallest if several; 0 for none. */
export function thingUnder(world: AnyWorld, project: Project, screenX: number, screenY: number): number {
  const { things } = world.tables
  let found = 0
  let best = Number.POSITIVE_INFINITY
  for (let row = 0; row < things.count; row++) {
    const z = things.z?.[row] ?? 0
    project(things.x[row], things.y[row], z, at)
    project(things.x[row] + things.radius[row], things.y[row], z, beside)
    const radius = Math.abs(beside.x - at.x)
    // A finger is wider than a bullet.
    const reach = Math.max(radius, 12)
    const distance = Math.hypot(at.x - screenX, at.y - screenY)
    if (distance > reach) continue
    const rank = radius + distance
    if (rank < best) {
      best = rank
      found = things.id[row]
    }
  }
  return found
}

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
