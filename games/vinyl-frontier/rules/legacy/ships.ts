/** The old engine: how ships react. */

import { PI, range } from 'hurtbox/math'
import {
  DAMAGE_DIVISOR,
  EPSILON,
  KIND,
  legacy,
  MATERIAL,
  MAX_SPEED,
  SHIP,
  SHIP_CLEARANCE,
  type VinylThing,
  type VinylWorld,
} from '../declaration.ts'
import { rockFits } from '../hold.ts'
import { absorbed, type Body, inelastic, legacyDamage } from '../physics.ts'
import { bodyOf } from '../report.ts'
import { setPlace, setVelocity } from '../setup.ts'
import { announce, oneDecimal, readName } from '../text.ts'
import {
  addPolar,
  angleTo,
  distance,
  limitSpeed,
  type Place,
  polar,
  STANDING,
  scalePolar,
  shift,
  subtractPolar,
  toPlane,
  toPolar,
} from '../torus.ts'
import { atan2 } from '../trig.ts'
import { meet } from './collisions.ts'

export function shipMeets(world: VinylWorld, ship: VinylThing, other: VinylThing, isAnswer: boolean): void {
  if (ship.docked === 1) return
  if (other.kind === KIND.station) dock(world, ship, other)
  else if (other.kind === KIND.asteroid) meetRock(world, ship, other)
  else meetShip(world, ship, other, isAnswer)
}

export function shipIsShot(world: VinylWorld, ship: VinylThing, beam: Body): void {
  if (ship.docked === 1) return
  hurt(world, ship, beam.mass / DAMAGE_DIVISOR, 'laser')
  if (legacy(world.options).physics) return
  setVelocity(ship, limitSpeed(absorbed(bodyOf(ship), beam), MAX_SPEED))
}

/** Remembers how far away it was when it docked, which is how far it will be launched. Only deliveries at home are announced. */
function dock(world: VinylWorld, ship: VinylThing, station: VinylThing): void {
  ship.dockDistance = distance(ship, station)
  setPlace(ship, station)
  setVelocity(ship, STANDING)
  const cargo = ship.cargo
  if (cargo > 0.01 && ship.team === station.team) {
    announce(world, `${readName(ship)} delivered ${oneDecimal(cargo)} vinyl to ${readName(station)}`)
  }
  station.vinyl += cargo
  ship.cargo = 0
  ship.docked = 1
  ship.teleports++
}

function meetRock(world: VinylWorld, ship: VinylThing, rock: VinylThing): void {
  const old = legacy(world.options)
  const fits = rockFits(ship, rock)
  if (!fits || old.eatDamage) collisionDamage(world, ship, rock, fits, 'asteroid', 'asteroid')
  // Another ship was faster.
  if (rock.eatenBy !== 0 && rock.eatenBy !== ship.id) return
  if (!fits && !old.physics) {
    bounceOff(world, ship, rock)
    return
  }
  setVelocity(ship, limitSpeed(inelastic(bodyOf(ship), bodyOf(rock)), MAX_SPEED))
  if (!fits) return
  // The hold is not looked at again: it can be filled beyond its brim.
  if (rock.material === MATERIAL.vinyl) ship.cargo += rock.mass
  else ship.fuel += rock.mass
}

/**
 * Takes damage, lets the other react, then bounces by itself. The answer only takes damage: to the ship that answers,
 * the one that asks belongs to no team.
 */
function meetShip(world: VinylWorld, ship: VinylThing, other: VinylThing, isAnswer: boolean): void {
  collisionDamage(world, ship, other, false, readName(other), 'ship')
  if (isAnswer) return
  meet(world, other, ship, true)
  if (!legacy(world.options).physics) {
    bounceOff(world, ship, other)
    return
  }
  const [own, theirs] = [bodyOf(ship), bodyOf(other)]
  const push = polar(other.radius + SHIP_CLEARANCE, angleTo(other, ship))
  setPlace(ship, shift(ship, toPlane(push)))
  const velocity = addPolar(own.velocity, scalePolar(push, theirs.mass / own.mass))
  setVelocity(ship, limitSpeed(velocity, MAX_SPEED))
}

function collisionDamage(
  world: VinylWorld,
  ship: VinylThing,
  other: VinylThing,
  fits: boolean,
  what: string,
  cause: string,
): void {
  const isOld = legacy(world.options).physics
  const damage = isOld ? legacyDamage(bodyOf(ship), bodyOf(other)) : momentumChange(ship, other, fits) / DAMAGE_DIVISOR
  hurt(world, ship, damage, cause, what)
}

/** A shield at exactly nothing still holds here. */
function hurt(world: VinylWorld, ship: VinylThing, damage: number, cause: string, what = ''): void {
  const left = ship.shield - damage
  ship.shield = Math.min(Math.max(left, 0), SHIP.shieldCapacity)
  const name = readName(ship)
  if (what !== '' && damage > 0.1) announce(world, `${name} hit ${what}, ${oneDecimal(damage)} damage`)
  if (left >= 0) return
  // By the document the old engine is silent about ships that others or rocks destroy; the measured server is not.
  if (cause === 'laser' || world.options.preset === 'original') announce(world, `${name} destroyed by ${cause}`)
  ship.dead = 1
}

/** Along the line of the centres; of a rock that is swallowed, all of it. */
function momentumChange(ship: VinylThing, other: VinylThing, fits: boolean): number {
  const [own, theirs] = [bodyOf(ship), bodyOf(other)]
  const relative = subtractPolar(theirs.velocity, own.velocity)
  if (fits) return ((own.mass * theirs.mass) / (own.mass + theirs.mass)) * relative.speed
  const reduced = (2 * own.mass * theirs.mass) / (own.mass + theirs.mass)
  const { x, y } = plainWay(other, ship)
  const squared = x * x + y * y
  const v = toPlane(relative)
  if (squared < EPSILON) return v.x * v.x + v.y * v.y < EPSILON ? 0 : reduced * relative.speed
  return reduced * (Math.abs(v.x * x + v.y * y) / Math.sqrt(squared))
}

/** Elastic, but only for the ship that asks, which is then put out of reach. */
function bounceOff(world: VinylWorld, ship: VinylThing, other: VinylThing): void {
  const [own, theirs] = [bodyOf(ship), bodyOf(other)]
  const [v1, v2] = [toPlane(own.velocity), toPlane(theirs.velocity)]
  const way = plainWay(other, ship)
  const squared = way.x * way.x + way.y * way.y
  const clear = ship.radius + other.radius + SHIP_CLEARANCE
  const dv = { x: v1.x - v2.x, y: v1.y - v2.y }
  if (squared < EPSILON) {
    partFromSamePlace(world, ship, other, dv, clear)
    return
  }
  const factor = ((2 * theirs.mass) / (own.mass + theirs.mass)) * ((dv.x * way.x + dv.y * way.y) / squared)
  const velocity = toPolar({ x: v1.x - factor * way.x, y: v1.y - factor * way.y })
  setVelocity(ship, limitSpeed(velocity, MAX_SPEED))
  const outward = angleTo(other, ship)
  setPlace(ship, shift(other, toPlane(polar(clear, outward))))
}

function partFromSamePlace(world: VinylWorld, ship: VinylThing, other: VinylThing, dv: Place, clear: number): void {
  const [own, theirs] = [bodyOf(ship), bodyOf(other)]
  const [v1, v2] = [toPlane(own.velocity), toPlane(theirs.velocity)]
  const squared = dv.x * dv.x + dv.y * dv.y
  let angle: number
  if (squared > EPSILON) {
    const total = own.mass + theirs.mass
    const exchange = (mine: number, other: number) =>
      ((own.mass - theirs.mass) * mine + 2 * theirs.mass * other) / total
    setVelocity(ship, limitSpeed(toPolar({ x: exchange(v1.x, v2.x), y: exchange(v1.y, v2.y) }), MAX_SPEED))
    const length = Math.sqrt(squared)
    angle = atan2(dv.y / length, dv.x / length)
  } else {
    // The original goes by addresses in memory: which ship moves forward, and where to when both stand still.
    const isMoving = v1.x * v1.x + v1.y * v1.y > EPSILON
    const forward = isMoving ? atan2(v1.y, v1.x) : range(world.random.ties, -PI, PI)
    angle = ship.slot < other.slot ? forward : forward + PI
  }
  setPlace(ship, shift(ship, toPlane(polar(clear, angle))))
}

/** From `from` to `to`, but not across the seam. */
function plainWay(from: Place, to: Place): Place {
  return { x: to.x - from.x, y: to.y - from.y }
}
