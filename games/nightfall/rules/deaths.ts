/** Death: enemies leave a gem and perhaps more; survivors fall. Each happens once, whatever did the killing. */

import { addRow, emit, findRow, playerOf, spawn } from 'hurtbox'
import { chance, clamp, int } from 'hurtbox/math'
import { ENEMIES } from './content/enemies.ts'
import { PERK } from './content/upgrades.ts'
import { BLAST } from './content/weapons.ts'
import { HEIGHT, KIND, LAYER, MARGIN, type NightWorld, WIDTH } from './declaration.ts'
import { livingRow } from './survivors.ts'
import { bestLevelOf, dropOrbs, levelOf } from './upgrades.ts'

export function reap(world: NightWorld): void {
  if (world.events.kill.count === 0) return
  rewardKillers(world)
  const { layer, hp, leaving, count } = world.tables.things
  findGems(world)
  for (let row = 0; row < count; row++) {
    if (layer[row] !== LAYER.enemy || hp[row] > 0 || leaving[row] !== 0) continue
    leaving[row] = 1
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
    const fallen = playerOf(world, damage.victim[n])
    if (fallen >= 0) {
      dropOrbs(world, fallen)
      emit(fell, { survivor: damage.victim[n] })
      continue
    }
    const player = playerOf(world, damage.attacker[n])
    if (player < 0) continue
    players.kills[player]++
    if (players.kills[player] % 10 === 0) feed(world, player)
    const blast = 0.5 * levelOf(world, player, PERK.explosions) * damage.asked[n]
    const source = findRow(things, damage.source[n])
    // Who died of a blast does not make another, or one shot would run through the whole crowd.
    if (blast > 0 && things.weapon[source] !== BLAST) {
      explode(world, findRow(things, damage.victim[n]), damage.attacker[n], blast)
    }
  }
}

function feed(world: NightWorld, player: number): void {
  const { hp, maxHp } = world.tables.things
  const row = livingRow(world, player)
  if (row >= 0) hp[row] = Math.min(hp[row] + 3 * levelOf(world, player, PERK.vampirism), maxHp[row])
}

/** Hits all enemies within 100 px in the next tick, through the same rule as any other blow. */
function explode(world: NightWorld, victim: number, owner: number, damage: number): void {
  const { things } = world.tables
  spawn(things, {
    kind: KIND.strike,
    layer: LAYER.strike,
    owner,
    x: things.x[victim],
    y: things.y[victim],
    radius: 100,
    damage,
    weapon: BLAST,
    endsAt: world.clock + 2,
  })
}

/** Scratch of one call of `reap`: how many gems lie about, and the row of the youngest. */
const gems = { count: 0, youngest: -1 }

function findGems({ tables: { things } }: NightWorld): void {
  const { kind, count } = things
  gems.count = 0
  for (let row = 0; row < count; row++) {
    if (kind[row] !== KIND.gem) continue
    gems.count++
    gems.youngest = row
  }
}

/** A gem where the enemy fell, or as near as survivors can get. Where there are many, the youngest grows instead. */
function dropGem(world: NightWorld, enemy: number): void {
  const { things } = world.tables
  const count = (ENEMIES[things.kind[enemy] - 1].gems ?? 1) * (things.isElite[enemy] === 1 ? 3 : 1)
  const worth = Math.floor(world.tuning.gemWorth * count)
  if (gems.count >= world.tuning.gemLimit) {
    things.worth[gems.youngest] += worth
    return
  }
  const row = drop(world, enemy, KIND.gem, 4, worth, 0)
  if (row < 0) return
  gems.count++
  gems.youngest = row
}

const POWER_UPS = [KIND.heal, KIND.clear, KIND.flame]

function dropPowerUp(world: NightWorld, enemy: number): void {
  if (world.tables.things.isElite[enemy] === 0) return
  const likelihood = world.tuning.powerUpChance * (1 + bestLevelOf(world, PERK.fortune))
  if (!chance(world.random.loot, Math.min(likelihood, 1))) return
  const kind = POWER_UPS[int(world.random.loot, 0, POWER_UPS.length - 1)]
  drop(world, enemy, kind, 8, 0, world.clock + world.tuning.powerUpLife)
}

function drop(world: NightWorld, enemy: number, kind: number, radius: number, worth: number, endsAt: number): number {
  const { things } = world.tables
  const row = addRow(things)
  if (row < 0) return -1
  things.kind[row] = kind
  things.layer[row] = LAYER.pickup
  things.x[row] = clamp(things.x[enemy], MARGIN, WIDTH - MARGIN)
  things.y[row] = clamp(things.y[enemy], MARGIN, HEIGHT - MARGIN)
  things.radius[row] = radius
  things.worth[row] = worth
  things.endsAt[row] = endsAt
  return row
}
