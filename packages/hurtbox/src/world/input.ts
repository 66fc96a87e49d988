/**
 * Input: what one player asks for in one tick, field by field.
 *
 * Every number of a field has a *code*, a whole number from 0 to 2³² − 1, and a value that follows from the code alone. A
 * value is encoded when it enters (so all peers see the same bits), and the codes are what files and the wire
 * carry. A choice is a number there too; rules, bots and pages have its word. Levels (axis, button, point, choice, thing, fixed) hold until replaced. A press is a count, not a bit: folding
 * two inputs adds the counts, so that no stall loses or doubles one.
 *
 * A kind of field brings its own coding: a new one is one function here, and a page carries those that its game has.
 */

import { HurtboxError, requireFinite, requireInteger, unknownName } from '../base/errors.ts'
import type { ColumnSpec } from '../state/columns.ts'
import { useWideColumns } from './handles/classes.ts'
import { wideAccessors } from './handles/wide.ts'
import { codeOfWord, type Words, wordsOf } from './handles/words.ts'
import { applyIdle, applyInputs, COMPILE, type Compiled, compileInput, compilerOf, encodeInput } from './input-codes.ts'
import { inputKinds } from './input-kinds.ts'
import { readJoinData } from './join-data.ts'

type Axis = { readonly kind: 'axis' } & Compiled
export type Button = { readonly kind: 'button' } & Compiled
export type Press = { readonly kind: 'press' } & Compiled
export type Thing = { readonly kind: 'thing' } & Compiled
export type Choice<N extends readonly string[] = readonly string[]> = {
  readonly kind: 'choice'
  readonly names: N
} & Compiled
type Fixed = { readonly kind: 'fixed' } & StepRange & Compiled
export type Point = { readonly kind: 'point' } & StepRange & Compiled
type ItemSpec = Axis | Button | Press | Thing | Choice | Fixed | Point
export type ItemSpecs = Readonly<Record<string, ItemSpec>>
type List<F extends ItemSpecs = ItemSpecs> = {
  readonly kind: 'list'
  readonly max: number
  readonly fields: F
} & Compiled
type StepRange = { readonly min: number; readonly max: number; readonly step: number }

export type InputSpec = ItemSpec | List
export type InputSpecs = Readonly<Record<string, InputSpec>>

/** One number of an input: where its value stands, and how values and codes correspond. */
export type InputField = {
  readonly column: string
  /** It is value `index` of the `width` values that a row has in the column. */
  readonly index: number
  readonly width: number
  readonly label: string
  /** Reads the code out of a player's input; throws a readable error on anything that does not fit. */
  readonly codeOf: (input: Readonly<Record<string, unknown>>) => number
  readonly valueOf: (code: number) => number
  /** A value as a player gives it: the word of a choice, true or false for a button. */
  readonly givenAs: (value: number) => unknown
  readonly largestCode: number
  /** A press or a list counts for one tick; everything else holds until replaced. */
  readonly isLevel: boolean
  /** For the length of a list: how many fields after it belong to the list. */
  readonly listFields: number
}

/** What the fields compiled so far need. */
export type InputDraft = {
  readonly fields: InputField[]
  readonly columns: Record<string, ColumnSpec>
  /** The words of columns that hold choices. */
  readonly words: Record<string, Words>
}

/** Where a field stands: on its own, or in record `index` of a list. */
export type FieldPlace = {
  readonly column: string
  readonly index: number
  /** Values a row; left out for fields on their own. */
  readonly width?: number
  readonly label: string
  readonly read: (input: Readonly<Record<string, unknown>>) => unknown
}

/** How one number is stored and coded. */
type Coding = {
  readonly type: 'u8' | 'id' | 'f64'
  readonly largestCode: number
  readonly isLevel: boolean
  /** `undefined` is idle. `name` is for the error. */
  readonly codeOf: (value: unknown, name: string) => number
  readonly valueOf: (code: number) => number
  /** Left out where a player gives the value itself. */
  readonly givenAs?: (value: number) => unknown
  readonly words?: Words
}

/**
 * −1 … 1 in 255 steps.
 *
 * @example
 * ```ts
 * import { axis, createWorld, declareGame, defineGame, playerAt, step } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, input: { moveX: axis() } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * step(world, { controls: [{ control: 'join', seat: 0 }], players: [{ seat: 0, moveX: -1 }] })
 * console.log(playerAt(world, 0)?.moveX) // -1
 * ```
 */
export const axis = (): Axis => ({
  kind: 'axis',
  ...compiled({
    type: 'f64',
    largestCode: 254,
    isLevel: true,
    codeOf: (value = 0, name) => Math.round(127 * clamp(requireFinite(value, name), -1, 1)) + 127,
    valueOf: (code) => (code - 127) / 127,
  }),
})

/**
 * Held or not.
 *
 * @example
 * ```ts
 * import { button, createWorld, declareGame, defineGame, playerAt, step } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, input: { block: button() } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * step(world, { controls: [{ control: 'join', seat: 0 }], players: [{ seat: 0, block: true }] })
 * console.log(playerAt(world, 0)?.block) // 1
 * ```
 */
export const button = (): Button => ({
  kind: 'button',
  ...compiled({
    type: 'u8',
    largestCode: 1,
    isLevel: true,
    codeOf: (value = false, name) => {
      if (typeof value === 'boolean') return value ? 1 : 0
      throw new HurtboxError('bad-argument', `${name} must be true or false, got ${String(value)}.`, { name, value })
    },
    valueOf: itself,
    givenAs: (value) => value === 1,
  }),
})

/**
 * How often it was pressed since the last input (0 … 255).
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, playerAt, press, step } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, input: { attack: press() } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * step(world, { controls: [{ control: 'join', seat: 0 }], players: [{ seat: 0, attack: 2 }] })
 * console.log(playerAt(world, 0)?.attack) // 2
 * ```
 */
export const press = (): Press => ({ kind: 'press', ...compiled(counted('u8', 255, false)) })

/**
 * The id of a thing, 0 for none. The rules check whether it exists.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, playerAt, step, target } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, input: { heal: target() } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * step(world, { controls: [{ control: 'join', seat: 0 }], players: [{ seat: 0, heal: 7 }] })
 * console.log(playerAt(world, 0)?.heal) // 7
 * ```
 */
export const target = (): Thing => ({ kind: 'thing', ...compiled(counted('id', 0xffffffff, true)) })

/**
 * One of up to 256 words; the first is the idle one. Players have it as the word, `player.stance === 'angry'`; columns and the wire have
 * its place in the list.
 *
 * @example
 * ```ts
 * import { choice, createWorld, declareGame, defineGame, playerAt, step } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, input: { stance: choice(['calm', 'angry']) } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * step(world, { controls: [{ control: 'join', seat: 0 }], players: [{ seat: 0, stance: 'angry' }] })
 * console.log(playerAt(world, 0)?.stance) // angry
 * ```
 */
export function choice<const N extends readonly [string, ...string[]]>(names: N): Choice<N> {
  requireInteger(names.length, 'the number of names of a choice', 1, 256)
  return {
    kind: 'choice',
    names,
    ...compiled({
      type: 'u8',
      largestCode: names.length - 1,
      isLevel: true,
      codeOf: (value = names[0], name) => codeOfWord(names, value, name),
      valueOf: itself,
      givenAs: (value) => names[value],
      words: wordsOf(names),
    }),
  }
}

/**
 * A number from `min` to `max` in steps.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, fixed, playerAt, step } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, input: { aim: fixed({ min: 0, max: 360, step: 0.5 }) } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * step(world, { controls: [{ control: 'join', seat: 0 }], players: [{ seat: 0, aim: 90.3 }] })
 * console.log(playerAt(world, 0)?.aim) // 90.5
 * ```
 */
export const fixed = (range: StepRange): Fixed => ({ kind: 'fixed', ...checkRange(range), ...compiled(stepped(range)) })

/**
 * A place: two `fixed` numbers, x and y.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, playerAt, point, step } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, input: { goal: point({ min: -500, max: 500, step: 1 }) } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * step(world, { controls: [{ control: 'join', seat: 0 }], players: [{ seat: 0, goal: { x: 3, y: -4 } }] })
 * console.log(playerAt(world, 0)?.goalX) // 3
 * console.log(playerAt(world, 0)?.goalY) // -4
 * ```
 */
export const point = (range: StepRange): Point => ({
  kind: 'point',
  ...checkRange(range),
  ...compiledBy((draft, place) => {
    for (const name of ['x', 'y'] as const) {
      const read: FieldPlace['read'] = (input) => coordinate(place.read(input), name, place.label)
      compileField(draft, { ...place, column: place.column + name.toUpperCase(), read }, stepped(range))
    }
  }),
})

/**
 * Up to `max` records a tick, for games of orders.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, list, playerAt, step, target } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, input: { orders: list(4, { unit: target() }) } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * step(world, { controls: [{ control: 'join', seat: 0 }], players: [{ seat: 0, orders: [{ unit: 7 }] }] })
 * console.log(playerAt(world, 0)?.ordersCount) // 1
 * console.log(playerAt(world, 0)?.ordersUnit.get(0)) // 7
 * ```
 */
export function list<const F extends ItemSpecs>(max: number, fields: F): List<F> {
  requireInteger(max, 'max', 1, 64)
  useWideColumns(wideAccessors)
  return {
    kind: 'list',
    max,
    fields,
    ...compiledBy((draft, { column: name, read }) => {
      const records: FieldPlace['read'] = (input) => requireRecords(read(input), max, fields, name)
      const length: Coding = {
        ...counted('u8', max, false),
        codeOf: (value) => (value as readonly unknown[]).length,
      }
      const items: InputDraft = { ...draft, fields: [] }
      compileField(draft, { column: `${name}Count`, index: 0, label: name, read: records }, length)
      for (let index = 0; index < max; index++) {
        for (const [item, spec] of Object.entries(fields)) {
          compilerOf(spec, `${name}.${item}`)(items, {
            column: `${name}${item[0].toUpperCase()}${item.slice(1)}`,
            index,
            width: max,
            label: `${name}[${index}].${item}`,
            read: (input) => (records(input) as readonly Record<string, unknown>[])[index]?.[item],
          })
        }
      }
      draft.fields.push({ ...draft.fields.pop()!, listFields: items.fields.length }, ...items.fields)
    }),
  }
}

function compiled(coding: Coding): Compiled {
  return compiledBy((draft, place) => compileField(draft, place, coding))
}

function compiledBy(compile: Compiled[typeof COMPILE]): Compiled {
  inputKinds.used = { compileInput, encodeInput, applyInputs, applyIdle, readJoinData }
  return { [COMPILE]: compile }
}

function compileField(draft: InputDraft, { column, index, width, label, read }: FieldPlace, coding: Coding): void {
  const { type, largestCode, isLevel } = coding
  if (index === 0 && column in draft.columns) {
    throw new HurtboxError('bad-declaration', `two input fields need the column "${column}"; rename one.`)
  }
  draft.columns[column] = width === undefined ? type : { type, width }
  if (coding.words !== undefined) draft.words[column] = coding.words
  draft.fields.push({
    column,
    index,
    width: width ?? 1,
    label,
    codeOf: (input) => coding.codeOf(read(input), `input ${label}`),
    valueOf: coding.valueOf,
    givenAs: coding.givenAs ?? itself,
    largestCode,
    isLevel,
    listFields: 0,
  })
}

function counted(type: 'u8' | 'id', largestCode: number, isLevel: boolean): Coding {
  const codeOf = (value: unknown = 0, name: string) => requireInteger(value, name, 0, largestCode)
  return { type, largestCode, isLevel, codeOf, valueOf: itself }
}

function stepped({ min, max, step }: StepRange): Coding {
  // The hair is for ranges like 0 to 1 in steps of 0.1, whose quotient is a hair below 10.
  const largestCode = Math.floor((max - min) / step + 1e-9)
  return {
    type: 'f64',
    largestCode,
    isLevel: true,
    codeOf: (value = 0, name) =>
      Math.min(Math.round((clamp(requireFinite(value, name), min, max) - min) / step), largestCode),
    valueOf: (code) => min + code * step,
  }
}

function itself(code: number): number {
  return code
}

function coordinate(value: unknown, name: 'x' | 'y', label: string): unknown {
  if (value === undefined) return undefined
  if (typeof value === 'object' && value !== null) return (value as Record<string, unknown>)[name]
  throw new HurtboxError('bad-argument', `input ${label} must be a point { x, y }, got ${String(value)}.`, {
    name: label,
  })
}

function requireRecords(value: unknown = [], max: number, fields: ItemSpecs, name: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length > max || value.some((item) => typeof item !== 'object' || item === null)) {
    throw new HurtboxError('bad-argument', `input ${name} must be a list of at most ${max} records.`, { name, value })
  }
  for (const item of value) {
    for (const key of Object.keys(item)) {
      if (!Object.hasOwn(fields, key)) throw unknownName(`field of input ${name}`, key, Object.keys(fields))
    }
  }
  return value
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}

function checkRange(range: StepRange): StepRange {
  const { min, max, step } = range
  requireFinite(min, 'min')
  requireFinite(max, 'max')
  requireFinite(step, 'step')
  if (!(step > 0) || !(max > min) || (max - min) / step > 0xfffffffe) {
    throw new HurtboxError('bad-declaration', 'a range needs min < max, a step above 0, and fewer than 2³² steps.')
  }
  return { min, max, step }
}
