/** What tests of rules share: run ticks and collect events. */

import { type EventRecord, listEvents, step, thing, type World } from 'hurtbox'
import type { AnyWorld, Declaration, TickInputs } from 'hurtbox/tools'

/** Runs ticks; `inputs` enter with the first. Returns all events, in order. */
export function run<D extends Declaration>(
  world: World<D>,
  ticks: number,
  inputs: TickInputs<D> = {},
): EventRecord<D>[] {
  const events: EventRecord<D>[] = []
  for (let i = 0; i < ticks; i++) {
    step(world, i === 0 ? inputs : {})
    events.push(...listEvents(world))
  }
  return events
}

/** The events of one kind, with its fields. */
export function ofKind<E extends { readonly kind: string }, const K extends E['kind']>(
  events: readonly E[],
  kind: K,
): (E & { readonly kind: K })[] {
  return events.filter((event): event is E & { readonly kind: K } => event.kind === kind)
}

/** Whether the thing with this id is still in the world. */
export function isThere(world: AnyWorld, id: number): boolean {
  return thing(world, id) !== undefined
}
