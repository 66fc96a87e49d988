/**
 * Rules: what a contact means.
 *
 * A rule is a pure function from a contact to at most one outcome. It reads the view of the world given to it, says in
 * the outcome what should change, and answers with a verdict. `hit` admits the outcome as a whole; any other word
 * refuses it as a whole and is the reason that `why` tells people.
 */

import type { ColumnSpec, ColumnSpecs } from '../columns.ts'
import type { ColumnsOf, Declaration, TableNames } from '../game.ts'
import type { Id, RowsBase, RowValues, TableColumns } from '../table.ts'
import type { World } from '../world.ts'

/** The engine's own reasons to refuse a contact before the rule is asked. */
export type Gate =
  /** One made the other, or both were made by the same thing. */
  | 'owner'
  /** Both are on the same team (team 0 is no team). */
  | 'team'
  /** The victim has no `hp` left. Being about to die stops a thing from being a victim. */
  | 'dead'
  /** The attacker has no `hp` left. Leave it out where two fighters can trade. */
  | 'attacker-dead'
  /** The victim's `hittableFrom` is still ahead. */
  | 'invulnerable'
  /** The ledger `hits` says that this attack has already hit this victim. */
  | 'already-hit'

/** A column as a rule sees it: to be read only. */
type ReadonlyColumn = { readonly [index: number]: number; readonly length: number }
type ViewTable<S extends ColumnSpecs> = RowsBase & {
  readonly [K in keyof (S & TableColumns)]: (S & TableColumns)[K] extends ColumnSpec ? ReadonlyColumn : never
}

/**
 * The world as rules see it. Where things are is frozen since the poses were taken; what they have left is not: a column
 * that the phase declares in `takes` shows what earlier contacts of this phase have already taken.
 */
export type View<D extends Declaration> = Omit<
  World<D>,
  'tables' | 'globals' | 'random' | 'memory' | 'trace' | 'paused'
> & {
  readonly tables: { readonly [K in TableNames<D>]: ViewTable<ColumnsOf<D, K>> }
  readonly globals: Readonly<World<D>['globals']>
}

/** Two overlapping boxes, seen from a rule. All numbers are rows of `things` or places in the box list. */
export type Contact = {
  attacker: number
  /** -1 when the other side is not a thing but a static of the map. */
  victim: number
  /** The static's place in the map; -1 for a thing. */
  static: number
  attackerBox: number
  victimBox: number
  /** Which of its owner's boxes it was: 0 for the first one posed. */
  attackerPart: number
  victimPart: number
  /** When in the tick they met, from 0 to 1; 1 where neither was on its way. */
  time: number
}

export function createContact(): Contact {
  return {
    attacker: 0,
    victim: 0,
    static: -1,
    attackerBox: 0,
    victimBox: 0,
    attackerPart: 0,
    victimPart: 0,
    time: 1,
  }
}

/** What a rule wants to change. Nothing of it happens unless the rule answers `hit`. */
export type Outcome = {
  /** Adds to a value; whole numbers stop at their ends. Additions of several contacts add up: this is how things are pushed and lose health. */
  add(column: ReadonlyColumn, index: number, amount: number): void
  /** Sets a value. */
  put(column: ReadonlyColumn, index: number, value: number): void
  /** Moves a thing by (dx, dy) px or m. */
  push(thing: number, dx: number, dy: number): void
  /**
   * What the column holds by now: as the view shows it, and with what this very rule has already said. The view itself
   * does not move while a rule speaks. Only of columns that the phase takes from: of others it would not know what earlier
   * contacts have said, and five bites would cost as much as one.
   */
  now(column: ReadonlyColumn, index: number): number
  /** The thing in this row leaves at the end of the tick and takes part in no further contact. */
  despawn(thing: number): void
  /** Adds a row once all contacts are decided. Refused and counted when the table is full. */
  spawn<T extends RowsBase>(table: T, values: RowValues<T>): void
  /** Enters this attack and victim into the ledger: no further hit before the clock shows `until` (default: ever). */
  remember(until?: number): void
  /** What follows belongs to this priority of the phase's table. */
  priority(name: string): void
}

export type Verdict = 'hit' | (string & {})

/** The names of a game's layers. */
export type LayerName<D extends Declaration> = D['layers'] extends object ? keyof D['layers'] & string : string

/** What a contact between two layers means. */
export type Rule<D extends Declaration> = {
  readonly name: string
  /** Layers of the two sides. With the same layer on both sides the attacker is the older thing. */
  readonly attacker: LayerName<D>
  readonly victim: LayerName<D>
  /** Between things of one layer: asks the rule from both sides, first with the older thing as attacker. */
  readonly mutual?: boolean
  /** Whether boxes that only touch are a contact. Default: they are not. */
  readonly touching?: boolean
  /** Whether each pair of boxes may hit. Default: several boxes of one attacker on one victim are one hit. */
  readonly perBox?: boolean
  readonly gates?: readonly Gate[]
  /** The attack that the ledger knows this contact by, where it is not the attacking thing itself: a swing, a beam. */
  attack?(view: View<D>, contact: Contact): Id
  decide(view: View<D>, contact: Contact, outcome: Outcome): Verdict
}

/** Gives a rule its type, so that `decide` needs no annotations: `rule(declaration, { … })`. */
export function rule<D extends Declaration>(_declaration: D, definition: Rule<D>): Rule<D> {
  return definition
}
