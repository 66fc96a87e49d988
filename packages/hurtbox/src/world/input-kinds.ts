/**
 * What the engine asks of the kinds of input fields, and what it does without any.
 *
 * The first kind that is made (`axis()`, `choice(…)`) brings along how fields are laid out, coded, applied and read from join
 * data, so that a game without input does not carry it.
 */

import { HurtboxError, requireFields } from '../base/errors.ts'
import type { AnyGame } from './game.ts'
import type { InputSpecs } from './input.ts'
import type { InputLayout } from './input-codes.ts'
import type { PlayerInput } from './input-values.ts'

type InputKinds = Pick<
  typeof import('./input-codes.ts'),
  'compileInput' | 'encodeInput' | 'applyInputs' | 'applyIdle'
> &
  Pick<typeof import('./join-data.ts'), 'readJoinData'>

/** Undefined until a field is made. */
export const inputKinds: { used: InputKinds | undefined } = { used: undefined }

export function layoutInput(specs: InputSpecs): InputLayout {
  for (const name of Object.keys(specs)) {
    if (inputKinds.used !== undefined) return inputKinds.used.compileInput(specs)
    throw madeByHand(name)
  }
  return { specs, fields: [], columns: {}, words: {} }
}

/** Writes the codes of an input; throws, naming the field, when a value does not fit. */
export function encode(layout: InputLayout, input: PlayerInput, codes: Uint32Array, at: number): void {
  if (inputKinds.used === undefined) requireFields(input, 'an input', ['seat'])
  else inputKinds.used.encodeInput(layout, input, codes, at)
}

/** Join data as `onJoin` gets it; throws when a game takes none, and when it does not fit. */
export function readJoin(game: AnyGame, data: unknown): ReturnType<InputKinds['readJoinData']> {
  if (inputKinds.used !== undefined) return inputKinds.used.readJoinData(game, data)
  throw takesNothing(game)
}

export function madeByHand(name: string): HurtboxError {
  return new HurtboxError('bad-declaration', `input ${name} must be made with axis(), button() or the like.`)
}

export function takesNothing({ declaration: { id } }: AnyGame): HurtboxError {
  return new HurtboxError('bad-argument', `${id} takes nothing along: it declares no join.`)
}
