/**
 * The settings of separation, and its two presets.
 *
 * A preset is a set of settings and nothing more: a game may start from either and change any of them while it runs.
 */

import { HurtboxError, requireFinite, requireInteger, requireSize } from '../../errors.ts'

/** Strength, longest push, cell size and grid, the number of passes, and who yields. They may change at any time. */
export type SeparationSettings = {
  /** Part of an overlap that one push undoes, 0 to 1. */
  separationStrength: number
  /** The longest push of a pair in one pass, before it is shared out. */
  maxSeparationDistance: number
  /** 0 lets the radii decide. */
  spatialGridCellSize: number
  useSpatialGrid: boolean
  passes: number
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
  yielding: false,
}

/** The preset for crowds that press to one place: hardly any overlap is left, and units that have arrived stand still. */
export const SEPARATION_CROWD: Readonly<SeparationSettings> = {
  ...SEPARATION_DEFAULTS,
  spatialGridCellSize: 0,
  yielding: true,
}

export function requireSettings(settings: SeparationSettings): void {
  requireFinite(settings.separationStrength, 'separationStrength')
  requireSize(settings.maxSeparationDistance, 'maxSeparationDistance')
  requireSize(settings.spatialGridCellSize, 'spatialGridCellSize')
  requireInteger(settings.passes, 'passes', 0, 64)
  if (typeof settings.yielding !== 'boolean') {
    throw new HurtboxError('bad-argument', `yielding must be true or false, got ${String(settings.yielding)}.`)
  }
}
