/**
 * When does a gap close that shrinks no faster than a known speed?
 *
 * What turns has no closed form, but it has a bound: no point of it travels farther than its motion plus its turn times its
 * distance from the pivot. Two that are a gap apart cannot meet before that gap is travelled, so time is advanced by gap over
 * bound, again and again, and never past an impact. It ends when the gap is below `TURN_TOLERANCE`.
 *
 * Near a graze the steps become ever smaller; none is shorter than 1 / TURN_STEPS of the way. If such a step ends in an overlap,
 * the impact is found by halving. So the bound is: an impact is reported at most `TURN_TOLERANCE` early in distance and never late,
 * and what is missed is a graze that begins and ends within 1 / 512 of the way.
 */

/** How near two surfaces are when they count as met, in units of the world. */
export const TURN_TOLERANCE = 1e-6
export const TURN_STEPS = 512

/**
 * The time that is asked about, the gap at that time, and how much the gap can shrink on the whole way. In an object, because V8
 * puts a double that is handed to a function on the heap.
 */
export const instant = { time: Number.NaN, gap: Number.NaN, most: Number.NaN }

/**
 * Whether the gap closes from `instant.time` on, up to time 1; then `instant` is at that time. `measure` writes the gap at
 * `instant.time`.
 */
export function conservativeAdvance(measure: () => void): boolean {
  const shortest = 1 / TURN_STEPS
  let free = 0
  for (;;) {
    measure()
    if (instant.gap <= 0 && instant.time > 0) break
    if (instant.gap <= TURN_TOLERANCE) return true
    free = instant.time
    if (free === 1) return false
    instant.time = Math.min(1, free + Math.max(instant.gap / instant.most, shortest))
  }
  // Free at one time, overlapping at the next: the impact lies between.
  let late = instant.time
  for (let halvings = 0; halvings < 60; halvings++) {
    instant.time = (free + late) / 2
    measure()
    if (instant.gap > 0 && instant.gap <= TURN_TOLERANCE) return true
    if (instant.gap > 0) free = instant.time
    else late = instant.time
  }
  instant.time = free
  measure()
  return true
}
