/**
 * What a unit attacks, and so where it wants to go.
 *
 * No unit attacks what its side does not see, what is dead, or a structure that is still protected. A target is kept while
 * it can be attacked and is near. Units look for a new one in turns: a crowd that looked in every tick would do little else.
 */

import { each, thing } from 'hurtbox'
import { CHAMPION_NOTICES } from './content/champions.ts'
import { otherSide, type Place, WAYS } from './content/map.ts'
import { KIND, UNITS } from './content/units.ts'
import type { SiegePlayer, SiegeThing, SiegeWorld } from './declaration.ts'
import { visible } from './fog.ts'
import { bodiesNear } from './near.ts'
import { isProtected } from './structures.ts'
import { gap, isHelpless, isInRange, isNear, squaredDistance } from './units.ts'

/** Ticks between two looks around. */
const LOOK_EVERY = 5
/** How much further than it notices a target a unit follows it. */
const FOLLOWS = 150
/** How near to a point of its way a minion has to come. */
const POINT_REACHED = 100
/** Nearer than this to its goal a unit stands. */
const ARRIVED = 4
/** Nearer than this to its goal a unit stops next to another that stands there. */
const CROWDED = 150
const NEXT_TO = 20

export function chooseTargets(world: SiegeWorld): void {
  for (const body of each(world)) {
    const { kind } = body
    if (kind === KIND.tower) aimTower(world, body)
    else if (kind > KIND.champion && kind < KIND.tower && body.hp > 0) decide(world, body)
  }
}

function canAttack(world: SiegeWorld, side: number, body: SiegeThing): boolean {
  if (body.team === side || body.hp <= 0 || body.leaving !== 0) return false
  return visible(world, side, body) && !isProtected(world, body)
}

/** What a unit attacks, unless it is gone, hidden, protected, or no enemy. */
export function targetOf(world: SiegeWorld, { target: id, team }: SiegeThing): SiegeThing | undefined {
  const target = id === 0 ? undefined : thing(world, id)
  return target !== undefined && target.kind <= KIND.nexus && canAttack(world, team, target) ? target : undefined
}

/** Stands when the target is in range, else walks up to it. */
function approach(unit: SiegeThing, target: SiegeThing): void {
  unit.goalX = target.x
  unit.goalY = target.y
  unit.walks = isInRange(unit, target) ? 0 : 1
}

/** Walks to a place; stands when there, or next to a unit that stands there already. */
function walkTo(world: SiegeWorld, unit: SiegeThing, x: number, y: number): void {
  unit.goalX = goal.x = x
  unit.goalY = goal.y = y
  const squared = squaredDistance(unit, goal)
  const isThere = squared <= ARRIVED * ARRIVED || (squared < CROWDED * CROWDED && isTaken(world, unit))
  unit.walks = isThere ? 0 : 1
}

/** Scratch of `walkTo`. */
const goal = { x: 0.5, y: 0.5 }

/** Whether a unit next to this one stands at its goal. */
function isTaken(world: SiegeWorld, unit: SiegeThing): boolean {
  for (const other of bodiesNear(world, goal, unit.radius)) {
    if (other !== unit && other.walks === 0 && gap(unit, other) < NEXT_TO) return true
  }
  return false
}

/**
 * The best enemy of a unit within `reach` of its rim: the nearest, where some sorts count as further away. All units see
 * further than they notice, so a unit that the others do not see has no target to look for.
 */
function findTarget(world: SiegeWorld, unit: SiegeThing, reach: number): SiegeThing | undefined {
  const { team } = unit
  if (!visible(world, otherSide(team), unit)) return undefined
  let best: SiegeThing | undefined
  let least = Number.POSITIVE_INFINITY
  for (const enemy of bodiesNear(world, unit, reach + unit.radius, team)) {
    const cost = gap(unit, enemy) + reluctance(world, unit, enemy)
    if (cost >= least || !canAttack(world, team, enemy)) continue
    best = enemy
    least = cost
  }
  return best
}

/**
 * How much further away a target counts. Champions that have hurt a champion come first; minions are preferred to
 * structures and champions, and by towers always.
 */
function reluctance({ clock }: SiegeWorld, unit: SiegeThing, enemy: SiegeThing): number {
  const { kind } = enemy
  if (kind !== KIND.champion) return kind < KIND.tower ? 0 : 150
  if (enemy.wantedUntil > clock) return -1000
  return unit.kind === KIND.tower ? 1000 : 200
}

function decide(world: SiegeWorld, unit: SiegeThing): void {
  unit.walks = 0
  if (isHelpless(world, unit)) return
  const isCreature = unit.kind === KIND.monster
  const target = isCreature ? creatureTarget(world, unit) : minionTarget(world, unit)
  unit.target = target?.id ?? 0
  // A unit that has raised its arm stands until the blow has landed.
  if (unit.strikesAt !== 0) return
  if (target !== undefined) approach(unit, target)
  else if (isCreature) goHome(world, unit)
  else marchOn(world, unit)
}

function minionTarget(world: SiegeWorld, minion: SiegeThing): SiegeThing | undefined {
  const { notices } = UNITS[minion.kind]
  let target = targetOf(world, minion)
  if (target !== undefined) {
    if (isInRange(minion, target)) return target
    if (gap(minion, target) > notices + FOLLOWS) target = undefined
  }
  return ((world.tick + minion.id) % LOOK_EVERY === 0 && findTarget(world, minion, notices)) || target
}

/** Along the lane, from point to point; the last one is the nexus of the others. */
function marchOn(world: SiegeWorld, minion: SiegeThing): void {
  const way = WAYS[minion.team][minion.lane]
  while (minion.leg < way.length - 1 && hasPassed(minion, way)) minion.leg++
  const { x, y } = way[minion.leg]
  walkTo(world, minion, x, y)
}

/** Whether a minion is at the next point of its way, or beyond it: no minion walks back for a point. */
function hasPassed(minion: SiegeThing, way: readonly Place[]): boolean {
  const next = way[minion.leg]
  if (isNear(minion, next, POINT_REACHED)) return true
  const from = way[Math.max(minion.leg - 1, 0)]
  return (minion.x - next.x) * (next.x - from.x) + (minion.y - next.y) * (next.y - from.y) > 0
}

/** A creature follows the unit that hurt it (see `react`) as far as its leash reaches. */
function creatureTarget(world: SiegeWorld, creature: SiegeThing): SiegeThing | undefined {
  return isFarFromHome(creature, world.tuning.leash) ? undefined : targetOf(world, creature)
}

function goHome(world: SiegeWorld, creature: SiegeThing): void {
  walkTo(world, creature, creature.homeX, creature.homeY)
  if (creature.walks === 0) creature.hp = creature.maxHp
}

export function isFarFromHome({ x, y, homeX, homeY }: SiegeThing, far: number): boolean {
  return (x - homeX) * (x - homeX) + (y - homeY) * (y - homeY) > far * far
}

/** A tower keeps its target while in range, but turns to a champion that has just hurt a champion. */
function aimTower(world: SiegeWorld, tower: SiegeThing): void {
  let target = targetOf(world, tower)
  if (target !== undefined && !isInRange(tower, target)) target = undefined
  if (target === undefined || (world.tick + tower.id) % LOOK_EVERY === 0) {
    const other = findTarget(world, tower, tower.range)
    const isWanted = other !== undefined && other.kind === KIND.champion && other.wantedUntil > world.clock
    if (target === undefined || (isWanted && target.kind !== KIND.champion)) target = other
  }
  const id = target?.id ?? 0
  if (id !== tower.target) tower.heat = 0
  tower.target = id
}

export function followOrder(world: SiegeWorld, player: SiegePlayer, champion: SiegeThing): void {
  champion.walks = 0
  if (isHelpless(world, champion) || champion.recallAt !== 0) return
  const { order } = player
  if (order === 'attack') champion.target = player.target
  if (order === 'move') champion.target = champion.strikesAt = 0
  let target = targetOf(world, champion)
  if (order === 'hold' || order === 'attackMove') {
    const reach = order === 'hold' ? champion.range : CHAMPION_NOTICES
    if (target === undefined || gap(champion, target) > reach) target = findTarget(world, champion, reach)
    champion.target = target?.id ?? 0
  }
  if (champion.strikesAt !== 0) return
  if (target !== undefined) approach(champion, target)
  else if (order === 'move' || order === 'attackMove') walkTo(world, champion, player.goX, player.goY)
}
