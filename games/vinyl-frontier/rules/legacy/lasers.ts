/** The old engine's lasers: the same beams, delivered at once to the old handlers. */

import { each } from 'hurtbox'
import { type Beam, beamAt, FIRST_BEAM_MASS, reportBeam, targetOf } from '../beam.ts'
import { DAMAGE_DIVISOR, KIND, type Legacy, legacy, ORDER, type VinylThing, type VinylWorld } from '../declaration.ts'
import { burn } from '../motion.ts'
import { applyOrder } from '../orders.ts'
import { payForBeam } from '../original/lasers.ts'
import { teamShips } from '../original/list.ts'
import { DOCKING, reportContact } from '../report.ts'
import { announce, labelBytes, oneDecimal, readName } from '../text.ts'
import { angleTo, distance, hypot, polar, shift, toPlane } from '../torus.ts'
import { rockIsShot } from './rocks.ts'
import { shipIsShot } from './ships.ts'

export function fireLegacy(world: VinylWorld): void {
  const old = legacy(world.options)
  const listed = [...each(world)]
  let lastMass: number = FIRST_BEAM_MASS
  for (const shooter of teamShips(world)) {
    const length = old.laserFuel ? shooter.orders.get(ORDER.laser) : payForBeam(world, shooter)
    if (length <= 0) continue
    const target = targetOf(shooter, listed)
    if (target !== undefined && reaches(shooter, target, length, old)) {
      const beam = legacyBeam(shooter, target, length, lastMass, old)
      lastMass = beam.mass
      reportBeam(world, shooter, target, length, beam)
      deliver(world, shooter, target, beam)
    }
    // The exploit: fired first, paid for afterwards, and only as far as the fuel goes.
    if (old.laserFuel) burn(world, shooter, applyOrder(world, shooter, ORDER.laser, length))
  }
}

/** The old check measures the beam against itself, and by rounding refuses some that reach. */
function reaches(shooter: VinylThing, target: VinylThing, length: number, old: Legacy): boolean {
  if (!old.laserRange) return distance(shooter, target) <= length
  const end = shift(shooter, toPlane(polar(length, shooter.orient)))
  return distance(end, shooter) <= length
}

/** In the old physics a laser is a little faster than its target, whichever way that goes. */
function legacyBeam(shooter: VinylThing, target: VinylThing, length: number, lastMass: number, old: Legacy): Beam {
  const beam = beamAt(shooter, target, length, lastMass)
  if (!old.physics) return beam
  const { speed, heading } = target
  return { ...beam, velocity: { speed: speed + 1, heading } }
}

function deliver(world: VinylWorld, shooter: VinylThing, target: VinylThing, beam: Beam): void {
  logImpact(world, shooter, target, beam)
  if (target.kind === KIND.ship) shipIsShot(world, target, beam)
  else if (target.kind === KIND.asteroid) rockIsShot(world, target, beam)
  else stationIsShot(world, target, beam)
}

/** The old engine treats a laser as a thing that collides, and logs it as one. */
function logImpact(world: VinylWorld, shooter: VinylThing, target: VinylThing, beam: Beam): void {
  const before = toPlane({ speed: 1, heading: angleTo(shooter, target) })
  const { x, y } = shift(target, { x: -before.x, y: -before.y })
  const laser = { label: LASER_LABEL, kind: 0, x, y, ...beam.velocity, radius: 1 }
  reportContact(world, target, laser, hypot(target.x - x, target.y - y), DOCKING.none)
}

const LASER_NAME = labelBytes('Generic Thing')
const LASER_LABEL = { get: (i: number) => LASER_NAME[i] }

/** By the document stations are immune in both engines; the measured server takes vinyl. */
function stationIsShot(world: VinylWorld, station: VinylThing, beam: Beam): void {
  if (world.options.preset !== 'original') return
  const damage = beam.mass / DAMAGE_DIVISOR
  station.vinyl = Math.max(0, station.vinyl - damage)
  if (damage > 0.01) announce(world, `${readName(station)} hit by laser, ${oneDecimal(damage)} vinyl lost`)
}
