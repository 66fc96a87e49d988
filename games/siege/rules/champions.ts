/** Champions: how they come, grow, buy, recall, return and go. */

import { despawn, emit, moveTo, players, spawn } from 'hurtbox'
import { interrupt } from 'hurtbox/abilities'
import { purposeOf, unitAt } from 'hurtbox/math'
import { CHAMPION_MASS, CHAMPION_RADIUS, CHAMPIONS, WARES, type Ware } from './content/champions.ts'
import { FOUNTAINS, otherSide, SIDE } from './content/map.ts'
import { KIND } from './content/units.ts'
import type { SiegePlayer, SiegeThing, SiegeWorld } from './declaration.ts'
import { followOrder } from './targets.ts'
import { dt, isNear, setArmour, ticks } from './units.ts'

const LEVELS = 18
/** How near to its fountain a champion heals and buys. */
const HOME = 250
/** Part of the time between two blows until one lands. */
const WINDUP = 0.2
/** What a death or a recall ends. Cooldowns go on. */
const AT_REST = {
  ...{ target: 0, strikesAt: 0, walks: 0, vx: 0, vy: 0, recallAt: 0, hurtAt: 0, hurtBy: 0, wantedUntil: 0 },
  ...{ launchedUntil: 0, stunnedUntil: 0, slowedUntil: 0, shield: 0, shieldUntil: 0 },
} satisfies Partial<SiegeThing>

/** A new player gets a side, if it has none, and a champion. */
export function join(world: SiegeWorld, player: SiegePlayer): void {
  if (player.team !== SIDE.blue && player.team !== SIDE.red) player.team = smallerSide(world, player)
  const { team, seat } = player
  const champion = spawn(world, 'unit', {
    kind: KIND.champion,
    team,
    champion: world.options.draft
      ? draft(world, team)
      : Math.floor(seat / 2 + (team === SIDE.red ? 1 : 0)) % CHAMPIONS.length,
    level: 1,
    radius: CHAMPION_RADIUS,
    invMass: 1 / CHAMPION_MASS,
  })
  player.thing = champion
  equip(world, player, champion)
  bringHome(champion)
}

/** The first champion in the order of the seed that nobody has; else one that the other side does not have. */
function draft(world: SiegeWorld, team: number): number {
  const order = CHAMPIONS.map((_, champion) => champion).sort((a, b) => chanceOf(world, a) - chanceOf(world, b))
  const isFree = (champion: number) => !isTaken(world, champion, team) && !isTaken(world, champion, otherSide(team))
  return order.find(isFree) ?? order.find((champion) => !isTaken(world, champion, otherSide(team))) ?? order[0]
}

const DRAFT = purposeOf('the order in which champions are drafted')

function chanceOf({ seed }: SiegeWorld, champion: number): number {
  return unitAt(seed, 0, champion, 0, DRAFT)
}

/** Whether somebody on a side has a champion. */
function isTaken(world: SiegeWorld, champion: number, side: number): boolean {
  return [...players(world)].some(({ team, thing }) => team === side && thing?.champion === champion)
}

/** The champion leaves with its player. What it has cast stays. */
export function leave(_world: SiegeWorld, { thing: champion }: SiegePlayer): void {
  if (champion !== undefined) despawn(champion)
}

/** In columns, because a player who leaves in this tick still counts. */
function smallerSide({ tables }: SiegeWorld, newcomer: SiegePlayer): number {
  const { count, team, id } = tables.players
  let lead = 0
  for (let row = 0; row < count; row++) {
    if (id[row] !== newcomer.id) lead += team[row] === SIDE.blue ? 1 : team[row] === SIDE.red ? -1 : 0
  }
  return lead <= 0 ? SIDE.blue : SIDE.red
}

/** What players ask for: another champion, wares, a recall, somewhere to go, something to attack. */
export function obey(world: SiegeWorld): void {
  for (const player of players(world)) {
    const champion = player.thing
    if (champion === undefined) continue
    pick(world, player, champion)
    if (champion.hp <= 0) continue
    buy(world, player, champion)
    recall(world, player, champion)
    followOrder(world, player, champion)
  }
}

/** What a champion is, what its level adds, and what it has bought. */
function equip(world: SiegeWorld, { owned }: SiegePlayer, champion: SiegeThing): void {
  const stats = CHAMPIONS[champion.champion]
  const levels = champion.level - 1
  let hp = stats.hp + stats.hpPerLevel * levels
  let damage = stats.damage + stats.damagePerLevel * levels
  let { speed, range, resist } = stats
  WARES.forEach((ware: Ware, i) => {
    const count = countOf(owned, ware, i)
    hp += ware.hp * count
    damage += ware.damage * count
    speed += (ware.speed ?? 0) * count
    range += (ware.range ?? 0) * count
    resist += (ware.resist ?? 0) * count
  })
  // More health is health gained, not only room for it; the dead gain nothing.
  if (champion.hp > 0) champion.hp += hp - champion.maxHp
  champion.maxHp = hp
  champion.damage = damage
  champion.speed = speed
  champion.range = range
  champion.cooldown = ticks(world, 1 / stats.attackSpeed)
  champion.windup = ticks(world, WINDUP / stats.attackSpeed)
  setArmour(champion, resist)
}

/** Experience makes levels: 280 for the second, 100 more for each one after it. */
export function learn(world: SiegeWorld): void {
  for (const player of players(world)) {
    const champion = player.thing
    if (champion === undefined) continue
    while (champion.level < LEVELS && player.xp >= 180 + 100 * champion.level) {
      player.xp -= 180 + 100 * champion.level
      champion.level++
      equip(world, player, champion)
      emit(world, 'levelUp', { champion, level: champion.level })
    }
  }
}

/** Health comes back slowly, faster outside a fight, fastest at home. The dead return in time. */
export function recover(world: SiegeWorld): void {
  const { regeneration, fountain } = world.tuning
  for (const { thing: champion } of players(world)) {
    if (champion === undefined) continue
    if (champion.hp > 0) {
      const rest = isFighting(world, champion) ? regeneration : 2.5 * regeneration
      const healed = isHome(champion) ? rest + fountain * champion.maxHp : rest
      champion.hp = Math.min(champion.hp + healed * dt(world), champion.maxHp)
    } else if (champion.returnsAt !== 0 && champion.returnsAt <= world.clock) {
      bringHome(champion)
      emit(world, 'returned', { champion })
    }
  }
}

/** A champion that died in this tick waits for its return. */
export function lieDown({ clock, tuning }: SiegeWorld, champion: SiegeThing): void {
  const wait = tuning.respawn + tuning.respawnPerLevel * (champion.level - 1)
  champion.returnsAt = clock + Math.min(wait, tuning.respawnMost)
  interrupt(champion)
  Object.assign(champion, AT_REST)
}

export function isFighting({ clock, tuning }: SiegeWorld, { hurtAt }: SiegeThing): boolean {
  return hurtAt !== 0 && clock - hurtAt < tuning.combat
}

export function isHome(champion: SiegeThing): boolean {
  return isNear(champion, FOUNTAINS[champion.team], HOME)
}

function pick(world: SiegeWorld, player: SiegePlayer, champion: SiegeThing): void {
  if (player.pick === 'any' || world.globals.wave > 0) return
  const wanted = CHAMPIONS.findIndex(({ name }) => name === player.pick)
  if (wanted === champion.champion) return
  // What is drafted is not given up for what the other side has.
  if (world.options.draft && isTaken(world, wanted, otherSide(player.team))) return
  champion.champion = wanted
  equip(world, player, champion)
  champion.hp = champion.maxHp
}

function buy(world: SiegeWorld, player: SiegePlayer, champion: SiegeThing): void {
  if (player.buy === 'nothing') return
  const { owned } = player
  const ware = WARES.findIndex(({ name }) => name === player.buy)
  const { price, bit, level }: Ware = WARES[ware]
  if (level === undefined ? player.gold < price || !isHome(champion) : !mayChoose(player, champion, level)) return
  if (countOf(owned, WARES[ware], ware) === (bit === undefined ? 255 : 1)) return
  player.gold -= price
  if (bit === undefined) owned.set(ware, owned.get(ware) + 1)
  else owned.set(0, owned.get(0) + bit)
  equip(world, player, champion)
  emit(world, 'bought', { champion, ware })
}

/** How many of a ware a player has. */
function countOf(owned: SiegePlayer['owned'], { bit }: Ware, place: number): number {
  if (bit === undefined) return place === 0 ? 0 : owned.get(place)
  return (owned.get(0) & bit) === 0 ? 0 : 1
}

/** A level gives one of two things, once. */
function mayChoose({ owned }: SiegePlayer, champion: SiegeThing, level: number): boolean {
  return (
    champion.level >= level && WARES.every((ware: Ware, i) => ware.level !== level || countOf(owned, ware, i) === 0)
  )
}

/** Any order, a cast or a hurt breaks a recall. */
function recall(world: SiegeWorld, player: SiegePlayer, champion: SiegeThing): void {
  if (player.order !== 'hold') champion.recallAt = 0
  else if (champion.recallAt === 0) {
    if (player.recall > 0) champion.recallAt = world.clock + world.tuning.recall
  } else if (champion.recallAt <= world.clock) {
    bringHome(champion)
    emit(world, 'recalled', { champion })
  }
}

/** To the fountain; the dead and the new are whole there. */
function bringHome(champion: SiegeThing): void {
  moveTo(champion, FOUNTAINS[champion.team].x, FOUNTAINS[champion.team].y)
  if (champion.hp <= 0) champion.hp = champion.maxHp
  champion.teleports++
  champion.returnsAt = 0
  Object.assign(champion, AT_REST)
}
