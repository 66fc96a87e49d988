/**
 * What contacts mean: the document's engine, as rules of `collide`.
 *
 * Places are frozen while the rules decide, and so is the velocity as speed and heading; everything else is not. So a rock
 * is eaten or broken once however many ships touch it, a hold never takes more than fits, and what several impacts do to
 * one ship adds up: impulses are measured on the frozen velocities and added to `vx` and `vy`, so that every pair exchanges
 * exactly as much as it gives.
 */

import { despawn, emit, moveTo, push } from 'hurtbox'
import { purposeOf, unitVectorAt } from 'hurtbox/math'
import {
  DAMAGE_DIVISOR,
  DT,
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
import { bodyOf, DOCKING, IMPACT, reportContact, reportMomentum } from '../report.ts'
import { hypot, type Place, toPlane, toPolar, wayTo } from '../torus.ts'
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
  if (rockFits(ship, rock)) eat(hit.world, ship, rock)
  else if (legacy(hit.world.options).physics) crashOld(hit.world, ship, rock)
  else return crash(ship, rock, hit)
  return undefined
}

/** Ships bounce off each other, both hurt alike, and are moved apart. */
export function shipMeetsShip(a: VinylThing, b: VinylThing, hit: VinylHit): void {
  const { world } = hit
  report(world, a, b)
  const normal = normalOf(a, b, hit)
  if (legacy(world.options).physics) bumpOld(world, a, b, normal)
  else bump(world, a, b, normal)
  push(a, -(a.radius + SHIP_CLEARANCE) * normal.x, -(a.radius + SHIP_CLEARANCE) * normal.y)
  push(b, (b.radius + SHIP_CLEARANCE) * normal.x, (b.radius + SHIP_CLEARANCE) * normal.y)
}

/** A station does not move: a rock that hits it is reflected and put outside. */
export function reflect(rock: VinylThing, station: VinylThing, hit: VinylHit): void {
  report(hit.world, rock, station)
  const normal = normalOf(rock, station, hit)
  const { x, y } = normal
  const v = toPlane(rock)
  const closing = v.x * x + v.y * y
  if (closing > 0) accelerate(rock, -2 * closing, normal)
  const way = wayTo(rock, station)
  const clear = rock.radius + station.radius + 1
  push(rock, way.x - x * clear, way.y - y * clear)
}

/** The rock becomes part of the ship, its momentum too. What earlier rocks did to the ship counts already. */
function eat(world: VinylRuleWorld, ship: VinylThing, rock: VinylThing): void {
  report(world, ship, rock)
  const before = { mass: massOf(ship), velocity: toPolar({ x: ship.vx, y: ship.vy }) }
  const eaten = bodyOf(rock)
  const w = toPlane(eaten.velocity)
  const share = eaten.mass / (before.mass + eaten.mass)
  if (legacy(world.options).eatDamage) {
    wound(world, ship, (eaten.mass * relativeSpeed(before, eaten)) / DAMAGE_DIVISOR, rock)
  }
  ship.vx += share * (w.x - ship.vx)
  ship.vy += share * (w.y - ship.vy)
  if (rock.material === MATERIAL.vinyl) ship.cargo += eaten.mass
  else ship.fuel += eaten.mass
  rock.eatenBy = ship.id
  despawn(rock)
  const after = { mass: before.mass + eaten.mass, velocity: inelastic(before, eaten) }
  reportMomentum(world, IMPACT.inelastic, [before, eaten], [after])
}

/** Elastic for the ship; the rock flies apart around what it would have done whole. */
function crash(ship: VinylThing, rock: VinylThing, hit: VinylHit): string | undefined {
  const { world } = hit
  const normal = normalOf(ship, rock, hit)
  const [own, other] = [bodyOf(ship), bodyOf(rock)]
  const impulse = impulseOf(own, other, normal)
  if (impulse === 0) return 'receding'
  report(world, ship, rock)
  wound(world, ship, damageOf(world, impulse, own, other, normal), rock)
  accelerate(ship, -(impulse / own.mass), normal)
  if (fragmentMass(other.mass) > 0) {
    shatter(world, rock, after(other, impulse, normal).velocity, relativeSpeed(own, other))
  } else {
    accelerate(rock, impulse / other.mass, normal)
    rub(world, ship, rock, normal)
  }
  reportElastic(world, own, other, normal, impulse)
  return undefined
}

/** The old way: the ship takes the common velocity. */
function crashOld(world: VinylRuleWorld, ship: VinylThing, rock: VinylThing): void {
  const [own, other] = [bodyOf(ship), bodyOf(rock)]
  const speed = relativeSpeed(own, other)
  report(world, ship, rock)
  wound(world, ship, (other.mass * speed) / DAMAGE_DIVISOR, rock)
  const v = toPlane(own.velocity)
  const common = toPlane(inelastic(own, other))
  ship.vx += common.x - v.x
  ship.vy += common.y - v.y
  shatterOld(world, rock, own.velocity, speed)
}

function bump(world: VinylRuleWorld, a: VinylThing, b: VinylThing, normal: Place): void {
  const [first, second] = [bodyOf(a), bodyOf(b)]
  const impulse = impulseOf(first, second, normal)
  if (impulse === 0) return
  const damage = damageOf(world, impulse, first, second, normal)
  wound(world, a, damage, b)
  wound(world, b, damage, a)
  accelerate(a, -(impulse / first.mass), normal)
  accelerate(b, impulse / second.mass, normal)
  rub(world, a, b, normal)
  reportElastic(world, first, second, normal, impulse)
}

/** The old way: an impulse out of nowhere, and the lighter ship hurt more. */
function bumpOld(world: VinylRuleWorld, a: VinylThing, b: VinylThing, normal: Place): void {
  const [first, second] = [bodyOf(a), bodyOf(b)]
  const speed = relativeSpeed(first, second)
  wound(world, a, (second.mass * speed) / DAMAGE_DIVISOR, b)
  wound(world, b, (first.mass * speed) / DAMAGE_DIVISOR, a)
  accelerate(a, -(((b.radius + SHIP_CLEARANCE) * second.mass) / first.mass), normal)
  accelerate(b, ((a.radius + SHIP_CLEARANCE) * first.mass) / second.mass, normal)
}

const PARTING = purposeOf('the direction in which coincident things part')
const COINCIDENT = 1e-9
const scratch = { x: 0, y: 0 }

/**
 * From the first to the second, of length 1. Two in the same place have no such direction: chance gives them one, turned so
 * that they move towards each other.
 */
function normalOf(first: VinylThing, second: VinylThing, { world, time }: VinylHit): Place {
  const [v, w] = [toPlane(first), toPlane(second)]
  // Swept contacts happened earlier in the tick, where both were then.
  const back = world.options.swept ? (1 - time) * DT : 0
  const way = wayTo(first, second)
  const x = way.x - (w.x - v.x) * back
  const y = way.y - (w.y - v.y) * back
  const length = hypot(x, y)
  if (length > COINCIDENT) return { x: x / length, y: y / length }
  unitVectorAt(world.seed, world.tick, first.id, second.id, PARTING, scratch)
  const isReceding = (w.x - v.x) * scratch.x + (w.y - v.y) * scratch.y > 0
  return isReceding ? { x: -scratch.x, y: -scratch.y } : { x: scratch.x, y: scratch.y }
}

/** Momentum that an elastic impact carries over along the normal: twice the reduced mass times the closing speed. */
function impulseOf(first: Body, second: Body, normal: Place): number {
  const closing = closingSpeed(first, second, normal)
  const total = first.mass + second.mass
  return closing > 0 && total > 0 ? ((2 * first.mass * second.mass) / total) * closing : 0
}

function closingSpeed(first: Body, second: Body, { x, y }: Place): number {
  const [v, w] = [toPlane(first.velocity), toPlane(second.velocity)]
  return (v.x - w.x) * x + (v.y - w.y) * y
}

function relativeSpeed(first: Body, second: Body): number {
  const [v, w] = [toPlane(first.velocity), toPlane(second.velocity)]
  return hypot(v.x - w.x, v.y - w.y)
}

/** Points of shield for a change of momentum. A glancing blow hurts by the cosine of its angle less. */
function damageOf({ options }: VinylRuleWorld, impulse: number, first: Body, second: Body, normal: Place): number {
  const speed = relativeSpeed(first, second)
  const cosine = options.glancing && speed > 0 ? Math.min(1, closingSpeed(first, second, normal) / speed) : 1
  return (impulse / DAMAGE_DIVISOR) * cosine
}

/** Part of the sideways speed that a rubbing impact takes away. */
const GRIP = 0.5

/**
 * Spin: surfaces that slide along each other pull sideways. The pull changes both velocities by equal and opposite
 * momentum and, at the arm of the radius, turns both discs (½ m r²) the same way round.
 */
function rub({ options }: VinylRuleWorld, a: VinylThing, b: VinylThing, normal: Place): void {
  if (!options.spin) return
  const [v, w] = [toPlane(a), toPlane(b)]
  const [massA, massB] = [massOf(a), massOf(b)]
  const along = { x: -normal.y, y: normal.x }
  const sliding = (w.x - v.x) * along.x + (w.y - v.y) * along.y
  const pull = GRIP * ((massA * massB) / (massA + massB)) * sliding
  accelerate(a, pull / massA, along)
  accelerate(b, -(pull / massB), along)
  a.spinRate += (2 * pull) / (massA * a.radius)
  b.spinRate += (2 * pull) / (massB * b.radius)
}

/** Changes a velocity by `speed` along a direction. */
function accelerate(thing: VinylThing, speed: number, { x, y }: Place): void {
  thing.vx += speed * x
  thing.vy += speed * y
}

function report(world: VinylRuleWorld, a: VinylThing, b: VinylThing): void {
  const way = wayTo(a, b)
  reportContact(world, a, b, hypot(way.x, way.y), DOCKING.none)
}

function reportElastic(world: VinylRuleWorld, first: Body, second: Body, normal: Place, impulse: number): void {
  const bodies = [after(first, -impulse, normal), after(second, impulse, normal)]
  reportMomentum(world, IMPACT.elastic, [first, second], bodies)
}

/** A body after an impulse along the normal. */
function after({ mass, velocity }: Body, impulse: number, normal: Place): Body {
  const v = toPlane(velocity)
  const change = impulse / mass
  return { mass, velocity: toPolar({ x: v.x + change * normal.x, y: v.y + change * normal.y }) }
}
