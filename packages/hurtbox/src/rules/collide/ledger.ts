/**
 * The hit ledger: which attack has hit which victim, so that one swing hits once.
 *
 * It is a table (`hits`) and so part of the rolled-back state. Entries that a phase adds count at once for its later
 * contacts and reach the table when the phase commits. Looking up goes through a set that is scratch, refilled when a
 * phase opens, so a rollback cannot leave it stale.
 *
 * `rememberHits` brings it along, so that a game whose rules never say `once` does not carry it.
 */

import { HurtboxError, requireInteger } from '../../base/errors.ts'
import { type AnyTable, addRow, findRow } from '../../state/table.ts'
import { MAX_ROWS } from '../../world/check-declaration.ts'
import type { HitRoom } from '../../world/game.ts'
import { ruleHandleAt } from '../../world/handles/pool.ts'
import type { AnyWorld } from '../../world/world.ts'
import type { Collision } from './collide.ts'
import { type BoundRule, FOREVER, failureAt, ledgers } from './decide.ts'
import { addTriple, clearTriples, createTriples, findTriple, type Triples } from './triples.ts'

/**
 * Room to remember so many hits at a time, for rules that hit `once`: `hits: rememberHits(256)`. When it is full, such rules refuse.
 *
 * @example
 * ```ts
 * import { collide, createWorld, declareGame, defineGame, rememberHits, spawn, step } from 'hurtbox'
 *
 * const layers = { sword: ['slime'], slime: [] } as const
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers, things: { hp: 'f64' }, hits: rememberHits(16) })
 * const hits = collide(arena, {
 *   'sword hits slime': { between: ['sword', 'slime'], once: true, decide: (_sword, slime) => void (slime.hp -= 12) },
 * })
 * const world = createWorld(defineGame(arena, { phases: { hits } }))
 * spawn(world, 'sword', { radius: 20 })
 * const slime = spawn(world, 'slime', { x: 30, radius: 15, hp: 30 })
 * for (let tick = 0; tick < 10; tick++) step(world)
 * console.log(slime.hp) // 18
 * ```
 */
export function rememberHits(count: number): HitRoom {
  ledgers.make = createLedger
  return requireInteger(count, 'hits', 1, MAX_ROWS) as HitRoom
}

type HitsTable = AnyTable & {
  readonly attack: Uint32Array
  readonly victim: Uint32Array
  readonly until: Uint32Array
  readonly byThing: Uint8Array
}

export type Ledger = {
  readonly table: HitsTable
  /** The contact being decided: what `enterHit` enters and `alreadyHit` asks for. */
  attack: number
  victim: number
  byThing: number
  /** What is known now, (byThing, attack, victim): first the rows of the table, then what this phase admitted. */
  readonly hits: Triples
  /** Until when each of `hits` counts. */
  readonly until: Uint32Array
  // What phases call; they import no more than these types.
  readonly open: typeof openLedger
  readonly openEntry: typeof openEntry
  readonly alreadyHit: typeof alreadyHit
  readonly enterHit: typeof enterHit
  readonly commit: typeof commitLedger
  /** Of the ledger that cleans up. */
  readonly endTick: (() => void) | undefined
}

/** Worlds whose ledger is cleaned up by a phase: one of them is enough. */
const cleaned = new WeakSet<AnyWorld>()

function createLedger(world: AnyWorld): Ledger {
  const table = world.tables.hits as HitsTable
  const until = new Uint32Array(table.capacity)
  const endTick = cleaned.has(world) ? undefined : () => forgetOldHits(table, world)
  cleaned.add(world)
  const calls = { open: openLedger, openEntry, alreadyHit, enterHit, commit: commitLedger, endTick }
  return { table, attack: 0, victim: 0, byThing: 0, hits: createTriples(), until, ...calls }
}

function openLedger(ledger: Ledger): void {
  const { table } = ledger
  clearTriples(ledger.hits)
  for (let row = 0; row < table.count; row++) {
    ledger.until[row] = table.until[row]
    addTriple(ledger.hits, table.byThing[row], table.attack[row], table.victim[row])
  }
}

/** Names the contact that is decided next. */
function openEntry(ledger: Ledger, attack: number, victim: number, byThing: boolean): void {
  ledger.attack = attack
  ledger.victim = victim
  ledger.byThing = byThing ? 1 : 0
}

/** Whether the contact named by `openEntry` has been forbidden to hit again at `clock`. */
function alreadyHit({ hits, until, byThing, attack, victim }: Ledger, clock: number): boolean {
  let hit = findTriple(hits, byThing, attack, victim)
  while (hit >= 0 && until[hit] <= clock) hit = findTriple(hits, byThing, attack, victim, hit)
  return hit >= 0
}

/**
 * Notes how long this attack leaves its victim alone; false when there is no room. One that is used up by its hit needs no memory;
 * neither does a wall.
 */
function enterHit(collision: Collision, { once, name }: BoundRule): boolean {
  const { world, hit, things } = collision
  if (hit.secondRow < 0 || things.table.leaving[hit.firstRow] !== 0) return true
  const ticks = typeof once === 'function' ? askOnce(collision, name, once) : once === true ? FOREVER : once!
  if (ticks === 0) return true
  const until = Math.min(world.clock + ticks, FOREVER)
  if (!(ticks > 0 && Number.isInteger(until))) {
    throw new HurtboxError('out-of-range', `once of rule "${name}" must be ticks from 0 on, got ${ticks}.`)
  }
  const { hits, until: untils, table, byThing, attack, victim } = collision.ledger!
  if (hits.count === table.capacity) return false
  untils[hits.count] = until
  addTriple(hits, byThing, attack, victim)
  return true
}

type OnceOf = Extract<BoundRule['once'], (...told: never) => unknown>

function askOnce(collision: Collision, rule: string, once: OnceOf): number {
  const { things, hit } = collision
  try {
    return once(ruleHandleAt(things, hit.firstRow), ruleHandleAt(things, hit.secondRow), hit as never)
  } catch (error) {
    throw failureAt(collision, error, `once of rule "${rule}"`)
  }
}

/** Enters what this phase has added into the table. */
function commitLedger({ table, hits, until }: Ledger): void {
  for (let hit = table.count; hit < hits.count; hit++) {
    const row = addRow(table)
    table.byThing[row] = hits.words[3 * hit]
    table.attack[row] = hits.words[3 * hit + 1]
    table.victim[row] = hits.words[3 * hit + 2]
    table.until[row] = until[hit]
  }
}

/** Marks entries that are over: their time has come, or the victim or the attacking thing has left or is leaving. */
function forgetOldHits(hits: HitsTable, { tables: { things }, clock }: AnyWorld): void {
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
