/**
 * Effects: what lasts on a ship for a while.
 *
 * Each is a column that says until when (design of the seed's own next documents: a slot has a cooldown and an
 * active-until stamp). A new effect is that column, a place where it starts, and a place where it matters; see README.
 */

import { emit, players } from 'hurtbox'
import type { JetThing, JetWorld } from './declaration.ts'

/** The secondary slot, before anything moves: a shield that stops bullets, or a dash. */
export function useSlots(world: JetWorld): void {
  const { clock, tuning } = world
  for (const player of players(world)) {
    const ship = player.thing
    if (player.slot === 0 || ship === undefined || ship.hp <= 0 || ship.slotReadyAt > clock) continue
    ship.slotReadyAt = clock + tuning.slotCooldown
    if (player.secondary === 'shield') {
      ship.invulnerableUntil = Math.max(ship.invulnerableUntil, clock + tuning.shieldTime)
      emit(world, 'shield', { ship })
    } else {
      ship.dashUntil = clock + tuning.dashTime
      emit(world, 'dash', { ship })
    }
  }
}

/** Who shoots is no longer protected for having just appeared. A shield that it raised stays. */
export function endProtection({ clock }: JetWorld, ship: JetThing): void {
  if (ship.invulnerableUntil === ship.protectedUntil) ship.invulnerableUntil = clock
}

/** What its effects make of a ship's speed. */
export function speedFactor({ clock, tuning }: JetWorld, ship: JetThing): number {
  const dash = ship.dashUntil > clock ? tuning.dashFactor : 1
  const slow = ship.slowUntil > clock ? tuning.slowFactor : 1
  return dash * slow
}

/** A ship that returns is free of everything but the cooldown of the slot. */
export function clearEffects(ship: JetThing): void {
  ship.invulnerableUntil = 0
  ship.dashUntil = 0
  ship.slowUntil = 0
}
