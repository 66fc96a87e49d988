/** Towers and nexuses: where they stand, and which of them can be hurt yet. */

import { findRow } from 'hurtbox'
import { LANES, STRUCTURES, towerId } from './content/map.ts'
import { KIND, TIER_2 } from './content/units.ts'
import type { SiegeWorld } from './declaration.ts'
import { addUnit, setArmour } from './units.ts'

/** The first things of every world, so that their ids are known. */
export function addStructures(world: SiegeWorld): void {
  const { things } = world.tables
  for (const { side, lane = 0, tier, x, y } of STRUCTURES) {
    const row = addUnit(world, tier === 0 ? KIND.nexus : KIND.tower, side, x, y)
    things.lane[row] = lane
    things.tier[row] = tier
    if (tier !== 2) continue
    things.hp[row] = things.maxHp[row] = TIER_2.hp
    things.damage[row] = TIER_2.damage
    setArmour(world, row, TIER_2.resist)
  }
}

function stands(world: SiegeWorld, id: number): boolean {
  const { things } = world.tables
  const row = findRow(things, id)
  return row >= 0 && things.hp[row] > 0
}

/** A lane is open when both towers that a side had there have fallen. */
export function isOpen(world: SiegeWorld, side: number, lane: number): boolean {
  return !stands(world, towerId(side, lane, 1)) && !stands(world, towerId(side, lane, 2))
}

/** A tower is protected while the one in front of it stands, a nexus until one of its lanes is open. */
export function isProtected(world: SiegeWorld, row: number): boolean {
  const { kind, team, lane, tier } = world.tables.things
  if (kind[row] === KIND.tower) return tier[row] === 1 && stands(world, towerId(team[row], lane[row], 2))
  if (kind[row] !== KIND.nexus) return false
  for (let each = 0; each < LANES; each++) if (isOpen(world, team[row], each)) return false
  return true
}
