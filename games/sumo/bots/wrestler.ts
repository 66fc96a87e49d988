/**
 * A bot wrestler: it keeps away from the edge, goes for the nearest opponent, and uses everything it has.
 *
 * A fighter looks where it walks, so to aim is to walk. What it tries at close quarters is drawn again every quarter of a
 * second, from the seed, the time and its seat; everything else follows from what it sees.
 */

import { type Bot, each, thing } from 'hurtbox'
import { canAct } from 'hurtbox/abilities'
import { length, purposeOf, unitAt } from 'hurtbox/math'
import { RING_HALF } from '../rules/content.ts'
import { type declaration, isIn, type SumoThing, type SumoWorld } from '../rules/declaration.ts'

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
    think(world, { thing: self, seat }, seed) {
      if (self === undefined || !isIn(self) || !canAct(self)) return IDLE
      const chance = unitAt(seed, Math.floor(world.tick / QUARTER), seat, 0, CHOICE)
      if (self.holds !== 0) return carryOut(world, self)
      const rescue = comeBack(self, style)
      if (rescue !== undefined) return rescue
      const danger = dodge(world, self, chance)
      if (danger !== undefined) return danger
      const target = nearest(world, self)
      return target === undefined ? IDLE : attack(world, self, target, style, chance)
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
/** A punch reaches up and down this far, m; an uppercut this far up. */
const LEVEL = 2
const OVERHEAD = 3
/** As far as a shockwave goes. */
const WAVE = 4
/** From here a throw or a finisher ends in the dust, m. */
const FATAL = 3

/** Holding an opponent it runs for the nearest edge, and throws before the grip is lost. */
function carryOut(world: SumoWorld, self: SumoThing): Move {
  const { x, y, facingX, facingY } = self
  const held = thing(world, self.holds)
  const isAlongX = Math.abs(x) > Math.abs(y)
  const moveX = isAlongX ? Math.sign(x) || 1 : 0
  const moveY = isAlongX ? 0 : Math.sign(y) || 1
  const isFacingOut = facingX * moveX + facingY * moveY > 0.9
  const isLast = held !== undefined && held.heldUntil - world.clock < 12
  return { moveX, moveY, grab: isLast || (isFacingOut && distanceToEdge(x, y) < FATAL + 1) ? 1 : 0 }
}

/** Back to the middle from near the edge, fast when it is falling. */
function comeBack({ x, y, z, vz }: SumoThing, style: Style): Move | undefined {
  const edge = distanceToEdge(x, y)
  if (edge > style.careful) return undefined
  const distance = length(x, y)
  const isFalling = edge < 0 && vz < -1 && z > 0
  return { moveX: -x / distance, moveY: -y / distance, dash: isFalling ? 1 : 0 }
}

/** A fireball that will hit is jumped over, or met with a barrier. */
function dodge(world: SumoWorld, self: SumoThing, chance: number): Move | undefined {
  for (const { owner, x, y, vx, vy } of each(world, 'projectile')) {
    if (owner === self.id) continue
    const [dx, dy] = [self.x - x, self.y - y]
    const along = dx * vx + dy * vy
    const squared = vx * vx + vy * vy
    if (along <= 0 || along > 0.35 * squared) continue
    const aside = Math.abs(dx * vy - dy * vx) / Math.sqrt(squared)
    if (aside > 1.4) continue
    return chance < 0.3 ? { barrier: 1 } : chance < 0.7 ? { jump: 1 } : undefined
  }
  return undefined
}

function attack(world: SumoWorld, self: SumoThing, target: SumoThing, style: Style, chance: number): Move {
  const [dx, dy] = [target.x - self.x, target.y - self.y]
  const distance = length(dx, dy)
  const [moveX, moveY] = distance > 0 ? [dx / distance, dy / distance] : [1, 0]
  const isFacing = self.facingX * moveX + self.facingY * moveY > 0.9
  const towards = { moveX, moveY }
  if (distance > style.shootsFrom) {
    if (isFacing && chance < 0.4) return { ...towards, fireball: 1 }
    return { ...approach(self, target), dash: isFacing && chance > 0.8 && distance < 7 ? 1 : 0 }
  }
  if (distance > REACH) return approach(self, target)
  // Only an uppercut reaches an opponent overhead; otherwise it steps aside, or one would stand on the other for ever.
  const rise = target.z - self.z
  if (Math.abs(rise) > LEVEL) {
    if (rise > 0 && rise < OVERHEAD && isFacing && chance < style.eager / 5) return { ...towards, uppercut: 1 }
    return { moveX: -moveX, moveY: -moveY }
  }
  if (!isFacing) return towards
  // In the middle of something: on with the combo, or out of it into the air.
  if (self.busyWith !== 0) return { ...towards, punch: 1, uppercut: chance > 0.95 ? 1 : 0 }
  if (chance > style.eager) return towards
  const share = chance / style.eager
  if (share < 0.25 && distance < CLOSE) return { ...towards, grab: 1 }
  if (share < (countWithin(world, self, WAVE) > 1 ? 0.55 : 0.32)) return { ...towards, shockwave: 1 }
  if (share < 0.6 && distance < CLOSE) return { ...towards, uppercut: 1 }
  if (share < 0.65) return { ...towards, barrier: 1 }
  return { ...towards, punch: 1 }
}

/** Comes at its target from the middle of the ring, so that a push leads out of it. */
function approach(self: SumoThing, target: SumoThing): Move {
  const fromMiddle = length(target.x, target.y)
  const inside = fromMiddle > 2 * REACH ? (fromMiddle - CLOSE) / fromMiddle : 1
  const [dx, dy] = [target.x * inside - self.x, target.y * inside - self.y]
  const distance = length(dx, dy)
  return distance > 0 ? { moveX: dx / distance, moveY: dy / distance } : IDLE
}

function nearest(world: SumoWorld, self: SumoThing): SumoThing | undefined {
  let best: SumoThing | undefined
  let bestSquared = Number.POSITIVE_INFINITY
  for (const other of each(world, 'character')) {
    if (other === self || !isIn(other) || (other.team !== 0 && other.team === self.team)) continue
    const [dx, dy] = [other.x - self.x, other.y - self.y]
    const squared = dx * dx + dy * dy
    if (squared >= bestSquared) continue
    best = other
    bestSquared = squared
  }
  return best
}

function countWithin(world: SumoWorld, self: SumoThing, reach: number): number {
  let near = 0
  for (const other of each(world, 'character')) {
    const [dx, dy] = [other.x - self.x, other.y - self.y]
    if (other !== self && isIn(other) && dx * dx + dy * dy < reach * reach) near++
  }
  return near
}

/** How far (x, y) is from the nearest edge; negative outside. */
export function distanceToEdge(x: number, y: number): number {
  return RING_HALF - Math.max(Math.abs(x), Math.abs(y))
}
