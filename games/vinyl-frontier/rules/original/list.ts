/**
 * What is in the original's list of things, and how things leave it.
 *
 * Things that are `leaving` are out of the list. The dead are not: they drift on and can be shot at until a sweep removes
 * them, and the original's sweep removes one of them at a time.
 */

import { despawn, each } from 'hurtbox'
import { SHIPS_PER_TEAM, type VinylThing, type VinylWorld } from '../declaration.ts'
import { shipOf, stationOf } from '../setup.ts'

/** Removes the first dead thing; the others wait for the next sweep. */
export function sweepOne(world: VinylWorld): void {
  for (const thing of each(world)) {
    if (thing.dead === 0) continue
    despawn(thing)
    return
  }
}

export function sweepAll(world: VinylWorld): void {
  for (const thing of each(world)) if (thing.dead !== 0) despawn(thing)
}

/** Ships still in the list, team by team. */
export function teamShips(world: VinylWorld): VinylThing[] {
  return teamThings(world).filter(({ layer }) => layer === 'ship')
}

/** Stations and ships still in the list, team by team. */
export function teamThings(world: VinylWorld): VinylThing[] {
  const listed: (VinylThing | undefined)[] = []
  for (let team = 0; team < world.options.teams; team++) {
    listed.push(stationOf(world, team))
    for (let number = 0; number < SHIPS_PER_TEAM; number++) listed.push(shipOf(world, team, number))
  }
  return listed.filter((thing) => thing !== undefined)
}
