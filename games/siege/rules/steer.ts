/**
 * Steering: how a unit that wants to walk gets around what stands in its way.
 *
 * Separation alone is not enough: it pushes a unit that walks dead on into the middle of a tower straight back, for ever. So a
 * unit looks a little way ahead along a fan of directions and takes the one nearest to where it wants to go that is free.
 * What stands blocks, and what comes the other way; those who walk along do not. Everybody prefers the right, so
 * that two who meet head on pass each other, and keeps to the side once chosen until the way is free again, so that nobody
 * turns back half way around. Units think in turns, every few ticks, and walk on as they thought last.
 */

import { within } from 'hurtbox'
import { clamp, cos, length, sin } from 'hurtbox/math'
import { around, BODIES } from './around.ts'
import { BOUNDS } from './content/map.ts'
import { LAYER, type SiegeWorld } from './declaration.ts'

/** Ticks between two thoughts of who goes round something, and of who has a free way: a minion comes 40 far in that time. */
const THINK_EVERY = 3
const THINK_SELDOM = 6
/** How far ahead a way has to be free, beyond the unit's own rim. */
const LOOK_AHEAD = 60
/** The fan: so many directions to either side, this many radians apart. */
const FAN = 6
const STEP = 0.4
/** Below this cosine two units walk against each other. */
const AGAINST = -0.3
/** Rims keep this far apart. */
const ROOM = 1

const COS = Float64Array.from({ length: FAN + 1 }, (_, i) => cos(i * STEP))
const SIN = Float64Array.from({ length: FAN + 1 }, (_, i) => sin(i * STEP))
const RIGHT = 1
const LEFT = 2

/** Scratch of one thought: offsets and reaches of what blocks. Written before it is read; grows when needed. */
let blockX = new Float64Array(64)
let blockY = new Float64Array(64)
let blockReach = new Float64Array(64)
let blocks = 0

export function steer(world: SiegeWorld): void {
  const { things } = world.tables
  const { count, layer, walks, id, headX, headY, detour } = things
  for (let row = 0; row < count; row++) {
    if (layer[row] !== LAYER.unit || walks[row] === 0) continue
    const every = detour[row] === 0 ? THINK_SELDOM : THINK_EVERY
    if ((world.tick + id[row]) % every === 0 || (headX[row] === 0 && headY[row] === 0)) think(world, row)
  }
}

function think(world: SiegeWorld, row: number): void {
  const { goalX, goalY, x, y, headX, headY, detour } = world.tables.things
  const dx = goalX[row] - x[row]
  const dy = goalY[row] - y[row]
  const distance = length(dx, dy)
  if (distance === 0) return
  const ahead = Math.min(LOOK_AHEAD, distance)
  const aimX = dx / distance
  const aimY = dy / distance
  gatherBlocks(world, row, aimX, aimY, ahead)
  const chosen = detour[row]
  let bestTurn = 0
  let bestSide = 0
  let best = -1
  for (let i = 0; i <= 2 * FAN; i++) {
    const turn = turnOf(i, chosen)
    const side = sideOf(i, chosen)
    const free = freeWay(world, row, directionX(aimX, aimY, turn, side), directionY(aimX, aimY, turn, side), ahead)
    if (free >= ahead) {
      bestTurn = turn
      bestSide = side
      break
    }
    // Nothing is free all the way: what leads furthest, and rather forward than back.
    const worth = free * (1.5 + COS[turn])
    if (worth <= best) continue
    best = worth
    bestTurn = turn
    bestSide = side
  }
  headX[row] = directionX(aimX, aimY, bestTurn, bestSide)
  headY[row] = directionY(aimX, aimY, bestTurn, bestSide)
  detour[row] = bestSide
}

/**
 * The order in which directions are tried: straight on; then, for who has chosen a side, all of that side before the
 * other; for who has not, one step to the right, one to the left, two to the right, …
 */
function turnOf(i: number, chosen: number): number {
  return chosen === 0 ? (i + 1) >> 1 : i <= FAN ? i : i - FAN
}

function sideOf(i: number, chosen: number): number {
  if (i === 0) return 0
  if (chosen === 0) return (i & 1) === 1 ? RIGHT : LEFT
  return i <= FAN ? chosen : RIGHT + LEFT - chosen
}

/** The aim turned by so many steps of the fan. y points down, so a turn to the right is one from x towards y. */
function directionX(aimX: number, aimY: number, turn: number, side: number): number {
  return aimX * COS[turn] - (side === LEFT ? -1 : 1) * aimY * SIN[turn]
}

function directionY(aimX: number, aimY: number, turn: number, side: number): number {
  return aimY * COS[turn] + (side === LEFT ? -1 : 1) * aimX * SIN[turn]
}

function gatherBlocks(world: SiegeWorld, row: number, aimX: number, aimY: number, ahead: number): void {
  const { things } = world.tables
  const { x, y, radius, id, target, hp, layer, walks, headX, headY } = things
  const space = around(world)
  const found = within(space, x[row], y[row], radius[row] + ahead + ROOM, BODIES)
  if (blockX.length < found) growBlocks(found)
  blocks = 0
  for (let i = 0; i < found; i++) {
    const other = space.answer.circle[i]
    if (other === row || id[other] === target[row] || hp[other] <= 0) continue
    const isStanding = layer[other] === LAYER.structure || walks[other] === 0
    if (!isStanding && aimX * headX[other] + aimY * headY[other] > AGAINST) continue
    blockX[blocks] = x[other] - x[row]
    blockY[blocks] = y[other] - y[row]
    blockReach[blocks] = radius[row] + radius[other] + ROOM
    blocks++
  }
}

/** How far one can go in a direction before something blocks, at most `ahead`. */
function freeWay(world: SiegeWorld, row: number, dx: number, dy: number, ahead: number): number {
  if (!isInside(world, row, dx * ahead, dy * ahead)) return 0
  let free = ahead
  for (let i = 0; i < blocks; i++) {
    const along = blockX[i] * dx + blockY[i] * dy
    if (along <= 0) continue
    const squared = blockX[i] * blockX[i] + blockY[i] * blockY[i]
    const reachSquared = blockReach[i] * blockReach[i]
    const aside = squared - along * along
    if (aside >= reachSquared) continue
    // Who touches it already may still go along its side.
    if (squared < reachSquared) {
      if (along * along > 0.02 * squared) return 0
      continue
    }
    free = Math.min(free, along - Math.sqrt(reachSquared - aside))
  }
  return free
}

function isInside(world: SiegeWorld, row: number, dx: number, dy: number): boolean {
  const { x, y, radius } = world.tables.things
  const [endX, endY, rim] = [x[row] + dx, y[row] + dy, radius[row]]
  return (
    clamp(endX, BOUNDS.minX + rim, BOUNDS.maxX - rim) === endX &&
    clamp(endY, BOUNDS.minY + rim, BOUNDS.maxY - rim) === endY
  )
}

function growBlocks(wanted: number): void {
  blockX = new Float64Array(2 * wanted)
  blockY = new Float64Array(2 * wanted)
  blockReach = new Float64Array(2 * wanted)
}
