/**
 * Combat: what a hit does. Pieces for a declaration, and functions that rules and phases call.
 *
 * @module hurtbox/combat
 */

export { type Combat, type CombatColumns, defineCombat } from './combat.ts'
export { type CombatView, hurt, hurtNow, protect } from './damage.ts'
export { type KnockbackMode, type KnockbackView, knockback } from './knockback.ts'
export { expire, pierce, release } from './projectiles.ts'
export { listRecentDamage, type RecentDamage, recordDamage } from './recent.ts'
