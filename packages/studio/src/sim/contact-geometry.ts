/** Where two boxes touch, in which direction and how deep: asked of the engine's own geometry, for drawing. */

import * as shapes from 'hurtbox/shapes'
import * as volumes from 'hurtbox/volumes'
import { BOX } from './protocol.ts'

export type ContactGeometry = { x: number; y: number; z: number; normalX: number; normalY: number; depth: number }

const flat = shapes.createSeparation()
const solid = volumes.createSeparation()

/** `a` and `b` are where the two boxes begin in `packed`. */
export function measureContact(packed: Float64Array, list: readonly object[], a: number, b: number): ContactGeometry {
  const [first, second] = [shapeOf(packed, list, a), shapeOf(packed, list, b)]
  if (isVolume(first) || isVolume(second)) {
    volumes.separation(placedVolume(first, packed, a), placedVolume(second, packed, b), solid)
    const { x, y, z, normalX, normalY, distance } = solid
    return { x, y, z, normalX, normalY, depth: Math.max(0, -distance) }
  }
  shapes.separation(placedShape(first, packed, a), placedShape(second, packed, b), flat)
  const { x, y, normalX, normalY, distance } = flat
  return { x, y, z: 0, normalX, normalY, depth: Math.max(0, -distance) }
}

function shapeOf(packed: Float64Array, list: readonly object[], at: number): object | undefined {
  return packed[at + BOX.shape] < 0 ? undefined : list[packed[at + BOX.shape]]
}

function isVolume(shape: object | undefined): shape is volumes.Volume {
  return shape !== undefined && 'core' in shape
}

function placedVolume(shape: object | undefined, packed: Float64Array, at: number): volumes.PlacedVolume {
  const volume = isVolume(shape) ? shape : volumes.sphere(packed[at + BOX.radius])
  return { volume, pose: volumes.pose(frameOf(packed, at)) }
}

function placedShape(shape: object | undefined, packed: Float64Array, at: number): shapes.PlacedShape {
  const known = (shape ?? shapes.circle(packed[at + BOX.radius])) as shapes.Shape
  return { shape: known, pose: shapes.pose(frameOf(packed, at)) }
}

function frameOf(packed: Float64Array, at: number): volumes.SpaceFrame {
  const [x, y, z] = [packed[at + BOX.x], packed[at + BOX.y], packed[at + BOX.z]]
  return { x, y, z, facingX: packed[at + BOX.facingX], facingY: packed[at + BOX.facingY] }
}
