/** What is read of a world whose declaration has the pieces of `defineStatus`. */

import { type AnyTable, addRow, type RowsBase } from '../../state/table.ts'
import type { Wide } from '../../world/handles/types.ts'
import type { AnyWorld } from '../../world/world.ts'

/** A thing that can have status effects: it has their columns. */
export type Affected = { readonly id: number; statusCount: number; readonly immuneUntil: Wide }

type Things = AnyTable & { readonly statusCount: Uint16Array; readonly immuneUntil: Uint32Array } & {
  readonly [K in 'hp' | 'maxHp' | 'armour']?: Float64Array
}

export type StatusRows = AnyTable & {
  readonly [K in 'thing' | 'by' | 'attacker' | 'endsAt' | 'nextAt']: Uint32Array
} & {
  readonly kind: Uint8Array
  readonly strength: Float64Array
}

export type StatusWorld = {
  readonly clock: number
  readonly tables: { readonly things: Things; readonly status: StatusRows }
  readonly events: object
  readonly memory: AnyWorld['memory']
}

/** From one row on, the next of the effects that run on a thing; −1 when there is none left. Those that end in this tick are left out. */
export function nextOf({ tables: { status }, clock }: StatusWorld, thing: number, from: number): number {
  const { count, thing: things, leaving, endsAt } = status
  for (let row = from; row < count; row++) {
    if (things[row] === thing && leaving[row] === 0 && endsAt[row] > clock) return row
  }
  return -1
}

/** Whether a thing has a row of this kind, also one whose time is up and that has not been ended yet. */
export function hasRow({ tables: { status } }: StatusWorld, id: number, kind: number): boolean {
  const { count, thing, leaving, kind: kinds } = status
  for (let row = 0; row < count; row++) {
    if (thing[row] === id && kinds[row] === kind && leaving[row] === 0) return true
  }
  return false
}

type Told = RowsBase & { readonly [K in 'thing' | 'effect' | 'by']: Uint32Array }

export function tell(
  { events }: StatusWorld,
  what: 'statusBegan' | 'statusEnded',
  thing: number,
  kind: number,
  by = 0,
) {
  const list = (events as { readonly [K in typeof what]: Told })[what]
  const event = addRow(list)
  if (event < 0) return
  list.thing[event] = thing
  list.effect[event] = kind
  if (what === 'statusBegan') list.by[event] = by
}
