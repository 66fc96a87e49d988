/**
 * The laner: walks with its wave, takes last hits, hurts the champion opposite when that is cheap, takes towers while minions
 * draw the fire, and goes home when it is hurt.
 */

import { type Bot, findRow } from 'hurtbox'
import { clamp, lerp, unitAt } from 'hurtbox/math'
import { isFighting, isHome } from '../rules/champions.ts'
import { CHAMPIONS } from '../rules/content/champions.ts'
import { FOUNTAINS, LANE } from '../rules/content/map.ts'
import { KIND } from '../rules/content/units.ts'
import type { declaration, SiegeWorld } from '../rules/declaration.ts'
import { visible } from '../rules/fog.ts'
import { gap } from '../rules/units.ts'
import {
  alongLane,
  distance,
  isMinionRow,
  lookFrom,
  nearest,
  nextStructure,
  placeOnLane,
  type Sight,
  towerOver,
} from './sight.ts'

type Thought = ReturnType<Bot<typeof declaration>['think']>

/** Below this part of its health it goes home, from this far on and from next door; there it stays until it is whole. */
const HURT = 0.3
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
/** Beyond its range, how far it goes for a minion or a weak champion, and for a champion it thinks it can beat. */
const CHASE = 350
const SKIRMISH = 200
/** With no enemy unit this near a camp is quiet; creatures this near are worth a walk. */
const CAMP_QUIET = 600
const HUNTING = 750
/** A champion with less than this part of its health is weak. */
const WEAK = 0.4

export const laner: Bot<typeof declaration> = {
  name: 'laner',
  about: 'walks with its wave, takes last hits and towers, and goes home when it is hurt',
  think(world, seat, seed) {
    const sight = lookFrom(world, seat)
    if (sight === undefined) return {}
    const lane = laneOf(sight)
    return { ...act(sight, lane, seed, seat), buy: wareFor(sight) }
  },
}

function act(sight: Sight, lane: number, seed: number, seat: number): Thought {
  return (
    flee(sight, lane) ??
    recoverAtHome(sight) ??
    trade(sight, seed, seat) ??
    lastHit(sight) ??
    besiege(sight, lane) ??
    push(sight) ??
    hunt(sight) ??
    follow(sight, lane)
  )
}

/** The first of a side goes to the middle, the next ones to top and bottom. */
function laneOf({ world, player, side }: Sight): number {
  const { players } = world.tables
  let before = 0
  for (let other = 0; other < player; other++) if (players.team[other] === side) before++
  return [LANE.mid, LANE.top, LANE.bot][before % 3]
}

/** By turns, what makes it stronger and what keeps it alive. */
function wareFor({ world, player }: Sight): 'blade' | 'plate' {
  const { owned } = world.tables.players
  return owned[player * 3 + 1] <= owned[player * 3 + 2] ? 'blade' : 'plate'
}

/** Badly hurt, or under a tower's fire: back along the lane. Where nobody is near, recall; also to spend much gold. */
function flee(sight: Sight, lane: number): Thought | undefined {
  const { world, self, side, enemies } = sight
  const { things } = world.tables
  const { along, beside } = alongLane(side, lane, things.x[self], things.y[self])
  // The nearer to home, the sooner: who is on the way there goes all the way.
  const isHurt = things.hp[self] < lerp(HURT_NEAR_HOME, HURT, clamp(along / FAR_FROM_HOME, 0, 1)) * things.maxHp[self]
  const isRich = world.tables.players.gold[sight.player] >= RICH
  const isShotAt = enemies.some((row) => things.kind[row] === KIND.tower && things.target[row] === things.id[self])
  if (isHome(world, self)) return undefined
  const threat = nearest(sight, enemies, (row) => things.speed[row] > 0)
  const isAlone = (threat < 0 || distance(sight, self, threat) > TOO_NEAR) && !isFighting(world, self)
  if (isAlone && (isHurt || isRich)) return { order: 'hold', recall: things.recallAt[self] === 0 ? 1 : 0 }
  if (!isHurt && !isShotAt) return undefined
  const back = beside > 400 ? FOUNTAINS[side] : placeOnLane(side, lane, along - 300)
  return { order: 'move', go: along < 400 ? FOUNTAINS[side] : back, ...wayOut(sight, back) }
}

/** A dash is also a way out. */
function wayOut({ world, self }: Sight, to: { x: number; y: number }): Thought {
  const { things } = world.tables
  const which = CHAMPIONS[things.champion[self]].abilities.findIndex(({ effect }) => effect === 'dash')
  if (which < 0 || !isReady(world, self, which) || !isFighting(world, self)) return {}
  return which === 0 ? { first: 1, aim: to } : { second: 1, aim: to }
}

function recoverAtHome({ world, self, side }: Sight): Thought | undefined {
  const { hp, maxHp } = world.tables.things
  return isHome(world, self) && hp[self] < WHOLE * maxHp[self] ? { order: 'move', go: FOUNTAINS[side] } : undefined
}

/** Fights the champion opposite while it is not the weaker one, and not under its tower. */
function trade(sight: Sight, seed: number, seat: number): Thought | undefined {
  const { world, self, enemies } = sight
  const { things } = world.tables
  const foe = nearest(sight, enemies, (row) => things.kind[row] === KIND.champion)
  if (foe < 0) return undefined
  const space = gap(world, self, foe)
  const abilities = castAt(sight, foe, space, seed, seat)
  const isStronger = things.hp[self] * things.damage[self] > 0.9 * things.hp[foe] * things.damage[foe]
  const isSafe = isSafeToAttack(sight, foe)
  const isWeak = things.hp[foe] < WEAK * things.maxHp[foe]
  const reach = things.range[self] + (isWeak ? CHASE : isStronger ? SKIRMISH : 0)
  return isSafe && space < reach ? { order: 'attack', target: things.id[foe], ...abilities } : undefined
}

/** Casts what can reach: missiles with a lead, not at once in every tick it could. */
function castAt({ world, self }: Sight, foe: number, space: number, seed: number, seat: number): Thought {
  const { things } = world.tables
  const aim = { x: clampToMap(things.x[foe]), y: clampToMap(things.y[foe]) }
  for (let which = 0; which < 2; which++) {
    const ability = CHAMPIONS[things.champion[self]].abilities[which]
    if (!isReady(world, self, which) || unitAt(seed, Math.floor(world.tick / 10), seat, which, 1) < 0.5) continue
    const reach =
      ability.effect === 'shield'
        ? 200
        : ability.effect === 'burst'
          ? Math.max(ability.range, ability.radius)
          : ability.range
    if (space > reach - 30 || (ability.effect === 'dash' && ability.radius === 0)) continue
    if (ability.effect === 'missile') {
      const seconds = space / ability.speed
      aim.x = clampToMap(aim.x + things.headX[foe] * things.speed[foe] * seconds)
      aim.y = clampToMap(aim.y + things.headY[foe] * things.speed[foe] * seconds)
    }
    return which === 0 ? { first: 1, aim } : { second: 1, aim }
  }
  return {}
}

/** A minion that the next blow kills. */
function lastHit(sight: Sight): Thought | undefined {
  const { world, self, enemies } = sight
  const { things } = world.tables
  const victim = nearest(sight, enemies, (row) => {
    if (!isMinionRow(sight, row) || gap(world, self, row) > things.range[self] + CHASE) return false
    return things.hp[row] <= things.damage[self] && isSafeToAttack(sight, row)
  })
  if (victim >= 0) return { order: 'attack', target: things.id[victim] }
  return snipe(sight)
}

/** The same with a missile, from further away. */
function snipe(sight: Sight): Thought | undefined {
  const { world, self, enemies } = sight
  const { things } = world.tables
  const { champion, level } = things
  for (let which = 0; which < 2; which++) {
    const ability = CHAMPIONS[champion[self]].abilities[which]
    if (ability.effect !== 'missile' || !isReady(world, self, which)) continue
    const damage = ability.damage + ability.damagePerLevel * (level[self] - 1)
    const victim = nearest(sight, enemies, (row) => isMinionRow(sight, row) && things.hp[row] <= damage)
    if (victim < 0 || gap(world, self, victim) > ability.range - 50) continue
    const aim = { x: clampToMap(things.x[victim]), y: clampToMap(things.y[victim]) }
    return { order: 'attack', target: things.id[victim], ...(which === 0 ? { first: 1, aim } : { second: 1, aim }) }
  }
  return undefined
}

/** A tower or the nexus, while minions draw the fire. */
function besiege(sight: Sight, lane: number): Thought | undefined {
  const { world, self } = sight
  const { things } = world.tables
  const structure = nextStructure(sight, lane)
  if (structure < 0 || distance(sight, self, structure) > 900) return undefined
  if (things.kind[structure] === KIND.tower && !hasEscort(sight, structure)) return undefined
  return { order: 'attack', target: things.id[structure] }
}

/** The weakest minion in reach. */
function push(sight: Sight): Thought | undefined {
  const { world, self, enemies } = sight
  const { things } = world.tables
  let weakest = -1
  for (const row of enemies) {
    if (!isMinionRow(sight, row) || gap(world, self, row) > things.range[self] + CHASE || !isSafeToAttack(sight, row))
      continue
    if (weakest < 0 || things.hp[row] < things.hp[weakest]) weakest = row
  }
  return weakest < 0 ? undefined : { order: 'attack', target: things.id[weakest], ...sweep(sight, weakest) }
}

/** Abilities that hit several are for waves, too. */
function sweep(sight: Sight, at: number): Thought {
  const { world, self, enemies } = sight
  const { things } = world.tables
  const aim = { x: clampToMap(things.x[at]), y: clampToMap(things.y[at]) }
  for (let which = 0; which < 2; which++) {
    const ability = CHAMPIONS[things.champion[self]].abilities[which]
    if (ability.effect !== 'burst' || !isReady(world, self, which)) continue
    const centre = ability.range > 0 ? at : self
    const hit = enemies.filter((row) => isMinionRow(sight, row) && distance(sight, centre, row) < ability.radius).length
    if (hit >= 2 && distance(sight, self, at) <= Math.max(ability.range, ability.radius)) {
      return which === 0 ? { first: 1, aim } : { second: 1, aim }
    }
  }
  return {}
}

/**
 * A creature of the jungle near by, while it is whole enough and no enemy is near the camp. Near the camp, not near itself:
 * its own steps must not change its mind.
 */
function hunt(sight: Sight): Thought | undefined {
  const { world, self, side, enemies } = sight
  const { things } = world.tables
  if (things.hp[self] < WEAK * things.maxHp[self]) return undefined
  for (let row = 0; row < things.count; row++) {
    if (things.kind[row] !== KIND.monster || things.hp[row] <= 0 || !visible(world, side, row)) continue
    const isQuiet = enemies.every((enemy) => things.speed[enemy] === 0 || distance(sight, row, enemy) > CAMP_QUIET)
    if (isQuiet && distance(sight, self, row) < HUNTING) return { order: 'attack', target: things.id[row] }
  }
  return undefined
}

/** Behind the front of the own wave; without one, at the own tower that stands furthest out. */
function follow(sight: Sight, lane: number): Thought {
  const { world, side, allies } = sight
  const { things } = world.tables
  let front = 150
  for (const row of allies) {
    const isTower = things.kind[row] === KIND.tower
    if (things.lane[row] !== lane || !(isTower || isMinionRow(sight, row))) continue
    const { along, beside } = alongLane(side, lane, things.x[row], things.y[row])
    if (beside < 300 && along > front) front = along
  }
  const go = placeOnLane(side, lane, front - BEHIND)
  const tower = towerOver(sight, go.x, go.y, SAFE)
  if (tower >= 0 && !hasEscort(sight, tower)) {
    const { along } = alongLane(side, lane, things.x[tower], things.y[tower])
    return { order: 'move', go: placeOnLane(side, lane, along - things.range[tower] - things.radius[tower] - 2 * SAFE) }
  }
  return { order: 'move', go }
}

/** No tower reaches the place from which it would attack, or minions draw its fire. */
function isSafeToAttack(sight: Sight, row: number): boolean {
  const { world, self } = sight
  const { x, y, radius, range } = world.tables.things
  const way = distance(sight, self, row)
  const reach = Math.min(range[self] + radius[self] + radius[row], way)
  const part = way > 0 ? reach / way : 0
  const standX = x[row] + (x[self] - x[row]) * part
  const standY = y[row] + (y[self] - y[row]) * part
  const tower = towerOver(sight, standX, standY, radius[self] + 10)
  return tower < 0 || hasEscort(sight, tower)
}

function hasEscort(sight: Sight, tower: number): boolean {
  const { world, allies, self } = sight
  const { things } = world.tables
  const target = findRow(things, things.target[tower])
  if (target === self) return false
  let escort = 0
  for (const row of allies) if (isMinionRow(sight, row) && gap(world, row, tower) < things.range[tower]) escort++
  return escort >= ESCORT
}

function isReady(world: SiegeWorld, row: number, which: number): boolean {
  return world.tables.things.abilityReadyAt[row * 2 + which] <= world.clock
}

function clampToMap(place: number): number {
  return clamp(place, -1800, 1800)
}
