/** Which thing is under a place of the screen. */

import type { AnyWorld } from 'hurtbox/tools'

/** A place in CSS pixels, or in the plane of the world. */
export type ScreenPlace = { x: number; y: number }

/** From the world to CSS pixels. */
export type Project = (x: number, y: number, z: number, out: ScreenPlace) => void

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
