/**
 * What a player brings along when joining: declared like an input, checked once where it enters, part of the match's log.
 *
 * It is the same everywhere: what a page gives, rounded and with nothing left out, is what the control of a join carries and what
 * the host, every mirror and every replay hand to `onJoin`. As bytes it is numbers.
 */

import { HurtboxError } from '../base/errors.ts'
import type { AnyGame, AnyJoinData } from './game.ts'
import { compileInput, encodeInput, type InputLayout } from './input-codes.ts'
import { takesNothing } from './input-kinds.ts'

const layouts = new WeakMap<AnyGame, InputLayout>()

/**
 * Join data from what a player or an account says: `{ skin: 'red', level: 7 }`. A field left out is idle. Throws a sentence when a
 * name or a word is not declared or a value does not fit.
 */
export function readJoinData(game: AnyGame, given: unknown): AnyJoinData {
  return joinDataOf(game, joinValues(game, given))
}

/** The numbers of join data, in the order in which they travel. */
export function joinValues(game: AnyGame, given: unknown): readonly number[] {
  const layout = layoutOf(game)
  if (layout.fields.length === 0) throw takesNothing(game)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new HurtboxError('bad-argument', "what a player brings along must be an object, such as { skin: 'red' }.")
  }
  const codes = new Uint32Array(layout.fields.length)
  encodeInput(layout, { ...given, seat: 0 }, codes)
  return layout.fields.map((field, i) => field.valueOf(codes[i]))
}

/** Join data from their numbers. */
export function joinDataOf(game: AnyGame, values: readonly number[]): AnyJoinData {
  const { specs, fields } = layoutOf(game)
  let at = 0
  const next = () => fields[at].givenAs(values[at++])
  return Object.fromEntries(
    Object.entries(specs).map(([name, { kind }]) => [name, kind === 'point' ? { x: next(), y: next() } : next()]),
  )
}

/** How each of the numbers is coded. */
export function joinFields(game: AnyGame): InputLayout['fields'] {
  return layoutOf(game).fields
}

function layoutOf(game: AnyGame): InputLayout {
  let layout = layouts.get(game)
  if (layout === undefined) {
    layout = compileInput(game.declaration.join ?? {})
    const list = layout.fields.find(({ width, listFields }) => width > 1 || listFields > 0)
    if (list !== undefined) {
      throw new HurtboxError('bad-declaration', `join: ${list.label} is a list; join data are single values.`)
    }
    layouts.set(game, layout)
  }
  return layout
}
