/** The laser phase of the original's new engine: shot after shot, each done before the next one aims. */

import { each } from 'hurtbox'
import { beamAt, FIRST_BEAM_MASS, reportBeam, targetOf } from '../beam.ts'
import { legacy, ORDER, type VinylThing, type VinylWorld } from '../declaration.ts'
import { burn } from '../motion.ts'
import { applyOrder } from '../orders.ts'
import { distance } from '../torus.ts'
import { addFragments, applyCommands } from './commands.ts'
import { onLaser, snapshotOf } from './handlers.ts'
import { teamShips } from './list.ts'

export function fireOriginal(world: VinylWorld): void {
  const old = legacy(world.options)
  const listed = [...each(world)]
  let lastMass: number = FIRST_BEAM_MASS
  for (const shooter of teamShips(world)) {
    const length = payForBeam(world, shooter)
    if (length <= 0) continue
    const target = targetOf(shooter, listed)
    if (target === undefined || distance(shooter, target) > length) continue
    const beam = beamAt(shooter, target, length, lastMass)
    lastMass = beam.mass
    reportBeam(world, shooter, target, length, beam)
    const outcome = onLaser(snapshotOf(target), beam, old)
    applyCommands(world, outcome.commands)
    addFragments(world, outcome.fragments)
  }
}

/** Checks a laser order again and takes its fuel; returns the length of the beam. */
export function payForBeam(world: VinylWorld, shooter: VinylThing): number {
  const { orders } = shooter
  if (orders.get(ORDER.laser) <= 0) return 0
  const cost = applyOrder(world, shooter, ORDER.laser, orders.get(ORDER.laser))
  if (orders.get(ORDER.laser) > 0) burn(world, shooter, cost)
  return orders.get(ORDER.laser)
}
