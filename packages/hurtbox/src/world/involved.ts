/** What a function of a game was about when it threw: things with their layers, players with what they control. */

import type { FunctionPlace, ThingPlace } from '../base/failure.ts'
import { findRow } from '../state/table.ts'
import type { AnyWorld } from './world.ts'

export function involvedThing({ tables: { things }, game }: AnyWorld, row: number): ThingPlace {
  return { layer: game.layers.names[things.layer[row]] ?? 'thing', id: things.id[row] }
}

/** A player by its row. */
export function involvedPlayer(world: AnyWorld, row: number): Pick<FunctionPlace, 'seat' | 'tick' | 'things'> {
  const { players, things } = world.tables
  const controlled = findRow(things, players.thing[row])
  return {
    seat: players.seat[row],
    tick: world.tick,
    ...(controlled >= 0 && { things: [involvedThing(world, controlled)] }),
  }
}
