/**
 * Rocks that come back (option `returns`), so that the last third of a match is about something.
 *
 * They appear in the corner of the square, which is as far from the middle as from every station, and drift off slowly.
 */

import { each } from 'hurtbox'
import { PI, purposeOf, TAU, unitAt } from 'hurtbox/math'
import { ASTEROID, MATERIAL, type VinylWorld } from './declaration.ts'
import { addAsteroid } from './setup.ts'
import { polar } from './torus.ts'

const CORNER = { x: -512, y: -512 } as const
const SLOWEST = 3
const FASTEST = 12
const HEADING = purposeOf('where a rock that comes back flies')
const SPEED = purposeOf('how fast a rock that comes back flies')

/** In the first tick of such a turn, one rock of each kind, unless as much of it is afloat as at the start. */
export function bringRocks(world: VinylWorld): void {
  const { globals, options } = world
  if (globals.step !== 0 || globals.turn === 0 || globals.turn % options.returns !== 0) return
  bring(world, MATERIAL.vinyl, options.vinyl)
  bring(world, MATERIAL.uranium, options.uranium)
}

function bring(world: VinylWorld, material: number, atStart: number): void {
  let tons = ASTEROID.mass
  for (const rock of each(world, 'asteroid')) if (rock.material === material) tons += rock.mass
  if (tons > atStart * ASTEROID.mass) return
  const { seed, tick } = world
  const heading = unitAt(seed, tick, material, 0, HEADING) * TAU - PI
  const speed = SLOWEST + (FASTEST - SLOWEST) * unitAt(seed, tick, material, 0, SPEED)
  addAsteroid(world, ASTEROID.mass, material, CORNER, polar(speed, heading))
}
