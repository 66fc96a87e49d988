/**
 * Two worlds on the page that the states of a match are copied into, to draw between them.
 *
 * They are never stepped. Copying a state in is a few `set` calls on memory that stays, so views keep their handles.
 */

import { restore } from 'hurtbox'
import { type AnyGame, type AnyWorld, createEmptyWorld } from 'hurtbox/tools'

export type States = { before: AnyWorld; after: AnyWorld }

export function createStates(game: AnyGame, options: Readonly<Record<string, unknown>>): States {
  const make = (): AnyWorld => createEmptyWorld(game, { options })
  return { before: make(), after: make() }
}

/** Shows a new state; the one shown so far becomes the one before. */
export function pushState(states: States, bytes: ArrayBuffer, byteLength: number): void {
  const { before } = states
  states.before = states.after
  states.after = before
  copyIn(states.after, bytes, byteLength)
}

/** Shows a state with nothing before it. */
export function jumpToState(states: States, bytes: ArrayBuffer, byteLength: number): void {
  copyIn(states.before, bytes, byteLength)
  copyIn(states.after, bytes, byteLength)
}

function copyIn(world: AnyWorld, bytes: ArrayBuffer, byteLength: number): void {
  const { layout } = world.memory
  restore(world, { layout, optionsKey: '', bytes: new Uint8Array(bytes), byteLength })
}
