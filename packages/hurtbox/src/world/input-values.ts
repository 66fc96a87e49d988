/** What the compiler makes of declared inputs: what a player gives, and the columns that hold it. */

import type { ColumnSpec } from '../state/columns.ts'
import type { Button, Choice, InputSpecs, ItemSpecs, Point, Press, Thing } from './input.ts'

type ItemValue<S> = S extends Point
  ? { readonly x: number; readonly y: number }
  : S extends Button
    ? boolean
    : S extends { kind: 'choice'; names: readonly (infer N)[] }
      ? N
      : number

type InputValue<S> = S extends { kind: 'list'; fields: infer F }
  ? readonly { readonly [K in keyof F]?: ItemValue<F[K]> }[]
  : ItemValue<S>

/** Values by field, as a player gives them. */
export type GivenFields<S extends InputSpecs> = { readonly [K in keyof S]: InputValue<S[K]> }

/** The input of one seat for one tick. A field left out is idle. */
export type PlayerInput<S extends InputSpecs = InputSpecs> = { readonly seat: number } & Partial<GivenFields<S>>

type ScalarColumn<S> = S extends Button | Press | Choice ? 'u8' : S extends Thing ? 'id' : 'f64'
type Columns<Name extends string, S> = S extends Point
  ? { readonly [K in `${Name}X` | `${Name}Y`]: 'f64' }
  : S extends { kind: 'list'; fields: infer F extends ItemSpecs }
    ? { readonly [K in `${Name}Count`]: 'u8' } & Union<
        { [K in keyof F & string]: WideColumns<`${Name}${Capitalize<K>}`, F[K]> }[keyof F & string]
      >
    : { readonly [K in Name]: ScalarColumn<S> }
type WideColumns<Name extends string, S> = S extends Point
  ? { readonly [K in `${Name}X` | `${Name}Y`]: { type: 'f64'; width: number } }
  : { readonly [K in Name]: { type: ScalarColumn<S>; width: number } }
/** The words of columns that hold a choice, by column: `'low' | 'high'`. */
export type InputWords<S extends InputSpecs> = {
  -readonly [K in keyof S as S[K] extends Choice ? K : never]: WordOf<S[K]>
}
type WordOf<S> = S extends { readonly names: readonly (infer W extends string)[] } ? W : never
/** The same for the choices in lists. */
export type ListWords<S extends InputSpecs> = Union<
  {
    [K in keyof S & string]: S[K] extends { kind: 'list'; fields: infer F extends ItemSpecs } ? ItemWords<K, F> : object
  }[keyof S & string]
>
type ItemWords<Name extends string, F extends ItemSpecs> = {
  [K in keyof F & string as F[K] extends Choice ? `${Name}${Capitalize<K>}` : never]: WordOf<F[K]>
}
type Union<U> = (U extends unknown ? (u: U) => void : never) extends (i: infer I) => void ? I : never

/** The columns of `players` that hold the current input of each seat. A point `aim` becomes `aimX` and `aimY`. */
export type InputColumns<S extends InputSpecs> = {
  [K in keyof Merged<S>]: Merged<S>[K] extends ColumnSpec ? Merged<S>[K] : never
}
type Merged<S extends InputSpecs> = Union<{ [K in keyof S & string]: Columns<K, S[K]> }[keyof S & string]>
