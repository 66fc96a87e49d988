/** What a game says of a match, for hosts: how it stands, and figures. What the game throws says which function it was. */

import { calling } from '../base/failure.ts'
import type { Result, Stats } from './game.ts'
import type { AnyWorld } from './world.ts'

/** How the match stands; undefined when the game has no `result`. */
export function resultOf(world: AnyWorld): Result | undefined {
  return calling({ what: 'result', tick: world.tick }, () => world.game.behaviour.result?.(world))
}

export function statsOf(world: AnyWorld): Stats | undefined {
  return calling({ what: 'stats', tick: world.tick }, () => world.game.behaviour.stats?.(world))
}
