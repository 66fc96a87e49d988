/**
 * Which function of a game failed.
 *
 * "Cannot read properties of undefined" is no help in a game of twenty phases. The engine does not change what a game
 * throws, so the command wraps the functions of the game and adds their names.
 */

import { createSession, defineGame, type Session } from 'hurtbox'
import { type AnyGame, type AnyThing, type AnyWorld, type Setup, wrapPhases } from 'hurtbox/tools'
import { messageOf, UsageError } from './errors.ts'

/** A function of the game threw. */
export class GameFailure extends Error {
  override readonly name = 'GameFailure'
  /** `phase move`, `onJoin`, … */
  readonly where: string

  constructor(where: string, cause: unknown) {
    super(messageOf(cause), { cause })
    this.where = where
  }
}

/** A match of the game; what its phases and hooks throw is a `GameFailure`. */
export function startBlaming(game: AnyGame, setup: Setup, keyframeEvery?: number): Session {
  const { declaration, behaviour } = game
  type Told = [world: AnyWorld, player: AnyThing, data: Readonly<Record<string, number>> | undefined]
  const hook = (name: 'onJoin' | 'onLeave') =>
    behaviour[name] && { [name]: (...told: Told) => blame(name, () => behaviour[name]?.(...told)) }
  const named: AnyGame = defineGame(declaration, { ...behaviour, ...hook('onJoin'), ...hook('onLeave') })
  const session = createSession(named, setup, keyframeEvery)
  wrapPhases(session.world, (name, run) => blame(`phase ${name}`, run))
  return session
}

/** Runs code of a game and adds `where` to what it throws. */
export function blame<T>(where: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw error instanceof UsageError ? error : new GameFailure(where, error)
  }
}
