/**
 * What a character does to its own speed and facing. Speeds are those of `vx` and `vy`: per second, or per tick in a game that moves
 * by `perTick`. Amounts are for one tick: acceleration × time.
 */

import { facingXOf } from '../../geometry/math/facing.ts'

type Walker = { vx: number; vy: number }
type Grounded = { grounded: number }

/**
 * Brings the speed in the plane nearer to (wishX, wishY), by at most `most` in this tick. Stopping is steering to (0, 0). Speeds are
 * per second, or per tick as the game's `vx`; `most` is the acceleration divided by the tick rate.
 */
export function steer(walker: Walker, wishX: number, wishY: number, most: number): void {
  const { vx, vy } = walker
  const dx = wishX - vx
  const dy = wishY - vy
  const distance = Math.sqrt(dx * dx + dy * dy)
  if (distance <= most) {
    walker.vx = wishX
    walker.vy = wishY
    return
  }
  walker.vx = vx + (dx / distance) * most
  walker.vy = vy + (dy / distance) * most
}

/** Friction: takes up to `most` of the speed in the plane in this tick, as `steer`. In the air there is none; what has no `grounded` is never there. */
export function brake(walker: Walker & Partial<Grounded>, most: number): void {
  if (walker.grounded !== 0) steer(walker, 0, 0, most)
}

/**
 * Sets the speed in the plane along (dx, dy), which need not be a unit vector: the way a stick is pushed, or (thing.vx, thing.vy) to go
 * on faster. (0, 0) dashes along the facing. `speed` is per second, or per tick as the game's `vx`.
 */
export function dash(
  thing: Walker & { readonly facingX: number; readonly facingY: number },
  speed: number,
  dx = 0,
  dy = 0,
): void {
  const length = Math.sqrt(dx * dx + dy * dy)
  thing.vx = (length > 0 ? dx / length : facingXOf(thing.facingX, thing.facingY)) * speed
  thing.vy = (length > 0 ? dy / length : thing.facingY) * speed
}

/** Leaves the ground with `speed` upwards, per second as all of `moveBodies`. Returns whether it jumped: in the air it cannot. */
export function jump(walker: Grounded & { vz: number }, speed: number): boolean {
  if (walker.grounded === 0) return false
  walker.grounded = 0
  walker.vz = speed
  return true
}

/** Turns to (dx, dy), which need not be a unit vector. (0, 0) keeps the facing. */
export function face(thing: { facingX: number; facingY: number }, dx: number, dy: number): void {
  const length = Math.sqrt(dx * dx + dy * dy)
  if (length === 0) return
  thing.facingX = dx / length
  thing.facingY = dy / length
}
