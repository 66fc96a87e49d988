/**
 * Abilities: startup, active, recovery, combos and effects as data; windows, projectiles, holds and hit stop as state.
 *
 * A game defines them (`defineAbilities`), spreads their pieces into its declaration, and lists in its tick, in this order:
 *
 * 1. `flyMissiles`: projectiles fly, and end
 * 2. `advanceAbilities`: what runs goes on
 * 3. `pressSlot`: for every press, in a phase of the game's own
 * 4. motion of the game's own, where `isStopped` and `heldBy` say who does not move
 * 5. `carry`: whoever is held is brought along
 * 6. `collide`: with `addWindows` and `poseMissile` as posers, `attackOf` and `strike` as rules
 * 7. `settleHits`: interruptions and hit stop
 *
 * `games/sumo/rules` is such a game; `test/abilities/arena.ts` the smallest one.
 *
 * @module hurtbox/abilities
 */

export { type Abilities, type AbilityColumns, type AbilityOptions, defineAbilities } from './abilities.ts'
export {
  activeTick,
  advanceAbilities,
  canStart,
  controlWhile,
  interrupt,
  PHASE,
  pressSlot,
  startAbility,
} from './casts.ts'
export type { Ability } from './compile.ts'
export {
  type AbilitySpec,
  type AreaSpec,
  type BuffStat,
  type CancelTime,
  CONTROL,
  type Control,
  type Direction,
  type EffectKinds,
  type EffectSpec,
  type EffectTiming,
  type ForceSpec,
  type Frame,
  type MeleeSpec,
  type ProjectileSpec,
  type Requirement,
  STAT,
  type StunSpec,
  type Trigger,
} from './content.ts'
export type { Effect } from './effect.ts'
export { type FrameData, frameData } from './frame-data.ts'
export { carry, letGo } from './holds.ts'
export { flyMissiles, poseMissile } from './missiles.ts'
export { resetAbilities } from './reset.ts'
export { settleHits, shiftTimers } from './settle.ts'
export { buffed, canAct, isStopped } from './stats.ts'
export { attackOf, strike } from './strike.ts'
export { addWindows } from './windows.ts'
export type { AbilityView, AbilityWorld } from './world.ts'
