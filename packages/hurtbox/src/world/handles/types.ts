/** The types of things, players and rows: a property per column of the game's declaration. */

import type { ColumnSpec, WideColumn } from '../../state/columns.ts'
import type { AnyDeclaration, ColumnsOf, Declaration, Game, IsAny, OwnTableNames } from '../game.ts'
import type { InputSpecs } from '../input.ts'
import type { InputWords, ListWords } from '../input-values.ts'
import type { AnyWorld, World, WorldBase } from '../world.ts'

/** Several values per row: `thing.armour.get(type)`, `thing.armour.set(type, 0.5)`. */
export type Wide = { readonly width: number; get(index: number): number; set(index: number, value: number): void }

/** Names of the columns with one value per row, and of those with several. */
type Single<S> = { [K in keyof S]: S[K] extends WideColumn ? never : S[K] extends ColumnSpec ? K : never }[keyof S] &
  string
type Several<S> = { [K in keyof S]: S[K] extends WideColumn ? K : never }[keyof S] & string

type Fixed = 'id' | 'leaving' | 'layer'
type Place = 'x' | 'y' | 'z'
type ThingSingle<D extends Declaration> = Exclude<Single<ColumnsOf<D, 'things'>>, Fixed>

/** No property, only a mark for the compiler: the game that a thing is of. */
declare const GAME: unique symbol
export type OfGame<D extends Declaration> = { readonly id: number; readonly [GAME]?: D }

/** What every thing has, besides columns. */
type OnLayer<L extends string> = {
  readonly id: number
  readonly layer: L
  /** 1 when it leaves at the end of this tick. */
  readonly leaving: number
}

/** A thing on layer `L` with these columns, of any game that has them: what kits work with. */
export type ThingOn<L extends string, Columns extends string, Wides extends string = never> = OnLayer<L> & {
  [K in Columns]: number
} & { readonly [K in Wides]: Wide }

/** The columns of a game as properties; `any` for a game that the compiler does not know, and with it the whole thing. */
type ThingProperties<D extends Declaration> =
  IsAny<D> extends true
    ? AnyThing
    : { [K in ThingSingle<D>]: number } & { readonly [K in Several<ColumnsOf<D, 'things'>>]: Wide }

/** The same for rules: where it is cannot be assigned. */
type RuleThingProperties<D extends Declaration> =
  IsAny<D> extends true
    ? AnyThing
    : { [K in Exclude<ThingSingle<D>, Place>]: number } & {
        readonly [K in Extract<ThingSingle<D>, Place>]: number
      } & { readonly [K in Several<ColumnsOf<D, 'things'>>]: Wide }

/** A thing of a game: its columns by name. */
export type Thing<D extends Declaration = AnyDeclaration, L extends string = LayerName<D>> = OfGame<D> &
  OnLayer<L> &
  ThingProperties<D>

/** A thing as the rules of `collide` get it. */
export type RuleThing<D extends Declaration = AnyDeclaration, L extends string = LayerName<D>> = OfGame<D> &
  OnLayer<L> &
  RuleThingProperties<D>

// biome-ignore lint/suspicious/noExplicitAny: a thing of a game that the compiler does not know.
export type AnyThing = any

/** Several choices per row, in lists of an input. */
type WideWords<W extends string> = {
  readonly width: number
  get(index: number): W
  set(index: number, word: W): void
}

type WordsOf<D extends Declaration> = D['input'] extends InputSpecs ? InputWords<D['input']> : Record<never, never>
type ListWordsOf<D extends Declaration> = D['input'] extends InputSpecs ? ListWords<D['input']> : Record<never, never>

type PlayerSingle<D extends Declaration> = Exclude<Single<ColumnsOf<D, 'players'>>, 'id' | 'leaving' | 'thing' | 'seat'>

/** A player of a game: seat, team, input, the game's own columns, and the thing it controls. */
export type Player<D extends Declaration = AnyDeclaration> = Seated<D> & PlayerProperties<D>

type Seated<D extends Declaration> = {
  readonly id: number
  readonly leaving: number
  readonly seat: number
  /** What the player controls; `undefined` when there is nothing, or it leaves in this tick. */
  get thing(): Thing<D> | undefined
  set thing(thing: { readonly id: number } | undefined)
}

type PlayerProperties<D extends Declaration> =
  IsAny<D> extends true
    ? AnyThing
    : { [K in Exclude<PlayerSingle<D>, keyof WordsOf<D>>]: number } & WordsOf<D> & {
          readonly [K in Exclude<Several<ColumnsOf<D, 'players'>>, keyof ListWordsOf<D>>]: Wide
        } & { readonly [K in keyof ListWordsOf<D>]: WideWords<ListWordsOf<D>[K] & string> }

/** A row of one of the game's own tables. */
export type Row<D extends Declaration, Name extends OwnTableNames<D>> =
  IsAny<D> extends true
    ? AnyThing
    : { readonly id: number; readonly leaving: number } & {
        [K in Exclude<Single<ColumnsOf<D, Name>>, 'id' | 'leaving'>]: number
      } & { readonly [K in Several<ColumnsOf<D, Name>>]: Wide }

/** The names of a game's layers. */
export type LayerName<D extends Declaration> = D['layers'] extends object ? keyof D['layers'] & string : string

/** Where things live: a world as phases have it, or as rules have it. */
export type InWorld<D extends Declaration> = { readonly game: Game<D>; readonly memory: World['memory'] }

/** Initial values by column: a number, several for a wide column, a thing for an id; what is left out is 0. */
export type Values<S> = {
  readonly [K in Exclude<keyof S, Fixed>]?: ColumnSpec extends S[K]
    ? unknown
    : S[K] extends WideColumn
      ? readonly number[]
      : S[K] extends 'id'
        ? number | { readonly id: number }
        : number
}
export type ThingValues<D extends Declaration> =
  IsAny<D> extends true ? Readonly<Record<string, unknown>> : Values<ColumnsOf<D, 'things'>>

type ReadonlyColumn = { readonly [index: number]: number; readonly length: number }
type ReadonlyTables<T> = {
  readonly [K in keyof T]: { readonly [C in keyof T[K]]: T[K][C] extends ReadonlyColumn ? ReadonlyColumn : T[K][C] }
}

/**
 * The world as rules have it. Columns and arrays can be read, and globals written; things are written through the handles
 * that a rule is given or asks for, because those can be undone.
 */
export interface RuleWorld<D extends Declaration = AnyDeclaration> extends WorldBase<D> {
  readonly tables: IsAny<D> extends true ? AnyWorld['tables'] : ReadonlyTables<World<D>['tables']>
  readonly arrays: IsAny<D> extends true
    ? AnyWorld['arrays']
    : { readonly [K in keyof World<D>['arrays']]: ReadonlyColumn }
}
