/**
 * Whom a unit attacks, and so where it wants to go.
 *
 * Nobody attacks what its side does not see, what is dead, or a structure that is still protected. A target is kept while
 * it can be attacked and is near; looking for a new one is done every few ticks, in turns, because a crowd that looks
 * around in every tick would do little else.
 */

import { findRow, thingOf, within } from 'hurtbox'
import { around, BODIES, ENEMIES } from './around.ts'
import { CHAMPION_NOTICES } from './content/champions.ts'
import { otherSide, WAYS } from './content/map.ts'
import { KIND, UNITS } from './content/units.ts'
import { LAYER, ORDER, type SiegeWorld } from './declaration.ts'
import { visible } from './fog.ts'
import { isProtected } from './structures.ts'
import { gap, isAlive, isHelpless, isMinion } from './units.ts'

/** Ticks between two looks around. */
const LOOK_EVERY = 5
/** How much further than it notices it a unit follows its target. */
const FOLLOWS = 150
/** How near to a point of its way a minion has to come. */
const POINT_REACHED = 100
/** Nearer than this to its goal nobody walks. */
const ARRIVED = 4
/** Nearer than this to its goal a unit asks whether somebody stands there, and whether it is next to that one. */
const CROWDED = 150
const NEXT_TO = 20

/** Minions and creatures choose their targets and goals. */
export function chooseTargets(world: SiegeWorld): void {
  const { things } = world.tables
  for (let row = 0, { count } = things; row < count; row++) {
    if (things.layer[row] === LAYER.unit && things.kind[row] !== KIND.champion && things.hp[row] > 0) decide(world, row)
    else if (things.kind[row] === KIND.tower) aimTower(world, row)
  }
}

/** Whether `side` can attack the thing in `row` now. */
function canAttack(world: SiegeWorld, side: number, row: number): boolean {
  const { team } = world.tables.things
  return team[row] !== side && isAlive(world, row) && visible(world, side, row) && !isProtected(world, row)
}

/** The row of what `row` attacks, or −1 when it is gone, hidden, protected, or no enemy. */
export function targetOf(world: SiegeWorld, row: number): number {
  const { things } = world.tables
  if (things.target[row] === 0) return -1
  const target = findRow(things, things.target[row])
  const isBody = target >= 0 && (things.layer[target] === LAYER.unit || things.layer[target] === LAYER.structure)
  return isBody && canAttack(world, things.team[row], target) ? target : -1
}

/** Goes for a target: stands when it is in range, else walks up to it. */
function approach(world: SiegeWorld, row: number, target: number): void {
  const { goalX, goalY, walks, x, y, range } = world.tables.things
  goalX[row] = x[target]
  goalY[row] = y[target]
  walks[row] = gap(world, row, target) > range[row] ? 1 : 0
}

/** Walks to a place, or stands when there: or next to whoever stands there already. */
function walkTo(world: SiegeWorld, row: number, x: number, y: number): void {
  const { things } = world.tables
  things.goalX[row] = x
  things.goalY[row] = y
  const dx = x - things.x[row]
  const dy = y - things.y[row]
  const squared = dx * dx + dy * dy
  const isThere = squared <= ARRIVED * ARRIVED || (squared < CROWDED * CROWDED && isTaken(world, row, x, y))
  things.walks[row] = isThere ? 0 : 1
}

/** Whether somebody next to this unit stands where it wants to be. */
function isTaken(world: SiegeWorld, row: number, x: number, y: number): boolean {
  const { walks } = world.tables.things
  const space = around(world)
  const found = within(space, x, y, world.tables.things.radius[row], BODIES)
  for (let i = 0; i < found; i++) {
    const other = space.answer.circle[i]
    if (other !== row && walks[other] === 0 && gap(world, row, other) < NEXT_TO) return true
  }
  return false
}

/**
 * The best enemy of a unit within `reach` of its rim, or −1. Nearest first; some sorts count as further away.
 *
 * Everybody sees further than anybody notices. So whom the others do not see has nobody to look for, and most of a
 * large army need not search.
 */
function findTarget(world: SiegeWorld, row: number, reach: number): number {
  const { things } = world.tables
  const side = things.team[row]
  const isSeen = things.layer[row] === LAYER.structure || visible(world, otherSide(side), row)
  if (!isSeen) return -1
  const space = around(world)
  const found = within(space, things.x[row], things.y[row], reach + things.radius[row], ENEMIES[side])
  let best = -1
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < found; i++) {
    const other = space.answer.circle[i]
    const cost = gap(world, row, other) + reluctance(world, row, other)
    if (cost >= least || !canAttack(world, side, other)) continue
    best = other
    least = cost
  }
  return best
}

/**
 * By how much further away a target counts than it is. Who has hurt a champion comes first; minions are preferred to
 * structures and champions, and by towers always.
 */
function reluctance(world: SiegeWorld, row: number, other: number): number {
  const { kind, wantedUntil, layer } = world.tables.things
  if (layer[other] === LAYER.structure) return 150
  if (kind[other] !== KIND.champion) return 0
  if (wantedUntil[other] > world.clock) return -1000
  return layer[row] === LAYER.structure ? 1000 : 200
}

function decide(world: SiegeWorld, row: number): void {
  const { things } = world.tables
  things.walks[row] = 0
  if (isHelpless(world, row)) return
  const target = isMinion(things.kind[row]) ? minionTarget(world, row) : creatureTarget(world, row)
  things.target[row] = target < 0 ? 0 : things.id[target]
  // Who has raised the arm stands until the blow has landed.
  if (things.strikesAt[row] !== 0) return
  if (target >= 0) approach(world, row, target)
  else if (isMinion(things.kind[row])) marchOn(world, row)
  else goHome(world, row)
}

function minionTarget(world: SiegeWorld, row: number): number {
  const { things } = world.tables
  const { notices } = UNITS[things.kind[row]]
  let target = targetOf(world, row)
  if (target >= 0 && gap(world, row, target) > notices + FOLLOWS) target = -1
  const isInReach = target >= 0 && gap(world, row, target) <= things.range[row]
  if (isInReach || (world.tick + things.id[row]) % LOOK_EVERY !== 0) return target
  const found = findTarget(world, row, notices)
  return found < 0 ? target : found
}

/** Along the lane, from point to point; the last one is the nexus of the others. */
function marchOn(world: SiegeWorld, row: number): void {
  const { things } = world.tables
  const way = WAYS[things.team[row]][things.lane[row]]
  while (things.leg[row] < way.length - 1 && hasPassed(world, row)) things.leg[row]++
  walkTo(world, row, way[things.leg[row]].x, way[things.leg[row]].y)
}

/** Whether a minion is at the next point of its way, or beside and beyond it: nobody walks back for a point. */
function hasPassed(world: SiegeWorld, row: number): boolean {
  const { x, y, team, lane, leg } = world.tables.things
  const way = WAYS[team[row]][lane[row]]
  const next = way[leg[row]]
  const from = way[Math.max(leg[row] - 1, 0)]
  const [dx, dy] = [x[row] - next.x, y[row] - next.y]
  if (dx * dx + dy * dy < POINT_REACHED * POINT_REACHED) return true
  return dx * (next.x - from.x) + dy * (next.y - from.y) > 0
}

/** A creature follows whoever hurt it (see `react`) as far as its leash reaches. */
function creatureTarget(world: SiegeWorld, row: number): number {
  const target = targetOf(world, row)
  return target >= 0 && !isFarFromHome(world, row, world.tuning.leash) ? target : -1
}

function goHome(world: SiegeWorld, row: number): void {
  const { things } = world.tables
  walkTo(world, row, things.homeX[row], things.homeY[row])
  if (things.walks[row] === 0) things.hp[row] = things.maxHp[row]
}

export function isFarFromHome(world: SiegeWorld, row: number, far: number): boolean {
  const { x, y, homeX, homeY } = world.tables.things
  const [dx, dy] = [x[row] - homeX[row], y[row] - homeY[row]]
  return dx * dx + dy * dy > far * far
}

/** A tower keeps its target while it is in range, except that it turns to whoever has just hurt a champion. */
function aimTower(world: SiegeWorld, tower: number): void {
  const { things } = world.tables
  const kept = targetOf(world, tower)
  const isKept = kept >= 0 && gap(world, tower, kept) <= things.range[tower]
  const isLooking = !isKept || (world.tick + things.id[tower]) % LOOK_EVERY === 0
  let target = isKept ? kept : -1
  if (isLooking) {
    const found = findTarget(world, tower, things.range[tower])
    const isWanted = found >= 0 && things.kind[found] === KIND.champion && things.wantedUntil[found] > world.clock
    if (!isKept || (isWanted && things.kind[kept] !== KIND.champion)) target = found
  }
  const id = target < 0 ? 0 : things.id[target]
  if (id !== things.target[tower]) things.heat[tower] = 0
  things.target[tower] = id
}

/** What a champion makes of its player's order. */
export function followOrder(world: SiegeWorld, player: number): void {
  const { things, players } = world.tables
  const row = thingOf(world, player)
  if (row < 0 || things.hp[row] <= 0) return
  things.walks[row] = 0
  if (isHelpless(world, row) || things.recallAt[row] !== 0) return
  const order = players.order[player]
  things.target[row] = order === ORDER.attack ? players.target[player] : order === ORDER.move ? 0 : things.target[row]
  let target = targetOf(world, row)
  if (order === ORDER.hold || order === ORDER.attackMove) {
    const reach = order === ORDER.hold ? things.range[row] : CHAMPION_NOTICES
    if (target >= 0 && gap(world, row, target) > reach) target = -1
    if (target < 0) target = findTarget(world, row, reach)
    things.target[row] = target < 0 ? 0 : things.id[target]
  }
  if (order === ORDER.move) things.strikesAt[row] = 0
  if (things.strikesAt[row] !== 0) return
  if (target >= 0) approach(world, row, target)
  else if (order === ORDER.move || order === ORDER.attackMove) {
    walkTo(world, row, players.goX[player], players.goY[player])
  }
}
