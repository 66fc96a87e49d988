/** What fits into a ship: vinyl into the hold, uranium into the tank. */

import { MATERIAL, type Readable } from './declaration.ts'

/** Whether a rock fits into the hold, asked of the ship as it is now. */
export function rockFits({ tables: { things } }: Pick<Readable, 'tables'>, ship: number, rock: number): boolean {
  const { material, mass, cargo, cargoCapacity, fuel, fuelCapacity } = things
  if (material[rock] === MATERIAL.vinyl) return mass[rock] + cargo[ship] <= cargoCapacity[ship]
  return material[rock] === MATERIAL.uranium && mass[rock] + fuel[ship] <= fuelCapacity[ship]
}
