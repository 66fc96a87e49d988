/** The laser phase of the original's new engine: shot after shot, each done before the next one aims. */

import { beamAt, FIRST_BEAM_MASS, reportBeam, targetOf } from '../beam.ts'
import { legacy, ORDER, ORDERS, type VinylWorld } from '../declaration.ts'
import { teamShips } from '../list.ts'
import { setFuel } from '../motion.ts'
import { applyOrder } from '../orders.ts'
import { placeOf } from '../setup.ts'
import { distance } from '../torus.ts'
import { addFragments, applyCommands } from './commands.ts'
import { onLaser, snapshotOf } from './handlers.ts'

export function fireOriginal(world: VinylWorld): void {
  const { things } = world.tables
  const old = legacy(world.options)
  const listed = things.count
  let lastMass: number = FIRST_BEAM_MASS
  for (const shooter of teamShips(world)) {
    const length = payForBeam(world, shooter)
    if (length <= 0) continue
    const target = targetOf(world, shooter, listed)
    if (target < 0 || distance(placeOf(world, shooter), placeOf(world, target)) > length) continue
    const beam = beamAt(world, shooter, target, length, lastMass)
    lastMass = beam.mass
    reportBeam(world, shooter, target, length, beam)
    const outcome = onLaser(world, snapshotOf(world, target), beam, old)
    applyCommands(world, outcome.commands)
    addFragments(world, outcome.fragments)
  }
}

/** Checks a laser order again and takes its fuel; returns the length of the beam. */
export function payForBeam(world: VinylWorld, shooter: number): number {
  const { things } = world.tables
  const at = shooter * ORDERS + ORDER.laser
  if (things.orders[at] <= 0) return 0
  const cost = applyOrder(world, shooter, ORDER.laser, things.orders[at])
  if (things.orders[at] > 0) setFuel(world, shooter, things.fuel[shooter] - cost)
  return things.orders[at]
}
