/**
 * Layers: which groups of things can meet at all.
 *
 * All layers are declared at once, by name, and frozen; bits stay inside. Meeting is mutual: if bullets meet ships,
 * ships meet bullets, so it is enough that one of the two says so. A layer meets itself only if it lists itself.
 */

import { HurtboxError, requireInteger, unknownName } from '../base/errors.ts'
import { requireName } from '../state/columns.ts'

/** For each layer, the layers it meets. */
export type LayerSpecs = Readonly<Record<string, readonly string[]>>

export type Layers<Name extends string = string> = {
  /** Names in the order of declaration; a layer's place here is its number. */
  readonly names: readonly Name[]
  /** Bit `b` of `meets[a]` is set when layers `a` and `b` can meet. Symmetric. */
  readonly meets: Uint32Array
}

/** A declaration that has these layers; of names that the compiler does not know, any. */
export type HasLayers<Name extends string> = { readonly layers: { readonly [K in Name]: readonly string[] } }

/** One bit per layer in a 32-bit word. */
export const MAX_LAYERS = 32

/** Turns names into bits; checks that they are known and not too many. */
export function defineLayers(specs: LayerSpecs): Layers {
  const names = Object.keys(specs)
  requireInteger(names.length, 'the number of layers', 0, MAX_LAYERS)
  const meets = new Uint32Array(MAX_LAYERS)
  const layers: Layers = Object.freeze({ names: Object.freeze(names), meets })
  for (let a = 0; a < names.length; a++) {
    requireName(names[a], 'layer')
    const others = specs[names[a]]
    if (!Array.isArray(others)) {
      throw new HurtboxError('bad-declaration', `layer "${names[a]}" must be a list of the layers it meets.`)
    }
    for (const other of others) {
      const b = layerNumber(layers, other)
      meets[a] |= 1 << b
      meets[b] |= 1 << a
    }
  }
  return layers
}

/**
 * The numbers of a declaration's layers by name, for spawning: `layer: LAYER.bullet`.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, layerNumbers, spawn } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { knight: [], slime: [] } })
 * const LAYER = layerNumbers(arena)
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * spawn(world, 'slime')
 * console.log(world.tables.things.layer[0] === LAYER.slime) // true
 * ```
 */
export function layerNumbers<const L extends LayerSpecs>(declaration: {
  readonly layers: L
}): { readonly [K in keyof L]: number } {
  return Object.freeze(Object.fromEntries(Object.keys(declaration.layers).map((name, i) => [name, i]))) as never
}

/** The number of a layer, by name. */
export function layerNumber(layers: Layers, name: string): number {
  const number = layers.names.indexOf(name)
  if (number < 0) throw unknownName('layer', name, layers.names)
  return number
}

/** Whether two layers, by number, can meet. */
export function layersMeet(layers: Layers, a: number, b: number): boolean {
  return ((layers.meets[a] >>> b) & 1) === 1
}

/** The matrix as text, for people: which layers meet. */
export function printLayers(layers: Layers): string {
  const width = Math.max(0, ...layers.names.map((name) => name.length))
  const header = [' '.repeat(width), ...layers.names].join('  ')
  const rows = layers.names.map((name, a) => {
    const cells = layers.names.map((other, b) => (layersMeet(layers, a, b) ? '×' : '·').padStart(other.length))
    return [name.padEnd(width), ...cells].join('  ')
  })
  return [header, ...rows].join('\n')
}
