/**
 * Abilities: startup, active, recovery, combos and effects as data; windows, projectiles, holds and hit stop as state.
 *
 * A game defines them (`defineAbilities`), spreads their pieces into its declaration, and lists in its tick, in this order:
 *
 * 1. `flyMissiles(statics?)`: projectiles fly, and end
 * 2. `advanceAbilities(abilities)`: running abilities go on
 * 3. `pressSlots`: for every player, in a phase of the game's own
 * 4. motion of the game's own; what `isStopped` or is held (`heldBy`) does not move
 * 5. `carry`: held things follow their holders
 * 6. `collide`: with `addWindows` and `poseMissile` in its poses, and `...strikes(abilities)` in its rules
 * 7. `settleHits(abilities)`: interruptions and hit stop
 *
 * `fixtures/arena.ts` is the smallest such game.
 *
 * @module hurtbox/abilities
 */

export { type Abilities, type AbilityColumns, type AbilityOptions, defineAbilities } from './abilities.ts'
export {
  activeTick,
  advanceAbilities,
  canStart,
  castOf,
  controlOf,
  interrupt,
  pressSlot,
  pressSlots,
  startAbility,
} from './casts.ts'
export type { Ability } from './compile.ts'
export type { AbilitySpec, EffectKinds, EffectSpec, EffectTiming } from './content.ts'
export { type Effect, isInStep } from './effect.ts'
export type { AreaSpec, MeleeSpec, ProjectileSpec } from './effects/attacks.ts'
export type { Direction, ForceSpec, FrameName } from './effects/forces.ts'
export type { StunSpec } from './effects/status.ts'
export { type FrameData, frameData } from './frame-data.ts'
export { carry } from './holds.ts'
export { delayOf, flyMissiles, poseMissile } from './missiles.ts'
export { resetAbilities } from './reset.ts'
export { settleHits } from './settle.ts'
export { buffed, canAct, isStopped } from './stats.ts'
export { type StrikeRule, strike, strikes } from './strike.ts'
export { addWindows } from './windows.ts'
export { type BuffStat, type CancelTime, type CasterControl, PHASE, type Requirement, type Trigger } from './words.ts'
export type { AbilityThing, AbilityWorld, Cast } from './world.ts'
