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

/** `P` is what `draw` is given: a picture, or one with more to it, such as a frame of the studio. */
export type Binding<D extends Declaration, T, P extends Picture<D> = Picture<D>> = {
  /** What stands for a thing; `undefined` for things that are not drawn. */
  create(thing: Thing<D>, place: Place, picture: P): T | undefined
  /** In every frame, also the first. `place` is reused: copy what you keep. */
  update?(object: T, thing: Thing<D>, place: Place, picture: P): void
  remove?(object: T): void
  /**
   * Whether things keep their objects when the picture jumps to another moment: for matches that are scrubbed. Default: all are made
   * anew, because another match has other things under the same ids.
   */
  readonly keepOverJumps?: boolean
  /** Handlers of events, as of `match.on`; they end with the binding. */
  readonly on?: { readonly [K in EventKind<D>]?: EventHandler<D, K> }
}

export type Bound<D extends Declaration, T, P extends Picture<D> = Picture<D>> = {
  /** Brings the objects in line with a picture. */
  draw(picture: P): void
  /** The object that stands for a thing. */
  get(id: number): T | undefined
  /** All objects of the last picture, the oldest thing's first. */
  objects(): Iterable<T>
  /** Removes all objects and handlers. */
  close(): void
}

type Held<T> = { object: T | undefined; layer: string; kind: number; id: number; frame: number }

/**
 * Binds the things of a match to objects. Call `draw` once per frame with what `match.update` returned. `source` is whose events
 * `on` is for; undefined in a view that is given its pictures.
 */
export function bind<D extends Declaration, T, P extends Picture<D> = Picture<D>>(
  source: Pick<Match<D>, 'on'> | undefined,
  binding: Binding<D, T, P>,
): Bound<D, T, P> {
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
    source?.on(kind as EventKind<D>, handler as EventHandler<D, EventKind<D>>),
  )

  return {
    draw(picture) {
      if (picture.jumped && binding.keepOverJumps !== true) clear()
      frame++
      byId.clear()
      for (const thing of picture.things?.() ?? each(picture.after)) {
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
    objects: () => byId.values(),
    close() {
      for (const end of endings) end?.()
      clear()
    },
  }
}
