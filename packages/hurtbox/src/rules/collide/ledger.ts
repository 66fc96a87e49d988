/**
 * The hit ledger: which attack has hit which victim, so that one swing hits once.
 *
 * It is a table (`hits`) and so part of the rolled-back state. Entries that a phase adds count at once for its later
 * contacts and reach the table when the phase commits. Looking up goes through a set that is scratch, refilled when a
 * phase opens, so a rollback cannot leave it stale.
 */

import { type AnyTable, addRow, findRow } from '../../state/table.ts'
import type { AnyWorld } from '../../world/world.ts'
import { addTriple, clearTriples, createTriples, findTriple, type Triples } from './triples.ts'

type HitsTable = AnyTable & {
  readonly attack: Uint32Array
  readonly victim: Uint32Array
  readonly until: Uint32Array
  readonly byThing: Uint8Array
}

export type Ledger = {
  readonly table: HitsTable
  /** The contact being decided: what `addEntry` enters and `alreadyHit` asks for. */
  attack: number
  victim: number
  byThing: number
  /** What is known now, (byThing, attack, victim): first the rows of the table, then what this phase admitted. */
  readonly hits: Triples
  /** Until when each of `hits` counts. */
  readonly until: Uint32Array
}

export function createLedger(world: AnyWorld): Ledger | undefined {
  const table = world.tables.hits as HitsTable | undefined
  return (
    table && {
      table,
      attack: 0,
      victim: 0,
      byThing: 0,
      hits: createTriples(),
      until: new Uint32Array(table.capacity),
    }
  )
}

export function openLedger(ledger: Ledger): void {
  const { table } = ledger
  clearTriples(ledger.hits)
  for (let row = 0; row < table.count; row++) {
    ledger.until[row] = table.until[row]
    addTriple(ledger.hits, table.byThing[row], table.attack[row], table.victim[row])
  }
}

/** Names the contact that is decided next. */
export function openEntry(ledger: Ledger, attack: number, victim: number, byThing: boolean): void {
  ledger.attack = attack
  ledger.victim = victim
  ledger.byThing = byThing ? 1 : 0
}

/** Enters the contact, until the clock shows `until`; false when there is no room. */
export function addEntry({ hits, until: untils, table, byThing, attack, victim }: Ledger, until: number): boolean {
  if (hits.count === table.capacity) return false
  untils[hits.count] = until
  addTriple(hits, byThing, attack, victim)
  return true
}

/** Whether the contact named by `openEntry` has been forbidden to hit again at `clock`. */
export function alreadyHit({ hits, until, byThing, attack, victim }: Ledger, clock: number): boolean {
  let hit = findTriple(hits, byThing, attack, victim)
  while (hit >= 0 && until[hit] <= clock) hit = findTriple(hits, byThing, attack, victim, hit)
  return hit >= 0
}

/** Enters what this phase has added into the table. */
export function commitLedger({ table, hits, until }: Ledger): void {
  for (let hit = table.count; hit < hits.count; hit++) {
    const row = addRow(table)
    table.byThing[row] = hits.words[3 * hit]
    table.attack[row] = hits.words[3 * hit + 1]
    table.victim[row] = hits.words[3 * hit + 2]
    table.until[row] = until[hit]
  }
}

/** Marks entries that are over: their time has come, or the victim or the attacking thing has left or is leaving. */
export function forgetOldHits({ table: hits }: Ledger, { tables: { things }, clock }: AnyWorld): void {
  for (let row = 0; row < hits.count; row++) {
    const isOver =
      hits.until[row] <= clock ||
      hasLeft(things, hits.victim[row]) ||
      (hits.byThing[row] === 1 && hasLeft(things, hits.attack[row]))
    if (isOver) hits.leaving[row] = 1
  }
}

function hasLeft(things: AnyTable, id: number): boolean {
  const row = findRow(things, id)
  return row < 0 || things.leaving[row] === 1
}
