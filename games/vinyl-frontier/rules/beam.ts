/** Lasers: what a ship aims at, and what arrives there. The same geometry in every engine. */

import { emit } from 'hurtbox'
import { ASTEROID, LASER, MAX_SPEED, type VinylRuleWorld, type VinylThing } from './declaration.ts'
import { now } from './report.ts'
import { nameBytes } from './text.ts'
import { angleTo, distance, type Polar, polar, shift, toPlane, wayTo, wrapHeading } from './torus.ts'

/** A beam as a body: its mass is what is left of it where it hits, its velocity that of light, which is 30 here. */
export type Beam = { readonly mass: number; readonly velocity: Polar; readonly range: number }

/**
 * The nearest thing in front of a ship: the point straight ahead at its distance lies within it. Own things, stations, the
 * docked and the dead count; of two at the same distance the older one is meant.
 */
export function targetOf(shooter: VinylThing, listed: Iterable<VinylThing>): VinylThing | undefined {
  let target: VinylThing | undefined
  let nearest = Number.POSITIVE_INFINITY
  for (const thing of listed) {
    if (thing === shooter || !isFacing(shooter, thing)) continue
    const away = distance(shooter, thing)
    if (away >= nearest) continue
    nearest = away
    target = thing
  }
  return target
}

function isFacing(shooter: VinylThing, thing: VinylThing): boolean {
  wayTo(shooter, thing, way)
  if (way.x === 0 && way.y === 0) return true
  look.speed = distance(HERE, way)
  look.heading = wrapHeading(shooter.orient)
  toPlane(look, ahead)
  return distance(shift(HERE, ahead, ahead), way) <= thing.radius
}

const HERE = { x: 0, y: 0 }
const way = { x: 0.5, y: 0.5 }
const look = { speed: 0.5, heading: 0.5 }
const ahead = { x: 0.5, y: 0.5 }

/**
 * What arrives at the target of a beam of `length`: it hits one unit before the centre. What is too little for a mass of
 * its own counts as the beam before it, `lastMass`: the original uses one body for all shots of a turn.
 */
export function beamAt(shooter: VinylThing, target: VinylThing, length: number, lastMass: number): Beam {
  const before = toPlane({ speed: 1, heading: polar(distance(shooter, target), angleTo(shooter, target)).heading })
  const range = distance(shift(target, { x: -before.x, y: -before.y }), shooter)
  const mass = LASER.massPerUnit * (length - range)
  return { mass: mass >= ASTEROID.minMass ? mass : lastMass, velocity: polar(MAX_SPEED, shooter.orient), range }
}

/** The mass of that body before the first shot of a turn. */
export const FIRST_BEAM_MASS = 1

export function reportBeam(
  world: VinylRuleWorld,
  shooter: VinylThing,
  target: VinylThing,
  length: number,
  { mass, velocity, range }: Beam,
): void {
  const { speed, heading } = velocity
  emit(world, 'laser', {
    ...now(world),
    shooter: nameBytes(shooter),
    target: nameBytes(target),
    shooterTeam: shooter.team,
    targetTeam: target.team,
    targetKind: target.kind,
    figures: [shooter.x, shooter.y, length, range, target.x, target.y, speed, heading, mass],
  })
}
