/**
 * A wrestler made of code: it keeps off the edge, goes for whoever is nearest, and uses everything it has.
 *
 * A fighter looks where it walks, so to aim is to walk. What it tries at close quarters is drawn anew every quarter of a
 * second, from the seed, the time and its seat; everything else follows from what it sees.
 */

import { type Bot, findRow, seatRow, thingOf } from 'hurtbox'
import { canAct } from 'hurtbox/abilities'
import { length, purposeOf, unitAt } from 'hurtbox/math'
import { type declaration, isIn, KIND, type SumoWorld } from '../rules/declaration.ts'
import { distanceToEdge } from '../rules/ring.ts'

export type Style = {
  /** Tries something at close quarters in so many of the quarters of a second it is there. */
  readonly eager: number
  /** Turns back when the edge is nearer than this, m. */
  readonly careful: number
  /** Shoots when its target is farther than this, m. */
  readonly shootsFrom: number
}

type Wrestler = Bot<typeof declaration>
type Move = ReturnType<Wrestler['think']>

export function wrestler(name: string, about: string, style: Style): Wrestler {
  return {
    name,
    about,
    think(world, seat, seed) {
      const self = thingOf(world, seatRow(world, seat))
      if (self < 0 || !isIn(world, self) || !canAct(world, self)) return IDLE
      const chance = unitAt(seed, Math.floor(world.tick / QUARTER), seat, 0, CHOICE)
      if (world.tables.things.holds[self] !== 0) return carryOut(world, self)
      const rescue = comeBack(world, self, style)
      if (rescue !== undefined) return rescue
      const danger = dodge(world, self, chance)
      if (danger !== undefined) return danger
      const target = nearest(world, self)
      return target < 0 ? IDLE : attack(world, self, target, style, chance)
    },
  }
}

const IDLE: Move = {}
/** For how many ticks it stays with a choice. */
const QUARTER = 16
const CHOICE = purposeOf('sumo choice')
/** Centres nearer than this, m, are in reach of a punch; and of a grab or an uppercut. */
const REACH = 2.9
const CLOSE = 2.6
/** A punch hits who is not higher or lower than this, m; an uppercut who is not higher than that. */
const LEVEL = 2
const OVERHEAD = 3
/** As far as a shockwave goes. */
const WAVE = 4
/** From here a throw or a finisher ends in the dust, m. */
const FATAL = 3

/** With somebody in its hands it runs for the nearest edge, and throws before the grip is lost. */
function carryOut(world: SumoWorld, self: number): Move {
  const { x, y, holds, heldUntil, facingX, facingY } = world.tables.things
  const held = findRow(world.tables.things, holds[self])
  const isAlongX = Math.abs(x[self]) > Math.abs(y[self])
  const moveX = isAlongX ? Math.sign(x[self]) || 1 : 0
  const moveY = isAlongX ? 0 : Math.sign(y[self]) || 1
  const isFacingOut = facingX[self] * moveX + facingY[self] * moveY > 0.9
  const isLast = held >= 0 && heldUntil[held] - world.clock < 12
  return { moveX, moveY, grab: isLast || (isFacingOut && distanceToEdge(x[self], y[self]) < FATAL + 1) ? 1 : 0 }
}

/** Back to the middle from near the edge, fast when it is falling. */
function comeBack(world: SumoWorld, self: number, style: Style): Move | undefined {
  const { x, y, z, vz } = world.tables.things
  const edge = distanceToEdge(x[self], y[self])
  if (edge > style.careful) return undefined
  const distance = length(x[self], y[self])
  const [moveX, moveY] = [-x[self] / distance, -y[self] / distance]
  const isFalling = edge < 0 && vz[self] < -1 && z[self] > 0
  return { moveX, moveY, dash: isFalling ? 1 : 0 }
}

/** A fireball that will hit is jumped over, or met with a barrier. */
function dodge(world: SumoWorld, self: number, chance: number): Move | undefined {
  const { count, kind, owner, id, x, y, vx, vy } = world.tables.things
  for (let row = 0; row < count; row++) {
    if (kind[row] !== KIND.projectile || owner[row] === id[self]) continue
    const [dx, dy] = [x[self] - x[row], y[self] - y[row]]
    const along = dx * vx[row] + dy * vy[row]
    const squared = vx[row] * vx[row] + vy[row] * vy[row]
    if (along <= 0 || along > 0.35 * squared) continue
    const aside = Math.abs(dx * vy[row] - dy * vx[row]) / Math.sqrt(squared)
    if (aside > 1.4) continue
    return chance < 0.3 ? { barrier: 1 } : chance < 0.7 ? { jump: 1 } : undefined
  }
  return undefined
}

function attack(world: SumoWorld, self: number, target: number, style: Style, chance: number): Move {
  const { things } = world.tables
  const [dx, dy] = [things.x[target] - things.x[self], things.y[target] - things.y[self]]
  const distance = length(dx, dy)
  const [moveX, moveY] = distance > 0 ? [dx / distance, dy / distance] : [1, 0]
  const isFacing = things.facingX[self] * moveX + things.facingY[self] * moveY > 0.9
  const towards = { moveX, moveY }
  if (distance > style.shootsFrom) {
    if (isFacing && chance < 0.4) return { ...towards, fireball: 1 }
    return { ...approach(world, self, target), dash: isFacing && chance > 0.8 && distance < 7 ? 1 : 0 }
  }
  if (distance > REACH) return approach(world, self, target)
  // Over one's head only an uppercut reaches; otherwise the two make room, or one would stand on the other for ever.
  const rise = things.z[target] - things.z[self]
  if (Math.abs(rise) > LEVEL) {
    if (rise > 0 && rise < OVERHEAD && isFacing && chance < style.eager / 5) return { ...towards, uppercut: 1 }
    return { moveX: -moveX, moveY: -moveY }
  }
  if (!isFacing) return towards
  // In the middle of something: on with the combo, or out of it into the air.
  if (things.busyWith[self] !== 0) return { ...towards, punch: 1, uppercut: chance > 0.95 ? 1 : 0 }
  if (chance > style.eager) return towards
  const share = chance / style.eager
  if (share < 0.25 && distance < CLOSE) return { ...towards, grab: 1 }
  if (share < (countWithin(world, self, WAVE) > 1 ? 0.55 : 0.32)) return { ...towards, shockwave: 1 }
  if (share < 0.6 && distance < CLOSE) return { ...towards, uppercut: 1 }
  if (share < 0.65) return { ...towards, barrier: 1 }
  return { ...towards, punch: 1 }
}

/** Comes at its target from the middle of the ring, so that a push leads out of it. */
function approach(world: SumoWorld, self: number, target: number): Move {
  const { x, y } = world.tables.things
  const fromMiddle = length(x[target], y[target])
  const inside = fromMiddle > 2 * REACH ? (fromMiddle - CLOSE) / fromMiddle : 1
  const [dx, dy] = [x[target] * inside - x[self], y[target] * inside - y[self]]
  const distance = length(dx, dy)
  return distance > 0 ? { moveX: dx / distance, moveY: dy / distance } : IDLE
}

function nearest(world: SumoWorld, self: number): number {
  const { count, x, y, team } = world.tables.things
  let best = -1
  let bestSquared = Number.POSITIVE_INFINITY
  for (let row = 0; row < count; row++) {
    if (row === self || !isIn(world, row) || (team[row] !== 0 && team[row] === team[self])) continue
    const squared = (x[row] - x[self]) * (x[row] - x[self]) + (y[row] - y[self]) * (y[row] - y[self])
    if (squared >= bestSquared) continue
    best = row
    bestSquared = squared
  }
  return best
}

function countWithin(world: SumoWorld, self: number, reach: number): number {
  const { count, x, y } = world.tables.things
  let near = 0
  for (let row = 0; row < count; row++) {
    if (row === self || !isIn(world, row)) continue
    const [dx, dy] = [x[row] - x[self], y[row] - y[self]]
    if (dx * dx + dy * dy < reach * reach) near++
  }
  return near
}
