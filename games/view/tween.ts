/**
 * Places between two states: where everything of the later one is at a moment in between.
 *
 * Rows close up when a thing leaves, so a thing is followed by its id, not by its row. Ids ascend with the rows in both
 * states, so one pass over both finds all pairs. A new thing is drawn where it appeared, and one that has teleported
 * (`teleports` counts that: a respawn, a jump over the edge) is not dragged across the screen.
 */

type Places = {
  readonly count: number
  readonly id: Uint32Array
  readonly x: Float64Array
  readonly y: Float64Array
  readonly teleports: Uint8Array | Uint16Array | Uint32Array
}

export type Tween = {
  /** By row of the later state. */
  readonly x: Float64Array
  readonly y: Float64Array
  /** The row in the earlier state, −1 for what is new. */
  readonly from: Int32Array
  /** Side of a plane that wraps around, 0 for one that does not. */
  readonly side: number
}

export function createTween(capacity: number, side = 0): Tween {
  return {
    x: new Float64Array(capacity),
    y: new Float64Array(capacity),
    from: new Int32Array(capacity),
    side,
  }
}

/** Fills `tween` for the moment `alpha` of the way from `before` to `after`. */
export function tweenPlaces(tween: Tween, before: Places, after: Places, alpha: number): void {
  const { x, y, from, side } = tween
  let earlier = 0
  for (let row = 0; row < after.count; row++) {
    while (earlier < before.count && before.id[earlier] < after.id[row]) earlier++
    const isKnown = earlier < before.count && before.id[earlier] === after.id[row]
    from[row] = isKnown ? earlier : -1
    x[row] = after.x[row]
    y[row] = after.y[row]
    if (!isKnown) continue
    if (after.teleports[row] !== before.teleports[earlier]) continue
    const dx = shortest(after.x[row] - before.x[earlier], side)
    const dy = shortest(after.y[row] - before.y[earlier], side)
    x[row] = after.x[row] - dx * (1 - alpha)
    y[row] = after.y[row] - dy * (1 - alpha)
  }
}

/** The shorter of the two ways round. */
export function shortest(difference: number, side: number): number {
  if (side === 0) return difference
  return difference - side * Math.round(difference / side)
}

/** An angle between two, by the shorter way round. */
export function tweenAngle(before: number, after: number, alpha: number): number {
  return after - shortest(after - before, 2 * Math.PI) * (1 - alpha)
}
