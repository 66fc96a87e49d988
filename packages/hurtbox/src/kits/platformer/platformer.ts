/**
 * Bodies in a side view: upright boxes that run, fall, stand on slopes and ride platforms.
 *
 * Not a physics engine: a body never tips over, bounces or pushes another. A platform game needs jumps of the same height at
 * every tick rate, floors without seams, and platforms that carry without being a tick late. Speeds are per second, y grows downwards.
 */

import { HurtboxError, requireSize } from '../../base/errors.ts'
import { noteWall, openRecord, type PushRecord } from '../../rules/collide/pushes.ts'
import type { MapPhase, Statics, WithLayers } from '../../rules/collide/statics.ts'
import { type AnyTable, addRow, type RowsBase } from '../../state/table.ts'
import { handleAt } from '../../world/handles/pool.ts'
import { defineLayers, type Layers, layerNumber } from '../../world/layers.ts'
import type { AnyWorld } from '../../world/world.ts'
import { moveAcross, moveDown, mover, type NoteStop, outcome, stayDown, stop } from './move.ts'
import { createSolids, findNear, leaveSolids, placePlatform, reservePlatforms, type Solids, TOUCH } from './solids.ts'

export type PlatformerOptions<D extends WithLayers, W, T> = {
  /** The layers of the things that move so. They meet the map and the platforms by their layers. */
  readonly bodies: readonly (keyof D['layers'] & string)[]
  /** The map, by `defineStatics`: rectangles, lines, and polygons for slopes. */
  readonly statics: Statics
  /** How much speed downwards falling things gain per second. Read once per tick. */
  readonly gravity: (world: W) => number
  /** Nothing falls faster, per second. Default: no limit. */
  readonly fastestFall?: number
  /** The steepest slope to stand on: how far it rises per unit across. Default: 1, which is 45°. */
  readonly steepest?: number
  /** Layers of the map and of platforms that hold only who comes from above. */
  readonly oneWay?: readonly (keyof D['layers'] & string)[]
  /** The layers of things that are boxes in the way, move by their own speed, and carry who stands on them. */
  readonly platforms?: readonly (keyof D['layers'] & string)[]
  /** Whether a body moves now: not held, not in hit stop. Default: all do. */
  readonly moves?: (thing: T) => boolean
}

type Rows = AnyTable & {
  readonly id: Uint32Array
  readonly layer: Uint8Array
  readonly leaving: Uint8Array
  readonly grounded: Uint8Array
  readonly standsOn: Uint32Array
  readonly dropUntil: Uint32Array
} & {
  readonly [K in 'x' | 'y' | 'vx' | 'vy' | 'halfWidth' | 'halfHeight' | 'wallSide']: Float64Array
}

/** What is read of a world in which things have the columns of `platformer`. */
export type PlatformerWorld = {
  readonly game: { readonly declaration: { readonly tickRate: number }; readonly layers: Layers }
  readonly tick: number
  readonly clock: number
  readonly seed: number
  readonly tables: { readonly things: Rows }
  readonly events: object
  readonly memory: AnyWorld['memory']
}

/** A phase at work, in one world: made once, so that no tick makes objects. */
type Moving = {
  readonly world: PlatformerWorld
  readonly solids: Solids
  readonly steepest: number
  /** Layers, one bit each. */
  readonly bodies: number
  readonly platforms: number
  readonly oneWay: number
  /** The row of the body that moves now. */
  row: number
  /** Only while somebody records what stops things. */
  note: NoteStop | undefined
}

/**
 * Makes a phase that moves platforms with who stands on them, and then bodies by gravity and their own speed, along the map and never into
 * it. `run`, `jump` and `dropThrough` before it say what a body wants.
 */
export function movePlatformer<D extends WithLayers, W extends PlatformerWorld, T>(
  declaration: D,
  options: PlatformerOptions<D, W, T>,
): MapPhase<W> {
  const { statics, gravity, fastestFall = Number.POSITIVE_INFINITY, steepest = 1, moves } = options
  if (!(fastestFall > 0)) throw new HurtboxError('out-of-range', `fastestFall must be above 0, got ${fastestFall}.`)
  requireSize(steepest, 'steepest')
  const layers = defineLayers(declaration.layers ?? {})
  const bitsOf = (names: readonly string[] = []) =>
    names.reduce((bits, name) => bits | (1 << layerNumber(layers, name)), 0)
  const bodies = bitsOf(options.bodies)
  const platforms = bitsOf(options.platforms)
  const oneWay = bitsOf(options.oneWay)
  if ((bodies & platforms) !== 0) {
    throw new HurtboxError(
      'bad-declaration',
      'a layer of movePlatformer is named in bodies and in platforms: a platform carries, and is never carried.',
    )
  }
  return {
    create(world) {
      const solids = createSolids(statics)
      const moving: Moving = { world, solids, steepest, bodies, platforms, oneWay, row: -1, note: undefined }
      const run = () => {
        const record = openRecord(world)
        moving.note = record === undefined ? undefined : noteIn(record, moving)
        movePlatforms(moving)
        moveBodies(moving, gravity(world), fastestFall, moves as ((thing: unknown) => boolean) | undefined)
      }
      return { statics, run }
    },
  }
}

/** Each in turn: across with its riders, then up or down. */
function movePlatforms(moving: Moving): void {
  const { world, solids, platforms } = moving
  const { things } = world.tables
  const { count, layer, leaving, x, y, vx, vy, halfWidth, halfHeight } = things
  solids.platformCount = 0
  if (platforms === 0) return
  let found = 0
  for (let row = 0; row < count; row++) if (((platforms >>> layer[row]) & 1) === 1 && leaving[row] === 0) found++
  reservePlatforms(solids, found)
  for (let row = 0; row < count; row++) {
    if (((platforms >>> layer[row]) & 1) === 0 || leaving[row] !== 0) continue
    const i = solids.platformCount++
    solids.platformRow[i] = row
    solids.layer[solids.mapCount + i] = layer[row]
    placePlatform(solids, i, x[row], y[row], halfWidth[row], halfHeight[row])
  }
  const seconds = 1 / world.game.declaration.tickRate
  for (let i = 0; i < solids.platformCount; i++) {
    const row = solids.platformRow[i]
    const dx = vx[row] * seconds
    const dy = vy[row] * seconds
    if (dx === 0 && dy === 0) continue
    x[row] += dx
    placePlatform(solids, i, x[row], y[row], halfWidth[row], halfHeight[row])
    if (dx !== 0) takeAlong(moving, i, dx, 0)
    y[row] += dy
    placePlatform(solids, i, x[row], y[row], halfWidth[row], halfHeight[row])
    if (dy !== 0) takeAlong(moving, i, 0, dy)
  }
}

/** Moves who stands on a platform that has just moved by (dx, dy), and who is in its way. */
function takeAlong(moving: Moving, platform: number, dx: number, dy: number): void {
  const { world, solids, bodies, oneWay, steepest } = moving
  const { things } = world.tables
  const { count, id, layer, leaving, x, y, halfWidth, halfHeight, standsOn, grounded } = things
  const { minX, minY, maxX, maxY } = solids
  const carrier = id[solids.platformRow[platform]]
  const platformLayer = solids.layer[solids.mapCount + platform]
  const isOneWay = ((oneWay >>> platformLayer) & 1) === 1
  const { meets } = world.game.layers
  for (let row = 0; row < count; row++) {
    if (((bodies >>> layer[row]) & 1) === 0 || leaving[row] !== 0) continue
    if (((meets[layer[row]] >>> platformLayer) & 1) === 0) continue
    const bottom = y[row] + halfHeight[row]
    // Not who was lifted off or pushed away in this tick.
    const isOnTop = Math.abs(bottom - (minY[platform] - dy)) <= TOUCH
    const isRider = isOnTop && standsOn[row] === carrier && grounded[row] !== 0
    let wayX = 0
    let wayY = 0
    if (isRider) {
      wayX = dx
      // Onto its top, not by its way: nobody drifts off by rounding.
      wayY = dy === 0 ? 0 : minY[platform] - halfHeight[row] - y[row]
    } else {
      const isOver =
        x[row] + halfWidth[row] > minX[platform] + TOUCH && x[row] - halfWidth[row] < maxX[platform] - TOUCH
      const isBeside = bottom > minY[platform] + TOUCH && y[row] - halfHeight[row] < maxY[platform] - TOUCH
      if (!isOver || !isBeside) continue
      // One that rises lifts whose feet were above it; from the sides and from below it is not there.
      if (isOneWay && !(dy < 0 && bottom <= minY[platform] - dy + TOUCH)) continue
      if (dx !== 0)
        wayX = dx > 0 ? maxX[platform] - (x[row] - halfWidth[row]) : minX[platform] - (x[row] + halfWidth[row])
      else wayY = dy > 0 ? maxY[platform] - (y[row] - halfHeight[row]) : minY[platform] - bottom
    }
    if (wayX === 0 && wayY === 0) continue
    take(moving, row)
    mover.reach = (Math.abs(wayX) + Math.abs(wayY)) * (1 + steepest) + TOUCH
    findNear(solids, world, mover)
    mover.dx = wayX
    mover.dy = wayY
    const isThere = wayX !== 0 ? moveAcross(solids, steepest, moving.note) : moveDown(solids, steepest, moving.note)
    x[row] = mover.x
    y[row] = mover.y
    // A rider that a wall or a floor holds back stays, and the platform goes on below it.
    if (!isThere && !(isRider && dy >= 0)) tellSquashed(world, id[row], carrier)
  }
}

function tellSquashed({ events }: PlatformerWorld, thing: number, by: number): void {
  const { squashed } = events as {
    readonly squashed?: RowsBase & { readonly thing: Uint32Array; readonly by: Uint32Array }
  }
  if (squashed === undefined) return
  const event = addRow(squashed)
  if (event < 0) return
  squashed.thing[event] = thing
  squashed.by[event] = by
}

function moveBodies(
  moving: Moving,
  gravity: number,
  fastestFall: number,
  moves: ((thing: unknown) => boolean) | undefined,
): void {
  const { world, solids, steepest, bodies } = moving
  const { things } = world.tables
  const [pool] = world.memory.block.pools
  const { count, layer, leaving, x, y, vx, vy, grounded, standsOn, wallSide, id } = things
  const seconds = 1 / world.game.declaration.tickRate
  for (let row = 0; row < count; row++) {
    if (((bodies >>> layer[row]) & 1) === 0 || leaving[row] !== 0) continue
    if (moves !== undefined && !moves(handleAt(pool, row))) continue
    const before = vy[row]
    const after = before >= fastestFall ? before : Math.min(before + gravity * seconds, fastestFall)
    const dx = vx[row] * seconds
    // With the mean of the speeds before and after, a flight is the exact parabola at any tick rate.
    const dy = ((before + after) / 2) * seconds
    const stays = grounded[row] !== 0 && before >= 0
    const downhill = Math.abs(dx) * steepest + TOUCH
    take(moving, row)
    mover.reach = Math.abs(dx) + Math.abs(dy) + downhill * 2 + TOUCH
    findNear(solids, world, mover)
    if (leaveSolids(solids, mover, stop)) {
      moving.note?.(stop)
      findNear(solids, world, mover)
    }
    outcome.vx = vx[row]
    outcome.vy = after
    outcome.grounded = 0
    outcome.standsOn = -1
    outcome.wallSide = 0
    mover.dx = dx
    if (dx !== 0) moveAcross(solids, steepest, moving.note)
    mover.dy = dy
    if (dy !== 0) moveDown(solids, steepest, moving.note)
    // Over a crest it has gone on upwards for the rest of the tick.
    mover.dy = downhill + Math.max(0, y[row] - mover.y)
    if (stays && outcome.grounded === 0) stayDown(solids, steepest)
    const carrier = outcome.standsOn < solids.mapCount ? 0 : id[solids.platformRow[outcome.standsOn - solids.mapCount]]
    if (stays && outcome.grounded === 0) leavePlatform(moving, standsOn[row])
    x[row] = mover.x
    y[row] = mover.y
    vx[row] = outcome.vx
    vy[row] = outcome.vy
    grounded[row] = outcome.grounded
    standsOn[row] = carrier
    wallSide[row] = outcome.wallSide
  }
}

/** Who walks off a platform goes on with its speed. */
function leavePlatform({ world, solids }: Moving, carrier: number): void {
  if (carrier === 0) return
  const { id, vx, vy } = world.tables.things
  for (let i = 0; i < solids.platformCount; i++) {
    const row = solids.platformRow[i]
    if (id[row] !== carrier) continue
    outcome.vx += vx[row]
    outcome.vy += vy[row]
  }
}

/** Makes the body in a row the one that moves. */
function take(moving: Moving, row: number): void {
  const { world, oneWay } = moving
  const { x, y, halfWidth, halfHeight, layer, dropUntil } = world.tables.things
  const meets = world.game.layers.meets[layer[row]]
  mover.x = x[row]
  mover.y = y[row]
  mover.halfWidth = halfWidth[row]
  mover.halfHeight = halfHeight[row]
  mover.meets = dropUntil[row] > world.clock ? meets & ~oneWay : meets
  mover.fromAbove = oneWay
  moving.row = row
}

/** What stopped a body, for `why`; platforms are things and are not walls. */
function noteIn(record: PushRecord, moving: Moving): NoteStop {
  const { world, solids } = moving
  return ({ piece: wall, normalX: x, normalY: y }) => {
    if (wall >= solids.mapCount) return
    noteWall(record, world, moving.row, { statics: solids.statics, wall, isOut: false, depth: 0, x, y, z: 0 })
  }
}
