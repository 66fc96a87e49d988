/** What a function on things makes of its argument: the handle behind it and its world, or an error with the cure. */

import { HurtboxError } from '../../base/errors.ts'
import type { Id } from '../../state/table.ts'
import type { AnyWorld } from '../world.ts'
import type { AnyHandle } from './classes.ts'

export type AnyRow = { readonly id: Id }

/** The handle behind a thing; refuses what is none, and phase handles inside a rule, whose writes could not be undone. */
export function requireHandle(thing: AnyRow): AnyHandle {
  const handle = requireThing(thing)
  if (handle.$isRule) {
    // Throws when the thing has left, or no rule decides any more: its row may be that of another thing by now.
    void handle.$journal.u8[0]
    return handle
  }
  if (handle.$pool.block.isDeciding) {
    throw new HurtboxError(
      'bad-argument',
      'this thing was obtained outside the rule, so the rule could not be undone. Use the things that the rule is given, or thing(world, id).',
    )
  }
  void handle.$u8[0]
  return handle
}

/** The handle behind a thing, to be read only. */
export function requireThing(thing: AnyRow): AnyHandle {
  const handle = thing as AnyHandle
  if (handle?.$pool !== undefined) return handle
  throw new HurtboxError('bad-argument', 'this takes a thing: what each, thing, spawn or a rule gave you.')
}

/** Refuses what is no world, with an example of the call. */
export function requireWorld(world: { readonly memory: unknown }, example: string): void {
  if (world?.memory !== undefined) return
  throw new HurtboxError('bad-argument', `this takes a world first: ${example}.`)
}

/** The world of a handle. */
export function worldOf(thing: AnyRow): AnyWorld {
  return (thing as AnyHandle).$pool.block.world
}
