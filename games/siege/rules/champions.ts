/** Champions: how they come, grow, buy, recall, return and go. */

import { emit, spawn, thingOf } from 'hurtbox'
import { CHAMPION_MASS, CHAMPION_RADIUS, CHAMPIONS, WARES } from './content/champions.ts'
import { FOUNTAINS, SIDE } from './content/map.ts'
import { KIND } from './content/units.ts'
import { LAYER, ORDER, type SiegeWorld } from './declaration.ts'
import { followOrder } from './targets.ts'
import { dt, setArmour, ticks } from './units.ts'

const LEVELS = 18
/** How near to its fountain a champion is at home. */
const HOME = 250
/** A basic attack lands after this part of the time between two. */
const WINDUP = 0.2

/** A new player is given a side, if it has none, and a champion of its own sort. */
export function join(world: SiegeWorld, player: number): void {
  const { things, players } = world.tables
  const given = players.team[player]
  const side = given === SIDE.blue || given === SIDE.red ? given : smallerSide(world, player)
  players.team[player] = side
  players.thing[player] = spawn(things, {
    kind: KIND.champion,
    layer: LAYER.unit,
    team: side,
    champion: Math.floor(players.seat[player] / 2 + (side === SIDE.red ? 1 : 0)) % CHAMPIONS.length,
    level: 1,
    radius: CHAMPION_RADIUS,
    invMass: 1 / CHAMPION_MASS,
  })
  const row = thingOf(world, player)
  if (row < 0) return
  equip(world, player, row)
  bringHome(world, row)
}

/** Whoever leaves takes the champion along. */
export function leave(world: SiegeWorld, player: number): void {
  const row = thingOf(world, player)
  if (row >= 0) world.tables.things.leaving[row] = 1
}

/** What the players ask for: another champion, wares, a recall, a way to go or somebody to attack. */
export function obey(world: SiegeWorld): void {
  const { things, players } = world.tables
  for (let player = 0; player < players.count; player++) {
    const row = thingOf(world, player)
    if (row < 0) continue
    pick(world, player, row)
    if (things.hp[row] <= 0) continue
    buy(world, player, row)
    recall(world, player, row)
    followOrder(world, player)
  }
}

/** A champion's strength: what it is, what its level adds, and what it has bought. */
function equip(world: SiegeWorld, player: number, row: number): void {
  const { things, players } = world.tables
  const stats = CHAMPIONS[things.champion[row]]
  const levels = things.level[row] - 1
  let hp = stats.hp + stats.hpPerLevel * levels
  let damage = stats.damage + stats.damagePerLevel * levels
  for (let ware = 0; ware < WARES.length; ware++) {
    const owned = players.owned[player * WARES.length + ware]
    hp += WARES[ware].hp * owned
    damage += WARES[ware].damage * owned
  }
  // More health is health gained, not only room for it; the dead gain nothing.
  if (things.hp[row] > 0) things.hp[row] += hp - things.maxHp[row]
  things.maxHp[row] = hp
  things.damage[row] = damage
  things.speed[row] = stats.speed
  things.range[row] = stats.range
  things.cooldown[row] = ticks(world, 1 / stats.attackSpeed)
  things.windup[row] = ticks(world, WINDUP / stats.attackSpeed)
  setArmour(world, row, stats.resist)
}

/** Experience makes levels: 280 for the second, 100 more for each one after it. */
export function learn(world: SiegeWorld): void {
  const { things, players } = world.tables
  for (let player = 0; player < players.count; player++) {
    const row = thingOf(world, player)
    if (row < 0) continue
    while (things.level[row] < LEVELS && players.xp[player] >= levelCost(things.level[row])) {
      players.xp[player] -= levelCost(things.level[row])
      things.level[row]++
      equip(world, player, row)
      emit(world.events.levelUp, { champion: things.id[row], level: things.level[row] })
    }
  }
}

/** What it takes to leave a level. */
function levelCost(level: number): number {
  return 180 + 100 * level
}

/** Health comes back slowly, faster outside a fight, fastest at home. The dead return when their time has come. */
export function recover(world: SiegeWorld): void {
  const { things, players } = world.tables
  const { clock, tuning } = world
  for (let player = 0; player < players.count; player++) {
    const row = thingOf(world, player)
    if (row < 0) continue
    if (things.hp[row] <= 0) {
      if (things.returnsAt[row] !== 0 && things.returnsAt[row] <= clock) comeBack(world, row)
      continue
    }
    const rest = isFighting(world, row) ? tuning.regeneration : 2.5 * tuning.regeneration
    const healed = isHome(world, row) ? rest + tuning.fountain * things.maxHp[row] : rest
    things.hp[row] = Math.min(things.hp[row] + healed * dt(world), things.maxHp[row])
  }
}

/** A champion that died in this tick waits for its return. */
export function lieDown(world: SiegeWorld, row: number): void {
  const { things } = world.tables
  const { respawn, respawnPerLevel, respawnMost } = world.tuning
  things.returnsAt[row] = world.clock + Math.min(respawn + respawnPerLevel * (things.level[row] - 1), respawnMost)
  clearState(world, row)
}

export function isFighting(world: SiegeWorld, row: number): boolean {
  const { hurtAt } = world.tables.things
  return hurtAt[row] !== 0 && world.clock - hurtAt[row] < world.tuning.combat
}

export function isHome(world: SiegeWorld, row: number): boolean {
  const { x, y, team } = world.tables.things
  const home = FOUNTAINS[team[row]]
  const [dx, dy] = [x[row] - home.x, y[row] - home.y]
  return dx * dx + dy * dy < HOME * HOME
}

function smallerSide(world: SiegeWorld, newcomer: number): number {
  const { count, team } = world.tables.players
  let lead = 0
  for (let player = 0; player < count; player++) {
    if (player !== newcomer) lead += team[player] === SIDE.blue ? 1 : team[player] === SIDE.red ? -1 : 0
  }
  return lead <= 0 ? SIDE.blue : SIDE.red
}

function pick(world: SiegeWorld, player: number, row: number): void {
  const { things, players } = world.tables
  const wanted = players.pick[player] - 1
  if (wanted < 0 || wanted === things.champion[row] || world.globals.wave > 0) return
  things.champion[row] = wanted
  equip(world, player, row)
  things.hp[row] = things.maxHp[row]
}

function buy(world: SiegeWorld, player: number, row: number): void {
  const { things, players } = world.tables
  const ware = players.buy[player]
  if (ware === 0 || players.gold[player] < WARES[ware].price || !isHome(world, row)) return
  const at = player * WARES.length + ware
  if (players.owned[at] === 255) return
  players.gold[player] -= WARES[ware].price
  players.owned[at]++
  equip(world, player, row)
  emit(world.events.bought, { champion: things.id[row], ware })
}

/** A recall takes its time, standing still. Any order, a cast or a hurt breaks it. */
function recall(world: SiegeWorld, player: number, row: number): void {
  const { things, players } = world.tables
  if (players.order[player] !== ORDER.hold) things.recallAt[row] = 0
  else if (players.recall[player] > 0 && things.recallAt[row] === 0) {
    things.recallAt[row] = world.clock + world.tuning.recall
  } else if (things.recallAt[row] !== 0 && things.recallAt[row] <= world.clock) {
    bringHome(world, row)
    emit(world.events.recalled, { champion: things.id[row] })
  }
}

function comeBack(world: SiegeWorld, row: number): void {
  bringHome(world, row)
  emit(world.events.returned, { champion: world.tables.things.id[row] })
}

/** To the fountain; the dead and the new are whole there. */
function bringHome(world: SiegeWorld, row: number): void {
  const { things } = world.tables
  const home = FOUNTAINS[things.team[row]]
  things.x[row] = home.x
  things.y[row] = home.y
  if (things.hp[row] <= 0) things.hp[row] = things.maxHp[row]
  things.teleports[row]++
  things.returnsAt[row] = 0
  clearState(world, row)
}

/** Nothing that lasted goes on; cooldowns do. */
function clearState(world: SiegeWorld, row: number): void {
  const { things } = world.tables
  things.target[row] = 0
  things.strikesAt[row] = 0
  things.walks[row] = 0
  things.vx[row] = 0
  things.vy[row] = 0
  things.thrownUntil[row] = 0
  things.stunnedUntil[row] = 0
  things.slowedUntil[row] = 0
  things.shield[row] = 0
  things.shieldUntil[row] = 0
  things.wantedUntil[row] = 0
  things.recallAt[row] = 0
  things.hurtAt[row] = 0
  things.hurtBy[row] = 0
}
