/** After the impacts: velocities in both forms, places on the torus, announcements, room in the list. */

import { findRow } from 'hurtbox'
import { KIND, SHIP, type VinylWorld } from '../declaration.ts'
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

/** What happened, last of all and in the words of the document. */
export function tell(world: VinylWorld): void {
  const { things } = world.tables
  const { delivered, destroyed, hurt } = world.events
  for (let n = 0; n < delivered.count; n++) {
    const told = `${nameOf(world, delivered.ship[n])} delivered ${oneDecimal(delivered.tons[n])} vinyl to`
    const station = nameOf(world, delivered.station[n])
    announce(world, delivered.isHome[n] === 1 ? `${told} ${station}` : `[ENEMY DELIVERY] ${told} enemy ${station}`)
  }
  for (let n = 0; n < hurt.count; n++) {
    const by = findRow(things, hurt.by[n])
    if (by < 0 || things.kind[by] !== KIND.ship || hurt.points[n] <= 0.1) continue
    const text = `${nameOf(world, hurt.ship[n])} hit ${nameOf(world, hurt.by[n])}, ${oneDecimal(hurt.points[n])} damage`
    announce(world, text)
  }
  for (let n = 0; n < destroyed.count; n++) {
    const by = destroyed.by[n] === 0 ? 'laser' : nameOf(world, destroyed.by[n])
    announce(world, `${nameOf(world, destroyed.ship[n])} destroyed by ${by}`)
  }
}

function nameOf(world: VinylWorld, id: number): string {
  const row = findRow(world.tables.things, id)
  return row < 0 ? '?' : readName(world, row)
}
