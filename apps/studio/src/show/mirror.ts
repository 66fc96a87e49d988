/**
 * Two worlds on the page that the states of a match are copied into, to draw between them.
 *
 * They are never stepped. Copying a state in is a few `set` calls on memory that stays, so views keep their handles.
 */

import { type AnyGame, type AnyWorld, createEmptyWorld, restore, type Snapshot } from 'hurtbox'

export type Mirror = { before: AnyWorld; after: AnyWorld; readonly incoming: Snapshot }

export function createMirror(game: AnyGame, options: Readonly<Record<string, unknown>>): Mirror {
  const make = (): AnyWorld => createEmptyWorld(game, { options } as never)
  return {
    before: make(),
    after: make(),
    incoming: { layout: game.layout, optionsKey: '', bytes: new Uint8Array(0), byteLength: 0 },
  }
}

/** Shows a new state; the one shown so far becomes the one before. */
export function pushState(mirror: Mirror, bytes: ArrayBuffer, byteLength: number): void {
  const { before } = mirror
  mirror.before = mirror.after
  mirror.after = before
  take(mirror, mirror.after, bytes, byteLength)
}

/** Shows a state with nothing before it. */
export function jumpToState(mirror: Mirror, bytes: ArrayBuffer, byteLength: number): void {
  take(mirror, mirror.before, bytes, byteLength)
  take(mirror, mirror.after, bytes, byteLength)
}

function take({ incoming }: Mirror, world: AnyWorld, bytes: ArrayBuffer, byteLength: number): void {
  incoming.bytes = new Uint8Array(bytes)
  incoming.byteLength = byteLength
  restore(world, incoming)
}
