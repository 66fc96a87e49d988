/** Abilities: what a press starts. The rest is the engine's, by `content/abilities.ts`. */

import { players } from 'hurtbox'
import { type Abilities, canStart, startAbility } from 'hurtbox/abilities'
import { face } from 'hurtbox/motion'
import { CHAMPIONS } from './content/champions.ts'
import type { SiegePlayer, SiegeThing, SiegeWorld } from './declaration.ts'
import { isHelpless } from './units.ts'

export function cast(abilities: Abilities): (world: SiegeWorld) => void {
  return (world) => {
    for (const player of players(world)) {
      if (player.first > 0) start(abilities, world, player, 0)
      if (player.second > 0) start(abilities, world, player, 1)
    }
  }
}

function start(abilities: Abilities, world: SiegeWorld, player: SiegePlayer, which: number): void {
  const caster = player.thing
  if (caster === undefined || caster.hp <= 0 || isHelpless(world, caster)) return
  const { name } = CHAMPIONS[caster.champion].abilities[which]
  if (!canStart(abilities, caster, name)) return
  caster.recallAt = 0
  turnToAim(caster, player)
  startAbility(abilities, caster, name)
}

/** Towards the aim; to the right where that is the caster itself. */
function turnToAim(caster: SiegeThing, { aimX, aimY }: SiegePlayer): void {
  caster.aimX = aimX
  caster.aimY = aimY
  caster.facingX = 1
  caster.facingY = 0
  face(caster, aimX - caster.x, aimY - caster.y)
}

/** When an ability of a champion, 0 or 1, is ready again. */
export function readyAtOf({ champion, readyAt }: SiegeThing, which: number): number {
  return readyAt.get(2 * champion + which)
}
