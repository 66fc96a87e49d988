/**
 * The laner: walks with its wave, takes last hits, fights champions when its side is likely to win, runs to fights near by,
 * takes towers while minions draw the fire or the others are dead, and goes home when it is hurt.
 */

import { type Bot, each, players } from 'hurtbox'
import { clamp, lerp, unitAt } from 'hurtbox/math'
import { isFighting, isHome } from '../rules/champions.ts'
import { CHAMPIONS, WARES, type Ware } from '../rules/content/champions.ts'
import { FOUNTAINS, LANE, LANES, type Place, SIDE } from '../rules/content/map.ts'
import { KIND } from '../rules/content/units.ts'
import type { declaration, SiegePlayer, SiegeThing } from '../rules/declaration.ts'
import { visible } from '../rules/fog.ts'
import { gap, isMinion } from '../rules/units.ts'
import { castAt, dodge, fallenFoes, fight, finish, gank, isReady, onMap, WEAK } from './fight.ts'
import {
  alongLane,
  distance,
  nearest,
  nextStructure,
  placeOnLane,
  type Sight,
  sightOf,
  standAgainst,
  type Thought,
  towerOver,
} from './sight.ts'

/** Below this part of its health it goes home, from this far on and from next door; there it stays until it is whole. */
const HURT = 0.22
const FAR_FROM_HOME = 1300
const HURT_NEAR_HOME = 0.7
const WHOLE = 0.9
/** So much gold is worth a way home. */
const RICH = 600
/** How far behind the front of its wave it walks. */
const BEHIND = 120
/** How near enemies must be to keep it from recalling. */
const TOO_NEAR = 700
/** Beyond a tower's range where it feels safe. */
const SAFE = 60
/** Minions under a tower that draw its fire. */
const ESCORT = 1
/** Beyond its range, how far it goes for a minion. */
const CHASE = 350
/** How near a structure must be to be besieged, and while champions of the other side are dead. */
const SIEGE = 900
const SIEGE_UNDEFENDED = 1600
/** With no enemy unit this near a camp is quiet; creatures this near are worth a walk. */
const CAMP_QUIET = 600
const HUNTING = 750
/** A hunter looks for creatures from everywhere. */
const FAR_HUNTING = 4000

export const laner: Bot<typeof declaration> = {
  name: 'laner',
  about: 'walks with its wave, takes last hits and towers, fights, ganks, dodges, and goes home when it is hurt',
  think: thinking(act, wareFor),
}

export const hunter: Bot<typeof declaration> = {
  name: 'hunter',
  about: 'clears the camps of the jungle, comes out of it for fights, and buys what makes it quick and strong',
  think: thinking(roam, (sight) => wish(sight, ['boots', 'might', 'haste', 'lens', 'blade'])),
}

export const besieger: Bot<typeof declaration> = {
  name: 'besieger',
  about: 'goes with its wave for the towers, fights only when it must, and buys what keeps it alive',
  think: thinking(raze, (sight) => wish(sight, ['ward', 'vigour', 'guard', 'boots', 'plate'])),
}

type Way = (sight: Sight, lane: number, seed: number) => Thought

function thinking(way: Way, ware: (sight: Sight) => SiegePlayer['buy']): Bot<typeof declaration>['think'] {
  return (world, player, seed) => {
    const sight = sightOf(world, player)
    if (sight === undefined) return {}
    const place = placeOnSide(sight)
    return { ...way(sight, laneFor(sight, place, seed), seed), buy: ware(sight), pick: championFor(place, seed) }
  }
}

/** The first of these that it does not have; the last ones any number of times. */
function wish({ player: { owned, gold }, self }: Sight, names: readonly SiegePlayer['buy'][]): SiegePlayer['buy'] {
  for (const name of names) {
    const { bit, level, price }: Ware = WARES.find((ware) => ware.name === name)!
    if (bit !== undefined && (owned.get(0) & bit) !== 0) continue
    if (level !== undefined && (self.level < level || hasChosen(owned.get(0), level))) continue
    if (bit === undefined || level !== undefined || gold >= price) return name
    return 'nothing'
  }
  return 'nothing'
}

function hasChosen(bits: number, level: number): boolean {
  return WARES.some((ware: Ware) => ware.level === level && (bits & ware.bit!) !== 0)
}

function roam(sight: Sight, lane: number, seed: number): Thought {
  return (
    finish(sight) ??
    flee(sight, lane) ??
    recoverAtHome(sight) ??
    dodge(sight, seed) ??
    fight(sight, seed) ??
    gank(sight) ??
    hunt(sight, FAR_HUNTING) ??
    lastHit(sight) ??
    push(sight) ??
    follow(sight, LANE.mid)
  )
}

function raze(sight: Sight, lane: number, seed: number): Thought {
  return (
    finish(sight) ??
    flee(sight, lane) ??
    recoverAtHome(sight) ??
    dodge(sight, seed) ??
    besiege(sight, lane) ??
    lastHit(sight) ??
    push(sight) ??
    fight(sight, seed) ??
    follow(sight, lane)
  )
}

function act(sight: Sight, lane: number, seed: number): Thought {
  return (
    finish(sight) ??
    flee(sight, lane) ??
    recoverAtHome(sight) ??
    dodge(sight, seed) ??
    fight(sight, seed) ??
    gank(sight) ??
    lastHit(sight) ??
    besiege(sight, lane) ??
    push(sight) ??
    hunt(sight) ??
    follow(sight, lane)
  )
}

/** How many of its side sit before it. */
function placeOnSide({ world, player, side }: Sight): number {
  let before = 0
  for (const other of players(world)) {
    if (other === player) break
    if (other.team === side) before++
  }
  return before
}

/**
 * The first goes to a long lane, the next ones to the middle and to the other long one. Such a lane favours one side: its towers
 * stand further out. So sides with one champion per lane are turned against each other like the map; others meet in the same lane, top
 * and bottom by turns of the seed.
 */
function laneFor({ world, side }: Sight, place: number, seed: number): number {
  let size = 0
  for (const { team } of players(world)) if (team === side) size++
  const isTurned = size === LANES && side === SIDE.red
  const isTop = (seed % 2 === 0) !== isTurned
  return [isTop ? LANE.top : LANE.bot, LANE.mid, isTop ? LANE.bot : LANE.top][place % LANES]
}

/** By chance of the seed, the same for both sides, so that neither side has the better champions. */
function championFor(place: number, seed: number): (typeof PICKS)[number] {
  const first = Math.floor(unitAt(seed, 0, 0, 0, 17) * PICKS.length)
  return PICKS[(first + place) % PICKS.length]
}

const PICKS = ['warrior', 'elara', 'gorath', 'magnus', 'vex'] as const

/** By turns, what makes it stronger and what keeps it alive. */
function wareFor({ player: { owned } }: Sight): 'blade' | 'plate' {
  return owned.get(1) <= owned.get(2) ? 'blade' : 'plate'
}

/** Badly hurt, or under a tower's fire: back along the lane. Where no enemy is near, recall; also to spend much gold. */
function flee(sight: Sight, lane: number): Thought | undefined {
  const { world, player, self, side, enemies } = sight
  if (isHome(self)) return undefined
  const { along, beside } = alongLane(side, lane, self)
  // The nearer to home, the sooner: a champion on the way there goes all the way.
  const isHurt = self.hp < lerp(HURT_NEAR_HOME, HURT, clamp(along / FAR_FROM_HOME, 0, 1)) * self.maxHp
  const isShotAt = enemies.some(({ kind, target }) => kind === KIND.tower && target === self.id)
  const threat = nearest(sight, enemies, ({ speed }) => speed > 0)
  const isAlone = (threat === undefined || distance(self, threat) > TOO_NEAR) && !isFighting(world, self)
  if (isAlone && (isHurt || player.gold >= RICH)) return { order: 'hold', recall: self.recallAt === 0 ? 1 : 0 }
  if (!isHurt && !isShotAt) return undefined
  const back = beside > 400 ? FOUNTAINS[side] : placeOnLane(side, lane, along - 300)
  return { order: 'move', go: along < 400 ? FOUNTAINS[side] : back, ...dashAway(sight, back) }
}

/** A dash also escapes. */
function dashAway(sight: Sight, to: Place): Thought {
  const { world, self } = sight
  const which = CHAMPIONS[self.champion].abilities.findIndex(({ effect }) => effect === 'dash')
  return which >= 0 && isReady(sight, which) && isFighting(world, self) ? castAt(which, to) : {}
}

function recoverAtHome({ self, side }: Sight): Thought | undefined {
  return isHome(self) && self.hp < WHOLE * self.maxHp ? { order: 'move', go: FOUNTAINS[side] } : undefined
}

/** A minion that the next blow kills. */
function lastHit(sight: Sight): Thought | undefined {
  const { self, enemies } = sight
  const victim = nearest(
    sight,
    enemies,
    (minion) => isInChase(self, minion) && minion.hp <= self.damage && isSafeToAttack(sight, minion),
  )
  return victim === undefined ? snipe(sight) : { order: 'attack', target: victim.id }
}

function isInChase(self: SiegeThing, enemy: SiegeThing): boolean {
  return isMinion(enemy) && gap(self, enemy) <= self.range + CHASE
}

/** The same with a missile, from further away. */
function snipe(sight: Sight): Thought | undefined {
  const { self, enemies } = sight
  for (let which = 0; which < 2; which++) {
    const ability = CHAMPIONS[self.champion].abilities[which]
    if (ability.effect !== 'missile' || !isReady(sight, which)) continue
    const damage = ability.damage + ability.damagePerLevel * (self.level - 1)
    const victim = nearest(sight, enemies, (enemy) => isMinion(enemy) && enemy.hp <= damage)
    if (victim === undefined || gap(self, victim) > ability.range - 50) continue
    return { order: 'attack', target: victim.id, ...castAt(which, onMap(victim)) }
  }
  return undefined
}

/** A tower or the nexus, while minions draw the fire. */
function besiege(sight: Sight, lane: number): Thought | undefined {
  const structure = nextStructure(sight, lane)
  const reach = fallenFoes(sight) > 0 ? SIEGE_UNDEFENDED : SIEGE
  if (structure === undefined || distance(sight.self, structure) > reach) return undefined
  if (structure.kind === KIND.tower && !hasEscort(sight, structure)) return undefined
  return { order: 'attack', target: structure.id }
}

/** The weakest minion in reach. */
function push(sight: Sight): Thought | undefined {
  let weakest: SiegeThing | undefined
  for (const minion of sight.enemies) {
    if (!isInChase(sight.self, minion) || !isSafeToAttack(sight, minion)) continue
    if (weakest === undefined || minion.hp < weakest.hp) weakest = minion
  }
  return weakest === undefined ? undefined : { order: 'attack', target: weakest.id, ...sweep(sight, weakest) }
}

/** Abilities that hit several are for waves, too. */
function sweep(sight: Sight, at: SiegeThing): Thought {
  const { self, enemies } = sight
  for (let which = 0; which < 2; which++) {
    const ability = CHAMPIONS[self.champion].abilities[which]
    if (ability.effect !== 'burst' || !isReady(sight, which)) continue
    const centre = ability.range > 0 ? at : self
    const hit = enemies.filter((enemy) => isMinion(enemy) && distance(centre, enemy) < ability.radius).length
    if (hit >= 2 && distance(self, at) <= Math.max(ability.range, ability.radius)) return castAt(which, onMap(at))
  }
  return {}
}

/**
 * A creature of the jungle near by, while it is whole enough and no enemy is near the camp. Near the camp, not near itself:
 * its own steps must not change its mind.
 */
function hunt({ world, self, side, enemies }: Sight, reach = HUNTING): Thought | undefined {
  if (self.hp < WEAK * self.maxHp) return undefined
  for (const creature of each(world, 'unit')) {
    if (creature.kind !== KIND.monster || creature.hp <= 0 || !visible(world, side, creature)) continue
    const isQuiet = enemies.every((enemy) => enemy.speed === 0 || distance(creature, enemy) > CAMP_QUIET)
    if (isQuiet && distance(self, creature) < reach) return { order: 'attack', target: creature.id }
  }
  return undefined
}

/** Behind the front of the own wave; without one, at the own tower that stands furthest out. */
function follow(sight: Sight, lane: number): Thought {
  const { side, allies } = sight
  let front = 150
  for (const ally of allies) {
    if (ally.lane !== lane || !(ally.kind === KIND.tower || isMinion(ally))) continue
    const { along, beside } = alongLane(side, lane, ally)
    if (beside < 300 && along > front) front = along
  }
  const go = placeOnLane(side, lane, front - BEHIND)
  const tower = towerOver(sight, go, SAFE)
  if (tower === undefined || hasEscort(sight, tower)) return { order: 'move', go }
  const { along } = alongLane(side, lane, tower)
  return { order: 'move', go: placeOnLane(side, lane, along - tower.range - tower.radius - 2 * SAFE) }
}

/** No tower reaches the place from which it would attack, or minions draw its fire. */
function isSafeToAttack(sight: Sight, enemy: SiegeThing): boolean {
  const tower = towerOver(sight, standAgainst(sight, enemy), sight.self.radius + 10)
  return tower === undefined || hasEscort(sight, tower)
}

function hasEscort({ allies, self }: Sight, tower: SiegeThing): boolean {
  if (tower.target === self.id) return false
  return allies.filter((ally) => isMinion(ally) && gap(ally, tower) < tower.range).length >= ESCORT
}
