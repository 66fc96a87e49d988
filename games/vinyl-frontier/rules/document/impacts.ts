/**
 * What contacts mean: the document's engine, as rules of `collide`.
 *
 * Impulses are measured on speed and heading, which stay as they were until `settle`, and added to `vx` and `vy`. So what
 * several impacts do to one ship adds up, and every pair exchanges exactly as much as it gives.
 */

import { despawn, emit, moveTo, push } from 'hurtbox'
import { contact } from 'hurtbox/contacts'
import { purposeOf, unitVectorAt } from 'hurtbox/math'
import {
  DAMAGE_DIVISOR,
  legacy,
  MATERIAL,
  massOf,
  SHIP_CLEARANCE,
  type VinylHit,
  type VinylRuleWorld,
  type VinylThing,
} from '../declaration.ts'
import { rockFits } from '../hold.ts'
import { type Body, fragmentMass, inelastic } from '../physics.ts'
import { bodyOf, DOCKING, IMPACT, momentumOf, reportContact, reportMomentum } from '../report.ts'
import { distance, hypot, type Place, toPlane, toPolar, wayTo } from '../torus.ts'
import { shatter, shatterOld } from './fragments.ts'
import { wound } from './wounds.ts'

/** A ship that touches a station is in its dock; whatever it carries stays there, at the enemy's too. */
export function dock(ship: VinylThing, station: VinylThing, { world }: VinylHit): void {
  report(world, station, ship)
  ship.docked = 1
  moveTo(ship, station.x, station.y)
  ship.vx = 0
  ship.vy = 0
  ship.spinRate = 0
  ship.teleports++
  const tons = ship.cargo
  if (tons <= 0) return
  ship.cargo = 0
  station.vinyl += tons
  emit(world, 'delivered', { ship, station, tons, isHome: ship.team === station.team ? 1 : 0 })
}

/** A rock that fits is swallowed; one that does not breaks, or bounces off when its pieces would be dust. */
export function shipMeetsRock(ship: VinylThing, rock: VinylThing, hit: VinylHit): string | undefined {
  const { world } = hit
  if (rockFits(ship, rock)) return eat(world, ship, rock)
  const impact = measure(ship, rock, hit)
  return legacy(world.options).physics ? crashOld(world, ship, rock, impact) : crash(world, ship, rock, impact)
}

/** Ships bounce off each other, both hurt alike, and are moved apart. */
export function shipMeetsShip(a: VinylThing, b: VinylThing, hit: VinylHit): void {
  const { world } = hit
  const impact = measure(a, b, hit)
  const { x, y } = impact.normal
  report(world, a, b)
  if (legacy(world.options).physics) bumpOld(world, a, b, impact)
  else if (impact.impulse > 0) bump(world, a, b, impact)
  push(a, -(a.radius + SHIP_CLEARANCE) * x, -(a.radius + SHIP_CLEARANCE) * y)
  push(b, (b.radius + SHIP_CLEARANCE) * x, (b.radius + SHIP_CLEARANCE) * y)
}

/** A station does not move: a rock that hits it is reflected and put outside. */
export function reflect(rock: VinylThing, station: VinylThing, hit: VinylHit): void {
  const { normal, closing } = measure(rock, station, hit)
  report(hit.world, rock, station)
  if (closing > 0) accelerate(rock, -2 * closing, normal)
  const way = wayTo(rock, station)
  const clear = rock.radius + station.radius + 1
  push(rock, way.x - normal.x * clear, way.y - normal.y * clear)
}

/** The rock becomes part of the ship, its momentum too. What earlier rocks did to the ship counts already. */
function eat(world: VinylRuleWorld, ship: VinylThing, rock: VinylThing): undefined {
  report(world, ship, rock)
  const { vx, vy } = ship
  const before = momentumOf([ship, rock])
  const eaten = bodyOf(rock)
  const total = massOf(ship) + eaten.mass
  const w = toPlane(rock)
  if (legacy(world.options).eatDamage) {
    const v = toPlane(toPolar({ x: vx, y: vy }))
    wound(world, ship, (eaten.mass * hypot(v.x - w.x, v.y - w.y)) / DAMAGE_DIVISOR, rock)
  }
  ship.vx += (eaten.mass / total) * (rock.vx - vx)
  ship.vy += (eaten.mass / total) * (rock.vy - vy)
  if (rock.material === MATERIAL.vinyl) ship.cargo += eaten.mass
  else ship.fuel += eaten.mass
  rock.eatenBy = ship.id
  despawn(rock)
  reportMomentum(world, IMPACT.inelastic, before, momentumOf([ship]))
}

/** Elastic for both; a rock that is large enough flies apart around what it does whole. */
function crash(world: VinylRuleWorld, ship: VinylThing, rock: VinylThing, impact: Impact): string | undefined {
  const { second, speed } = impact
  if (impact.impulse === 0) return 'receding'
  report(world, ship, rock)
  const before = momentumOf([ship, rock])
  wound(world, ship, damageOf(world, impact), rock)
  rebound(world, ship, rock, impact)
  const rest = fragmentMass(second.mass) > 0 ? shatter(world, rock, toPolar({ x: rock.vx, y: rock.vy }), speed) : [rock]
  reportMomentum(world, IMPACT.elastic, before, momentumOf([ship, ...rest]))
  return undefined
}

/** The old way: the ship takes the common velocity. */
function crashOld(world: VinylRuleWorld, ship: VinylThing, rock: VinylThing, impact: Impact): undefined {
  const { first, second, speed } = impact
  report(world, ship, rock)
  wound(world, ship, (second.mass * speed) / DAMAGE_DIVISOR, rock)
  const v = toPlane(ship)
  const common = toPlane(inelastic(first, second))
  ship.vx += common.x - v.x
  ship.vy += common.y - v.y
  shatterOld(world, rock, ship, speed)
}

function bump(world: VinylRuleWorld, a: VinylThing, b: VinylThing, impact: Impact): void {
  const before = momentumOf([a, b])
  const damage = damageOf(world, impact)
  wound(world, a, damage, b)
  wound(world, b, damage, a)
  rebound(world, a, b, impact)
  reportMomentum(world, IMPACT.elastic, before, momentumOf([a, b]))
}

/** The old way: an impulse out of nowhere, and the lighter ship hurt more. */
function bumpOld(world: VinylRuleWorld, a: VinylThing, b: VinylThing, { first, second, normal, speed }: Impact): void {
  wound(world, a, (second.mass * speed) / DAMAGE_DIVISOR, b)
  wound(world, b, (first.mass * speed) / DAMAGE_DIVISOR, a)
  accelerate(a, -(((b.radius + SHIP_CLEARANCE) * second.mass) / first.mass), normal)
  accelerate(b, ((a.radius + SHIP_CLEARANCE) * first.mass) / second.mass, normal)
}

/** How two things meet. The normal leads from the first to the second. */
type Impact = Readonly<{
  first: Body
  second: Body
  normal: Place
  /** Of the second, as seen from the first. */
  velocity: Place
  speed: number
  closing: number
  /** Twice the reduced mass times the closing speed; 0 when they recede. */
  impulse: number
}>

/** Scratch. */
const v = { x: 0.5, y: 0.5 }
const w = { x: 0.5, y: 0.5 }

function measure(a: VinylThing, b: VinylThing, hit: VinylHit): Impact {
  const first = bodyOf(a)
  const second = bodyOf(b)
  toPlane(a, v)
  toPlane(b, w)
  const velocity = { x: w.x - v.x, y: w.y - v.y }
  const normal = normalOf(a, b, velocity, hit)
  const closing = (v.x - w.x) * normal.x + (v.y - w.y) * normal.y
  const total = first.mass + second.mass
  const impulse = closing > 0 && total > 0 ? ((2 * first.mass * second.mass) / total) * closing : 0
  return { first, second, normal, velocity, speed: hypot(velocity.x, velocity.y), closing, impulse }
}

const PARTING = purposeOf('the direction in which coincident things part')
const COINCIDENT = 1e-9
const scratch = { x: 0, y: 0 }

/** Two in the same place have no normal: chance gives them one, turned so that they move towards each other. */
function normalOf(a: VinylThing, b: VinylThing, velocity: Place, hit: VinylHit): Place {
  const { normalX, normalY, depth } = contact(hit)
  if (depth < a.radius + b.radius - COINCIDENT) return { x: -normalX, y: -normalY }
  unitVectorAt(hit.world.seed, hit.world.tick, a.id, b.id, PARTING, scratch)
  const isReceding = velocity.x * scratch.x + velocity.y * scratch.y > 0
  return isReceding ? { x: -scratch.x, y: -scratch.y } : { ...scratch }
}

/** Points of shield for a change of momentum. A glancing blow hurts by the cosine of its angle less. */
function damageOf({ options }: VinylRuleWorld, { impulse, speed, closing }: Impact): number {
  const cosine = options.glancing && speed > 0 ? Math.min(1, closing / speed) : 1
  return (impulse / DAMAGE_DIVISOR) * cosine
}

/** Part of the sideways speed that a rubbing impact takes away. */
const GRIP = 0.5

/**
 * What one gets the other loses. With spin, surfaces that slide along each other pull sideways. The pull changes both velocities
 * by equal and opposite momentum and, at the arm of the radius, turns both discs (½ m r²) the same way round.
 */
function rebound({ options }: VinylRuleWorld, a: VinylThing, b: VinylThing, impact: Impact): void {
  const { first, second, normal, velocity, impulse } = impact
  accelerate(a, -(impulse / first.mass), normal)
  accelerate(b, impulse / second.mass, normal)
  if (!options.spin) return
  const along = { x: -normal.y, y: normal.x }
  const sliding = velocity.x * along.x + velocity.y * along.y
  const pull = GRIP * ((first.mass * second.mass) / (first.mass + second.mass)) * sliding
  accelerate(a, pull / first.mass, along)
  accelerate(b, -(pull / second.mass), along)
  a.spinRate += (2 * pull) / (first.mass * a.radius)
  b.spinRate += (2 * pull) / (second.mass * b.radius)
}

/** Changes a velocity by `speed` along a direction. */
function accelerate(thing: VinylThing, speed: number, { x, y }: Place): void {
  thing.vx += speed * x
  thing.vy += speed * y
}

function report(world: VinylRuleWorld, a: VinylThing, b: VinylThing): void {
  reportContact(world, a, b, distance(a, b), DOCKING.none)
}
