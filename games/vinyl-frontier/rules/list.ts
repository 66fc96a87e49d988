/**
 * Who is in the original's list of things, and how they leave it.
 *
 * Rows of the table that are `leaving` are out of the list. The dead are not: they drift on and can be shot at until a
 * sweep removes them, and the original's sweep removes one of them at a time.
 */

import { SHIPS_PER_TEAM, type VinylWorld } from './declaration.ts'
import { shipRow, stationRow } from './setup.ts'

/** Removes the first dead thing; the others wait for the next sweep. */
export function sweepOne({ tables: { things } }: VinylWorld): void {
  for (let row = 0; row < things.count; row++) {
    if (things.leaving[row] !== 0 || things.dead[row] === 0) continue
    things.leaving[row] = 1
    return
  }
}

export function sweepAll({ tables: { things } }: VinylWorld): void {
  for (let row = 0; row < things.count; row++) if (things.dead[row] !== 0) things.leaving[row] = 1
}

/** Ships still in the list, team by team. */
export function teamShips(world: VinylWorld): number[] {
  const rows: number[] = []
  for (let team = 0; team < world.options.teams; team++) {
    for (let number = 0; number < SHIPS_PER_TEAM; number++) rows.push(shipRow(world, team, number))
  }
  return rows.filter((row) => row >= 0)
}

/** Stations and ships still in the list, team by team. */
export function teamThings(world: VinylWorld): number[] {
  const rows: number[] = []
  for (let team = 0; team < world.options.teams; team++) {
    rows.push(stationRow(world, team))
    for (let number = 0; number < SHIPS_PER_TEAM; number++) rows.push(shipRow(world, team, number))
  }
  return rows.filter((row) => row >= 0)
}
