/**
 * The way through a tick, phase by phase: which phase did it?
 *
 * A state is whole before the first phase and after each, so two runs of a tick can be compared there. The first place where
 * they differ names the phase.
 */

import { createEncodedInputs, type EncodedInputs, stepEncoded } from '../../world/step.ts'
import { type AnyWorld, wrapPhases } from '../../world/world.ts'

/** What runs before and after the phases. */
const BEFORE_PHASES = 'inputs'
export const AFTER_PHASES = 'end of tick'

export function tellPhase(phase: string): string {
  return phase === BEFORE_PHASES ? 'the inputs' : phase === AFTER_PHASES ? 'the end of the tick' : `phase ${phase}`
}

/**
 * Calls `note` on the way through every tick, before the first phase and after each, when the state can be read. Wraps the
 * phases of this world permanently. Call what it returns before each step.
 */
export function watchPhases(world: AnyWorld, note: (phase: string) => void): () => void {
  let hasBegun = false
  const noteWhole = (phase: string) => {
    const { memory } = world
    const { status } = memory
    // Between two phases the state is whole. Snapshots are refused there only to keep games from taking any.
    memory.status = 'ready'
    note(phase)
    memory.status = status
  }
  wrapPhases(world, (name, run) => {
    if (!hasBegun) noteWhole(BEFORE_PHASES)
    hasBegun = true
    run()
    noteWhole(name)
  })
  return () => {
    hasBegun = false
  }
}

/** Where on the way through a tick. */
export type PhasePlace = { readonly tick: number; readonly phase: string }

/**
 * Steps `world` on to tick `end` and calls `note` at every place on the way, until it returns true. What the world holds in that
 * call is the state there; afterwards the world is of no use.
 */
export function retrace(
  world: AnyWorld,
  end: number,
  inputsOf: (tick: number, into: EncodedInputs) => void,
  note: (place: PhasePlace) => boolean,
): void {
  const inputs = createEncodedInputs(world)
  let isDone = false
  let { tick } = world
  const tell = (phase: string) => {
    isDone ||= note({ tick, phase })
  }
  const begin = watchPhases(world, tell)
  while (tick < end && !isDone) {
    begin()
    inputsOf(tick, inputs)
    stepEncoded(world, inputs)
    tell(AFTER_PHASES)
    tick++
  }
}
