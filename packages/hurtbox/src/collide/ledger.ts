/**
 * The hit ledger: which attack has hit which victim, so that one swing hits once.
 *
 * It is a table (`hits`) and so part of the rolled-back state. Entries that a phase adds count at once for its later
 * contacts and reach the table when the phase commits. Looking up goes through a set that is scratch, filled anew when a
 * phase opens: nothing a rollback could forget.
 */

import { requireInteger } from '../errors.ts'
import { growColumns } from '../grow.ts'
import { type AnyTable, addRow, findRow } from '../table.ts'
import type { AnyWorld } from '../world.ts'
import { addTriple, clearTriples, createTriples, findTriple, type Triples } from './triples.ts'

type HitsTable = AnyTable & {
  readonly attack: Uint32Array
  readonly victim: Uint32Array
  readonly until: Uint32Array
  readonly byThing: Uint8Array
}

export type Ledger = {
  readonly table: HitsTable
  /** The contact being decided: what `remember` enters and `alreadyHit` asks for. */
  attack: number
  victim: number
  byThing: number
  /** Whether its rule wants it remembered; until when stands in `until` already, behind those of `hits`. */
  isNoted: boolean
  /** What is known now, (byThing, attack, victim): first the rows of the table, then what this phase admitted. */
  readonly hits: Triples
  /** Until when each of `hits` counts. */
  until: Uint32Array
}

export function createLedger(world: AnyWorld): Ledger | undefined {
  const table = world.tables.hits as HitsTable | undefined
  return (
    table && {
      table,
      attack: 0,
      victim: 0,
      byThing: 0,
      isNoted: false,
      hits: createTriples(),
      until: new Uint32Array(64),
    }
  )
}

export function openLedger(ledger: Ledger): void {
  const { table } = ledger
  clearTriples(ledger.hits)
  for (let row = 0; row < table.count; row++) {
    reserveUntil(ledger)
    ledger.until[row] = table.until[row]
    addTriple(ledger.hits, table.byThing[row], table.attack[row], table.victim[row])
  }
}

/** Names the contact that is decided next. */
export function openEntry(ledger: Ledger, attack: number, victim: number, byThing: boolean): void {
  ledger.attack = attack
  ledger.victim = victim
  ledger.byThing = byThing ? 1 : 0
  ledger.isNoted = false
}

/** Notes that the contact is to be remembered. Said twice, the longer time counts. */
export function noteEntry(ledger: Ledger, until: number): void {
  const { hits, isNoted } = ledger
  requireInteger(until, 'until', 0, 0xffffffff)
  reserveUntil(ledger)
  ledger.until[hits.count] = isNoted ? Math.max(ledger.until[hits.count], until) : until
  ledger.isNoted = true
}

/** Enters what was noted of an admitted hit. */
export function admitEntry({ isNoted, hits, byThing, attack, victim }: Ledger): void {
  if (isNoted) addTriple(hits, byThing, attack, victim)
}

/** Whether what is noted would not fit into the table. */
export function isLedgerFull({ isNoted, hits, table }: Ledger): boolean {
  return isNoted && hits.count === table.capacity
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

function reserveUntil(ledger: Ledger): void {
  if (ledger.hits.count === ledger.until.length) growColumns(ledger, ['until'], 2 * ledger.until.length)
}

/** Marks entries that are over: their time has come, or the victim or the attacking thing is gone or going. */
export function forgetOldHits(world: AnyWorld): void {
  const hits = world.tables.hits as HitsTable | undefined
  if (hits === undefined) return
  const { things } = world.tables
  const { clock } = world
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
