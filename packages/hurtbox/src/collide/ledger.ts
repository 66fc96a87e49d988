/**
 * The hit ledger: which attack has hit which victim, so that one swing hits once.
 *
 * It is a table (`hits`) and so part of the rolled-back state. Entries that a phase adds count at once for its later
 * contacts and reach the table when the phase commits. Looking up goes through a hash index that is scratch, rebuilt
 * when a phase opens: 2 µs for 200 entries, and nothing a rollback could forget.
 */

import { requireInteger } from '../errors.ts'
import { type AnyTable, addRow, findRow } from '../table.ts'
import type { AnyWorld } from '../world.ts'

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
  /** Entries known now: first those of the table, then those of this phase. From `admitted` on not admitted yet. */
  count: number
  admitted: number
  entries: Entries
  /** Open addressing: entry number + 1, 0 is free. Its length is a power of two above twice the entries. */
  slots: Int32Array
}

type Entries = { attack: Uint32Array; victim: Uint32Array; until: Uint32Array; byThing: Uint8Array }

export function createLedger(world: AnyWorld): Ledger | undefined {
  const table = world.tables.hits as HitsTable | undefined
  if (table === undefined) return undefined
  return {
    table,
    attack: 0,
    victim: 0,
    byThing: 0,
    count: 0,
    admitted: 0,
    entries: createEntries(64),
    slots: new Int32Array(256),
  }
}

export function openLedger(ledger: Ledger): void {
  const { table } = ledger
  ledger.count = 0
  ledger.admitted = 0
  ledger.slots.fill(0)
  for (let row = 0; row < table.count; row++) {
    pushEntry(ledger, table.attack[row], table.victim[row], table.until[row], table.byThing[row])
  }
  admitEntries(ledger)
}

/** Names the contact that is decided next. */
export function openEntry(ledger: Ledger, attack: number, victim: number, byThing: boolean): void {
  ledger.attack = attack
  ledger.victim = victim
  ledger.byThing = byThing ? 1 : 0
}

export function noteEntry(ledger: Ledger, until: number): void {
  requireInteger(until, 'until', 0, 0xffffffff)
  pushEntry(ledger, ledger.attack, ledger.victim, until, ledger.byThing)
}

export function admitEntries(ledger: Ledger): void {
  if (ledger.slots.length < 2 * ledger.count) {
    ledger.slots = new Int32Array(powerOfTwo(4 * ledger.count))
    for (let entry = 0; entry < ledger.admitted; entry++) indexEntry(ledger, entry)
  }
  for (let entry = ledger.admitted; entry < ledger.count; entry++) indexEntry(ledger, entry)
  ledger.admitted = ledger.count
}

export function refuseEntries(ledger: Ledger): void {
  ledger.count = ledger.admitted
}

/** Whether what is noted would not fit into the table. */
export function isLedgerFull(ledger: Ledger): boolean {
  return ledger.count > ledger.table.capacity
}

/** Whether the contact named by `openEntry` has been forbidden to hit again at `clock`. */
export function alreadyHit(ledger: Ledger, clock: number): boolean {
  const { slots, entries, attack, victim, byThing } = ledger
  const mask = slots.length - 1
  for (let slot = slotOf(attack, victim) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
    const entry = slots[slot] - 1
    const isSame =
      entries.attack[entry] === attack && entries.victim[entry] === victim && entries.byThing[entry] === byThing
    if (isSame && entries.until[entry] > clock) return true
  }
  return false
}

/** Enters what this phase has added into the table; what does not fit is counted there as refused. */
export function commitLedger(ledger: Ledger): void {
  const { table, entries } = ledger
  for (let entry = table.count, end = ledger.count; entry < end; entry++) {
    const row = addRow(table)
    if (row < 0) continue
    table.attack[row] = entries.attack[entry]
    table.victim[row] = entries.victim[entry]
    table.until[row] = entries.until[entry]
    table.byThing[row] = entries.byThing[entry]
  }
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

function slotOf(attack: number, victim: number): number {
  const mixed = Math.imul(attack ^ Math.imul(victim, 0x9e3779b1), 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}

function indexEntry(ledger: Ledger, entry: number): void {
  const { slots, entries } = ledger
  const mask = slots.length - 1
  let slot = slotOf(entries.attack[entry], entries.victim[entry]) & mask
  while (slots[slot] !== 0) slot = (slot + 1) & mask
  slots[slot] = entry + 1
}

function powerOfTwo(atLeast: number): number {
  let size = 256
  while (size < atLeast) size *= 2
  return size
}

function pushEntry(ledger: Ledger, attack: number, victim: number, until: number, byThing: number): void {
  if (ledger.count === ledger.entries.attack.length) {
    const larger = createEntries(2 * ledger.count)
    for (const name of ['attack', 'victim', 'until', 'byThing'] as const) larger[name].set(ledger.entries[name])
    ledger.entries = larger
  }
  const { entries, count } = ledger
  entries.attack[count] = attack
  entries.victim[count] = victim
  entries.until[count] = until
  entries.byThing[count] = byThing
  ledger.count = count + 1
}

function createEntries(capacity: number): Entries {
  return {
    attack: new Uint32Array(capacity),
    victim: new Uint32Array(capacity),
    until: new Uint32Array(capacity),
    byThing: new Uint8Array(capacity),
  }
}
