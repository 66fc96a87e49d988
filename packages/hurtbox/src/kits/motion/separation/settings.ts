/**
 * The settings of separation, and its three presets.
 *
 * A preset is a set of settings and nothing more: a game may start from any of them and change them while it runs.
 */

import { HurtboxError, requireInteger, requireSize } from '../../../base/errors.ts'

/** Strength, longest push, cell size and grid, the number of passes, and the method. They may change at any time. */
export type SeparationSettings = {
  /** Part of an overlap that one push undoes, 0 to 1. */
  separationStrength: number
  /** The longest push of a pair in a tick before it is shared out, and the furthest that all pushes of a tick move one thing; px or m. */
  maxSeparationDistance: number
  /** 0 lets the radii decide. */
  spatialGridCellSize: number
  useSpatialGrid: boolean
  passes: number
  /**
   * Whether a pass also separates pairs that only its own pushes have brought together, as a loop over all pairs does.
   * Otherwise they wait for the next pass or tick, which is faster and leaves more overlap. Does not go with `yielding`.
   */
  pairwise: boolean
  /**
   * Whether units behind yield to units in front, from the front of a crowd to its end, instead of all pairs sharing each
   * push by mass. `vx` and `vy` say which unit is in front.
   */
  yielding: boolean
}

/** The fast preset: one pass, shared by mass. */
export const SEPARATION_DEFAULTS: SeparationSettings = {
  separationStrength: 1,
  maxSeparationDistance: 50,
  spatialGridCellSize: 100,
  useSpatialGrid: true,
  passes: 1,
  pairwise: false,
  yielding: false,
}

/** The preset that is, to the bit, one loop over all pairs; the grid only makes it fast. */
export const SEPARATION_PAIRWISE: Readonly<SeparationSettings> = { ...SEPARATION_DEFAULTS, pairwise: true }

/** The preset for crowds that press to one place: hardly any overlap is left, and units that have arrived stand still. */
export const SEPARATION_CROWD: Readonly<SeparationSettings> = {
  ...SEPARATION_DEFAULTS,
  spatialGridCellSize: 0,
  yielding: true,
}

export function requireSettings(settings: SeparationSettings): void {
  const { separationStrength } = settings
  if (!(separationStrength >= 0 && separationStrength <= 1)) {
    throw new HurtboxError('out-of-range', `separationStrength must lie from 0 to 1, got ${separationStrength}.`)
  }
  requireSize(settings.maxSeparationDistance, 'maxSeparationDistance')
  requireSize(settings.spatialGridCellSize, 'spatialGridCellSize')
  requireInteger(settings.passes, 'passes', 0, 64)
  for (const name of ['pairwise', 'yielding'] as const) {
    if (typeof settings[name] === 'boolean') continue
    throw new HurtboxError('bad-argument', `${name} must be true or false, got ${String(settings[name])}.`)
  }
  if (settings.pairwise && settings.yielding) {
    throw new HurtboxError('bad-argument', 'pairwise and yielding are two methods of separation: choose one of them.')
  }
}
