/** Weapons go off by themselves as soon as they are ready. What then happens is the weapon's pattern. */

import { emit } from 'hurtbox'
import { PERK } from './content/upgrades.ts'
import { WEAPONS, type Weapon } from './content/weapons.ts'
import { type NightWorld, TICK_RATE } from './declaration.ts'
import { type Attack, PATTERNS } from './patterns.ts'
import { livingRow } from './survivors.ts'
import { levelOf } from './upgrades.ts'

export function fire(world: NightWorld): void {
  const { players, things } = world.tables
  const { clock } = world
  for (let player = 0; player < players.count; player++) {
    const survivor = livingRow(world, player)
    if (survivor < 0) continue
    for (let weapon = 0; weapon < WEAPONS.length; weapon++) {
      const ready = player * WEAPONS.length + weapon
      if (levelOf(world, player, weapon) === 0 || players.readyAt[ready] > clock) continue
      const hasGoneOff = PATTERNS[WEAPONS[weapon].pattern](world, prepare(world, player, survivor, weapon))
      if (!hasGoneOff) continue
      players.readyAt[ready] = clock + cooldownTicks(world, player, WEAPONS[weapon])
      emit(world.events.fired, { survivor: things.id[survivor], weapon })
    }
  }
}

/** Scratch: written whole before every use. */
const attack: Attack = {
  player: 0,
  survivor: 0,
  weapon: 0,
  damage: 0,
  doublePercent: 0,
  count: 0,
  speed: 0,
  radius: 0,
  pierce: 0,
  size: 0,
}

/** What a weapon can do in these hands: its numbers, its level, and the perks that touch it. */
function prepare(world: NightWorld, player: number, survivor: number, weapon: number): Attack {
  const { damage, count, speed, radius, pierce, pattern, perLevel } = WEAPONS[weapon]
  const more = levelOf(world, player, weapon) - 1
  const isFlaming = world.tables.players.flamesUntil[player] > world.clock
  const perk = (name: keyof typeof PERK) => levelOf(world, player, PERK[name])
  const flies = pattern === 'shot'
  attack.player = player
  attack.survivor = survivor
  attack.weapon = weapon
  attack.damage = (damage + more * perLevel.damage) * (1 + 0.2 * perk('power')) * (isFlaming ? 2 : 1)
  attack.doublePercent = 5 * perk('luck')
  attack.count = Math.floor(count + more * (perLevel.count ?? 0)) + (flies ? perk('volley') : 0)
  if (flies && isFlaming) attack.count *= 3
  attack.speed = speed * (flies ? 1 + 0.2 * perk('velocity') : 1)
  attack.size = perk('size')
  attack.radius = (radius + more * (perLevel.radius ?? 0)) * (1 + 0.3 * attack.size)
  attack.pierce = pierce + more * (perLevel.pierce ?? 0) + perk('pierce')
  return attack
}

function cooldownTicks(world: NightWorld, player: number, { cooldown }: Weapon): number {
  const isFlaming = world.tables.players.flamesUntil[player] > world.clock
  const rate = (1 + 0.1 * levelOf(world, player, PERK.haste)) * (isFlaming ? 3 : 1)
  return Math.ceil((cooldown * TICK_RATE) / rate - 1e-9)
}
