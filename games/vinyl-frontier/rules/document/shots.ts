/**
 * Lasers: aimed in the last step of a turn, then decided together with the impacts of that step, so that a rock breaks
 * once, however many hit it.
 *
 * The mass of a beam is what is left of it at its target; it moves at 30, the speed of light of this place.
 */

import { each } from 'hurtbox'
import { beamAt, FIRST_BEAM_MASS, reportBeam, targetOf } from '../beam.ts'
import {
  DAMAGE_DIVISOR,
  LASER,
  legacy,
  massOf,
  STEPS,
  type VinylHit,
  type VinylRuleWorld,
  type VinylThing,
  type VinylWorld,
} from '../declaration.ts'
import { payForBeam } from '../original/lasers.ts'
import { absorbed, type Body, fragmentMass } from '../physics.ts'
import { bodyOf, IMPACT, type Momentum, momentumOf, reportMomentum } from '../report.ts'
import { distance, toPlane } from '../torus.ts'
import { shatter, shatterOld } from './fragments.ts'
import { wound } from './wounds.ts'

/** In the last step of a turn every ship with a laser order pays for it and picks its target. */
export function aim(world: VinylWorld): void {
  const isTime = world.globals.step === STEPS - 1
  for (const ship of each(world, 'ship')) {
    ship.aim = 0
    if (!isTime || ship.docked === 1) continue
    const length = payForBeam(world, ship)
    if (length <= 0) continue
    const target = targetOf(ship, each(world))
    if (target === undefined || distance(ship, target) > length) continue
    ship.aim = target.id
    ship.beamLength = length
  }
}

export function burnShip(shooter: VinylThing, ship: VinylThing, { world }: VinylHit): void {
  const beam = arrive(world, shooter, ship)
  wound(world, ship, beam.mass / DAMAGE_DIVISOR)
  push(world, ship, beam)
}

/** Strong light breaks a rock; weak light only pushes it, and so does strong light a rock whose pieces would be dust. */
export function burnRock(shooter: VinylThing, rock: VinylThing, { world }: VinylHit): void {
  const beam = arrive(world, shooter, rock)
  const body = bodyOf(rock)
  const { physics: isOld } = legacy(world.options)
  if (beam.mass < LASER.shatterMass || (!isOld && fragmentMass(body.mass) === 0)) push(world, rock, beam)
  else if (isOld) {
    shatterOld(world, rock, beam.velocity, beam.mass / (LASER.impulseDivisor * body.mass))
  } else {
    const before = momentumOf([rock], beam)
    const [v, w] = [toPlane(body.velocity), toPlane(beam.velocity)]
    const speed = Math.sqrt((v.x - w.x) * (v.x - w.x) + (v.y - w.y) * (v.y - w.y))
    const pieces = shatter(world, rock, absorbed(body, beam), speed)
    reportMomentum(world, IMPACT.split, before, withLight(momentumOf(pieces), body.mass, beam))
  }
}

/** The momentum of what has swallowed light, with that of the light, which now moves along with it. */
function withLight({ x, y }: Momentum, mass: number, light: Body): Momentum {
  const factor = (mass + light.mass) / mass
  return { x: x * factor, y: y * factor }
}

/** What is left of a beam where it hits; emits the event. In the old physics it moves along with its target. */
export function arrive(world: VinylRuleWorld, shooter: VinylThing, target: VinylThing): Body {
  const { beamLength } = shooter
  const { speed, heading } = target
  const beam = beamAt(shooter, target, beamLength, FIRST_BEAM_MASS)
  const arrived = legacy(world.options).physics ? { ...beam, velocity: { speed: speed + 1, heading } } : beam
  reportBeam(world, shooter, target, beamLength, arrived)
  return arrived
}

/** Light that is swallowed pushes. Several beams add up: each pushes what the others have made of the velocity. */
function push(world: VinylRuleWorld, target: VinylThing, beam: Body): void {
  if (legacy(world.options).physics) return
  const mass = massOf(target)
  const before = momentumOf([target], beam)
  const share = beam.mass / (mass + beam.mass)
  const w = toPlane(beam.velocity)
  target.vx += share * (w.x - target.vx)
  target.vy += share * (w.y - target.vy)
  reportMomentum(world, IMPACT.inelastic, before, withLight(momentumOf([target]), mass, beam))
}
