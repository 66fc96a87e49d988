/** Deaths: enemies leave a gem and perhaps more; survivors fall. Each happens once, whatever the cause. */

import { despawn, emit, exists, playerOf, spawn, thing } from 'hurtbox'
import { chance, int } from 'hurtbox/math'
import { ENEMIES } from './content/enemies.ts'
import { PERK } from './content/upgrades.ts'
import { BLAST } from './content/weapons.ts'
import { KIND, LAYER, type NightThing, type NightValues, type NightWorld, type Place } from './declaration.ts'
import { keepInside, survivorOf } from './survivors.ts'
import { bestLevelOf, dropOrbs, levelOf } from './upgrades.ts'

export function reap(world: NightWorld): void {
  if (world.events.kill.count === 0) return
  rewardKillers(world)
  findGems(world)
  const { layer, hp, id, count } = world.tables.things
  for (let row = 0; row < count; row++) {
    if (layer[row] !== LAYER.enemy || hp[row] > 0) continue
    const enemy = thing(world, id[row])!
    despawn(enemy)
    world.globals.kills++
    dropGem(world, enemy)
    dropPowerUp(world, enemy)
  }
}

/** What kills give to the killers; and survivors fall. */
function rewardKillers(world: NightWorld): void {
  const { damage } = world.events
  for (let n = 0; n < damage.count; n++) {
    if (damage.hpAfter[n] > 0) continue
    const victim = thing(world, damage.victim[n])!
    const fallen = playerOf(world, victim)
    if (fallen === undefined) rewardKill(world, victim, n)
    else {
      dropOrbs(world, fallen)
      emit(world, 'fell', { survivor: victim })
    }
  }
}

/** For the lethal damage event `n`. */
function rewardKill(world: NightWorld, victim: NightThing, n: number): void {
  const { attacker, source, asked } = world.events.damage
  const owner = attacker[n]
  const player = playerOf(world, owner)
  if (player === undefined) return
  player.kills++
  const survivor = survivorOf(player)
  if (survivor !== undefined && player.kills % 10 === 0) {
    survivor.hp = Math.min(survivor.hp + 3 * levelOf(player, PERK.vampirism), survivor.maxHp)
  }
  const damage = 0.5 * levelOf(player, PERK.explosions) * asked[n]
  // A victim of a blast does not explode, or one shot would run through the whole crowd.
  if (damage === 0 || thing(world, source[n])?.weapon === BLAST) return
  explode(world, victim, { owner, radius: 100, damage })
}

/** A blast hits all enemies within its radius in the next tick, by the same rule as any other blow. */
export function explode(world: NightWorld, { x, y }: Place, blast: NightValues): void {
  spawn(world, 'strike', { ...blast, x, y, kind: KIND.strike, weapon: BLAST, endsAt: world.clock + 2 })
}

/** Scratch of one call of `reap`: how many gems there are, and the id of the youngest. */
const gems = { count: 0, youngest: 0 }

/** Gems taken in this tick still count. */
function findGems({ tables: { things } }: NightWorld): void {
  const { kind, id, count } = things
  gems.count = 0
  for (let row = 0; row < count; row++) {
    if (kind[row] !== KIND.gem) continue
    gems.count++
    gems.youngest = id[row]
  }
}

/** A gem where the enemy died. Where there are many, the youngest grows instead. */
function dropGem(world: NightWorld, enemy: NightThing): void {
  const { gemWorth, gemLimit } = world.tuning
  const count = (ENEMIES[enemy.kind - 1].gems ?? 1) * (enemy.isElite === 1 ? 3 : 1)
  const worth = Math.floor(gemWorth * count)
  if (gems.count >= gemLimit) {
    thing(world, gems.youngest)!.worth += worth
    return
  }
  const gem = drop(world, enemy, { kind: KIND.gem, radius: 4, worth })
  if (!exists(gem)) return
  gems.count++
  gems.youngest = gem.id
}

const POWER_UPS = [KIND.heal, KIND.clear, KIND.flame]

function dropPowerUp(world: NightWorld, enemy: NightThing): void {
  if (enemy.isElite === 0) return
  const { loot } = world.random
  const likelihood = world.tuning.powerUpChance * (1 + bestLevelOf(world, PERK.fortune))
  if (!chance(loot, Math.min(likelihood, 1))) return
  const kind = POWER_UPS[int(loot, 0, POWER_UPS.length - 1)]
  drop(world, enemy, { kind, radius: 8, endsAt: world.clock + world.tuning.powerUpLife })
}

/** Where the enemy died, or as near as survivors can get. */
function drop(world: NightWorld, enemy: Place, pickup: NightValues): NightThing {
  const dropped = spawn(world, 'pickup', { ...pickup, x: enemy.x, y: enemy.y })
  keepInside(dropped)
  return dropped
}
