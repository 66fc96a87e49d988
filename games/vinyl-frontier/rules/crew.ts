/**
 * Crews: what a ship does that has no orders of its own, by its task.
 *
 * A player flies one ship by hand; the crews of the other three mine, hunt, guard or go home, as they were told. Bots are
 * made of the same crews. A crew looks at the world once a turn and remembers nothing.
 */

import { each } from 'hurtbox'
import { PI } from 'hurtbox/math'
import { DAMAGE_DIVISOR, LASER, MATERIAL, ORDER, type VinylThing, type VinylWorld } from './declaration.ts'
import { rockFits } from './hold.ts'
import { stationOf } from './setup.ts'
import { angleTo, distance, shift, wayTo, wrapHeading } from './torus.ts'
import { atan2 } from './trig.ts'

/** An order as a crew, a team or a player gives it. */
export type GivenOrder = { readonly ship: number; readonly kind: number; readonly value: number }

export const TASK = { mine: 0, hunt: 1, guard: 2, home: 3 } as const
export const TASK_NAMES = ['mine', 'hunt', 'guard', 'go home'] as const

const CRUISE = 18
/** Tons aboard with which a ship heads home, and fuel below which it looks for uranium first. */
const WORTH_DELIVERING = 13
const LOW_FUEL = 12
const SHIELD_WANTED = 12
/** How well a ship must look before it pushes, and how far a miner shoots. */
const AIMED = 0.12
const RANGE = 170
/** A hunter comes this near, shoots from this far, keeps so much fuel, and shoots only if it costs the other so much shield. */
const CLOSE = 70
const HUNT_RANGE = 160
const FUEL_LEFT = 3
const WORTH_SHOOTING = 2.5
/** The most points of shield that it pays for with one shot: half of what a ship starts with. */
const POINTS = 7.5
/** How far from its station a guard lets nobody come. */
const WATCHED = 280

/** The orders of a crew for this turn. `taken` has the rocks that mates go for, and gets the one that this ship goes for. */
export function crewOrders(
  world: VinylWorld,
  ship: VinylThing,
  task: number,
  taken: Set<VinylThing>,
): readonly GivenOrder[] {
  const { number, fuel } = ship
  const orders: GivenOrder[] = []
  if (ship.shield < SHIELD_WANTED && fuel > LOW_FUEL) orders.push({ ship: number, kind: ORDER.shield, value: 3 })
  const home = stationOf(world, ship.team - 1)!
  if (task === TASK.home) return ship.docked === 1 ? [] : [...orders, ...fly(ship, home, 0)]
  const foe = task === TASK.mine ? undefined : nearestFoe(world, ship, task === TASK.guard ? home : undefined)
  if (foe !== undefined && fuel > FUEL_LEFT) return [...orders, ...hunt(ship, foe)]
  if (task === TASK.guard) return [...orders, ...fly(ship, home, CLOSE)]
  return [...orders, ...mine(world, ship, home, taken)]
}

/** Half a hold or more goes home; else to the nearest rock, on the way shooting what is in its sights. */
function mine(world: VinylWorld, ship: VinylThing, home: VinylThing, taken: Set<VinylThing>): GivenOrder[] {
  const orders = ship.docked === 0 ? shoot(world, ship) : []
  if (ship.cargo >= WORTH_DELIVERING) return [...orders, ...fly(ship, home, 0)]
  const rock = pickRock(world, ship, taken)
  // A large rock is shot from a little distance and not rammed.
  return rock === undefined ? orders : [...orders, ...fly(ship, rock, rockFits(ship, rock) ? 0 : 90)]
}

/** The nearest enemy ship under way; near a place that is guarded, if one is given. */
function nearestFoe(world: VinylWorld, ship: VinylThing, guarded: VinylThing | undefined): VinylThing | undefined {
  let best: VinylThing | undefined
  let nearest = Number.POSITIVE_INFINITY
  for (const foe of each(world, 'ship')) {
    if (foe.team === ship.team || foe.dead !== 0 || foe.docked === 1) continue
    if (guarded !== undefined && distance(foe, guarded) > WATCHED) continue
    const away = distance(ship, foe)
    if (away >= nearest) continue
    nearest = away
    best = foe
  }
  return best
}

/** Turns to where the other will be when lasers fire, and fires; from too far it comes nearer. */
function hunt(ship: VinylThing, foe: VinylThing): GivenOrder[] {
  const { number, docked, fuel } = ship
  const then = wayTo(shift(ship, { x: ship.vx, y: ship.vy }), shift(foe, { x: foe.vx, y: foe.vy }))
  const range = Math.sqrt(then.x * then.x + then.y * then.y)
  const wanted = range + (Math.min(foe.shield, POINTS) * DAMAGE_DIVISOR) / LASER.massPerUnit + 4
  const length = Math.min(wanted, LASER.maxLength, (fuel - FUEL_LEFT) * LASER.rangePerTon)
  const damage = ((length - range) * LASER.massPerUnit) / DAMAGE_DIVISOR
  const isWorthIt = damage >= Math.min(WORTH_SHOOTING, foe.shield)
  if (docked === 1 || range > HUNT_RANGE || range < ship.radius + foe.radius || !isWorthIt) return fly(ship, foe, CLOSE)
  const error = wrapHeading(atan2(then.y, then.x) - ship.orient)
  return [
    { ship: number, kind: ORDER.turn, value: error },
    { ship: number, kind: ORDER.laser, value: length },
  ]
}

/** The nearest rock worth having: one that fits, else one to break. Uranium counts when fuel runs low. */
function pickRock(world: VinylWorld, ship: VinylThing, taken: Set<VinylThing>): VinylThing | undefined {
  const needsFuel = ship.fuel < LOW_FUEL
  let best: VinylThing | undefined
  let bestScore = Number.POSITIVE_INFINITY
  for (const rock of each(world, 'asteroid')) {
    if (rock.dead !== 0 || taken.has(rock)) continue
    const isWanted = rock.material === (needsFuel ? MATERIAL.uranium : MATERIAL.vinyl)
    if (!isWanted && !needsFuel) continue
    const score = distance(ship, rock) + (rockFits(ship, rock) ? 0 : 250) + (isWanted ? 0 : 600)
    if (score >= bestScore) continue
    best = rock
    bestScore = score
  }
  if (best !== undefined) taken.add(best)
  return best
}

/** Turns towards the change of velocity that is needed to get to a goal, then pushes. */
function fly(ship: VinylThing, goal: VinylThing, keepAway: number): GivenOrder[] {
  const away = distance(ship, goal)
  const seconds = Math.max(1, away / CRUISE)
  const meeting = wayTo(ship, shift(goal, { x: goal.vx * seconds, y: goal.vy * seconds }))
  // Close enough to a rock that is to be broken: look at it, and let the laser do the rest.
  if (keepAway > 0 && away < keepAway + 30) return face(ship, goal)
  const length = Math.max(1, Math.sqrt(meeting.x * meeting.x + meeting.y * meeting.y))
  const speed = Math.min(CRUISE, length / seconds + 4)
  const dx = (meeting.x / length) * speed - ship.vx
  const dy = (meeting.y / length) * speed - ship.vy
  const change = Math.sqrt(dx * dx + dy * dy)
  if (change < 2) return face(ship, goal)
  const error = wrapHeading(atan2(dy, dx) - ship.orient)
  if (Math.abs(error) < AIMED) return [{ ship: ship.number, kind: ORDER.thrust, value: change }]
  if (Math.abs(error) > PI - AIMED) return [{ ship: ship.number, kind: ORDER.thrust, value: -change }]
  return [{ ship: ship.number, kind: ORDER.turn, value: error }]
}

function face(ship: VinylThing, goal: VinylThing): GivenOrder[] {
  const error = wrapHeading(wrapHeading(angleTo(ship, goal) - ship.orient))
  return Math.abs(error) < 0.02 ? [] : [{ ship: ship.number, kind: ORDER.turn, value: error }]
}

/** Shoots what it looks at when it fires: an enemy ship, or a rock too large to swallow. Never past its own people. */
function shoot(world: VinylWorld, ship: VinylThing): GivenOrder[] {
  let target: VinylThing | undefined
  let nearest = RANGE
  for (const other of each(world)) {
    if (other === ship || other.dead !== 0) continue
    // Where both will be when lasers fire, at the end of the turn.
    const then = wayTo(shift(ship, { x: ship.vx, y: ship.vy }), shift(other, { x: other.vx, y: other.vy }))
    const away = Math.sqrt(then.x * then.x + then.y * then.y)
    const miss = Math.abs(wrapHeading(atan2(then.y, then.x) - ship.orient)) * away
    if (away >= nearest || miss > other.radius * 0.8) continue
    nearest = away
    target = other
  }
  if (target === undefined) return []
  const isEnemy = target.layer === 'ship' && target.team !== ship.team && target.docked === 0
  const isTooLarge = target.layer === 'asteroid' && target.mass >= 9 && !rockFits(ship, target)
  if (!(isEnemy || isTooLarge)) return []
  const length = nearest + (isEnemy ? 80 : 45)
  const reserve = isEnemy ? LOW_FUEL : 4
  return ship.fuel - length / LASER.rangePerTon > reserve
    ? [{ ship: ship.number, kind: ORDER.laser, value: length }]
    : []
}
