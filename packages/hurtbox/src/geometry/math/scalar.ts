/**
 * Small helpers every game writes sooner or later, written once with their edges decided.
 */

/** Half a turn in radians. */
export const PI = Math.PI

/** A full turn in radians. */
export const TAU = 2 * Math.PI

/** `value`, but not below `min` and not above `max`. */
export function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(value, max))
}

/**
 * The number `t` of the way from `from` to `to`: exactly `from` at 0 and exactly `to` at 1. Goes on beyond either end.
 */
export function lerp(from: number, to: number, t: number): number {
  // Where both are equal the result is too, which from·(1 - t) + to·t does not promise; but this form can miss the end.
  return t === 1 ? to : from + (to - from) * t
}

/** Length of the vector (x, y). */
export function length(x: number, y: number): number {
  return Math.sqrt(x * x + y * y)
}

/** The same direction as an angle from -π to π. Angles already in that range come back unchanged. */
export function wrapAngle(angle: number): number {
  if (angle >= -PI && angle <= PI) return angle
  // The remainder and the subtraction are exact, so even a large angle stays in range.
  const turned = angle % TAU
  return turned > PI ? turned - TAU : turned < -PI ? turned + TAU : turned
}
