/**
 * Combat: what a hit does. Pieces for a declaration, and functions that rules and phases call.
 *
 * @module hurtbox/combat
 */

export { type Combat, type CombatColumns, defineCombat } from './combat.ts'
export { endShields, type Hurtable, hurt, protect, shield } from './damage.ts'
export { type Knockable, type KnockbackMode, knockback } from './knockback.ts'
export { expire, pierce, spawnFrom } from './projectiles.ts'
export { recordDamage } from './recent.ts'
