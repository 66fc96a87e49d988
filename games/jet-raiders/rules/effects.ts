/**
 * Effects: what lasts on a ship for a while.
 *
 * Each is a column that says until when (design of the seed's own next documents: a slot has a cooldown and an
 * active-until stamp). A new effect is that column, a place where it starts, and a place where it matters; see README.
 */

import { emit, type Outcome, thingOf } from 'hurtbox'
import { isAlive, type JetView, type JetWorld, SECONDARY } from './declaration.ts'

/** The secondary slot, before anything moves: a shield that stops bullets, or a dash. */
export function useSlots(world: JetWorld): void {
  const { things, players } = world.tables
  const { clock, tuning, events } = world
  for (let player = 0; player < players.count; player++) {
    if (players.slot[player] === 0) continue
    const ship = thingOf(world, player)
    if (ship < 0 || !isAlive(world, ship) || things.slotReadyAt[ship] > clock) continue
    things.slotReadyAt[ship] = clock + tuning.slotCooldown
    if (players.secondary[player] === SECONDARY.shield) {
      things.hittableFrom[ship] = clock + tuning.shieldTime
      emit(events.shield, { ship: things.id[ship] })
    } else {
      things.dashUntil[ship] = clock + tuning.dashTime
      emit(events.dash, { ship: things.id[ship] })
    }
  }
}

/** What a bullet leaves on the ship that it hits, besides the damage. */
export function afflict(view: JetView, outcome: Outcome, ship: number): void {
  const { things } = view.tables
  if (view.options.iceBullets) outcome.put(things.slowUntil, ship, view.clock + view.tuning.slowTime)
}

/** What its effects make of a ship's speed. */
export function speedFactor(world: JetWorld, ship: number): number {
  const { dashUntil, slowUntil } = world.tables.things
  const { clock, tuning } = world
  const dash = dashUntil[ship] > clock ? tuning.dashFactor : 1
  const slow = slowUntil[ship] > clock ? tuning.slowFactor : 1
  return dash * slow
}

/** Whoever returns is free of everything but the cooldown of the slot. */
export function clearEffects(world: JetWorld, ship: number): void {
  const { hittableFrom, dashUntil, slowUntil } = world.tables.things
  hittableFrom[ship] = 0
  dashUntil[ship] = 0
  slowUntil[ship] = 0
}
