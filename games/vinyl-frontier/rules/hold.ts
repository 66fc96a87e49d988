/** What fits into a ship: vinyl into the hold, uranium into the tank. */

import { MATERIAL, type VinylThing } from './declaration.ts'

/** Whether a ship has room for a rock at this moment. */
export function rockFits(ship: VinylThing, { material, mass }: VinylThing): boolean {
  if (material === MATERIAL.vinyl) return mass + ship.cargo <= ship.cargoCapacity
  return material === MATERIAL.uranium && mass + ship.fuel <= ship.fuelCapacity
}
