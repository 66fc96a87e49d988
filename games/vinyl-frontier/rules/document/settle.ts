/** After the impacts: velocities in both forms, places on the torus, announcements, room in the list. */

import { eventsOf, thing } from 'hurtbox'
import { SHIP, type VinylWorld } from '../declaration.ts'
import { announce, oneDecimal, readName } from '../text.ts'
import { toPolar, wrapCoordinate } from '../torus.ts'

export function settle(world: VinylWorld): void {
  const { things } = world.tables
  for (let row = 0; row < things.count; row++) {
    things.x[row] = wrapCoordinate(things.x[row])
    things.y[row] = wrapCoordinate(things.y[row])
    if (things.knownVx[row] !== things.vx[row] || things.knownVy[row] !== things.vy[row]) {
      const { speed, heading } = toPolar({ x: things.vx[row], y: things.vy[row] })
      things.speed[row] = speed
      things.heading[row] = heading
      things.knownVx[row] = things.vx[row]
      things.knownVy[row] = things.vy[row]
    }
    if (things.dead[row] === 1) things.leaving[row] = 1
    // Fragments were added without a place in the list.
    if (row > 0 && things.slot[row] === 0) things.slot[row] = things.slot[row - 1] + 1
    things.fuel[row] = Math.min(things.fuel[row], things.fuelCapacity[row])
    things.shield[row] = Math.min(things.shield[row], SHIP.shieldCapacity)
  }
}

/** Announces what happened, last of all and in the words of the document. */
export function tell(world: VinylWorld): void {
  const nameOf = (id: number) => readName(thing(world, id)!)
  for (const { ship, station, tons, isHome } of eventsOf(world, 'delivered')) {
    const delivery = `${nameOf(ship)} delivered ${oneDecimal(tons)} vinyl to`
    announce(world, isHome ? `${delivery} ${nameOf(station)}` : `[ENEMY DELIVERY] ${delivery} enemy ${nameOf(station)}`)
  }
  for (const { ship, by, points } of eventsOf(world, 'hurt')) {
    if (thing(world, by)?.layer !== 'ship' || points <= 0.1) continue
    announce(world, `${nameOf(ship)} hit ${nameOf(by)}, ${oneDecimal(points)} damage`)
  }
  for (const { ship, by } of eventsOf(world, 'destroyed')) {
    announce(world, `${nameOf(ship)} destroyed by ${by === 0 ? 'laser' : nameOf(by)}`)
  }
}
