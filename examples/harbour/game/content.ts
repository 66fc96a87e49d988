/** Numbers of the game: what effects do, and where the crab is soft. */

import { defineCombat } from 'hurtbox/combat'
import { box, circle } from 'hurtbox/shapes'
import { defineStatus } from 'hurtbox/status'
import { defineZones } from 'hurtbox/zones'

export const combat = defineCombat({ damageTypes: ['dart', 'bite', 'fall'] })
const damageTypes = combat.typeNames
export const status = defineStatus(
  {
    poison: { damage: 3, type: 'dart', every: 30, ticks: 150, stacking: 'add', most: 3 },
    haste: { speed: 1.4, ticks: 360 },
    held: { stuns: true, ticks: 75 },
  },
  { damageTypes },
)
export const zones = defineZones(
  {
    eye: { shape: circle(9, { offsetY: -30 }), damage: 3 },
    claw: { shape: box(8, 16, { offsetX: -44 }), damage: 0, breaksAt: 60, broken: 'gone' },
    tail: { shape: box(12, 10, { offsetX: 44, offsetY: 10 }), armour: { dart: 0.5 } },
    shell: { shape: box(30, 10, { offsetY: -14 }), armour: { dart: 0.9 }, breaksAt: 90, broken: { damage: 1.5 } },
    belly: { shape: box(32, 14, { offsetY: 10 }) },
  },
  { damageTypes },
)
