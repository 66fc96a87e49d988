/**
 * Damage: armour keeps a part off, the shield absorbs, health pays the rest and never goes below 0.
 *
 * There are two ways in. `hurt` speaks to the outcome of a rule and is admitted or refused with it; `hurtNow` writes at
 * once, for phases that hurt without a contact (poison, falling). Both do the same sums and tell the same event.
 */

import { FOREVER } from '../collide/book.ts'
import type { Outcome } from '../collide/rule.ts'
import type { Cells, ReadCells } from '../columns.ts'
import { addRow, type RowsBase } from '../table.ts'

type DamageEvents = RowsBase & {
  readonly victim: Cells
  readonly attacker: Cells
  readonly source: Cells
  readonly type: Cells
  readonly asked: Cells
  readonly absorbed: Cells
  readonly taken: Cells
  readonly hpAfter: Cells
}
type KillEvents = RowsBase & {
  readonly victim: Cells
  readonly attacker: Cells
  readonly source: Cells
  readonly type: Cells
}

/** What damage needs of a view or a world. Every game that spreads the pieces of `defineCombat` has it. */
export type CombatView<C extends ReadCells = ReadCells> = {
  readonly clock: number
  readonly tables: {
    readonly things: {
      readonly id: ReadCells
      readonly hp: C
      readonly shield: C
      readonly armour: C
      readonly hittableFrom: C
    }
  }
  readonly events: { readonly damage: DamageEvents; readonly kill: KillEvents }
}

/**
 * Hurts the thing in row `victim` by `asked`; gives what its health lost. `attacker` and `source` are ids for the event:
 * who did it, and with what.
 *
 * A thing without health left is not hurt again and does not die again.
 */
export function hurt(
  view: CombatView,
  outcome: Outcome,
  victim: number,
  asked: number,
  type: number,
  attacker: number,
  source: number,
): number {
  const { things } = view.tables
  // What this very rule has already taken counts as well.
  const before = outcome.now(things.hp, victim)
  if (before <= 0) return 0
  const kept = afterArmour(view, victim, asked, type)
  const absorbed = Math.min(outcome.now(things.shield, victim), kept)
  const taken = Math.min(before, kept - absorbed)
  // Said only where there is something to say: `why` lists every change.
  if (absorbed > 0) outcome.add(things.shield, victim, -absorbed)
  outcome.put(things.hp, victim, before - taken)
  tell(view, victim, asked, absorbed, taken, before - taken, type, attacker, source)
  return taken
}

/** As `hurt`, at once and without a contact: for phases. */
export function hurtNow(
  world: CombatView<Cells>,
  victim: number,
  asked: number,
  type: number,
  attacker: number,
  source: number,
): number {
  const { things } = world.tables
  const before = things.hp[victim]
  if (before <= 0) return 0
  const kept = afterArmour(world, victim, asked, type)
  const absorbed = Math.min(things.shield[victim], kept)
  const taken = Math.min(before, kept - absorbed)
  tell(world, victim, asked, absorbed, taken, before - taken, type, attacker, source)
  things.shield[victim] -= absorbed
  things.hp[victim] = before - taken
  return taken
}

/**
 * Makes `victim` unhittable until the clock shows now + `ticks`. Never shortens protection that is already longer: a
 * light tap during a boss's long protection must not end it early.
 */
export function protect(view: CombatView, outcome: Outcome, victim: number, ticks: number): void {
  const { hittableFrom } = view.tables.things
  outcome.put(hittableFrom, victim, Math.max(outcome.now(hittableFrom, victim), Math.min(view.clock + ticks, FOREVER)))
}

function afterArmour(view: CombatView, victim: number, asked: number, type: number): number {
  const { armour, hp } = view.tables.things
  const types = armour.length / hp.length
  return Math.max(0, asked * (1 - armour[victim * types + type]))
}

function tell(
  view: CombatView,
  victim: number,
  asked: number,
  absorbed: number,
  taken: number,
  hpAfter: number,
  type: number,
  attacker: number,
  source: number,
): void {
  const { things } = view.tables
  const { damage, kill } = view.events
  const told = addRow(damage)
  if (told >= 0) {
    damage.victim[told] = things.id[victim]
    damage.attacker[told] = attacker
    damage.source[told] = source
    damage.type[told] = type
    damage.asked[told] = asked
    damage.absorbed[told] = absorbed
    damage.taken[told] = taken
    damage.hpAfter[told] = hpAfter
  }
  if (hpAfter > 0) return
  const killed = addRow(kill)
  if (killed < 0) return
  kill.victim[killed] = things.id[victim]
  kill.attacker[killed] = attacker
  kill.source[killed] = source
  kill.type[killed] = type
}
