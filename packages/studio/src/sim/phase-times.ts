/**
 * Watching a world from outside while it steps: how long each phase takes, and which thing was in which row.
 *
 * The engine has no clock, so the phases of the world that is shown are wrapped. A browser rounds its clock to a tenth of
 * a millisecond; the page therefore shows averages over many ticks. The ids are copied after the last phase, because
 * boxes name the rows of their owners and the rows close up when the tick ends.
 */

import { type AnyWorld, wrapPhases } from 'hurtbox/tools'

export type PhaseTimes = {
  readonly names: readonly string[]
  /** Milliseconds of the last tick, by phase. */
  readonly ms: Float64Array
  /** The ids of `things` by row, as they stood in the last tick. */
  readonly ids: Uint32Array
}

export function watchPhases(world: AnyWorld): PhaseTimes {
  const { things } = world.tables
  const names = world.memory.phases.map(({ name }) => name)
  const ms = new Float64Array(names.length)
  const ids = new Uint32Array(things.capacity)
  wrapPhases(world, (name, run) => {
    const place = names.indexOf(name)
    const begin = performance.now()
    run()
    ms[place] = performance.now() - begin
    if (place === names.length - 1) for (let row = 0; row < things.count; row++) ids[row] = things.id[row]
  })
  return { names, ms, ids }
}
