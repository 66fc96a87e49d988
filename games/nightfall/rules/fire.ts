/** Weapons go off by themselves as soon as they are ready. What then happens is the weapon's pattern. */

import { emit, players } from 'hurtbox'
import { PERK } from './content/upgrades.ts'
import { WEAPONS } from './content/weapons.ts'
import { KIND, type NightPlayer, type NightWorld, TICK_RATE } from './declaration.ts'
import { type Attack, attack, PATTERNS } from './patterns.ts'
import { survivorOf } from './survivors.ts'
import { levelOf } from './upgrades.ts'

export function fire(world: NightWorld): void {
  const { clock } = world
  for (const player of players(world)) {
    const survivor = survivorOf(player)
    if (survivor === undefined) continue
    for (let weapon = 0; weapon < WEAPONS.length; weapon++) {
      if (levelOf(player, weapon) === 0 || player.readyAt.get(weapon) > clock) continue
      if (!PATTERNS[WEAPONS[weapon].pattern](world, player, prepare(world, player, weapon))) continue
      player.readyAt.set(weapon, clock + cooldownTicks(world, player, weapon))
      emit(world, 'fired', { survivor, weapon })
    }
  }
}

/** A weapon as this player has it: its numbers, its level, and the perks that concern it. */
function prepare({ clock }: NightWorld, player: NightPlayer, weapon: number): Attack {
  const { damage, count, speed, radius, pierce, pattern, life, perLevel } = WEAPONS[weapon]
  const more = levelOf(player, weapon) - 1
  const isFlaming = player.flamesUntil > clock
  const flies = pattern === 'shot'
  const { shot } = attack
  attack.count = Math.floor(count + more * (perLevel.count ?? 0)) + (flies ? levelOf(player, PERK.volley) : 0)
  if (flies && isFlaming) attack.count *= 3
  attack.speed = speed * (flies ? 1 + 0.2 * levelOf(player, PERK.velocity) : 1)
  attack.size = levelOf(player, PERK.size)
  shot.kind = flies ? KIND.projectile : KIND.strike
  shot.weapon = weapon
  shot.damage = (damage + more * perLevel.damage) * (1 + 0.2 * levelOf(player, PERK.power)) * (isFlaming ? 2 : 1)
  shot.doublePercent = 5 * levelOf(player, PERK.luck)
  shot.radius = (radius + more * (perLevel.radius ?? 0)) * (1 + 0.3 * attack.size)
  shot.pierceLeft = flies ? pierce + more * (perLevel.pierce ?? 0) + levelOf(player, PERK.pierce) : 0
  // Turns after a quarter of its life, so that it has time to return to a running survivor.
  shot.readyAt = pattern === 'returning' ? clock + (life / 4) * TICK_RATE : 0
  shot.endsAt = life > 0 ? clock + life * TICK_RATE : 0
  return attack
}

function cooldownTicks({ clock }: NightWorld, player: NightPlayer, weapon: number): number {
  const rate = (1 + 0.1 * levelOf(player, PERK.haste)) * (player.flamesUntil > clock ? 3 : 1)
  return Math.ceil((WEAPONS[weapon].cooldown * TICK_RATE) / rate - 1e-9)
}
