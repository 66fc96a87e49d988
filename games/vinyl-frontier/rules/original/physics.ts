/** The tick of the measured server: everything drifts and meets, lasers fire at the end of a turn, one of the dead leaves. */

import { each } from 'hurtbox'
import { DT, legacy, STEPS, type VinylWorld } from '../declaration.ts'
import { collideLegacy } from '../legacy/collisions.ts'
import { fireLegacy } from '../legacy/lasers.ts'
import { drift } from '../motion.ts'
import { collideOriginal } from './collisions.ts'
import { fireOriginal } from './lasers.ts'
import { sweepOne } from './list.ts'

export function simulate(world: VinylWorld): void {
  physics(world, DT)
}

/** One physics call of the original: drift, meet, sweep. */
export function physics(world: VinylWorld, dt: number): void {
  const listed = [...each(world)]
  drift(world, dt)
  if (legacy(world.options).collisions) collideLegacy(world, listed)
  else collideOriginal(world, listed)
  sweepOne(world)
  world.globals.time += dt
}

export function fire(world: VinylWorld): void {
  if (world.globals.step < STEPS - 1) return
  if (legacy(world.options).collisions) fireLegacy(world)
  else fireOriginal(world)
  sweepOne(world)
}
