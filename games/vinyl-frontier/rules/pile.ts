/**
 * The start `pile`: two ships and two lasers reach one rock in one tick, while a ship docks and two others bump.
 *
 * All seven kinds of the document's commands stand in that frame, and the old engine breaks the rock once for each of the
 * four. It is the last tick of the second turn, the first in which lasers can fire.
 */

import { PI } from 'hurtbox/math'
import { ASTEROID, MATERIAL, type VinylWorld } from './declaration.ts'
import { addAsteroid, setVelocity, shipOf, stationOf } from './setup.ts'
import { type Polar, STANDING } from './torus.ts'

/** Two units a second, so that ten ticks are four. */
const LEFT: Polar = { speed: 2, heading: PI }
const RIGHT: Polar = { speed: 2, heading: 0 }
const UP = -PI / 2
const DOWN = PI / 2

export function pile(world: VinylWorld): void {
  const rock = addAsteroid(world, ASTEROID.mass, MATERIAL.vinyl, { x: 0, y: 0 }, STANDING)
  // After ten ticks, and not after nine, they are nearer than their radii.
  const ram = rock.radius + 12 + 3.9
  place(world, 0, 0, -ram, 0, RIGHT, 0)
  place(world, 1, 0, ram, 0, LEFT, PI)
  place(world, 0, 1, 0, 120, STANDING, UP)
  place(world, 1, 1, 0, -120, STANDING, DOWN)
  const home = stationOf(world, 0)!
  place(world, 0, 2, home.x + home.radius + 12 + 3.9, home.y, LEFT, PI)
  shipOf(world, 0, 2)!.cargo = 13
  place(world, 0, 3, -15.95, 200, RIGHT, 0)
  place(world, 1, 3, 15.95, 200, LEFT, PI)
}

function place(
  world: VinylWorld,
  team: number,
  number: number,
  x: number,
  y: number,
  velocity: Polar,
  look: number,
): void {
  const ship = shipOf(world, team, number)
  if (ship === undefined) return
  Object.assign(ship, { x, y, orient: look, docked: 0, wasDocked: 0 })
  setVelocity(ship, velocity)
}
