/**
 * Steering: how a unit that wants to walk gets around what stands in its way.
 *
 * Separation alone pushes a unit that walks dead on into the middle of a tower straight back, for ever. So a unit looks a
 * little ahead along a fan of directions and takes the free one nearest to its goal. What stands blocks, and what comes the
 * other way; units that walk along do not. All prefer the right, so that two that meet head on pass each other, and keep to
 * the side once chosen until the way is free. Units think in turns, every few ticks, and walk on as they thought last.
 */

import { thing } from 'hurtbox'
import { cos, sin } from 'hurtbox/math'
import { wallsWithin } from 'hurtbox/query'
import { LAYER, type SiegeThing, type SiegeWorld } from './declaration.ts'
import { bodiesNear, near } from './near.ts'

/** Ticks between two thoughts on a detour, and on a free way. */
const THINK_EVERY = 3
const THINK_SELDOM = 6
/** How far ahead of the rim a way has to be free. */
const LOOK_AHEAD = 60
/** Radians between two directions of the fan, and how many there are to either side. */
const STEP = 0.4
const FAN = 6
/** Below this cosine two units walk against each other. */
const AGAINST = -0.3
/** Rims keep this far apart. */
const ROOM = 1

/** In which order directions are tried: straight on, then right and left by turns, or first the side once chosen. */
const TURNS = [
  [0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6],
  [0, 1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6],
  [0, -1, -2, -3, -4, -5, -6, 1, 2, 3, 4, 5, 6],
]
/** By turn, from −FAN. */
const COS = Float64Array.from({ length: 2 * FAN + 1 }, (_, i) => cos((i - FAN) * STEP))
const SIN = Float64Array.from({ length: 2 * FAN + 1 }, (_, i) => sin((i - FAN) * STEP))

/** Scratch of one thought: where to, where that ends, the way being tried and how much of it is free; what blocks: offset and reach of each. */
const aim = { x: 0.5, y: 0.5, ahead: 0.5 }
const end = { x: 0.5, y: 0.5, radius: 0.5 }
const way = { x: 0.5, y: 0.5, free: 0.5 }
const blocks: number[] = []
let blocksEnd = 0

export function steer(world: SiegeWorld): void {
  const { count, layer, walks, id, headX, headY, detour } = world.tables.things
  for (let row = 0; row < count; row++) {
    if (layer[row] !== LAYER.unit || walks[row] === 0) continue
    const every = detour[row] === 0 ? THINK_SELDOM : THINK_EVERY
    const isTurn = (world.tick + id[row]) % every === 0
    if (isTurn || (headX[row] === 0 && headY[row] === 0)) think(world, thing(world, id[row])!)
  }
}

function think(world: SiegeWorld, unit: SiegeThing): void {
  const dx = unit.goalX - unit.x
  const dy = unit.goalY - unit.y
  const distance = Math.sqrt(dx * dx + dy * dy)
  if (distance === 0) return
  aim.x = dx / distance
  aim.y = dy / distance
  aim.ahead = Math.min(LOOK_AHEAD, distance)
  gatherBlocks(world, unit)
  const turns = TURNS[unit.detour]
  let best = -1
  for (let i = 0; i < turns.length; i++) {
    const turn = turns[i]
    // y points down, so a turn to the right is one from x towards y.
    way.x = aim.x * COS[FAN + turn] - aim.y * SIN[FAN + turn]
    way.y = aim.y * COS[FAN + turn] + aim.x * SIN[FAN + turn]
    measureWay(world, unit)
    // Where nothing is free all the way: what leads furthest, and rather forward than back.
    const isFree = way.free >= aim.ahead
    const worth = isFree ? Number.POSITIVE_INFINITY : way.free * (1.5 + COS[FAN + turn])
    if (worth <= best) continue
    best = worth
    unit.headX = way.x
    unit.headY = way.y
    unit.detour = turn === 0 ? 0 : turn > 0 ? 1 : 2
    if (isFree) return
  }
}

function gatherBlocks(world: SiegeWorld, unit: SiegeThing): void {
  const { x, y, radius, target } = unit
  blocksEnd = 0
  for (const other of bodiesNear(world, unit, radius + aim.ahead + ROOM)) {
    if (other === unit || other.id === target || other.hp <= 0) continue
    if (other.walks !== 0 && aim.x * other.headX + aim.y * other.headY > AGAINST) continue
    blocks[blocksEnd++] = other.x - x
    blocks[blocksEnd++] = other.y - y
    blocks[blocksEnd++] = radius + other.radius + ROOM
  }
}

/** How far a unit can go before something blocks, at most as far as it looks ahead. */
function measureWay(world: SiegeWorld, { x, y, radius }: SiegeThing): void {
  const { x: dx, y: dy } = way
  let free = aim.ahead
  way.free = 0
  end.x = x + dx * free
  end.y = y + dy * free
  // A unit may walk along the water.
  end.radius = radius - ROOM
  if (wallsWithin(near(world).map, end) > 0) return
  for (let i = 0; i < blocksEnd; i += 3) {
    const along = blocks[i] * dx + blocks[i + 1] * dy
    if (along <= 0) continue
    const squared = blocks[i] * blocks[i] + blocks[i + 1] * blocks[i + 1]
    const reachSquared = blocks[i + 2] * blocks[i + 2]
    const aside = squared - along * along
    if (aside >= reachSquared) continue
    // A unit that touches it already may still go along its side.
    if (squared >= reachSquared) free = Math.min(free, along - Math.sqrt(reachSquared - aside))
    else if (along * along > 0.02 * squared) return
  }
  way.free = free
}
