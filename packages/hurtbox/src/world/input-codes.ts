/**
 * The input of a game as a row of codes: what enters the world, files and the wire.
 *
 * The declaration is flattened once; from then on an input is exactly `fields.length` whole numbers.
 */

import { HurtboxError, unknownName } from '../base/errors.ts'
import { type ColumnSpecs, requireName } from '../state/columns.ts'
import type { RowsBase } from '../state/table.ts'
import { seatRow } from './handles/things.ts'
import type { Words } from './handles/words.ts'
import type { FieldPlace, InputDraft, InputField, InputSpecs } from './input.ts'
import { madeByHand } from './input-kinds.ts'
import type { PlayerInput } from './input-values.ts'
import type { EncodedInputs } from './step.ts'
import type { AnyWorld } from './world.ts'

/** How a field becomes columns and codes. Under a symbol, so that to everything that lists keys a field is plain data. */
export const COMPILE: unique symbol = Symbol('compile')
export type Compiled = { readonly [COMPILE]: (draft: InputDraft, place: FieldPlace) => void }

export type InputLayout = {
  readonly specs: InputSpecs
  readonly fields: readonly InputField[]
  readonly columns: ColumnSpecs
  readonly words: Readonly<Record<string, Words>>
}

export function compileInput(specs: InputSpecs): InputLayout {
  const draft: InputDraft = { fields: [], columns: {}, words: {} }
  for (const [name, spec] of Object.entries(specs)) {
    requireName(name, 'input field')
    if (name === 'seat')
      throw new HurtboxError('bad-declaration', 'input field "seat" is the engine\'s own; use another name.')
    compilerOf(spec, name)(draft, { column: name, index: 0, label: name, read: (input) => input[name] })
  }
  return { specs, ...draft }
}

/** How a field is coded; refuses a field that was made by hand. */
export function compilerOf(spec: Compiled, name: string): Compiled[typeof COMPILE] {
  if (spec?.[COMPILE] !== undefined) return spec[COMPILE]
  throw madeByHand(name)
}

/** Writes the codes of `input` into `codes`, from `at` on. Throws, naming the field, when a value does not fit. */
export function encodeInput(layout: InputLayout, input: PlayerInput, codes: Uint32Array, at = 0): void {
  const { fields, specs } = layout
  for (const name of Object.keys(input)) {
    if (name !== 'seat' && !Object.hasOwn(specs, name)) throw unknownName('input field', name, Object.keys(specs))
  }
  const record = input as unknown as Record<string, unknown>
  for (let i = 0; i < fields.length; i++) codes[at + i] = fields[i].codeOf(record)
}

/** The codes of an idle player. */
export function idleCodes(layout: InputLayout): Uint32Array {
  const codes = new Uint32Array(layout.fields.length)
  encodeInput(layout, { seat: 0 }, codes)
  return codes
}

/** Ends the presses of all players, and gives them the inputs of a tick. */
export function applyInputs(world: AnyWorld, inputs: EncodedInputs): void {
  const { players } = world.tables
  const { input } = world.game
  for (let row = 0; row < players.count; row++) clearPresses(input, players, row)
  for (let i = 0; i < inputs.count; i++) {
    const row = seatRow(world, inputs.seats[i])
    if (row >= 0) applyCodes(input, players, row, inputs.codes, i * input.fields.length)
  }
}

/** A player who has just joined. */
export function applyIdle(layout: InputLayout, players: RowsBase, row: number): void {
  applyCodes(layout, players, row, idleCodes(layout), 0)
}

/** Writes the values of `codes` into the input columns of `players`. */
function applyCodes(layout: InputLayout, players: RowsBase, row: number, codes: ArrayLike<number>, at: number): void {
  const columns = players as unknown as Record<string, Float64Array>
  for (let i = 0; i < layout.fields.length; i++) {
    const field = layout.fields[i]
    columns[field.column][row * field.width + field.index] = field.valueOf(codes[at + i])
  }
}

/** A tick without input from a player: levels hold, presses are over. */
function clearPresses(layout: InputLayout, players: RowsBase, row: number): void {
  const columns = players as unknown as Record<string, Float64Array>
  for (let i = 0; i < layout.fields.length; i++) {
    const field = layout.fields[i]
    if (field.isLevel) continue
    columns[field.column][row * field.width + field.index] = 0
  }
}

/** Whether applying `codes` would leave the player's columns as a tick without any input would. */
export function changesNothing(
  layout: InputLayout,
  players: RowsBase,
  row: number,
  codes: ArrayLike<number>,
  at: number,
): boolean {
  const columns = players as unknown as Record<string, Float64Array>
  for (let i = 0; i < layout.fields.length; i++) {
    const field = layout.fields[i]
    const now = columns[field.column][row * field.width + field.index]
    if (field.isLevel ? field.valueOf(codes[at + i]) !== now : codes[at + i] !== 0) return false
  }
  return true
}

/** Folds a later input into an earlier one of the same player: newest levels, presses added up. */
export function foldCodes(layout: InputLayout, into: Uint32Array, later: Uint32Array): void {
  for (let i = 0; i < layout.fields.length; i++) {
    const { isLevel, listFields, largestCode } = layout.fields[i]
    if (listFields > 0) {
      // A list is one order: the newest that is not empty stands, whole.
      for (let f = 0; later[i] > 0 && f <= listFields; f++) into[i + f] = later[i + f]
      i += listFields
    } else into[i] = isLevel ? later[i] : Math.min(into[i] + later[i], largestCode)
  }
}
