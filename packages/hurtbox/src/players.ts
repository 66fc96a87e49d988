/**
 * Players: who sits where, and what they control.
 *
 * A match has a handful of seats, so each question looks through all of them; an index would be one more thing to keep
 * right across rollbacks.
 */

import { findRow, type Id } from './table.ts'
import type { AnyWorld } from './world.ts'

/** The row of a seat in `players`, or -1 when nobody sits there. */
export function seatRow(world: AnyWorld, seat: number): number {
  const { players } = world.tables
  for (let row = 0; row < players.count; row++) {
    if (players.seat[row] === seat && players.leaving[row] === 0) return row
  }
  return -1
}

/** The row in `players` of whoever controls the thing with this id, or -1 when nobody does. */
export function playerOf(world: AnyWorld, thing: Id): number {
  const { players } = world.tables
  if (thing === 0) return -1
  for (let row = 0; row < players.count; row++) if (players.thing[row] === thing) return row
  return -1
}

/**
 * The row of the thing that a player controls, or -1: there is none, or it leaves in this very tick. Nobody (-1) controls
 * nothing, so `thingOf(world, seatRow(world, seat))` is the thing of a seat.
 */
export function thingOf(world: AnyWorld, player: number): number {
  if (player < 0) return -1
  const { things, players } = world.tables
  const row = findRow(things, players.thing[player])
  return row >= 0 && things.leaving[row] === 0 ? row : -1
}

/** For `onLeave`: the player's thing goes along, and everything it owns. */
export function takeAlong(world: AnyWorld, player: number): void {
  const { things, players } = world.tables
  const id: Id = players.thing[player]
  if (id === 0) return
  for (let row = 0; row < things.count; row++) {
    if (things.id[row] === id || things.owner[row] === id) things.leaving[row] = 1
  }
}
