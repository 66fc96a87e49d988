/**
 * A pose: where a shape stands and which way it looks.
 *
 * The facing is a unit vector, not an angle, so that turning a shape is four multiplications with the same bits
 * everywhere. The queries of this folder trust their poses: they run thousands of times per tick and check nothing.
 * `pose` checks numbers from outside; a tick keeps a pose object and writes its fields.
 */

import { requireQuantity } from '../../base/errors.ts'
import { facingXOf } from '../math/facing.ts'

export type Pose = {
  x: number
  y: number
  /** Unit vector. A shape's own +x axis points along it; its +y axis is to the left of it (y up) or right (y down). */
  facingX: number
  facingY: number
}

/** Where something is in the plane and which way it looks. A thing with facing columns is one. */
export type PlaneFrame = {
  readonly x: number
  readonly y: number
  /** Default: along +x, which (0, 0) also means: columns begin with 0. */
  readonly facingX?: number
  readonly facingY?: number
}

/** Makes a pose. The facing may have any length; (0, 0) is along +x. */
export function pose(frame: PlaneFrame): Pose {
  const { x, y, facingX: givenX = 1, facingY = 0 } = frame ?? {}
  requireQuantity(givenX, 'pose facingX')
  requireQuantity(facingY, 'pose facingY')
  const facingX = facingXOf(givenX, facingY)
  const length = vectorLength(facingX, facingY)
  // Made of NaN first: V8 then keeps doubles in these fields from the start. Made of 0 and 1 they would be small integers
  // until the first fraction, and poses of two hidden classes slow every query down.
  const made: Pose = { x: Number.NaN, y: Number.NaN, facingX: Number.NaN, facingY: Number.NaN }
  made.x = requireQuantity(x, 'pose x')
  made.y = requireQuantity(y, 'pose y')
  made.facingX = facingX / length
  made.facingY = facingY / length
  return made
}

/** Length of a vector, also where its squares would vanish (1e-200) or overflow. */
export function vectorLength(x: number, y: number): number {
  const largest = Math.max(Math.abs(x), Math.abs(y))
  if (largest === 0) return 0
  // Squares between 1e-200 and 1e200 lose nothing; scaling there would only cost the last bit.
  if (largest > 1e-100 && largest < 1e100) return Math.sqrt(x * x + y * y)
  const unitX = x / largest
  const unitY = y / largest
  return largest * Math.sqrt(unitX * unitX + unitY * unitY)
}
