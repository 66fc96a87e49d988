/**
 * Questions about a static map in space: what a ray or a moving ball meets first, who sees whom.
 *
 * The same as for the plane, with the same answers: what the start is in or touches is met at time 0, and doors that are open are
 * not there.
 */

import { HurtboxError } from '../../base/errors.ts'
import { asked, findImages, images, requireOnTorus } from '../../geometry/space/map-images.ts'
import { type Filter, layersOf, requirePlace, requirePoint, requireRadius } from '../../geometry/space/query.ts'
import { OPEN, requireTopology, shorterWay, type Topology } from '../../geometry/space/topology.ts'
import {
  type BlockHit,
  createBlockHit,
  createMovingCapsule,
  sweepBlocks,
  touchesBlocks,
} from '../../rules/collide/block-sweep.ts'
import type { Blocks } from '../../rules/collide/blocks.ts'
import type { Declaration } from '../../world/game.ts'
import type { InWorld } from '../../world/handles/types.ts'

export type SpaceMapIndex<D extends Declaration = Declaration> = {
  readonly world: InWorld<D>
  readonly statics: Blocks
  /** What the last cast met: when, the normal out of the piece, and the place of the piece in the map. */
  readonly wall: BlockHit
  /** The periods of the plane, infinite where it does not repeat. */
  readonly width: number
  readonly height: number
}

// biome-ignore lint/suspicious/noExplicitAny: an index of any game.
type AnyIndex = SpaceMapIndex<any>
type SpacePoint = { readonly x: number; readonly y: number; readonly z: number }

/** Makes an index of a static map in space. Once per world: it needs no rebuilding, also when doors open. On a torus as in the plane. */
export function createSpaceMapIndex<D extends Declaration>(
  world: InWorld<D>,
  statics: Blocks,
  topology: Topology = OPEN,
): SpaceMapIndex<D> {
  requireTopology(topology)
  if (statics?.minZ === undefined) {
    throw new HurtboxError(
      'bad-argument',
      'createSpaceMapIndex takes a map of defineBlocks; for one of defineStatics there is createMapIndex.',
    )
  }
  if (topology !== OPEN) requireOnTorus(statics.map, topology)
  return { world, statics, wall: createBlockHit(), width: topology.width, height: topology.height }
}

/** Scratch: each is written before it is read. */
const moving = createMovingCapsule()
const inImage = createBlockHit()

/**
 * Whether nothing of the map lies between two points. `filter` says which layers block the view; default: all.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineBlocks, defineGame } from 'hurtbox'
 * import { ground } from 'hurtbox/motion'
 * import { canSeeInSpace, createSpaceMapIndex } from 'hurtbox/query'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { wall: [] }, things: { z: 'f64' } })
 * const wall = { layer: 'wall', minX: 10, minY: -50, minZ: 0, maxX: 20, maxY: 50, maxZ: 3 }
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * const map = createSpaceMapIndex(world, defineBlocks(arena, [wall, { layer: 'wall', ...ground(0) }]))
 * console.log(canSeeInSpace(map, { x: 0, y: 0, z: 1 }, { x: 30, y: 0, z: 1 })) // false
 * console.log(canSeeInSpace(map, { x: 0, y: 0, z: 4 }, { x: 30, y: 0, z: 4 })) // true
 * ```
 */
export function canSeeInSpace(index: AnyIndex, from: SpacePoint, to: SpacePoint, filter?: Filter): boolean {
  requirePoint(from)
  requirePoint(to, 'to.x')
  moving.dx = shorterWay(to.x - from.x, index.width)
  moving.dy = shorterWay(to.y - from.y, index.height)
  moving.dz = to.z - from.z
  return !cast(index, from, 0, filter)
}

/** Whether a ray meets the map; what it meets first is in `index.wall`. */
export function raycastMapInSpace(index: AnyIndex, from: SpacePoint, along: SpacePoint, filter?: Filter): boolean {
  setWay(from, along)
  return cast(index, from, 0, filter)
}

/** The same for a ball that moves. */
export function sweepMapInSpace(
  index: AnyIndex,
  from: SpacePoint & { readonly radius: number },
  along: SpacePoint,
  filter?: Filter,
): boolean {
  setWay(from, along)
  requireRadius(from.radius)
  return cast(index, from, from.radius, filter)
}

function setWay(from: SpacePoint, along: SpacePoint): void {
  requirePoint(from)
  requirePoint(along, 'dx')
  moving.dx = along.x
  moving.dy = along.y
  moving.dz = along.z
}

/** The way is in `moving` already. */
function cast(index: AnyIndex, from: SpacePoint, radius: number, filter: Filter = {}): boolean {
  requirePlace(from.x, from.y)
  requirePlace(from.z, moving.dz, 'z', 'dz')
  requirePlace(moving.dx, moving.dy, 'dx', 'dy')
  moving.x = from.x
  moving.y = from.y
  moving.z = from.z
  moving.radius = radius
  moving.halfLength = 0
  moving.meets = layersOf(filter)
  return index.width === Number.POSITIVE_INFINITY ? castOnce(index, index.wall) : castOnTorus(index, from)
}

function castOnce({ world, statics }: AnyIndex, out: BlockHit): boolean {
  return touchesBlocks(world, statics, moving, out) || sweepBlocks(world, statics, moving, out)
}

/** The earliest of all images; of several at once, the first of the map. */
function castOnTorus(index: AnyIndex, { x, y }: SpacePoint): boolean {
  const { wall, width, height } = index
  wall.time = Number.POSITIVE_INFINITY
  wall.place = -1
  asked.x = x + moving.dx / 2
  asked.y = y + moving.dy / 2
  asked.reachX = Math.abs(moving.dx) / 2 + moving.radius
  asked.reachY = Math.abs(moving.dy) / 2 + moving.radius
  findImages(index.statics.map, index)
  for (let j = images.firstY; j <= images.lastY; j++) {
    for (let i = images.firstX; i <= images.lastX; i++) {
      moving.x = x - i * width
      moving.y = y - j * height
      if (!castOnce(index, inImage) || inImage.time > wall.time) continue
      if (inImage.time < wall.time || inImage.place < wall.place) Object.assign(wall, inImage)
    }
  }
  return wall.time <= 1
}
