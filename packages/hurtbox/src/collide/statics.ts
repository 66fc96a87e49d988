/**
 * The static map: walls, terrain and tiles, as content with a grid of its own that is built once.
 *
 * Statics are no things: they have no row, no id and no state. A contact with one names it by its place in the map, and a
 * rule about it has the thing on the attacker's side and the layer of the static on the victim's.
 */

import { HurtboxError, requireQuantity } from '../errors.ts'
import { type Layers, layerNumber } from '../layers.ts'
import { box } from '../shapes/shape.ts'
import { buildStaticMap, type Rectangles, type StaticMap } from '../space/statics.ts'
import { type Boxes, ROLE, STATIC_OWNER } from './boxes.ts'
import { addShape } from './shape-boxes.ts'

export type Rectangle = {
  readonly layer: string
  readonly minX: number
  readonly minY: number
  readonly maxX: number
  readonly maxY: number
}

export type Statics = {
  readonly map: StaticMap
  /** Adds the box of a static to a list of boxes; gives its place there. */
  addBox(boxes: Boxes, place: number): number
}

/** A map of rectangles, in the order given: a contact with the third one says `static: 2`. For phases in the plane. */
export function defineStatics(layers: Layers, rectangles: readonly Rectangle[]): Statics {
  const columns = rectangleColumns(layers, rectangles)
  const shapes = rectangles.map(({ minX, minY, maxX, maxY }) => box((maxX - minX) / 2, (maxY - minY) / 2))
  return {
    map: buildStaticMap(columns),
    addBox(boxes, place) {
      const { minX, minY, maxX, maxY, layer } = columns
      const centreX = (minX[place] + maxX[place]) / 2
      const centreY = (minY[place] + maxY[place]) / 2
      const added = addShape(boxes, STATIC_OWNER, ROLE.push, layer[place], shapes[place], centreX, centreY)
      boxes.number[added] = place
      return added
    },
  }
}

/** Rectangles as columns, checked. */
export function rectangleColumns(layers: Layers, rectangles: readonly Rectangle[]): Rectangles {
  const { length } = rectangles
  const columns: Rectangles = {
    count: length,
    minX: new Float64Array(length),
    minY: new Float64Array(length),
    maxX: new Float64Array(length),
    maxY: new Float64Array(length),
    layer: new Uint8Array(length),
  }
  rectangles.forEach((rectangle, i) => {
    for (const side of ['minX', 'minY', 'maxX', 'maxY'] as const) {
      columns[side][i] = requireQuantity(rectangle[side], `rectangle ${i} ${side}`)
    }
    const { minX, minY, maxX, maxY, layer } = rectangle
    if (minX > maxX || minY > maxY) {
      throw new HurtboxError(
        'bad-argument',
        `rectangle ${i} must have min below max, got ${minX}, ${minY} to ${maxX}, ${maxY}.`,
      )
    }
    columns.layer[i] = layerNumber(layers, layer)
  })
  return columns
}

/**
 * Writes into `out` how far a circle must move to leave a rectangle of the map by the shortest way; (0, 0) when it is not
 * in it. Gives whether it was.
 */
export function wayOut(
  statics: Statics,
  place: number,
  x: number,
  y: number,
  radius: number,
  out: { x: number; y: number },
): boolean {
  const { minX, minY, maxX, maxY } = statics.map.rectangles
  const nearestX = Math.min(Math.max(x, minX[place]), maxX[place])
  const nearestY = Math.min(Math.max(y, minY[place]), maxY[place])
  const dx = x - nearestX
  const dy = y - nearestY
  const squared = dx * dx + dy * dy
  out.x = 0
  out.y = 0
  if (squared >= radius * radius) return false
  if (squared > 0) {
    const distance = Math.sqrt(squared)
    const part = (radius - distance) / distance
    out.x = dx * part
    out.y = dy * part
    return true
  }
  // The centre is inside: out through the nearest side, left and right before up and down.
  const [left, right] = [x - minX[place] + radius, maxX[place] - x + radius]
  const [up, down] = [y - minY[place] + radius, maxY[place] - y + radius]
  const shortest = Math.min(left, right, up, down)
  if (shortest === left) out.x = -left
  else if (shortest === right) out.x = right
  else if (shortest === up) out.y = -up
  else out.y = down
  return true
}
