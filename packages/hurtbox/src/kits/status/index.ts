/**
 * Status effects as data: poison, burn, regeneration, slow, haste, stun.
 *
 * @module hurtbox/status
 */

export {
  defineStatus,
  type Stacking,
  type Status,
  type StatusKind,
  type StatusOptions,
  type StatusSpec,
} from './define.ts'
export { cleanse, type Infliction, inflict, makeImmune } from './inflict.ts'
export { isStunned, speedFactor, strengthOf } from './read.ts'
export type { Affected, StatusWorld } from './rows.ts'
export { runStatus } from './run.ts'
