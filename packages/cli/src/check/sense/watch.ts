/**
 * What the scenes showed: which layers had a box in which phase, whether anything was ever turned, and where a number that is not finite
 * came into a thing.
 */

import { type AnyWorld, collisionsOf } from 'hurtbox/tools'

export type Watch = {
  /** By the name of a phase: the layers of its boxes. */
  readonly posed: Map<string, Set<string>>
  /** The phase of each rule. */
  readonly rules: Map<string, string>
  /** Layers that a thing was on. */
  readonly lived: Set<string>
  /** Whether a thing had another facing than (0, 0). */
  hasFacing: boolean
}

export type NotFinite = {
  readonly column: string
  readonly value: number
  readonly id: number
  readonly layer: string
  /** The phase; `onJoin` for what came in before the first one, `setup` for what was there from the start. */
  readonly phase: string
}

export function createWatch(): Watch {
  return { posed: new Map(), rules: new Map(), lived: new Set(), hasFacing: false }
}

/** After a phase: its boxes. */
export function watchBoxes(watch: Watch, world: AnyWorld, phase: string): void {
  const collision = collisionsOf(world).get(phase)
  if (collision === undefined) return
  const { boxes } = collision
  const { names } = world.game.layers
  let layers = watch.posed.get(phase)
  if (layers === undefined) {
    watch.posed.set(phase, (layers = new Set()))
    for (const { name } of collision.groups.flat()) watch.rules.set(name, phase)
  }
  for (let box = 0; box < boxes.count; box++) layers.add(names[boxes.layer[box]])
}

/** After a tick: its things. */
export function watchThings(watch: Watch, world: AnyWorld): void {
  const { things } = world.tables
  const { count, layer, facingX, facingY } = things
  const { names } = world.game.layers
  for (let row = 0; row < count; row++) {
    watch.lived.add(names[layer[row]])
    if (facingX !== undefined) watch.hasFacing ||= facingX[row] !== 0 || facingY?.[row] !== 0
  }
}

/** The first number of a thing that is not finite. */
export function findNotFinite(world: AnyWorld, phase: string): NotFinite | undefined {
  const { things } = world.tables
  const { count, columns, id, layer } = things
  for (const { name: column, array, width } of columns) {
    if (!(array instanceof Float64Array)) continue
    for (let at = 0; at < count * width; at++) {
      const value = array[at]
      if (value - value === 0) continue
      const row = Math.floor(at / width)
      return { column, value, id: id[row], layer: world.game.layers.names[layer[row]], phase }
    }
  }
  return undefined
}
