/**
 * Watching a world from outside while it steps: how long each phase takes, and who stood in which row.
 *
 * The engine knows no clock, so the phases of the world that is shown are wrapped. A browser rounds its clock to a tenth of
 * a millisecond; the page therefore shows averages over many ticks. The ids are copied after the last phase, because
 * boxes name the rows of their owners and the rows close up when the tick ends.
 */

import type { AnyWorld } from 'hurtbox'

export type PhaseTimes = {
  readonly names: readonly string[]
  /** Milliseconds of the last tick, by phase. */
  readonly ms: Float64Array
  /** The ids of `things` by row, as they stood in the last tick. */
  readonly ids: Uint32Array
}

type TimedPhase = { run: ((world: AnyWorld) => void) & { readonly whilePaused?: boolean } }

export function watchPhases(world: AnyWorld): PhaseTimes {
  const { phases } = world.memory
  const { things } = world.tables
  const ms = new Float64Array(phases.length)
  const ids = new Uint32Array(things.capacity)
  const last = phases.length - 1
  phases.forEach((phase, place) => {
    const { run } = phase
    const timed = (each: AnyWorld) => {
      const begin = performance.now()
      run(each)
      ms[place] = performance.now() - begin
      if (place === last) for (let row = 0; row < things.count; row++) ids[row] = things.id[row]
    }
    ;(phase as TimedPhase).run = Object.assign(timed, run)
  })
  return { names: phases.map(({ name }) => name), ms, ids }
}
