/**
 * What stands in the way in a side view: the pieces of the static map, and platforms that move, as lists of faces.
 *
 * A body is an upright box. Grown by that box, a convex piece is the part of the plane behind all of its faces and the four of the box,
 * so the way of a body through it is a line cut by half-planes: exact, without steps, a few multiplications per face. A body that
 * touches a face, or is in it by less than rounding could do, is outside; so floors of several pieces have no seams.
 */

import { HurtboxError } from '../../base/errors.ts'
import type { Shape } from '../../geometry/shapes/shape.ts'
import type { Statics } from '../../rules/collide/statics.ts'

/** Closer than this touches: far above rounding of coordinates below a million, and far below what an eye sees. */
export const TOUCH = 1e-6

/** A way that closes in by less than this part of its length runs along the face. */
const GRAZE = 1e-9

/** Faces of pieces, the map's first, then one piece per platform. */
export type Solids = {
  readonly statics: Statics
  /** Piece `p` owns the faces from `start[p]` up to `start[p + 1] − 1`. */
  start: Uint32Array
  /** Outward unit normal, and the distance of the face from the origin along it. */
  normalX: Float64Array
  normalY: Float64Array
  offset: Float64Array
  layer: Uint8Array
  /** Platforms: bounds, and the row of each. */
  readonly mapCount: number
  platformCount: number
  minX: Float64Array
  minY: Float64Array
  maxX: Float64Array
  maxY: Float64Array
  platformRow: Uint32Array
  /** The pieces that a body may meet in this tick. */
  near: Uint32Array
  nearCount: number
  /** By piece of the map: the number of the last search that found it. */
  readonly found: Uint32Array
  search: number
}

const AXES = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
] as const

type Face = { readonly x: number; readonly y: number; readonly offset: number }

export function createSolids(statics: Statics): Solids {
  if (statics?.pieces === undefined || 'minZ' in statics) {
    throw new HurtboxError('bad-argument', 'movePlatformer takes a map of defineStatics as statics.')
  }
  const pieces = statics.pieces.map((_, place) => facesOf(statics, place))
  const start = new Uint32Array(pieces.length + 1)
  for (const [place, faces] of pieces.entries()) start[place + 1] = start[place] + faces.length
  const faces = pieces.flat()
  const none = () => new Float64Array(0)
  return {
    statics,
    start,
    normalX: Float64Array.from(faces, ({ x }) => x),
    normalY: Float64Array.from(faces, ({ y }) => y),
    offset: Float64Array.from(faces, ({ offset }) => offset),
    layer: statics.map.rectangles.layer.slice(),
    mapCount: pieces.length,
    platformCount: 0,
    minX: none(),
    minY: none(),
    maxX: none(),
    maxY: none(),
    platformRow: new Uint32Array(0),
    near: new Uint32Array(64),
    nearCount: 0,
    found: new Uint32Array(pieces.length),
    search: 0,
  }
}

/** The four of the axes first, by the bounds of the piece, then its slopes. */
function facesOf({ pieces }: Statics, place: number): Face[] {
  const { shape, x, y } = pieces[place] as { readonly shape: Shape; readonly x: number; readonly y: number }
  if (shape.radius > 0 || shape.corners.length < 4) {
    throw new HurtboxError(
      'bad-argument',
      `piece ${place} of the map is round: a side view is made of rectangles, lines and polygons with corners.`,
      { place },
    )
  }
  const corners: (readonly [number, number])[] = []
  for (let i = 0; i < shape.corners.length; i += 2) corners.push([shape.corners[i] + x, shape.corners[i + 1] + y])
  const slopes = corners.map((_, i) => [shape.normals[2 * i], shape.normals[2 * i + 1]] as const)
  return [...AXES, ...slopes.filter(([nx, ny]) => nx !== 0 && ny !== 0)].map(([nx, ny]) => ({
    x: nx,
    y: ny,
    offset: Math.max(...corners.map(([cx, cy]) => nx * cx + ny * cy)),
  }))
}

/** Room for so many platforms behind the map. */
export function reservePlatforms(solids: Solids, count: number): void {
  if (solids.platformRow.length >= count) return
  const { mapCount } = solids
  const most = Math.max(8, count * 2)
  const faces = solids.start[mapCount]
  const grown = <A extends Float64Array | Uint32Array | Uint8Array>(old: A, kept: number, length: number): A => {
    const made = new (old.constructor as new (length: number) => A)(length)
    made.set(old.subarray(0, kept))
    return made
  }
  solids.start = grown(solids.start, mapCount + 1, mapCount + most + 1)
  solids.layer = grown(solids.layer, mapCount, mapCount + most)
  solids.normalX = grown(solids.normalX, faces, faces + most * 4)
  solids.normalY = grown(solids.normalY, faces, faces + most * 4)
  solids.offset = grown(solids.offset, faces, faces + most * 4)
  for (const name of ['minX', 'minY', 'maxX', 'maxY'] as const) solids[name] = new Float64Array(most)
  solids.platformRow = new Uint32Array(most)
  for (let i = 0; i < most; i++) {
    solids.start[mapCount + i + 1] = faces + (i + 1) * 4
    for (let k = 0; k < 4; k++) {
      solids.normalX[faces + i * 4 + k] = AXES[k][0]
      solids.normalY[faces + i * 4 + k] = AXES[k][1]
    }
  }
}

/** Puts the box of a platform where it is now. */
export function placePlatform(solids: Solids, i: number, x: number, y: number, halfWidth: number, halfHeight: number) {
  const { offset } = solids
  const face = solids.start[solids.mapCount + i]
  solids.minX[i] = x - halfWidth
  solids.maxX[i] = x + halfWidth
  solids.minY[i] = y - halfHeight
  solids.maxY[i] = y + halfHeight
  offset[face] = -solids.minX[i]
  offset[face + 1] = solids.maxX[i]
  offset[face + 2] = -solids.minY[i]
  offset[face + 3] = solids.maxY[i]
}

/** A body and its next move. Numbers in an object: passed one by one V8 would put each on the heap. */
export type Mover = {
  x: number
  y: number
  halfWidth: number
  halfHeight: number
  dx: number
  dy: number
  /** How far it gets at most in this tick, in any direction. */
  reach: number
  /** Layers that it meets, one bit each; and those of them that only hold what comes from above. */
  meets: number
  fromAbove: number
}

/** Where a move is stopped. */
export type Stop = {
  /** Part of the move until then, 0 to 1; infinite when nothing is in the way. */
  time: number
  normalX: number
  normalY: number
  /** Where the face is, for a body of this size: the normal times its middle. */
  reach: number
  /** The piece: a place in the map, or the map's count plus a platform. */
  piece: number
}

/** Scratch: the bounds of all that a body can reach. */
const bounds = { left: Number.NaN, right: Number.NaN, top: Number.NaN, bottom: Number.NaN }

/** Finds what a body can meet in this tick. */
export function findNear(solids: Solids, world: object, mover: Mover): void {
  const { statics, found, mapCount } = solids
  const { originX, originY, perCell, cols, rows, cellStart, members, wide } = statics.map
  const search = ++solids.search
  bounds.left = mover.x - mover.halfWidth - mover.reach
  bounds.right = mover.x + mover.halfWidth + mover.reach
  bounds.top = mover.y - mover.halfHeight - mover.reach
  bounds.bottom = mover.y + mover.halfHeight + mover.reach
  solids.nearCount = 0
  const firstCol = Math.max(0, Math.floor((bounds.left - originX) * perCell))
  const lastCol = Math.min(cols - 1, Math.floor((bounds.right - originX) * perCell))
  const firstRow = Math.max(0, Math.floor((bounds.top - originY) * perCell))
  const lastRow = Math.min(rows - 1, Math.floor((bounds.bottom - originY) * perCell))
  for (let row = firstRow; row <= lastRow; row++) {
    for (let col = firstCol; col <= lastCol; col++) {
      const cell = row * cols + col
      for (let i = cellStart[cell]; i < cellStart[cell + 1]; i++) {
        const place = members[i]
        if (found[place] === search) continue
        found[place] = search
        addNear(solids, world, place, mover.meets)
      }
    }
  }
  for (let i = 0; i < wide.length; i++) addNear(solids, world, wide[i], mover.meets)
  const { left, right, top, bottom } = bounds
  for (let i = 0; i < solids.platformCount; i++) {
    if (((mover.meets >>> solids.layer[mapCount + i]) & 1) === 0) continue
    if (solids.minX[i] > right || solids.maxX[i] < left || solids.minY[i] > bottom || solids.maxY[i] < top) continue
    pushNear(solids, mapCount + i)
  }
}

function addNear(solids: Solids, world: object, place: number, meets: number): void {
  const { minX, minY, maxX, maxY, layer } = solids.statics.map.rectangles
  const { left, right, top, bottom } = bounds
  if (((meets >>> layer[place]) & 1) === 0) return
  if (minX[place] > right || maxX[place] < left || minY[place] > bottom || maxY[place] < top) return
  if (!solids.statics.isOpen(world, place)) pushNear(solids, place)
}

function pushNear(solids: Solids, piece: number): void {
  if (solids.nearCount === solids.near.length) {
    const longer = new Uint32Array(solids.near.length * 2)
    longer.set(solids.near)
    solids.near = longer
  }
  solids.near[solids.nearCount++] = piece
}

/** Writes into `stop` what ends the mover's move first, of pieces at the same time the first of the map. */
export function sweepSolids(solids: Solids, mover: Mover, stop: Stop): boolean {
  const { near, nearCount, layer } = solids
  stop.time = Number.POSITIVE_INFINITY
  stop.piece = -1
  for (let i = 0; i < nearCount; i++) {
    const piece = near[i]
    sweepPiece(solids, piece, ((mover.fromAbove >>> layer[piece]) & 1) === 1, mover, stop)
  }
  return stop.time <= 1
}

function sweepPiece(solids: Solids, piece: number, isFromAbove: boolean, mover: Mover, stop: Stop): void {
  const { start, normalX, normalY, offset } = solids
  const { x, y, dx, dy, halfWidth, halfHeight } = mover
  const length = Math.abs(dx) + Math.abs(dy)
  const graze = -GRAZE * length
  // What is reached within a touch of each other is reached at once.
  const atOnce = length > 0 ? TOUCH / length : 0
  // A body that is inside, or has no way into it, enters at no time.
  let enter = Number.NEGATIVE_INFINITY
  let leave = Number.POSITIVE_INFINITY
  let face = -1
  for (let f = start[piece], end = start[piece + 1]; f < end; f++) {
    const nx = normalX[f]
    const ny = normalY[f]
    const distance = nx * x + ny * y - offset[f] - (Math.abs(nx) * halfWidth + Math.abs(ny) * halfHeight)
    const rate = nx * dx + ny * dy
    if (rate >= graze) {
      // Away from the face or along it: outside now means outside for good.
      if (distance >= -TOUCH) return
      if (rate > 0) leave = Math.min(leave, -distance / rate)
      continue
    }
    if (distance < -TOUCH) continue
    const time = distance <= 0 ? 0 : distance / -rate
    if (time > 1) return
    // Where a slope begins, its face and its side are reached at once: the face counts, or the corner would be a wall.
    if (time > enter + atOnce || (time > enter - atOnce && Math.abs(ny) > Math.abs(normalY[face]))) face = f
    enter = Math.max(enter, time)
  }
  // Who leaves when just entering slips past a corner.
  if (face < 0 || enter > leave - atOnce || (isFromAbove && !(normalY[face] < 0))) return
  if (enter > stop.time || (enter === stop.time && piece > stop.piece)) return
  stop.time = enter
  stop.normalX = normalX[face]
  stop.normalY = normalY[face]
  stop.reach = offset[face] + Math.abs(normalX[face]) * halfWidth + Math.abs(normalY[face]) * halfHeight
  stop.piece = piece
}

/**
 * Moves a body that is inside a piece out of it, by the shortest way: a door that was closed on it, a place it was spawned at.
 * Returns whether it was inside of one.
 */
export function leaveSolids(solids: Solids, mover: Mover, out: Stop): boolean {
  const { near, nearCount, layer, start, normalX, normalY, offset } = solids
  const { halfWidth, halfHeight } = mover
  out.piece = -1
  for (let i = 0; i < nearCount; i++) {
    const piece = near[i]
    if (((mover.fromAbove >>> layer[piece]) & 1) === 1) continue
    let nearest = Number.NEGATIVE_INFINITY
    let face = -1
    for (let f = start[piece], end = start[piece + 1]; f < end; f++) {
      const nx = normalX[f]
      const ny = normalY[f]
      const distance = nx * mover.x + ny * mover.y - offset[f] - (Math.abs(nx) * halfWidth + Math.abs(ny) * halfHeight)
      if (distance > nearest) {
        nearest = distance
        face = f
      }
    }
    if (nearest >= -TOUCH) continue
    out.time = -nearest
    out.normalX = normalX[face]
    out.normalY = normalY[face]
    out.reach = offset[face] + Math.abs(normalX[face]) * halfWidth + Math.abs(normalY[face]) * halfHeight
    out.piece = piece
    mover.x -= nearest * normalX[face]
    mover.y -= nearest * normalY[face]
    standOn(mover, out)
  }
  return out.piece >= 0
}

/** Puts a body that was moved to a face exactly onto it, where it lies along an axis: nobody creeps by rounding. */
export function standOn(mover: Mover, { normalX, normalY, reach }: Stop): void {
  // Never −0, which has another hash than 0.
  if (normalY === 0) mover.x = normalX * reach + 0
  if (normalX === 0) mover.y = normalY * reach + 0
}
