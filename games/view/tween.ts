/**
 * Places between two states: where everything of the later one is drawn, by row.
 *
 * Views of hundreds of things paint from columns, so the places of all rows are worked out once per frame.
 */

import { findRow } from 'hurtbox'
import { createPlace, type Picture, placeBetween, shorter, type Wrap } from 'hurtbox/picture'
import type { AnyWorld } from 'hurtbox/tools'

export type Tween = {
  /** By row of the later state. */
  readonly x: Float64Array
  readonly y: Float64Array
  readonly z: Float64Array
  /** The row in the earlier state, −1 for what is new. */
  readonly from: Int32Array
  /** Set for a plane that wraps around. */
  readonly wrap: Wrap | undefined
}

/** `side`: of a plane that wraps around, 0 for one that does not. */
export function createTween(capacity: number, side = 0): Tween {
  const column = () => new Float64Array(capacity)
  const wrap = side === 0 ? undefined : { width: side, height: side }
  return { x: column(), y: column(), z: column(), from: new Int32Array(capacity), wrap }
}

type Moment = {
  readonly before: unknown
  readonly after: unknown
  readonly alpha: number
  readonly place: Picture['place']
}

const place = createPlace()

/** Fills `tween` for the moment of a frame. */
export function tweenPlaces({ x, y, z, from, wrap }: Tween, frame: Moment): void {
  const shown = { before: frame.before as AnyWorld, after: frame.after as AnyWorld, alpha: frame.alpha }
  const { things } = shown.after.tables
  for (let row = 0; row < things.count; row++) {
    const id = things.id[row]
    if (wrap !== undefined) placeBetween(shown, id, place, wrap)
    else frame.place(id, place)
    x[row] = place.x
    y[row] = place.y
    z[row] = place.z
    from[row] = findRow(shown.before.tables.things, id)
  }
}

/** An angle between two, by the shorter way round. */
export function tweenAngle(before: number, after: number, alpha: number): number {
  return after - shorter(after - before, 2 * Math.PI) * (1 - alpha)
}
