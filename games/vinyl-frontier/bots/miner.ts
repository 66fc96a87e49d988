/**
 * The miner: breaks rocks, swallows the pieces, brings the vinyl home, and shoots at enemies that fly into its sights.
 *
 * Every ship goes for the piece it reaches first that no mate with a lower number goes for. Rocks too large to swallow are
 * shot to pieces on the way. Half a hold or more goes home.
 */

import { each } from 'hurtbox'
import { LASER, MATERIAL, SHIPS_PER_TEAM, type VinylThing, type VinylWorld } from '../rules/declaration.ts'
import { rockFits } from '../rules/hold.ts'
import { shipOf, stationOf } from '../rules/setup.ts'
import { angleTo, distance, shift, wayTo, wrapHeading } from '../rules/torus.ts'
import { atan2 } from '../rules/trig.ts'
import type { GivenOrder } from './send.ts'
import { laser, shield, type Team, thrust, turn } from './team.ts'

const CRUISE = 18
/** Tons aboard with which a ship heads home, and fuel below which it looks for uranium first. */
const WORTH_DELIVERING = 13
const LOW_FUEL = 12
const SHIELD_WANTED = 12
/** How well a ship must look before it pushes, and how far it shoots. */
const AIMED = 0.12
const RANGE = 170

export const miner: Team = {
  name: 'miner',
  about: 'mines, delivers, and shoots at what comes into its sights',
  turn(world, team) {
    const taken = new Set<VinylThing>()
    const orders: GivenOrder[] = []
    for (let number = 0; number < SHIPS_PER_TEAM; number++) {
      const ship = shipOf(world, team, number)
      if (ship !== undefined) orders.push(...command(world, ship, taken))
    }
    return orders
  },
}

function command(world: VinylWorld, ship: VinylThing, taken: Set<VinylThing>): GivenOrder[] {
  const { number, fuel, cargo, docked } = ship
  const orders: GivenOrder[] = []
  if (ship.shield < SHIELD_WANTED && fuel > LOW_FUEL) orders.push(shield(number, 3))
  if (docked === 0) orders.push(...shoot(world, ship))
  if (cargo >= WORTH_DELIVERING) return [...orders, ...fly(ship, stationOf(world, ship.team - 1)!, 0)]
  const rock = pickRock(world, ship, taken)
  // A large rock is shot from a little distance and not rammed.
  return rock === undefined ? orders : [...orders, ...fly(ship, rock, rockFits(ship, rock) ? 0 : 90)]
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
  if (Math.abs(error) < AIMED) return [thrust(ship.number, change)]
  if (Math.abs(error) > Math.PI - AIMED) return [thrust(ship.number, -change)]
  return [turn(ship.number, error)]
}

function face(ship: VinylThing, goal: VinylThing): GivenOrder[] {
  const error = wrapHeading(wrapHeading(angleTo(ship, goal) - ship.orient))
  return Math.abs(error) < 0.02 ? [] : [turn(ship.number, error)]
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
  return ship.fuel - length / LASER.rangePerTon > reserve ? [laser(ship.number, length)] : []
}
