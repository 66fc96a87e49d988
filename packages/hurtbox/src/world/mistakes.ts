/**
 * Mistakes in a declaration, as the compiler reports them: each at its own place, and nowhere else.
 *
 * A type parameter with a constraint (`D extends Declaration`) falls back to the constraint as soon as one field is
 * wrong; every rule and every column of the game is then wrong as well, and the one true message drowns. So a
 * declaration is inferred whatever it is, compared with what it should be, and the game goes on with its correction.
 */

import type { ColumnSpec, ColumnSpecs, WideColumn } from '../state/columns.ts'
import type { ArraySpec } from '../state/layout.ts'
import type { Declaration, DeclarationSpec } from './game.ts'
import type { axis, InputSpec } from './input.ts'
import type { OptionSpec } from './options.ts'
import type { TuningSpec } from './tuning.ts'

/**
 * What a declaration should be. The condition never holds; it is there because a naked `D` in one branch lets the
 * compiler infer `D`, while the other branch is what it checks the argument against.
 */
export type Checked<D> = D extends never
  ? D
  : { [K in keyof DeclarationSpec]: K extends keyof D ? Expected<K, D[K]> : DeclarationSpec[K] }

/** The exact type of a declaration, or of its correction where it is wrong. What is known only in general stays so. */
export type Exact<D> = DeclarationSpec extends D
  ? WithDefaults<D>
  : D extends DeclarationSpec
    ? keyof D extends keyof Declaration
      ? WithDefaults<D>
      : Corrected<D>
    : Corrected<D>

/** What was left out has its default. */
type WithDefaults<D> = Declaration extends D
  ? D
  : D & { readonly [K in RequiredField]: K extends keyof D ? Fitting<D[K], Declaration[K]> : Declaration[K] }
type RequiredField = 'rulesVersion' | 'seats' | 'capacity'

/** A field, part by part: what is right stays as it is, what is wrong becomes what belongs there. */
type Expected<Field extends keyof Declaration, T> = Field extends 'layers'
  ? { [K in keyof T]: readonly LayerOf<T, T[K]>[] }
  : Field extends 'tables'
    ? { [K in keyof T]: Table<T[K]> }
    : Field extends 'events'
      ? { [K in keyof T]: Each<T[K], ColumnSpec> }
      : Field extends keyof PartOf
        ? Each<T, PartOf[Field]>
        : Fitting<T, Required<Declaration>[Field]>

type PartOf = {
  things: ColumnSpec
  players: ColumnSpec
  options: OptionSpec
  arrays: ArraySpec
  globals: ColumnSpec
  tuning: TuningSpec
  input: InputSpec
}

/** Names are compared if the compiler knows them; of a list made elsewhere it knows only that it holds strings. */
type LayerOf<T, List> = string[] extends List ? string : keyof T & string

/** A table has a capacity and columns. */
type Table<T> = { readonly capacity: number; readonly columns: ColumnsIn<T> }
type ColumnsIn<T> = T extends { readonly columns: infer C } ? Each<C, ColumnSpec> : ColumnSpecs

/** In brackets, so that the compiler also sees it for a `T` that a function of the caller leaves open. */
type Each<T, Part, Instead = Part> = [T] extends [object]
  ? { [K in keyof T]: Fitting<T[K], Part, Instead> }
  : Readonly<Record<string, Instead>>
type Fitting<T, Part, Instead = Part> = [T] extends [Part] ? T : Instead

/** What the game goes on with. A field that is missing may hold anything, since a misspelt field is a missing one. */
type Corrected<D> = {
  readonly [K in keyof Declaration]-?: K extends 'tables'
    ? CorrectedTables<K extends keyof D ? D[K] : unknown>
    : K extends 'input'
      ? Each<K extends keyof D ? D[K] : unknown, InputSpec, ReturnType<typeof axis>>
      : K extends keyof D & ('things' | 'players')
        ? CorrectedColumns<D[K]>
        : K extends keyof D
          ? Expected<K, D[K]>
          : Required<Declaration>[K]
}
type CorrectedTables<T> = { readonly [K in keyof T]: Table<T[K]> }
/** An object that is no column was meant to be a wide one. */
type CorrectedColumns<T> = {
  readonly [K in keyof T]: T[K] extends ColumnSpec ? T[K] : T[K] extends object ? WideColumn : ColumnSpec
}
