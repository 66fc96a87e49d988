/** What tests of rules do with a world: let it run, and look at what happened. */

import {
  type AnyWorld,
  type Declaration,
  type EventRecord,
  findRow,
  listEvents,
  step,
  type TickInputs,
  type World,
} from 'hurtbox'

/** Runs ticks; `inputs` enter with the first. Gives all events, in order. */
export function run<D extends Declaration>(world: World<D>, ticks: number, inputs: TickInputs<D> = {}): EventRecord[] {
  const events: EventRecord[] = []
  for (let i = 0; i < ticks; i++) {
    step(world, i === 0 ? inputs : {})
    events.push(...listEvents(world))
  }
  return events
}

export function ofKind(events: readonly EventRecord[], kind: string): EventRecord[] {
  return events.filter((event) => event.kind === kind)
}

/** Whether the thing with this id is still in the world. */
export function isThere(world: AnyWorld, id: number): boolean {
  return findRow(world.tables.things, id) >= 0
}
