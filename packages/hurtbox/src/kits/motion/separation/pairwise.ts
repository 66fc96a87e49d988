/**
 * One loop over all pairs, at the price of a grid.
 *
 * The plain loop visits every pair of rows in order and pushes those that overlap at that moment, so a push can make an
 * overlap that the same pass undoes. A list of the pairs that overlap at the start does not have that pair. Here the list is
 * made with a margin around each thing: as long as pushes move no thing further than its own margin, the list has every pair
 * that can come to overlap, and leaving out the others changes nothing. Where they did, the pass starts again with wider
 * margins for those things. How wide the margins are at first never changes an outcome.
 */

import { openRecord } from '../../../rules/collide/pushes.ts'
import { findNear, type Room, type SeparationWorld } from './room.ts'
import type { SeparationSettings } from './settings.ts'
import { shareByMass } from './share-by-mass.ts'

/** A thing is given this much more than it was moved in the last pass, and at least this part of its radius. */
const AMPLE = 2
const LEAST_PART = 0.2
/** Distances are rounded: a move must stay this much below the margin. */
const SAFE = 0.999

export function pushPairwise(world: SeparationWorld, room: Room, settings: SeparationSettings): void {
  const { count, capacity, radius, x, y } = world.tables.things
  const { moved } = room
  reserve(room, capacity)
  const record = openRecord(world)
  const noted = record?.pushes.length ?? 0
  for (let row = 0; row < count; row++) {
    moved.fromX[row] = x[row]
    moved.fromY[row] = y[row]
    room.margin[row] = radius[row] * LEAST_PART
  }
  moved.isMeasured = true
  do {
    for (let row = 0; row < count; row++) {
      room.margin[row] = Math.max(Math.sqrt(moved.furthestSquared[row]) * AMPLE, room.margin[row])
      room.wideRadius[row] = radius[row] + room.margin[row]
      moved.furthestSquared[row] = 0
      x[row] = moved.fromX[row]
      y[row] = moved.fromY[row]
    }
    if (record !== undefined) record.pushes.length = noted
    findNear(world, room, room.wideRadius, settings)
    shareByMass(world, room.pairs, settings, room)
  } while (!stayedWithin(room, count))
  moved.isMeasured = false
}

function stayedWithin({ moved: { furthestSquared }, margin }: Room, count: number): boolean {
  for (let row = 0; row < count; row++) {
    if (furthestSquared[row] > margin[row] * margin[row] * SAFE) return false
  }
  return true
}

function reserve(room: Room, capacity: number): void {
  if (room.margin.length >= capacity) return
  room.wideRadius = new Float64Array(capacity)
  room.margin = new Float64Array(capacity)
  room.moved.fromX = new Float64Array(capacity)
  room.moved.fromY = new Float64Array(capacity)
  room.moved.furthestSquared = new Float64Array(capacity)
}
