/** Scratch that several phases of a game share: a spatial index, buffers, tables made from the options of the match. */

/**
 * Makes something once per world, on the first call, and returns the same one from then on. For what can be made
 * again at any time from the world; what must survive a rollback belongs into columns.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, perWorld, type World } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60 })
 * const buffer = perWorld((world: World<typeof arena>) => new Float64Array(world.tables.things.capacity))
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * console.log(buffer(world) === buffer(world), buffer(world).length) // true 1024
 * ```
 */
export function perWorld<W extends object, T>(create: (world: W) => T): (world: W) => T {
  const made = new WeakMap<W, { readonly value: T }>()
  return (world) => {
    let known = made.get(world)
    if (known === undefined) {
      known = { value: create(world) }
      made.set(world, known)
    }
    return known.value
  }
}
