/** The old engine's lasers: the same beams, delivered at once to the old handlers. */

import { type Beam, beamAt, FIRST_BEAM_MASS, reportBeam, targetOf } from '../beam.ts'
import {
  DAMAGE_DIVISOR,
  KIND,
  type Legacy,
  legacy,
  NAME_LENGTH,
  ORDER,
  ORDERS,
  type VinylWorld,
} from '../declaration.ts'
import { teamShips } from '../list.ts'
import { setFuel } from '../motion.ts'
import { applyOrder } from '../orders.ts'
import { payForBeam } from '../original/lasers.ts'
import { DOCKING, reportContact, seen } from '../report.ts'
import { placeOf, velocityOf } from '../setup.ts'
import { announce, oneDecimal, readName, textBytes } from '../text.ts'
import { angleTo, distance, hypot, type Place, polar, shift, toPlane } from '../torus.ts'
import { rockIsShot } from './rocks.ts'
import { shipIsShot } from './ships.ts'

export function fireLegacy(world: VinylWorld): void {
  const { things } = world.tables
  const old = legacy(world.options)
  const listed = things.count
  let lastMass: number = FIRST_BEAM_MASS
  for (const shooter of teamShips(world)) {
    const length = old.laserFuel ? things.orders[shooter * ORDERS + ORDER.laser] : payForBeam(world, shooter)
    if (length <= 0) continue
    const target = targetOf(world, shooter, listed)
    if (target >= 0 && reaches(world, shooter, target, length, old)) {
      const beam = legacyBeam(world, shooter, target, length, lastMass, old)
      lastMass = beam.mass
      reportBeam(world, shooter, target, length, beam)
      deliver(world, shooter, target, beam)
    }
    // The exploit: fired first, paid for afterwards, and only as far as the fuel goes.
    if (old.laserFuel) setFuel(world, shooter, things.fuel[shooter] - applyOrder(world, shooter, ORDER.laser, length))
  }
}

/** The old check measures the beam against itself, and by rounding refuses some that reach. */
function reaches(world: VinylWorld, shooter: number, target: number, length: number, old: Legacy): boolean {
  const from = placeOf(world, shooter)
  if (!old.laserRange) return distance(from, placeOf(world, target)) <= length
  const end = shift(from, toPlane(polar(length, world.tables.things.orient[shooter])))
  return distance(end, from) <= length
}

/** In the old physics a laser is a little faster than its target, whichever way that goes. */
function legacyBeam(
  world: VinylWorld,
  shooter: number,
  target: number,
  length: number,
  lastMass: number,
  old: Legacy,
): Beam {
  const beam = beamAt(world, shooter, target, length, lastMass)
  if (!old.physics) return beam
  const { speed, heading } = velocityOf(world, target)
  return { ...beam, velocity: { speed: speed + 1, heading } }
}

function deliver(world: VinylWorld, shooter: number, target: number, beam: Beam): void {
  const { kind } = world.tables.things
  logImpact(world, shooter, target, beam)
  if (kind[target] === KIND.ship) shipIsShot(world, target, beam)
  else if (kind[target] === KIND.asteroid) rockIsShot(world, target, beam)
  else stationIsShot(world, target, beam)
}

/** The old engine treats a laser as a thing that collides, and logs it as one. */
function logImpact(world: VinylWorld, shooter: number, target: number, beam: Beam): void {
  const from = placeOf(world, shooter)
  const to = placeOf(world, target)
  const before = toPlane({ speed: 1, heading: angleTo(from, to) })
  const place: Place = shift(to, { x: -before.x, y: -before.y })
  const laser = { label: textBytes('Generic Thing', NAME_LENGTH), kind: 0, place, velocity: beam.velocity, radius: 1 }
  reportContact(world, seen(world, target), laser, hypot(to.x - place.x, to.y - place.y), DOCKING.none)
}

function stationIsShot(world: VinylWorld, station: number, beam: Beam): void {
  const { vinyl } = world.tables.things
  const damage = beam.mass / DAMAGE_DIVISOR
  vinyl[station] = Math.max(0, vinyl[station] - damage)
  if (damage > 0.01) announce(world, `${readName(world, station)} hit by laser, ${oneDecimal(damage)} vinyl lost`)
}
