/** The old engine: how asteroids react, and how they break. */

import { PI, TAU } from 'hurtbox/math'
import { ASTEROID, EPSILON, KIND, LASER, legacy, MAX_SPEED, massOf, type VinylWorld } from '../declaration.ts'
import { rockFits } from '../hold.ts'
import { type Body, fragmentMass } from '../physics.ts'
import { bodyOf, reportFragment } from '../report.ts'
import { addAsteroid, placeOf, setPlace, setVelocity, velocityOf } from '../setup.ts'
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

export function rockMeets(world: VinylWorld, rock: number, other: number): void {
  const { things } = world.tables
  if (things.kind[other] === KIND.station) bounce(world, rock, other)
  if (things.kind[other] !== KIND.ship) return
  things.dead[rock] = 1
  things.eatenBy[rock] = things.id[other]
  if (!rockFits(world, other, rock)) breakUp(world, rock, bodyOf(world, other), other)
}

/** A laser that is strong enough breaks a rock; a weaker one does nothing at all. */
export function rockIsShot(world: VinylWorld, rock: number, beam: Body): void {
  if (beam.mass < LASER.shatterMass) return
  world.tables.things.dead[rock] = 1
  breakUp(world, rock, beam, undefined)
}

function bounce(world: VinylWorld, rock: number, station: number): void {
  const { radius } = world.tables.things
  const centre = placeOf(world, station)
  const outward = angleTo(centre, placeOf(world, rock))
  const { speed, heading } = velocityOf(world, rock)
  setVelocity(world, rock, polar(speed, 2 * outward - heading - PI))
  const away = polar(radius[rock] + radius[station] + 1, outward)
  setPlace(world, rock, shift(centre, toPlane(away)))
}

/** Three pieces, every time it is asked. `ship` is the row of what hit it, or nobody's for a laser. */
function breakUp(world: VinylWorld, rock: number, by: Body, ship: number | undefined): void {
  const { things } = world.tables
  const mass = fragmentMass(things.mass[rock])
  if (mass === 0) return
  // The measured server never used the old fragments: its rocks read every flag as new.
  const isOld = legacy(world.options).physics && world.options.preset !== 'original'
  const relative = subtractPolar(by.velocity, velocityOf(world, rock))
  const speed = ship === undefined ? by.mass / (LASER.impulseDivisor * things.mass[rock]) : relative.speed
  let spread: Polar = { speed: isOld ? Math.min(speed, MAX_SPEED) : speed, heading: relative.heading }
  const base = isOld ? undefined : baseVelocity(world, rock, by, ship)
  for (let number = 0; number < ASTEROID.fragments; number++) {
    const velocity = base === undefined ? spread : limitSpeed(toPolar(shift(base, toPlane(spread))), MAX_SPEED)
    const row = addAsteroid(world, mass, things.material[rock], placeOf(world, rock), velocity)
    reportFragment(world, rock, row, number, velocity)
    spread = {
      speed: spread.speed,
      heading: spread.speed === 0 ? 0 : wrapHeading(spread.heading + TAU / ASTEROID.fragments),
    }
  }
}

/** What the rock would do if it held together. */
function baseVelocity(world: VinylWorld, rock: number, by: Body, ship: number | undefined): Place {
  const own = toPlane(velocityOf(world, rock))
  if (ship === undefined) return onPlane(bodyOf(world, rock), by)
  const { x, y } = world.tables.things
  const dx = x[rock] - x[ship]
  const dy = y[rock] - y[ship]
  const squared = dx * dx + dy * dy
  if (squared <= EPSILON) return own
  const theirs = toPlane(by.velocity)
  const closing = (own.x - theirs.x) * dx + (own.y - theirs.y) * dy
  const share = (2 * by.mass) / (massOf(world, rock) + by.mass)
  const scale = (share * closing) / squared
  return { x: own.x - scale * dx, y: own.y - scale * dy }
}

function onPlane(rock: Body, beam: Body): Place {
  const v = toPlane(rock.velocity)
  const w = toPlane(beam.velocity)
  const total = rock.mass + beam.mass
  return { x: (rock.mass * v.x + beam.mass * w.x) / total, y: (rock.mass * v.y + beam.mass * w.y) / total }
}
