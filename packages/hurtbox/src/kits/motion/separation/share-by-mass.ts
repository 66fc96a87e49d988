/**
 * Pushing apart by mass: the lighter one moves further.
 *
 * Each push is applied at once and the next one sees it, which is what keeps a crowd from exploding. So the order of
 * pushes is part of the outcome; pairs are visited as they are listed.
 */

import { purposeOf, unitVectorAt } from '../../../geometry/math/random.ts'
import { NO_LAYER } from '../../../geometry/space/circles.ts'
import { findStaticPairs } from '../../../geometry/space/statics.ts'
import { notePush, noteWall, openRecord, type PushRecord } from '../../../rules/collide/pushes.ts'
import type { Statics } from '../../../rules/collide/statics.ts'
import type { Limits, Room, SeparationWorld } from './room.ts'
import type { SeparationSettings } from './settings.ts'

/** Things nearer than this have no direction to part in; they get a random one that a rollback repeats. */
export const COINCIDENT = 0.001
const PURPOSE = purposeOf('separate')

/** Pairs of rows; those of `PairList`, or some of them. */
export type Pushes = { readonly count: number; readonly a: Uint32Array; readonly b: Uint32Array }

export function shareByMass(
  world: SeparationWorld,
  { count, a: rowsA, b: rowsB }: Pushes,
  { separationStrength, maxSeparationDistance }: SeparationSettings,
  { vector: direction, moved }: Room,
): void {
  const { x, y, radius, invMass } = world.tables.things
  const record = openRecord(world)
  for (let i = 0; i < count; i++) {
    const a = rowsA[i]
    const b = rowsB[i]
    const invMassSum = invMass[a] + invMass[b]
    if (invMassSum === 0) continue
    const dx = x[b] - x[a]
    const dy = y[b] - y[a]
    const reach = radius[a] + radius[b]
    const squared = dx * dx + dy * dy
    // Earlier pushes of this pass may have separated them. Touching is not overlapping.
    if (squared >= reach * reach) continue
    const distance = Math.sqrt(squared)
    if (distance < COINCIDENT) randomDirection(world, a, b, direction)
    else {
      direction.x = dx / distance
      direction.y = dy / distance
    }
    const push = Math.min((reach - distance) * separationStrength, maxSeparationDistance)
    // Shares by mass: massB / (massA + massB) of the push for A is invMassA / (invMassA + invMassB).
    const shareA = (push * invMass[a]) / invMassSum
    const shareB = (push * invMass[b]) / invMassSum
    x[a] -= direction.x * shareA
    y[a] -= direction.y * shareA
    x[b] += direction.x * shareB
    y[b] += direction.y * shareB
    if (moved.isMeasured) {
      noteMove(moved, a, x[a], y[a])
      noteMove(moved, b, x[b], y[b])
    }
    if (record === undefined) continue
    const overlap = reach - distance
    notePush(record, world, [a, b], { overlap, push, shareFirst: shareA, shareSecond: shareB, ...direction, z: 0 })
  }
}

function noteMove(moved: Room['moved'], row: number, x: number, y: number): void {
  const dx = x - moved.fromX[row]
  const dy = y - moved.fromY[row]
  const squared = dx * dx + dy * dy
  if (squared > moved.furthestSquared[row]) moved.furthestSquared[row] = squared
}

/** The direction from the lower row `a` to the higher row `b` when they are in the same place. */
export function randomDirection(world: SeparationWorld, a: number, b: number, out: { x: number; y: number }): void {
  const { id } = world.tables.things
  unitVectorAt(world.seed, world.tick, id[a], id[b], PURPOSE, out)
}

/** Moves things out of walls, then inside the bounds. Only those that take up room and can move. */
export function applyLimits(world: SeparationWorld, room: Room, { bounds, statics }: Limits): void {
  if (statics !== undefined) leaveWalls(world, room, statics)
  if (bounds === undefined) return
  const { count, x, y, radius, invMass } = world.tables.things
  for (let row = 0; row < count; row++) {
    if (room.layer[row] === NO_LAYER || invMass[row] === 0) continue
    x[row] = Math.min(Math.max(x[row], bounds.minX + radius[row]), bounds.maxX - radius[row])
    y[row] = Math.min(Math.max(y[row], bounds.minY + radius[row]), bounds.maxY - radius[row])
  }
}

function leaveWalls(world: SeparationWorld, room: Room, statics: Statics): void {
  const { count, x, y, radius, invMass } = world.tables.things
  const { pairs, layer, withStatics, vector: out } = room
  findStaticPairs(statics.map, { count, x, y, radius, layer }, pairs, withStatics)
  for (let i = 0; i < pairs.count; i++) {
    const row = pairs.a[i]
    if (invMass[row] === 0 || !overlapsWall(world, row, statics, pairs.b[i], out)) continue
    x[row] += out.x
    y[row] += out.y
  }
}

/** Scratch: the circle of a row, written before it is read. */
const body = { x: Number.NaN, y: Number.NaN, radius: Number.NaN }

/** Whether a row overlaps a wall that its layer meets and that is no open door; `out` is the way out. */
export function overlapsWall(
  world: SeparationWorld,
  row: number,
  statics: Statics,
  place: number,
  out: { x: number; y: number },
): boolean {
  const { x, y, radius, layer } = world.tables.things
  const met = world.game.layers.meets[layer[row]] >>> statics.map.rectangles.layer[place]
  if ((met & 1) === 0 || statics.isOpen(world, place)) return false
  body.x = x[row]
  body.y = y[row]
  body.radius = radius[row]
  if (!statics.penetration(place, body, out)) return false
  const record = openRecord(world)
  if (record !== undefined) noteWayOut(record, world, row, { statics, wall: place, ...out })
  return true
}

function noteWayOut(
  record: PushRecord,
  world: SeparationWorld,
  row: number,
  { statics, wall, x, y }: { readonly statics: Statics; readonly wall: number; readonly x: number; readonly y: number },
): void {
  const depth = Math.sqrt(x * x + y * y)
  noteWall(record, world, row, { statics, wall, isOut: true, depth, x: x / depth, y: y / depth, z: 0 })
}
