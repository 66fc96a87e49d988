/**
 * Which function of a game failed.
 *
 * "Cannot read properties of undefined" is no help in a game of twenty phases. The engine lets what a game throws pass as
 * it is, so the command plays a copy of the game whose functions say their name when they throw.
 */

import { type AnyGame, type AnyWorld, defineGame } from 'hurtbox'
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

/** The same game; what its phases and hooks throw is a `GameFailure`. */
export function blaming({ declaration, behaviour }: AnyGame): AnyGame {
  const hook = (name: 'onJoin' | 'onLeave') =>
    behaviour[name] && {
      [name]: (world: AnyWorld, row: number) => blame(name, () => behaviour[name]?.(world, row)),
    }
  const phases: typeof behaviour.phases = (options) =>
    Object.fromEntries(
      Object.entries(behaviour.phases(options)).map(([name, phase]) => {
        const run = (world: AnyWorld) => blame(`phase ${name}`, () => phase(world))
        // `whilePaused` and `prepare` are properties of the function.
        return [name, Object.assign(run, phase)]
      }),
    )
  return defineGame(declaration, { ...behaviour, ...hook('onJoin'), ...hook('onLeave'), phases })
}

/** Runs code of a game; what it throws says `where`. */
export function blame<T>(where: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw error instanceof UsageError ? error : new GameFailure(where, error)
  }
}
