/** The old engine: how asteroids react, and how they break. */

import { PI, TAU } from 'hurtbox/math'
import {
  ASTEROID,
  EPSILON,
  KIND,
  LASER,
  legacy,
  MAX_SPEED,
  massOf,
  type VinylThing,
  type VinylWorld,
} from '../declaration.ts'
import { rockFits } from '../hold.ts'
import { type Body, fragmentMass } from '../physics.ts'
import { bodyOf, reportFragment } from '../report.ts'
import { addAsteroid, setPlace, setVelocity } from '../setup.ts'
import {
  angleTo,
  limitSpeed,
  type Place,
  type Polar,
  polar,
  shift,
  subtractPolar,
  toPlane,
  toPolar,
  wrapHeading,
} from '../torus.ts'

export function rockMeets(world: VinylWorld, rock: VinylThing, other: VinylThing): void {
  if (other.kind === KIND.station) bounce(rock, other)
  if (other.kind !== KIND.ship) return
  rock.dead = 1
  rock.eatenBy = other.id
  if (!rockFits(other, rock)) breakUp(world, rock, bodyOf(other), other)
}

/** A laser that is strong enough breaks a rock; a weaker one does nothing at all. */
export function rockIsShot(world: VinylWorld, rock: VinylThing, beam: Body): void {
  if (beam.mass < LASER.shatterMass) return
  rock.dead = 1
  breakUp(world, rock, beam, undefined)
}

function bounce(rock: VinylThing, station: VinylThing): void {
  const { speed, heading } = rock
  const outward = angleTo(station, rock)
  setVelocity(rock, polar(speed, 2 * outward - heading - PI))
  const away = polar(rock.radius + station.radius + 1, outward)
  setPlace(rock, shift(station, toPlane(away)))
}

/** Three pieces, every time it is asked. `ship` is what hit it, nothing for a laser. */
function breakUp(world: VinylWorld, rock: VinylThing, by: Body, ship: VinylThing | undefined): void {
  const mass = fragmentMass(rock.mass)
  if (mass === 0) return
  // The measured server never used the old fragments: its rocks read every flag as new.
  const isOld = legacy(world.options).physics && world.options.preset !== 'original'
  const relative = subtractPolar(by.velocity, rock)
  const speed = ship === undefined ? by.mass / (LASER.impulseDivisor * rock.mass) : relative.speed
  let spread: Polar = { speed: isOld ? Math.min(speed, MAX_SPEED) : speed, heading: relative.heading }
  const base = isOld ? undefined : baseVelocity(rock, by, ship)
  for (let number = 0; number < ASTEROID.fragments; number++) {
    const velocity = base === undefined ? spread : limitSpeed(toPolar(shift(base, toPlane(spread))), MAX_SPEED)
    const piece = addAsteroid(world, mass, rock.material, rock, velocity)
    reportFragment(world, rock, piece, number)
    spread = {
      speed: spread.speed,
      heading: spread.speed === 0 ? 0 : wrapHeading(spread.heading + TAU / ASTEROID.fragments),
    }
  }
}

/** What the rock would do if it held together. */
function baseVelocity(rock: VinylThing, by: Body, ship: VinylThing | undefined): Place {
  const own = toPlane(rock)
  if (ship === undefined) return onPlane(bodyOf(rock), by)
  const dx = rock.x - ship.x
  const dy = rock.y - ship.y
  const squared = dx * dx + dy * dy
  if (squared <= EPSILON) return own
  const theirs = toPlane(by.velocity)
  const closing = (own.x - theirs.x) * dx + (own.y - theirs.y) * dy
  const share = (2 * by.mass) / (massOf(rock) + by.mass)
  const scale = (share * closing) / squared
  return { x: own.x - scale * dx, y: own.y - scale * dy }
}

function onPlane(rock: Body, beam: Body): Place {
  const v = toPlane(rock.velocity)
  const w = toPlane(beam.velocity)
  const total = rock.mass + beam.mass
  return { x: (rock.mass * v.x + beam.mass * w.x) / total, y: (rock.mass * v.y + beam.mass * w.y) / total }
}
