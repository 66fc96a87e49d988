/** Names that several games give in the same way. */

import { type Id, playerOf } from 'hurtbox'
import type { AnyWorld } from 'hurtbox/tools'

/** The name of the player that controls the thing with this id, or `nobody`. */
export function ownerName(world: unknown, thing: Id, playerName: (seat: number) => string): string {
  const player = playerOf(world as AnyWorld, thing)
  return player === undefined ? 'nobody' : playerName(player.seat)
}
