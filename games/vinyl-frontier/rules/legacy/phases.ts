/** The document's tick with the old collision loop: everything dead leaves at once. */

import { each } from 'hurtbox'
import { STEPS, type VinylWorld } from '../declaration.ts'
import { sweepAll } from '../original/list.ts'
import { move } from '../turn.ts'
import { collideLegacy } from './collisions.ts'
import { fireLegacy } from './lasers.ts'

export function moveAndMeet(world: VinylWorld): void {
  const listed = [...each(world)]
  move(world)
  collideLegacy(world, listed)
}

export function fire(world: VinylWorld): void {
  if (world.globals.step === STEPS - 1) fireLegacy(world)
  sweepAll(world)
}
