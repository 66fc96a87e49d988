/** Checks of what a static map is made of: every mistake is told by the place of the piece. */

import { describe, HurtboxError, requireInteger, requireQuantity, unknownName } from '../../base/errors.ts'
import type { OnLayer, WithLayers } from './statics.ts'

export function requirePieces(declaration: WithLayers, pieces: readonly unknown[]): void {
  if (typeof declaration !== 'object' || declaration === null) {
    throw new HurtboxError('bad-argument', `a map takes the declaration first, got ${describe(declaration)}.`)
  }
  if (!Array.isArray(pieces)) {
    throw new HurtboxError('bad-argument', `a map is a list of pieces, got ${describe(pieces)}.`)
  }
  pieces.forEach((piece, i) => {
    if (typeof piece === 'object' && piece !== null) return
    throw new HurtboxError('bad-argument', `piece ${i} of the map must be an object, got ${describe(piece)}.`)
  })
}

/** A place of a piece as an array of so many numbers. */
export function requireNumbers(value: unknown, name: string, count: number): void {
  if (!Array.isArray(value) || value.length !== count) {
    const example = [10, 20, 30].slice(0, count).join(', ')
    throw new HurtboxError('bad-argument', `${name} must be ${count} numbers, as [${example}], got ${describe(value)}.`)
  }
  for (const [k, at] of value.entries()) requireQuantity(at, `${name}[${k}]`)
}

/** A door is opened by state: a global, or a place of an array. */
export function requireDoor(door: OnLayer['door'], i: number, { globals = {}, arrays = {} }: WithLayers): void {
  if (door === undefined) return
  const isGlobal = typeof door === 'string'
  if (!isGlobal && !Array.isArray(door)) {
    throw new HurtboxError(
      'bad-argument',
      `door of piece ${i} must name a global, or an array and a place in it, as ['doors', 0], got ${describe(door)}.`,
    )
  }
  const [name, known] = isGlobal ? [door, globals] : [door[0], arrays]
  if (!Object.hasOwn(known, name)) {
    throw unknownName(`${isGlobal ? 'global' : 'array'} for the door of piece ${i}`, name, Object.keys(known))
  }
  if (isGlobal) return
  const { length } = arrays[name] as { readonly length: number }
  requireInteger(door[1], `place of the door of piece ${i} in ${name}`, 0, length - 1)
}
