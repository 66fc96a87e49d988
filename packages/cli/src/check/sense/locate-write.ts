/** Plays a match again up to a tick and notes the line that writes a number that is not finite to a column of things. */

import { createWorld, restore, snapshot } from 'hurtbox'
import { type AnyWorld, createEmptyWorld, createEncodedInputs, inputsAt, stepEncoded } from 'hurtbox/tools'
import { callerIn } from '../caller.ts'
import type { Match } from '../match.ts'
import type { Source } from '../source.ts'

/** Nothing where it was written into the column itself, or by the engine: by `spawn`, say. */
export function locateWrite(
  { session }: Match,
  files: readonly Source[],
  tick: number,
  column: string,
): ReturnType<typeof callerIn> {
  const { log, setup, game } = session
  // Things that `setup` spawned have their handles already, so they come in by a snapshot.
  const world = createEmptyWorld(game, setup as never) as AnyWorld
  restore(world, snapshot(createWorld(game, setup as never) as AnyWorld))
  let place: ReturnType<typeof callerIn>
  onNotFinite(world, column, () => {
    if (world.tick === tick) place ??= callerIn(files)
  })
  const inputs = createEncodedInputs(world)
  for (let at = 0; at <= tick; at++) {
    inputsAt(log, at, inputs)
    stepEncoded(world, inputs)
  }
  return place
}

/** Calls back when a phase writes a number that is not finite to the column. Rules that do so throw by themselves. */
function onNotFinite(world: AnyWorld, column: string, note: () => void): void {
  const [pool] = world.memory.block.pools
  const { Handle } = pool.classes
  const accessor = Object.getOwnPropertyDescriptor(Handle.prototype, column)
  if (accessor?.set === undefined) return
  const { set } = accessor
  const Watched = class extends Handle {}
  Object.defineProperty(Watched.prototype, column, {
    ...accessor,
    set(value: number) {
      if (value - value !== 0) note()
      set.call(this, value)
    },
  })
  // Every handle of this world is made from here on.
  Object.assign(pool, { classes: { ...pool.classes, Handle: Watched } })
}
