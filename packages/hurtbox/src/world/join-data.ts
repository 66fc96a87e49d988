/**
 * What a player brings along when joining: declared like an input, checked once where it enters, part of the match's log.
 *
 * The control of a join carries plain numbers, so that the host, every mirror and every replay hand the same to `onJoin`.
 */

import { HurtboxError } from '../base/errors.ts'
import type { AnyGame } from './game.ts'
import { encodeInput, type InputLayout, layoutInput } from './input-codes.ts'

const layouts = new WeakMap<AnyGame, InputLayout>()

/**
 * Join data for the control `join`, from what a player or an account says: `{ skin: 'red', level: 7 }`. A field left out is
 * idle. Throws a sentence when a name is not declared or a value does not fit.
 */
export function readJoinData(game: AnyGame, given: unknown): Readonly<Record<string, number>> {
  const layout = layoutOf(game)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new HurtboxError('bad-argument', 'what a player brings along must be an object, such as { skin: 3 }.')
  }
  const codes = new Uint32Array(layout.fields.length)
  encodeInput(layout, { ...given, seat: 0 }, codes)
  return Object.fromEntries(layout.fields.map((field, i) => [field.column, field.valueOf(codes[i])]))
}

/** The names of the numbers, in the order in which they travel. */
export function joinFields(game: AnyGame): readonly string[] {
  return layoutOf(game).fields.map(({ column }) => column)
}

function layoutOf(game: AnyGame): InputLayout {
  let layout = layouts.get(game)
  if (layout === undefined) {
    layout = layoutInput(game.declaration.join ?? {})
    const list = layout.fields.find(({ width, listFields }) => width > 1 || listFields > 0)
    if (list !== undefined) {
      throw new HurtboxError('bad-declaration', `join: ${list.label} is a list; join data are single values.`)
    }
    layouts.set(game, layout)
  }
  return layout
}
