/** What a character does to its own speed and facing. Amounts are for one tick: acceleration × time. */

import type { Bodies } from './bodies.ts'

/**
 * Brings the speed in the plane nearer to (wishX, wishY), by at most `most`. Walking and stopping are the same thing with
 * different wishes.
 */
export function steer(things: Bodies, row: number, wishX: number, wishY: number, most: number): void {
  const { vx, vy } = things
  const dx = wishX - vx[row]
  const dy = wishY - vy[row]
  const distance = Math.sqrt(dx * dx + dy * dy)
  if (distance <= most) {
    vx[row] = wishX
    vy[row] = wishY
    return
  }
  vx[row] += (dx / distance) * most
  vy[row] += (dy / distance) * most
}

/** Friction: who stands on something loses up to `most` of its speed in the plane; who flies loses none. */
export function brake(things: Bodies, row: number, most: number): void {
  if (things.grounded[row] !== 0) steer(things, row, 0, 0, most)
}

/** Leaves the ground with `speed` upwards; refused in the air. Gives whether it jumped. */
export function jump(things: Bodies, row: number, speed: number): boolean {
  if (things.grounded[row] === 0) return false
  things.grounded[row] = 0
  things.vz[row] = speed
  return true
}

type Facing = { readonly facingX: Float64Array; readonly facingY: Float64Array }

/** Looks along (dx, dy), made a unit vector; who is told no direction keeps looking where it did. */
export function face(things: Facing, row: number, dx: number, dy: number): void {
  const length = Math.sqrt(dx * dx + dy * dy)
  if (length === 0) return
  things.facingX[row] = dx / length
  things.facingY[row] = dy / length
}
