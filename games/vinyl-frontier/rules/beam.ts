/** Lasers: what a ship aims at, and what arrives there. The same geometry in every engine. */

import { emit } from 'hurtbox'
import { ASTEROID, LASER, MAX_SPEED, type Readable } from './declaration.ts'
import { nameBytes, nextOrder } from './text.ts'
import { angleTo, distance, type Place, type Polar, polar, shift, toPlane, wayTo } from './torus.ts'

/** A beam as a body: its mass is what is left of it where it hits, its velocity that of light, which is 30 here. */
export type Beam = { readonly mass: number; readonly velocity: Polar; readonly range: number }

/**
 * The nearest thing in front of a ship, or −1: what the point straight ahead at its distance falls upon. Own things,
 * stations, the docked and the dead count; the older one of two at the same distance is meant.
 */
export function targetOf(world: Readable, shooter: number, listed: number): number {
  const { things } = world.tables
  const from = placeAt(world, shooter)
  let target = -1
  let nearest = -1
  for (let row = 0; row < listed; row++) {
    if (row === shooter || things.leaving[row] !== 0 || !isFacing(world, shooter, row)) continue
    const away = distance(from, placeAt(world, row))
    if (nearest !== -1 && away >= nearest) continue
    nearest = away
    target = row
  }
  return target
}

function isFacing(world: Readable, shooter: number, row: number): boolean {
  const { orient, radius } = world.tables.things
  const way = wayTo(placeAt(world, shooter), placeAt(world, row))
  if (way.x === 0 && way.y === 0) return true
  const ahead = shift(HERE, toPlane(polar(distance(HERE, way), orient[shooter])))
  return distance(ahead, way) <= radius[row]
}

const HERE = { x: 0, y: 0 }

/**
 * What arrives at the target of a beam of `length`: it hits one unit before the centre. What is too little for a mass of
 * its own counts as the beam before it, `lastMass`: the original uses one body for all shots of a turn.
 */
export function beamAt(world: Readable, shooter: number, target: number, length: number, lastMass: number): Beam {
  const from = placeAt(world, shooter)
  const to = placeAt(world, target)
  const before = toPlane({ speed: 1, heading: polar(distance(from, to), angleTo(from, to)).heading })
  const range = distance(shift(to, { x: -before.x, y: -before.y }), from)
  const velocity = polar(MAX_SPEED, world.tables.things.orient[shooter])
  const mass = LASER.massPerUnit * (length - range)
  return { mass: mass >= ASTEROID.minMass ? mass : lastMass, velocity, range }
}

/** The mass of that body before the first shot of a turn. */
export const FIRST_BEAM_MASS = 1

export function reportBeam(world: Readable, shooter: number, target: number, length: number, beam: Beam): void {
  const { things } = world.tables
  emit(world.events.laser, {
    order: nextOrder(world),
    turn: world.globals.turn,
    shooter: nameBytes(world, shooter),
    target: nameBytes(world, target),
    shooterTeam: things.team[shooter],
    targetTeam: things.team[target],
    targetKind: things.kind[target],
    figures: [
      things.x[shooter],
      things.y[shooter],
      length,
      beam.range,
      things.x[target],
      things.y[target],
      beam.velocity.speed,
      beam.velocity.heading,
      beam.mass,
    ],
  })
}

function placeAt({ tables: { things } }: Pick<Readable, 'tables'>, row: number): Place {
  return { x: things.x[row], y: things.y[row] }
}
