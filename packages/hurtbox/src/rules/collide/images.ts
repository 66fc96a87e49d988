/** Which image of a box another meets on a torus. */

import { type Boxes, imageShiftX, imageShiftY, STATIC_OWNER } from './boxes.ts'

/** What to add to the place of B: of a thing the nearest image is met, while walls stand in the list as the image that is near already. */
export function shiftX(boxes: Boxes, a: number, b: number): number {
  return boxes.owner[b] === STATIC_OWNER ? 0 : imageShiftX(boxes, a, b)
}

export function shiftY(boxes: Boxes, a: number, b: number): number {
  return boxes.owner[b] === STATIC_OWNER ? 0 : imageShiftY(boxes, a, b)
}
