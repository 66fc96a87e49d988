/**
 * Boxes: the volumes that can meet in this tick, as a scratch list.
 *
 * Everything that can touch is posed here first: one circle per thing by default; melee windows, several hurtboxes or
 * rewound poses are just more boxes. Detection, the studio's drawing and `why` read this list and nothing else, so what
 * you see is what was tested. Boxes stand in canonical order: by the row of their owner, then by their number.
 */

import { HurtboxError } from '../errors.ts'

/** What a box is for: a hitbox hurts, a hurtbox can be hurt, a pushbox takes up room. */
export const ROLE = { hurt: 0, hit: 1, push: 2 } as const

export type Boxes = {
  count: number
  /** Row of the owner in `things`. */
  owner: Uint32Array
  /** Number of the box among those of its owner. */
  number: Uint16Array
  role: Uint8Array
  layer: Uint8Array
  x: Float64Array
  y: Float64Array
  radius: Float64Array
}

export function createBoxes(capacity: number): Boxes {
  return {
    count: 0,
    owner: new Uint32Array(capacity),
    number: new Uint16Array(capacity),
    role: new Uint8Array(capacity),
    layer: new Uint8Array(capacity),
    x: new Float64Array(capacity),
    y: new Float64Array(capacity),
    radius: new Float64Array(capacity),
  }
}

/** Adds a circle for the thing in row `owner`. Boxes of one owner are added together, owners in row order. */
export function addCircle(
  boxes: Boxes,
  owner: number,
  role: number,
  layer: number,
  x: number,
  y: number,
  radius: number,
): void {
  const box = boxes.count
  if (box === boxes.owner.length) grow(boxes)
  const previous = box === 0 ? -1 : boxes.owner[box - 1]
  if (owner < previous) {
    throw new HurtboxError(
      'bad-argument',
      `boxes are posed in the order of their owners: row ${owner} after ${previous}.`,
    )
  }
  boxes.owner[box] = owner
  boxes.number[box] = owner === previous ? boxes.number[box - 1] + 1 : 0
  boxes.role[box] = role
  boxes.layer[box] = layer
  boxes.x[box] = x
  boxes.y[box] = y
  boxes.radius[box] = radius
  boxes.count = box + 1
}

function grow(boxes: Boxes): void {
  const larger = createBoxes(boxes.owner.length * 2)
  larger.owner.set(boxes.owner)
  larger.number.set(boxes.number)
  larger.role.set(boxes.role)
  larger.layer.set(boxes.layer)
  larger.x.set(boxes.x)
  larger.y.set(boxes.y)
  larger.radius.set(boxes.radius)
  const { count } = boxes
  Object.assign(boxes, larger, { count })
}
