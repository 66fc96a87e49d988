/** After the impacts: places on the torus, velocities in both forms, the dead, announcements. */

import { despawn, each, eventsOf, thing } from 'hurtbox'
import { SHIP, type VinylWorld } from '../declaration.ts'
import { announce, oneDecimal, readName } from '../text.ts'
import { toPolar, wrapPlace } from '../torus.ts'

/** Scratch. */
const plane = { x: 0.5, y: 0.5 }

export function settle(world: VinylWorld): void {
  for (const thing of each(world)) {
    const { vx, vy } = thing
    wrapPlace(thing)
    if (vx !== thing.knownVx || vy !== thing.knownVy) {
      plane.x = vx
      plane.y = vy
      toPolar(plane, thing)
      thing.knownVx = vx
      thing.knownVy = vy
    }
    thing.fuel = Math.min(thing.fuel, thing.fuelCapacity)
    thing.shield = Math.min(thing.shield, SHIP.shieldCapacity)
    if (thing.dead === 1) despawn(thing)
  }
}

/** Announces what happened, last, in the words of the document. */
export function announceEvents(world: VinylWorld): void {
  for (const { ship, station, tons, isHome } of eventsOf(world, 'delivered')) {
    const delivery = `${nameOf(world, ship)} delivered ${oneDecimal(tons)} vinyl to`
    announce(
      world,
      isHome ? `${delivery} ${nameOf(world, station)}` : `[ENEMY DELIVERY] ${delivery} enemy ${nameOf(world, station)}`,
    )
  }
  for (const { ship, by, points } of eventsOf(world, 'hurt')) {
    if (thing(world, by)?.layer !== 'ship' || points <= 0.1) continue
    announce(world, `${nameOf(world, ship)} hit ${nameOf(world, by)}, ${oneDecimal(points)} damage`)
  }
  for (const { ship, by } of eventsOf(world, 'destroyed')) {
    announce(world, `${nameOf(world, ship)} destroyed by ${by === 0 ? 'laser' : nameOf(world, by)}`)
  }
}

function nameOf(world: VinylWorld, id: number): string {
  return readName(thing(world, id)!)
}
