/** Gems fly to survivors near them; pickups taken in this tick take effect. */

import { eventsOf, playerOf, players, thing } from 'hurtbox'
import { length } from 'hurtbox/math'
import { PERK } from './content/upgrades.ts'
import { explode } from './deaths.ts'
import { DT, KIND, type NightThing, type NightWorld } from './declaration.ts'
import { nearestOf, standing } from './survivors.ts'
import { levelOf } from './upgrades.ts'

export function magnet(world: NightWorld): void {
  const { kind, x, y, count } = world.tables.things
  const { magnetReach, magnetSpeed } = world.tuning
  const survivors = standing(world)
  if (survivors.length === 0) return
  let nearest: NightThing | undefined
  let reach = 0
  for (let row = 0; row < count; row++) {
    if (kind[row] !== KIND.gem) continue
    const survivor = nearestOf(survivors, x[row], y[row])
    // Looked up only when it is another survivor than for the gem before.
    if (survivor !== nearest) reach = magnetReach + 40 * levelOf(playerOf(world, survivor)!, PERK.magnetism)
    nearest = survivor
    const dx = survivor.x - x[row]
    const dy = survivor.y - y[row]
    const distance = length(dx, dy)
    if (distance >= reach || distance === 0) continue
    const share = Math.min((magnetSpeed * DT) / distance, 1)
    x[row] += dx * share
    y[row] += dy * share
  }
}

export function useTaken(world: NightWorld): void {
  for (const { pickupKind, survivor, worth } of eventsOf(world, 'taken')) {
    if (pickupKind === KIND.gem) share(world, worth)
    if (pickupKind === KIND.heal) heal(world, survivor)
    // A blast as large as the screen. It kills by the rules, so no enemy walks on without health.
    if (pickupKind === KIND.clear)
      explode(world, thing(world, survivor)!, { owner: survivor, radius: 600, damage: 999 })
    if (pickupKind === KIND.flame) playerOf(world, survivor)!.flamesUntil = world.clock + world.tuning.flameTime
  }
}

/** All players get an equal part of every gem: four of them kill four times as many, and level like one. */
function share(world: NightWorld, experience: number): void {
  for (const player of players(world)) player.experience += experience / world.tables.players.count
}

/** Heals the taker, and the fallen rise again. */
function heal(world: NightWorld, taker: number): void {
  const { clock, tuning } = world
  for (const { thing: survivor } of players(world)) {
    if (survivor === undefined || (survivor.id !== taker && survivor.hp > 0)) continue
    if (survivor.hp === 0) survivor.invulnerableUntil = clock + tuning.iframes
    survivor.hp = Math.min(survivor.hp + tuning.healing, survivor.maxHp)
  }
}
