/**
 * The box and contact lists of a world's `collide` phases.
 *
 * A phase keeps them in a weak map of its own, by world, and the engine has no way to ask for them yet. So while a world
 * is made, its phases get weak maps that also tell us what is put into them. Nothing is changed, only seen.
 */

import type { AnyWorld, Collision } from 'hurtbox'

/** Makes a world by `make` and gives the list that its collisions are added to when they come about. */
export function watchCollisions<T>(make: () => T): { readonly made: T; readonly collisions: Collision[] } {
  const collisions: Collision[] = []
  const Original = globalThis.WeakMap
  class Watched<K extends WeakKey, V> extends Original<K, V> {
    override set(key: K, value: V): this {
      if (isCollision(value) && (value.world as unknown) === key) collisions.push(value)
      return super.set(key, value)
    }
  }
  globalThis.WeakMap = Watched as WeakMapConstructor
  try {
    return { made: make(), collisions }
  } finally {
    globalThis.WeakMap = Original
  }
}

function isCollision(value: unknown): value is Collision & { readonly world: AnyWorld } {
  return typeof value === 'object' && value !== null && 'boxes' in value && 'contacts' in value && 'world' in value
}
