/** Towers and nexuses: where they stand, and which of them can be hurt yet. */

import { thing } from 'hurtbox'
import { LANES, STRUCTURES, towerId } from './content/map.ts'
import { KIND, TIER_2 } from './content/units.ts'
import type { SiegeThing, SiegeWorld } from './declaration.ts'
import { addUnit, setArmour } from './units.ts'

/** The first things of every world, so that their ids are known. */
export function addStructures(world: SiegeWorld): void {
  for (const { side, lane = 0, tier, x, y } of STRUCTURES) {
    const structure = addUnit(world, tier === 0 ? KIND.nexus : KIND.tower, { team: side, lane, tier, x, y })
    if (tier !== 2) continue
    structure.hp = structure.maxHp = TIER_2.hp
    structure.damage = TIER_2.damage
    setArmour(structure, TIER_2.resist)
  }
}

function stands(world: SiegeWorld, side: number, lane: number, tier: number): boolean {
  const tower = thing(world, towerId(side, lane, tier))
  return tower !== undefined && tower.hp > 0
}

/** A lane is open when both towers that a side had there have fallen. */
export function isOpen(world: SiegeWorld, side: number, lane: number): boolean {
  return !stands(world, side, lane, 1) && !stands(world, side, lane, 2)
}

/** A tower is protected while the one in front of it stands, a nexus until one of its lanes is open. */
export function isProtected(world: SiegeWorld, body: SiegeThing): boolean {
  if (body.kind === KIND.tower) return body.tier === 1 && stands(world, body.team, body.lane, 2)
  if (body.kind !== KIND.nexus) return false
  for (let lane = 0; lane < LANES; lane++) if (isOpen(world, body.team, lane)) return false
  return true
}
