/** Death: enemies leave a gem and perhaps more; survivors fall. Each happens once, whatever did the killing. */

import { emit, findRow, spawn } from 'hurtbox'
import { chance, clamp, int } from 'hurtbox/math'
import { ENEMIES } from './content/enemies.ts'
import { PERK } from './content/upgrades.ts'
import { HEIGHT, KIND, LAYER, MARGIN, type NightWorld, WIDTH } from './declaration.ts'
import { playerOf } from './survivors.ts'
import { levelOf } from './upgrades.ts'

export function reap(world: NightWorld): void {
  const { kill } = world.events
  if (kill.count === 0) return
  rewardKillers(world)
  const { things } = world.tables
  for (let row = 0, { count } = things; row < count; row++) {
    if (things.layer[row] !== LAYER.enemy || things.hp[row] > 0 || things.leaving[row] !== 0) continue
    things.leaving[row] = 1
    world.globals.kills++
    dropGem(world, row)
    dropPowerUp(world, row)
  }
}

/** What kills do for those who made them, and who fell. */
function rewardKillers(world: NightWorld): void {
  const { things, players } = world.tables
  const { damage, fell } = world.events
  for (let n = 0; n < damage.count; n++) {
    if (damage.hpAfter[n] > 0) continue
    if (playerOf(world, damage.victim[n]) >= 0) {
      players.orbs[playerOf(world, damage.victim[n])] = 0
      emit(fell, { survivor: damage.victim[n] })
      continue
    }
    const player = playerOf(world, damage.attacker[n])
    if (player < 0) continue
    players.kills[player]++
    const killer = findRow(things, damage.attacker[n])
    const blood = 3 * levelOf(world, player, PERK.vampirism)
    if (things.hp[killer] > 0) things.hp[killer] = Math.min(things.hp[killer] + blood, things.maxHp[killer])
    const blast = 0.5 * levelOf(world, player, PERK.explosions) * damage.asked[n]
    if (blast >= 1) explode(world, findRow(things, damage.victim[n]), damage.attacker[n], blast, damage.type[n])
  }
}

/** Hits all enemies within 100 px in the next tick, through the same rule as any other blow. */
function explode(world: NightWorld, victim: number, owner: number, damage: number, damageType: number): void {
  const { things } = world.tables
  spawn(things, {
    kind: KIND.blast,
    layer: LAYER.strike,
    owner,
    x: things.x[victim],
    y: things.y[victim],
    radius: 100,
    damage,
    damageType,
    endsAt: world.clock + 2,
  })
}

/** A gem where the enemy fell, or as near as survivors can get. Too many gems become fewer and richer ones. */
function dropGem(world: NightWorld, enemy: number): void {
  const { things } = world.tables
  const { gems = 1 } = ENEMIES[things.kind[enemy] - 1]
  const worth = world.tuning.gemWorth * gems * (things.isElite[enemy] === 1 ? 3 : 1)
  const youngest = lastGem(world)
  if (youngest >= 0) things.worth[youngest] += worth
  else drop(world, enemy, KIND.gem, 4, worth, 0)
}

/** The row of the youngest gem if there are as many as there may be, otherwise -1. */
function lastGem(world: NightWorld): number {
  const { kind, count } = world.tables.things
  let gems = 0
  let youngest = -1
  for (let row = 0; row < count; row++) {
    if (kind[row] !== KIND.gem) continue
    gems++
    youngest = row
  }
  return gems < world.tuning.gemLimit ? -1 : youngest
}

const POWER_UPS = [KIND.heal, KIND.clear, KIND.flame]

function dropPowerUp(world: NightWorld, enemy: number): void {
  const { things, players } = world.tables
  if (things.isElite[enemy] === 0) return
  let fortune = 0
  for (let player = 0; player < players.count; player++) {
    fortune = Math.max(fortune, levelOf(world, player, PERK.fortune))
  }
  if (!chance(world.random.loot, Math.min(world.tuning.powerUpChance * (1 + fortune), 1))) return
  const kind = POWER_UPS[int(world.random.loot, 0, POWER_UPS.length - 1)]
  drop(world, enemy, kind, 8, 0, world.clock + world.tuning.powerUpLife)
}

function drop(world: NightWorld, enemy: number, kind: number, radius: number, worth: number, endsAt: number): void {
  const { things } = world.tables
  spawn(things, {
    kind,
    layer: LAYER.pickup,
    x: clamp(things.x[enemy], MARGIN, WIDTH - MARGIN),
    y: clamp(things.y[enemy], MARGIN, HEIGHT - MARGIN),
    radius,
    worth,
    endsAt,
  })
}
