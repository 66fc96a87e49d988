/**
 * Steering: how a unit that wants to walk gets around what stands in its way.
 *
 * Separation alone is not enough: it pushes a unit that walks dead on into the middle of a tower straight back, for ever.
 * So a unit looks a little way ahead along a fan of directions and takes the free one nearest to its goal. What stands
 * blocks, and what comes the other way; units that walk along do not. All prefer the right, so that two that meet head on
 * pass each other, and keep to the side once chosen until the way is free, so that none turns back half way around. Units
 * think in turns, every few ticks, and walk on as they thought last. In columns: every unit, every few ticks.
 */

import { clamp, cos, length, sin } from 'hurtbox/math'
import { within } from 'hurtbox/query'
import { BOUNDS } from './content/map.ts'
import { LAYER, type SiegeWorld } from './declaration.ts'
import { BODIES, near } from './near.ts'

/** Ticks between two thoughts on a detour, and on a free way: a minion comes 40 far in that time. */
const THINK_EVERY = 3
const THINK_SELDOM = 6
/** How far ahead a way has to be free, beyond the unit's own rim. */
const LOOK_AHEAD = 60
/** Radians between two directions of the fan, and how many there are to either side. */
const STEP = 0.4
const FAN = 6
/** Below this cosine two units walk against each other. */
const AGAINST = -0.3
/** Rims keep this far apart. */
const ROOM = 1

const RIGHT = 1
const LEFT = 2
/** In which order directions are tried: straight on, then right and left by turns, or all of the side once chosen first. */
const TURNS = [
  [0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6],
  [0, 1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6],
  [0, -1, -2, -3, -4, -5, -6, 1, 2, 3, 4, 5, 6],
]
/** By turn, from −FAN. */
const COS = Float64Array.from({ length: 2 * FAN + 1 }, (_, i) => cos((i - FAN) * STEP))
const SIN = Float64Array.from({ length: 2 * FAN + 1 }, (_, i) => sin((i - FAN) * STEP))

/** Scratch of one thought: where the unit is, offsets and reaches of what blocks. */
const here = { x: 0, y: 0 }
let blockX = new Float64Array(64)
let blockY = new Float64Array(64)
let blockReach = new Float64Array(64)
let blocks = 0

export function steer(world: SiegeWorld): void {
  const { count, layer, walks, id, headX, headY, detour } = world.tables.things
  for (let row = 0; row < count; row++) {
    if (layer[row] !== LAYER.unit || walks[row] === 0) continue
    const every = detour[row] === 0 ? THINK_SELDOM : THINK_EVERY
    if ((world.tick + id[row]) % every === 0 || (headX[row] === 0 && headY[row] === 0)) think(world, row)
  }
}

function think(world: SiegeWorld, row: number): void {
  const { goalX, goalY, x, y, headX, headY, detour } = world.tables.things
  const distance = length(goalX[row] - x[row], goalY[row] - y[row])
  if (distance === 0) return
  const ahead = Math.min(LOOK_AHEAD, distance)
  const aimX = (goalX[row] - x[row]) / distance
  const aimY = (goalY[row] - y[row]) / distance
  gatherBlocks(world, row, aimX, aimY, ahead)
  const turns = TURNS[detour[row]]
  let best = -1
  for (let i = 0; i < turns.length; i++) {
    const turn = turns[i]
    // y points down, so a turn to the right is one from x towards y.
    const dx = aimX * COS[FAN + turn] - aimY * SIN[FAN + turn]
    const dy = aimY * COS[FAN + turn] + aimX * SIN[FAN + turn]
    const free = freeWay(world, row, dx, dy, ahead)
    // Where nothing is free all the way: what leads furthest, and rather forward than back.
    const worth = free >= ahead ? Number.POSITIVE_INFINITY : free * (1.5 + COS[FAN + turn])
    if (worth <= best) continue
    best = worth
    headX[row] = dx
    headY[row] = dy
    detour[row] = turn === 0 ? 0 : turn > 0 ? RIGHT : LEFT
    if (free >= ahead) return
  }
}

function gatherBlocks(world: SiegeWorld, row: number, aimX: number, aimY: number, ahead: number): void {
  const { x, y, radius, id, target, hp, layer, walks, headX, headY } = world.tables.things
  here.x = x[row]
  here.y = y[row]
  const found = within(near, here, radius[row] + ahead + ROOM, BODIES)
  if (blockX.length < found) growBlocks(found)
  blocks = 0
  for (let i = 0; i < found; i++) {
    const other = near.answer.circle[i]
    if (other === row || id[other] === target[row] || hp[other] <= 0) continue
    const isStanding = layer[other] === LAYER.structure || walks[other] === 0
    if (!isStanding && aimX * headX[other] + aimY * headY[other] > AGAINST) continue
    blockX[blocks] = x[other] - x[row]
    blockY[blocks] = y[other] - y[row]
    blockReach[blocks] = radius[row] + radius[other] + ROOM
    blocks++
  }
}

/** How far a unit can go in a direction before something blocks, at most `ahead`. */
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
    // A unit that touches it already may still go along its side.
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
