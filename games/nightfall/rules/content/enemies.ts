/**
 * What walks in the night. Health, speed and touch damage depend on the minute and stand in the wave tables; here is what
 * an enemy is whenever it comes.
 */

import type { DamageType } from './damage-types.ts'

/** A circle that can be hit, in px from where the enemy stands. */
type Hurtbox = Readonly<{ x: number; y: number; radius: number }>

export type Enemy = Readonly<{
  name: string
  /** Size of the body, and the first of its hurtboxes. */
  radius: number
  /** Hurtboxes besides the body. */
  more?: readonly Hurtbox[]
  /** Part of a knockback that it resists; 1 is immune. */
  knockbackResistance?: number
  /** Part of the damage of a type that its armour blocks. */
  armour?: Partial<Readonly<Record<DamageType, number>>>
  /** A shield of this part of its health, rounded down, that absorbs first. */
  shield?: number
  /** Experience of its gem, in gems. */
  gems?: number
  /** Shoots within `range` px, `bullets` at once: one at the survivor, or more all around. */
  gun?: Readonly<{ range: number; every: number; bullets: number }>
}>

/** Kind 1 is the first of the list, and so on. New kinds go to the end. */
export const ENEMIES: readonly Enemy[] = [
  { name: 'zombie', radius: 8 },
  { name: 'fast', radius: 6 },
  { name: 'tank', radius: 10, knockbackResistance: 0.8, armour: { physical: 0.2 } },
  { name: 'swarm', radius: 4 },
  { name: 'ranged', radius: 7, gun: { range: 300, every: 2, bullets: 1 } },
  { name: 'shielded', radius: 9, knockbackResistance: 0.4, shield: 0.5 },
  {
    name: 'boss',
    radius: 20,
    more: [{ x: 0, y: -22, radius: 9 }],
    knockbackResistance: 1,
    armour: { physical: 0.2, fire: 0.5 },
    gems: 10,
    gun: { range: 400, every: 3, bullets: 12 },
  },
]

export type EnemyName = 'zombie' | 'fast' | 'tank' | 'swarm' | 'ranged' | 'shielded' | 'boss'

export function enemyKind(name: EnemyName): number {
  return ENEMIES.findIndex((enemy) => enemy.name === name) + 1
}
