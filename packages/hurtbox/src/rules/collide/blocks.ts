/**
 * The static map in space: blocks along the axes, spheres and capsules, for phases whose boxes are volumes, for bodies that walk and
 * fall on it, and for questions in space.
 */

import { HurtboxError, requireQuantity, requireSize } from '../../base/errors.ts'
import { pose } from '../../geometry/volumes/pose.ts'
import { createSeparation, separation } from '../../geometry/volumes/separation.ts'
import { box, capsule, POINT, SEGMENT, sphere, type Volume } from '../../geometry/volumes/volume.ts'
import { STATIC_OWNER } from './boxes.ts'
import { requireNumbers, requirePieces } from './pieces.ts'
import {
  createStatics,
  doorsOf,
  type NamedIn,
  type OnLayer,
  type Piece,
  type Rectangle,
  rectangleColumns,
  type Statics,
  type WithLayers,
} from './statics.ts'
import { closeVolume, openVolume } from './volume-boxes.ts'

type SpacePoint = readonly [x: number, y: number, z: number]

/** A box along the axes. */
export type Block = Rectangle & { readonly minZ: number; readonly maxZ: number }

/** What a map in space is made of. */
export type StaticVolume<Named extends OnLayer = OnLayer> =
  | (Rectangle<Named> & { readonly minZ: number; readonly maxZ: number })
  | (Named & { readonly x: number; readonly y: number; readonly z: number; readonly radius: number })
  /** Everything within `radius` of a line: a pillar, a beam, a cable. */
  | (Named & { readonly from: SpacePoint; readonly to: SpacePoint; readonly radius: number })

/** An upright capsule; a ball where it has no length, a point where it has no radius. */
export type Upright = {
  readonly x: number
  readonly y: number
  readonly z: number
  readonly radius: number
  readonly halfLength: number
}

/** How far something is from a piece, negative when it is in it, and the direction out of the piece. */
export type BlockGap = { distance: number; x: number; y: number; z: number }

/** A static map that has a height. */
export type Blocks = Statics & {
  readonly minZ: Float64Array
  readonly maxZ: Float64Array
  /** Writes the gap of an upright capsule and a piece into `out`. */
  gap(place: number, body: Upright, out: BlockGap): void
}

/**
 * A map of blocks, spheres and capsules, in the order given: in a contact with the third one `hit.wall` is 2. For phases in space,
 * `moveBodies`, `pushBodies`, `flyMissiles` and the queries in space.
 *
 * @example
 * ```ts
 * import { addVolume, collide, createWorld, declareGame, defineBlocks, defineGame, spawn, step } from 'hurtbox'
 * import { sphere } from 'hurtbox/volumes'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { ball: ['wall'], wall: [] }, things: { z: 'f64' } })
 * const statics = defineBlocks(arena, [{ layer: 'wall', minX: 10, minY: -9, minZ: 0, maxX: 20, maxY: 9, maxZ: 5 }])
 * const round = sphere(4)
 * const bounce = collide(
 *   arena,
 *   { 'ball hits wall': { between: ['ball', 'wall'], decide: (ball) => void (ball.vx = -ball.vx) } },
 *   { statics, pose: { ball: (ball, boxes) => addVolume(boxes, round, ball) } },
 * )
 * const world = createWorld(defineGame(arena, { phases: { bounce } }))
 * const low = spawn(world, 'ball', { x: 8, vx: 3 })
 * const high = spawn(world, 'ball', { x: 8, z: 20, vx: 3 })
 * step(world)
 * console.log(low.vx, high.vx) // -3 3
 * ```
 */
export function defineBlocks<D extends WithLayers, const L extends string>(
  declaration: D,
  pieces: readonly StaticVolume<NamedIn<NoInfer<D>, L>>[],
): Blocks {
  requirePieces(declaration, pieces)
  const placed = pieces.map(placePiece)
  const columns = rectangleColumns(declaration, placed)
  const minZ = Float64Array.from(placed, (piece) => piece.minZ)
  const maxZ = Float64Array.from(placed, (piece) => piece.maxZ)
  const isBlock = Uint8Array.from(pieces, (piece) => ('minX' in piece ? 1 : 0))
  const statics = createStatics(columns, {
    pieces: placed,
    doors: doorsOf(declaration, pieces),
    addStatic(boxes, place) {
      const { shape, x, y, z } = placed[place]
      const added = openVolume(boxes, STATIC_OWNER, columns.layer[place], shape)
      boxes.poseX[added] = x
      boxes.poseY[added] = y
      boxes.poseZ[added] = z
      closeVolume(boxes, added)
      return added
    },
    penetration() {
      throw new HurtboxError(
        'bad-argument',
        'separation in the plane takes a map of defineStatics. In space bodies are pushed apart by pushBodies, which takes blocks.',
      )
    },
  })
  const bounds = { ...columns, minZ, maxZ }
  return {
    ...statics,
    minZ,
    maxZ,
    gap: (place, body, out) =>
      isBlock[place] === 1 ? gapOfBlock(bounds, place, body, out) : gapOfVolume(placed[place], body, out),
  }
}

type PlacedVolume = Block & Piece & { readonly shape: Volume }

function placePiece(piece: StaticVolume, i: number): PlacedVolume {
  const { layer } = piece
  if ('minX' in piece) {
    const { minX, minY, minZ, maxX, maxY, maxZ } = piece
    for (const side of ['minX', 'minY', 'minZ', 'maxX', 'maxY', 'maxZ'] as const)
      requireQuantity(piece[side], `block ${i} ${side}`)
    if (minX > maxX || minY > maxY || minZ > maxZ) {
      const corners = `${minX}, ${minY}, ${minZ} to ${maxX}, ${maxY}, ${maxZ}`
      throw new HurtboxError('bad-argument', `block ${i} must have min below max, got ${corners}.`)
    }
    const shape = box((maxX - minX) / 2, (maxY - minY) / 2, (maxZ - minZ) / 2)
    const middle = { x: (minX + maxX) / 2, y: (minY + maxY) / 2, z: (minZ + maxZ) / 2 }
    return { layer, minX, minY, minZ, maxX, maxY, maxZ, shape, ...middle }
  }
  if ('from' in piece) {
    requireNumbers(piece.from, `from of piece ${i}`, 3)
    requireNumbers(piece.to, `to of piece ${i}`, 3)
    return placeLine(piece.from, piece.to, piece.radius, { layer, i })
  }
  if ('radius' in piece) {
    const at: SpacePoint = [piece.x, piece.y, piece.z]
    requireNumbers(at, `x, y and z of piece ${i}`, 3)
    return placeLine(at, at, piece.radius, { layer, i })
  }
  throw new HurtboxError(
    'bad-argument',
    `piece ${i} of the map must have minX, minY, minZ, maxX, maxY and maxZ, or x, y, z and radius, or from, to and radius.`,
  )
}

/** Made around its middle, so that a map far from the origin is as exact as any. */
function placeLine(
  from: SpacePoint,
  to: SpacePoint,
  radius: number,
  { layer, i }: { readonly layer: string; readonly i: number },
): PlacedVolume {
  requireSize(radius, `radius of piece ${i}`)
  const half = from.map((at, k) => (to[k] - at) / 2)
  const [x, y, z] = from.map((at, k) => at + half[k])
  const length = Math.sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2])
  const axis = [half[0] / length, half[1] / length, half[2] / length] as const
  const shape = length === 0 ? sphere(radius) : capsule(radius, length, { axis })
  // A hair larger than computed: the middle is rounded.
  const reach = (k: number) => Math.abs(half[k]) + radius + (Math.abs(from[k]) + Math.abs(to[k]) + radius) * 1e-12
  return {
    ...{ layer, shape, x, y, z },
    ...{ minX: x - reach(0), minY: y - reach(1), minZ: z - reach(2) },
    ...{ maxX: x + reach(0), maxY: y + reach(1), maxZ: z + reach(2) },
  }
}

type Bounds = Readonly<Record<'minX' | 'minY' | 'minZ' | 'maxX' | 'maxY' | 'maxZ', Float64Array>>

/**
 * An upright capsule meets a block exactly when its centre comes within its radius of that block made taller by half the capsule's
 * straight part at both ends. So this is the distance of a point and a box, which takes three clamps; the general volumes would
 * answer the same with ten times the arithmetic. A centre inside the block leaves by the nearest face, up before to the sides
 * before down.
 */
function gapOfBlock(bounds: Bounds, place: number, { x, y, z, radius, halfLength }: Upright, out: BlockGap): void {
  const minX = bounds.minX[place]
  const minY = bounds.minY[place]
  const minZ = bounds.minZ[place] - halfLength
  const maxX = bounds.maxX[place]
  const maxY = bounds.maxY[place]
  const maxZ = bounds.maxZ[place] + halfLength
  const dx = x - Math.min(Math.max(x, minX), maxX)
  const dy = y - Math.min(Math.max(y, minY), maxY)
  const dz = z - Math.min(Math.max(z, minZ), maxZ)
  const distance = Math.sqrt(dx * dx + dy * dy + dz * dz)
  if (distance > 0) {
    out.distance = distance - radius
    out.x = dx / distance
    out.y = dy / distance
    out.z = dz / distance
    return
  }
  const depth = Math.min(maxZ - z, x - minX, maxX - x, y - minY, maxY - y, z - minZ)
  out.distance = -depth - radius
  out.x = 0
  out.y = 0
  out.z = 0
  if (depth === maxZ - z) out.z = 1
  else if (depth === x - minX) out.x = -1
  else if (depth === maxX - x) out.x = 1
  else if (depth === y - minY) out.y = -1
  else if (depth === maxY - y) out.y = 1
  else out.z = -1
}

/** Scratch: each is written before it is read. */
const upright: { -readonly [K in keyof Volume]: Volume[K] } = { ...capsule(1.5, 1.5) }
const bodyAt = { volume: upright as Volume, pose: pose({ x: 0, y: 0, z: 0 }) }
const pieceAt = { volume: upright as Volume, pose: pose({ x: 0, y: 0, z: 0 }) }
const apart = createSeparation()

function gapOfVolume({ shape, x, y, z }: PlacedVolume, body: Upright, out: BlockGap): void {
  const { radius, halfLength } = body
  upright.core = halfLength > 0 ? SEGMENT : POINT
  upright.radius = radius
  upright.halfZ = halfLength
  upright.boundRadius = halfLength + radius
  bodyAt.pose.x = body.x
  bodyAt.pose.y = body.y
  bodyAt.pose.z = body.z
  pieceAt.volume = shape
  pieceAt.pose.x = x
  pieceAt.pose.y = y
  pieceAt.pose.z = z
  const { distance, normalX, normalY, normalZ } = separation(pieceAt, bodyAt, apart)
  out.distance = distance
  out.x = normalX
  out.y = normalY
  out.z = normalZ
}
