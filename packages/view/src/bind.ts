/**
 * Things as objects of a renderer: created when a thing appears, updated in every frame, removed when it has gone.
 *
 * The world is rows and numbers, a scene is objects with a life of their own. `bind` keeps one object per thing and knows
 * nothing of what the objects are. What is drawn for a thing stays the same object when a correction gives the thing another id
 * (`picture.key`), and becomes a new one when its key is another thing's.
 */

import { each, type Thing } from 'hurtbox'
import { createPlace, type EventHandler, type EventKind, type Match, type Picture, type Place } from 'hurtbox/picture'
import type { Declaration } from 'hurtbox/tools'

export type Binding<D extends Declaration, T> = {
  /** What stands for a thing; `undefined` for things that are not drawn. */
  create(thing: Thing<D>, place: Place, picture: Picture<D>): T | undefined
  /** In every frame, also the first. `place` is reused: copy what you keep. */
  update?(object: T, thing: Thing<D>, place: Place, picture: Picture<D>): void
  remove?(object: T): void
  /** Handlers of events, as of `match.on`; they end with the binding. */
  readonly on?: { readonly [K in EventKind<D>]?: EventHandler<D, K> }
}

export type Bound<D extends Declaration, T> = {
  /** Brings the objects in line with a picture. */
  draw(picture: Picture<D>): void
  /** The object that stands for a thing. */
  get(id: number): T | undefined
  /** Removes all objects and handlers. */
  close(): void
}

type Held<T> = { object: T | undefined; layer: string; kind: number; id: number; frame: number }

/** Binds the things of a match to objects. Call `draw` once per frame with what `match.update` returned. */
export function bind<D extends Declaration, T>(source: Match<D>, binding: Binding<D, T>): Bound<D, T> {
  const held = new Map<number, Held<T>>()
  const byId = new Map<number, T>()
  const place = createPlace()
  let frame = 0

  const drop = (key: number, { object }: Held<T>) => {
    held.delete(key)
    if (object !== undefined) binding.remove?.(object)
  }
  const clear = () => {
    for (const [key, each] of held) drop(key, each)
    byId.clear()
  }
  const endings = Object.entries(binding.on ?? {}).map(([kind, handler]) =>
    source.on(kind as EventKind<D>, handler as EventHandler<D, EventKind<D>>),
  )

  return {
    draw(picture) {
      if (picture.jumped) clear()
      frame++
      byId.clear()
      for (const thing of each(picture.after)) {
        const { id, layer, kind } = thing as unknown as { id: number; layer: string; kind: number }
        if (!picture.place(id, place)) continue
        const key = picture.key(id)
        let own = held.get(key)
        if (own !== undefined && (own.layer !== layer || own.kind !== kind)) {
          drop(key, own)
          own = undefined
        }
        if (own === undefined) {
          own = { object: binding.create(thing as Thing<D>, place, picture), layer, kind, id, frame }
          held.set(key, own)
        }
        own.frame = frame
        if (own.object === undefined) continue
        byId.set(id, own.object)
        binding.update?.(own.object, thing as Thing<D>, place, picture)
      }
      for (const [key, own] of held) if (own.frame !== frame) drop(key, own)
    },
    get: (id) => byId.get(id),
    close() {
      for (const end of endings) end()
      clear()
    },
  }
}
