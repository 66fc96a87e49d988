/** What the adapters share: a match that is played and drawn, frame by frame, until it is closed. */

import type { World } from 'hurtbox'
import type { Match, Picture, Place, SeatInput } from 'hurtbox/picture'
import type { Declaration } from 'hurtbox/tools'
import { type Binding, bind } from './bind.ts'

export type SceneOptions<D extends Declaration, T> = Binding<D, T> & {
  /** What the player does in a tick. Asked once per tick. */
  input(tick: number, world: World<D>): SeatInput<D>
  /** After everything is placed: camera, score, boxes. */
  frame?(picture: Picture<D>): void
}

/** The same without the playing, for a view that is given its pictures. */
export type DrawnOptions<D extends Declaration, T> = Omit<SceneOptions<D, T>, 'input' | 'frame'>

/** How a renderer adds an object, puts it where its thing is, and ends it. */
export type Renderer<T> = {
  add(object: T): void
  put(object: T, place: Place): void
  end(object: T): void
}

export type Scene<D extends Declaration> = {
  /** Plays up to now and draws that. The clock is the one that messages of the server are timed by. */
  frame(): void
  /** Draws a picture that somebody else has: the frame that a view is given. */
  draw(picture: Picture<D>): void
  close(): void
}

export function createScene<D extends Declaration, T>(
  match: Match<D> | undefined,
  options: DrawnOptions<D, T> & Partial<SceneOptions<D, T>>,
  { add, put, end }: Renderer<T>,
): Scene<D> {
  const bound = bind<D, T>(match, {
    create(thing, place, picture) {
      const object = options.create(thing, place, picture)
      if (object !== undefined) add(object)
      return object
    },
    update(object, thing, place, picture) {
      put(object, place)
      options.update?.(object, thing, place, picture)
    },
    remove(object) {
      options.remove?.(object)
      end(object)
    },
    ...(options.on && { on: options.on }),
  })
  return {
    frame() {
      const picture = options.input && match?.update(performance.now(), options.input)
      if (picture === undefined) return
      bound.draw(picture)
      options.frame?.(picture)
    },
    draw: bound.draw,
    close: bound.close,
  }
}
