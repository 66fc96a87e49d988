/**
 * The miner: breaks rocks, swallows the pieces, brings the vinyl home, and shoots at enemies that fly into its sights.
 *
 * Every ship goes for the piece it reaches first that no mate with a lower number goes for. Rocks too large to swallow are
 * shot to pieces on the way. Half a hold or more goes home.
 */

import { KIND, LASER, MATERIAL, SHIPS_PER_TEAM, type VinylWorld } from '../rules/declaration.ts'
import { rockFits } from '../rules/hold.ts'
import { placeOf, shipRow, stationRow } from '../rules/setup.ts'
import { angleTo, distance, type Place, shift, wayTo, wrapHeading } from '../rules/torus.ts'
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
    const taken = new Set<number>()
    const orders: GivenOrder[] = []
    for (let ship = 0; ship < SHIPS_PER_TEAM; ship++) {
      const row = shipRow(world, team, ship)
      if (row >= 0) orders.push(...command(world, team, ship, row, taken))
    }
    return orders
  },
}

function command(world: VinylWorld, team: number, ship: number, row: number, taken: Set<number>): GivenOrder[] {
  const { things } = world.tables
  const orders: GivenOrder[] = []
  if (things.shield[row] < SHIELD_WANTED && things.fuel[row] > LOW_FUEL) orders.push(shield(ship, 3))
  if (things.docked[row] === 0) orders.push(...shoot(world, team, ship, row))
  const goal = things.cargo[row] >= WORTH_DELIVERING ? home(world, team) : pickRock(world, row, taken)
  return goal === undefined ? orders : [...orders, ...fly(world, ship, row, goal)]
}

type Goal = { readonly place: Place; readonly vx: number; readonly vy: number; readonly keepAway: number }

function home(world: VinylWorld, team: number): Goal {
  return goalAt(world, stationRow(world, team), 0)
}

function goalAt(world: VinylWorld, row: number, keepAway: number): Goal {
  const { vx, vy } = world.tables.things
  return { place: placeOf(world, row), vx: vx[row], vy: vy[row], keepAway }
}

/** The nearest rock worth having: one that fits, else one to break. Uranium counts when fuel runs low. */
function pickRock(world: VinylWorld, ship: number, taken: Set<number>): Goal | undefined {
  const { things } = world.tables
  const from = placeOf(world, ship)
  const needsFuel = things.fuel[ship] < LOW_FUEL
  let best = -1
  let bestScore = Number.POSITIVE_INFINITY
  for (let row = 0; row < things.count; row++) {
    if (things.kind[row] !== KIND.asteroid || things.dead[row] !== 0 || taken.has(row)) continue
    const isWanted = things.material[row] === (needsFuel ? MATERIAL.uranium : MATERIAL.vinyl)
    const fits = rockFits(world, ship, row)
    if (!isWanted && !needsFuel) continue
    const score = distance(from, placeOf(world, row)) + (fits ? 0 : 250) + (isWanted ? 0 : 600)
    if (score >= bestScore) continue
    best = row
    bestScore = score
  }
  if (best < 0) return undefined
  taken.add(best)
  // A large rock is shot from a little distance and not rammed.
  return goalAt(world, best, rockFits(world, ship, best) ? 0 : 90)
}

/** Turns towards the change of velocity that is needed, then pushes. */
function fly(world: VinylWorld, ship: number, row: number, goal: Goal): GivenOrder[] {
  const { things } = world.tables
  const here = placeOf(world, row)
  const away = distance(here, goal.place)
  const seconds = Math.max(1, away / CRUISE)
  const meeting = wayTo(here, shift(goal.place, { x: goal.vx * seconds, y: goal.vy * seconds }))
  // Close enough to a rock that is to be broken: look at it, and let the laser do the rest.
  if (goal.keepAway > 0 && away < goal.keepAway + 30) return face(ship, angleTo(here, goal.place) - things.orient[row])
  const length = Math.max(1, Math.sqrt(meeting.x * meeting.x + meeting.y * meeting.y))
  const speed = Math.min(CRUISE, length / seconds + 4)
  const dx = (meeting.x / length) * speed - things.vx[row]
  const dy = (meeting.y / length) * speed - things.vy[row]
  const change = Math.sqrt(dx * dx + dy * dy)
  if (change < 2) return face(ship, angleTo(here, goal.place) - things.orient[row])
  const error = wrapHeading(atan2(dy, dx) - things.orient[row])
  if (Math.abs(error) < AIMED) return [thrust(ship, change)]
  if (Math.abs(error) > Math.PI - AIMED) return [thrust(ship, -change)]
  return [turn(ship, error)]
}

function face(ship: number, angle: number): GivenOrder[] {
  const error = wrapHeading(wrapHeading(angle))
  return Math.abs(error) < 0.02 ? [] : [turn(ship, error)]
}

/** Shoots what it looks at when it fires: an enemy ship, or a rock too large to swallow. Never past its own people. */
function shoot(world: VinylWorld, team: number, ship: number, row: number): GivenOrder[] {
  const { things } = world.tables
  const here = placeOf(world, row)
  let target = -1
  let nearest = RANGE
  for (let other = 0; other < things.count; other++) {
    if (other === row || things.dead[other] !== 0) continue
    // Where both will be when lasers fire, at the end of the turn.
    const then = wayTo(
      shift(here, { x: things.vx[row], y: things.vy[row] }),
      shift(placeOf(world, other), { x: things.vx[other], y: things.vy[other] }),
    )
    const away = Math.sqrt(then.x * then.x + then.y * then.y)
    const miss = Math.abs(wrapHeading(atan2(then.y, then.x) - things.orient[row])) * away
    if (away >= nearest || miss > things.radius[other] * 0.8) continue
    nearest = away
    target = other
  }
  if (target < 0) return []
  const isEnemy = things.kind[target] === KIND.ship && things.team[target] !== team + 1 && things.docked[target] === 0
  const isTooLarge = things.kind[target] === KIND.asteroid && things.mass[target] >= 9 && !rockFits(world, row, target)
  const reserve = isEnemy ? LOW_FUEL : 4
  if (!(isEnemy || isTooLarge)) return []
  const length = nearest + (isEnemy ? 80 : 45)
  return things.fuel[row] - length / LASER.rangePerTon > reserve ? [laser(ship, length)] : []
}
