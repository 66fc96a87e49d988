/**
 * Damage and what else a hit does to a victim, for rules and phases alike.
 *
 * Armour blocks a part of the damage, the shield absorbs, health loses the rest and never goes below 0. In a rule all of
 * this is part of the rule's transaction; in a phase (poison, falling) it happens at once.
 */

import { FOREVER } from '../../rules/collide/decide.ts'
import type { Cells } from '../../state/columns.ts'
import { addRow, type RowsBase } from '../../state/table.ts'
import type { AnyHandle } from '../../world/handles/classes.ts'
import { requireHandle, worldOf } from '../../world/handles/require.ts'
import type { Wide } from '../../world/handles/types.ts'
import type { AnyWorld } from '../../world/world.ts'

type DamageEvents = RowsBase & {
  readonly [K in 'victim' | 'attacker' | 'source' | 'type' | 'asked' | 'absorbed' | 'taken' | 'hpAfter']: Cells
}
type KillEvents = RowsBase & { readonly [K in 'victim' | 'attacker' | 'source' | 'type']: Cells }

/** What `hurt` needs of a thing. Every game that spreads the columns of `defineCombat` has it. */
export type Hurtable = { readonly id: number; hp: number; shield: number; readonly armour: Wide }

/** What did it: a bullet, a fighter, a flame. The attacker is its owner, or itself if it has none. */
type Source = { readonly id: number; readonly owner: number }

/**
 * Damages a thing by `amount`; returns what its health lost. `by` is what did it, for the events `damage` and
 * `kill`; `type` is a damage type of the game's combat.
 *
 * A thing without health left is not hurt again and does not die again.
 */
export function hurt(victim: Hurtable, amount: number, by?: Source, type = 0): number {
  const before = victim.hp
  if (before <= 0) return 0
  const handle = requireHandle(victim)
  const world = worldOf(handle)
  const kept = afterArmour(world, handle, amount, type)
  const absorbed = Math.min(victim.shield, kept)
  const taken = Math.min(before, kept - absorbed)
  // Written only where it changes: `why` lists every change.
  if (absorbed > 0) victim.shield -= absorbed
  victim.hp = before - taken
  emitDamage(world, victim.id, by, type, amount, absorbed, taken, before - taken)
  return taken
}

/**
 * Makes a thing invulnerable for `ticks`. Never shortens protection that is already longer: a light tap during a boss's
 * long protection must not end it early.
 */
export function protect(victim: { readonly id: number; invulnerableUntil: number }, ticks: number): void {
  const { clock } = worldOf(requireHandle(victim))
  victim.invulnerableUntil = Math.max(victim.invulnerableUntil, Math.min(clock + ticks, FOREVER))
}

/** Gives a thing a shield, in the place of the one it had. With `ticks` and a column `shieldUntil` it ends by itself. */
export function shield(
  target: { readonly id: number; shield: number; shieldUntil?: number },
  amount: number,
  ticks = 0,
): void {
  const { clock } = worldOf(requireHandle(target))
  target.shield = amount
  if (target.shieldUntil !== undefined) target.shieldUntil = ticks === 0 ? 0 : clock + ticks
}

/** Stuns a thing for `ticks`, from the next tick on. Never shortens a longer stun. */
export function stun(victim: { readonly id: number; stunnedUntil: number }, ticks: number): void {
  const until = worldOf(requireHandle(victim)).clock + 1 + ticks
  if (until > victim.stunnedUntil) victim.stunnedUntil = until
}

/** Slows a thing for `ticks`, from the next tick on. Never shortens a longer one. How slow: `slowFactor`, if there is one. */
export function slow(
  victim: { readonly id: number; slowedUntil: number; slowFactor?: number },
  ticks: number,
  factor = 0.5,
): void {
  const until = worldOf(requireHandle(victim)).clock + 1 + ticks
  if (until > victim.slowedUntil) victim.slowedUntil = until
  if (victim.slowFactor !== undefined) victim.slowFactor = factor
}

/** A phase: shields whose time is over are gone. */
export function endShields(world: AnyWorld): void {
  const { count, shieldUntil, shield: shields } = world.tables.things
  for (let row = 0; row < count; row++) {
    if (shieldUntil[row] === 0 || shieldUntil[row] > world.clock) continue
    shieldUntil[row] = 0
    shields[row] = 0
  }
}

function afterArmour({ tables: { things } }: AnyWorld, { $row: row }: AnyHandle, amount: number, type: number): number {
  const { armour, hp } = things
  const types = armour.length / hp.length
  return Math.max(0, amount * (1 - armour[row * types + type]))
}

function emitDamage(
  world: AnyWorld,
  victim: number,
  by: Source | undefined,
  type: number,
  asked: number,
  absorbed: number,
  taken: number,
  hpAfter: number,
): void {
  const { damage, kill } = world.events as { readonly damage: DamageEvents; readonly kill: KillEvents }
  const source = by === undefined ? 0 : by.id
  const attacker = by === undefined ? 0 : by.owner || by.id
  const event = addRow(damage)
  if (event >= 0) {
    damage.victim[event] = victim
    damage.attacker[event] = attacker
    damage.source[event] = source
    damage.type[event] = type
    damage.asked[event] = asked
    damage.absorbed[event] = absorbed
    damage.taken[event] = taken
    damage.hpAfter[event] = hpAfter
  }
  if (hpAfter > 0) return
  const killed = addRow(kill)
  if (killed < 0) return
  kill.victim[killed] = victim
  kill.attacker[killed] = attacker
  kill.source[killed] = source
  kill.type[killed] = type
}
