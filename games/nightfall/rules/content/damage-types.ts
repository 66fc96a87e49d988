/** The damage types. Enemies have armour against some; the order is that of the columns and of every table of damage. */

export const DAMAGE_TYPES = ['physical', 'magic', 'fire'] as const

export type DamageType = (typeof DAMAGE_TYPES)[number]
