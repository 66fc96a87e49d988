/** Motion that things give each other: pushing apart. */

export {
  type ResidualOverlap,
  residualOverlap,
  SEPARATION_DEFAULTS,
  type SeparationOptions,
  type SeparationSettings,
  type SeparationWorld,
  separate,
} from './separate.ts'
