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
  type VinylWorld,
} from '../declaration.ts'
import { rockFits } from '../hold.ts'
import { absorbed, type Body, inelastic, legacyDamage } from '../physics.ts'
import { bodyOf } from '../report.ts'
import { placeOf, setPlace, setVelocity } from '../setup.ts'
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

export function shipMeets(world: VinylWorld, ship: number, other: number, isAnswer: boolean): void {
  const { kind, docked } = world.tables.things
  if (docked[ship] === 1) return
  if (kind[other] === KIND.station) dock(world, ship, other)
  else if (kind[other] === KIND.asteroid) meetRock(world, ship, other)
  else meetShip(world, ship, other, isAnswer)
}

export function shipIsShot(world: VinylWorld, ship: number, beam: Body): void {
  const { things } = world.tables
  if (things.docked[ship] === 1) return
  hurt(world, ship, beam.mass / DAMAGE_DIVISOR, 'laser')
  if (legacy(world.options).physics) return
  setVelocity(world, ship, limitSpeed(absorbed(bodyOf(world, ship), beam), MAX_SPEED))
}

/** Remembers how far away it was when it docked, which is how far it will be launched. Only home is told. */
function dock(world: VinylWorld, ship: number, station: number): void {
  const { things } = world.tables
  const centre = placeOf(world, station)
  things.dockDistance[ship] = distance(placeOf(world, ship), centre)
  setPlace(world, ship, centre)
  setVelocity(world, ship, STANDING)
  const cargo = things.cargo[ship]
  if (cargo > 0.01 && things.team[ship] === things.team[station]) {
    announce(world, `${readName(world, ship)} delivered ${oneDecimal(cargo)} vinyl to ${readName(world, station)}`)
  }
  things.vinyl[station] += cargo
  things.cargo[ship] = 0
  things.docked[ship] = 1
  things.teleports[ship]++
}

function meetRock(world: VinylWorld, ship: number, rock: number): void {
  const { things } = world.tables
  const old = legacy(world.options)
  const fits = rockFits(world, ship, rock)
  if (!fits || old.eatDamage) collisionDamage(world, ship, rock, fits, 'asteroid', 'asteroid')
  // Somebody else was faster.
  if (things.eatenBy[rock] !== 0 && things.eatenBy[rock] !== things.id[ship]) return
  if (!fits && !old.physics) {
    bounceOff(world, ship, rock)
    return
  }
  setVelocity(world, ship, limitSpeed(inelastic(bodyOf(world, ship), bodyOf(world, rock)), MAX_SPEED))
  if (!fits) return
  // The hold is not looked at again: it can be filled beyond its brim.
  if (things.material[rock] === MATERIAL.vinyl) things.cargo[ship] += things.mass[rock]
  else things.fuel[ship] += things.mass[rock]
}

/**
 * Takes damage, lets the other react, then bounces by itself. The answer only takes damage: to the one who answers, the
 * one who asks belongs to no team.
 */
function meetShip(world: VinylWorld, ship: number, other: number, isAnswer: boolean): void {
  collisionDamage(world, ship, other, false, readName(world, other), 'ship')
  if (isAnswer) return
  meet(world, other, ship, true)
  if (!legacy(world.options).physics) {
    bounceOff(world, ship, other)
    return
  }
  const { radius } = world.tables.things
  const [own, theirs] = [bodyOf(world, ship), bodyOf(world, other)]
  const push = polar(radius[other] + SHIP_CLEARANCE, angleTo(placeOf(world, other), placeOf(world, ship)))
  setPlace(world, ship, shift(placeOf(world, ship), toPlane(push)))
  const velocity = addPolar(own.velocity, scalePolar(push, theirs.mass / own.mass))
  setVelocity(world, ship, limitSpeed(velocity, MAX_SPEED))
}

function collisionDamage(
  world: VinylWorld,
  ship: number,
  other: number,
  fits: boolean,
  what: string,
  cause: string,
): void {
  const isOld = legacy(world.options).physics
  const damage = isOld
    ? legacyDamage(bodyOf(world, ship), bodyOf(world, other))
    : momentumChange(world, ship, other, fits) / DAMAGE_DIVISOR
  hurt(world, ship, damage, cause, what)
}

/** A shield at exactly nothing still holds here. */
function hurt(world: VinylWorld, ship: number, damage: number, cause: string, what = ''): void {
  const { things } = world.tables
  const left = things.shield[ship] - damage
  things.shield[ship] = Math.min(Math.max(left, 0), SHIP.shieldCapacity)
  const name = readName(world, ship)
  if (what !== '' && damage > 0.1) announce(world, `${name} hit ${what}, ${oneDecimal(damage)} damage`)
  if (left >= 0) return
  announce(world, `${name} destroyed by ${cause}`)
  things.dead[ship] = 1
}

/** Along the line of the centres; of a rock that is swallowed, all of it. */
function momentumChange(world: VinylWorld, ship: number, other: number, fits: boolean): number {
  const [own, theirs] = [bodyOf(world, ship), bodyOf(world, other)]
  const relative = subtractPolar(theirs.velocity, own.velocity)
  if (fits) return ((own.mass * theirs.mass) / (own.mass + theirs.mass)) * relative.speed
  const reduced = (2 * own.mass * theirs.mass) / (own.mass + theirs.mass)
  const { x, y } = plainWay(world, other, ship)
  const squared = x * x + y * y
  const v = toPlane(relative)
  if (squared < EPSILON) return v.x * v.x + v.y * v.y < EPSILON ? 0 : reduced * relative.speed
  return reduced * (Math.abs(v.x * x + v.y * y) / Math.sqrt(squared))
}

/** Elastic, but only for the one who asks, who is then put out of reach. */
function bounceOff(world: VinylWorld, ship: number, other: number): void {
  const { radius } = world.tables.things
  const [own, theirs] = [bodyOf(world, ship), bodyOf(world, other)]
  const [v1, v2] = [toPlane(own.velocity), toPlane(theirs.velocity)]
  const way = plainWay(world, other, ship)
  const squared = way.x * way.x + way.y * way.y
  const clear = radius[ship] + radius[other] + SHIP_CLEARANCE
  const dv = { x: v1.x - v2.x, y: v1.y - v2.y }
  if (squared < EPSILON) {
    partFromSamePlace(world, ship, other, dv, clear)
    return
  }
  const factor = ((2 * theirs.mass) / (own.mass + theirs.mass)) * ((dv.x * way.x + dv.y * way.y) / squared)
  const velocity = toPolar({ x: v1.x - factor * way.x, y: v1.y - factor * way.y })
  setVelocity(world, ship, limitSpeed(velocity, MAX_SPEED))
  const outward = angleTo(placeOf(world, other), placeOf(world, ship))
  setPlace(world, ship, shift(placeOf(world, other), toPlane(polar(clear, outward))))
}

function partFromSamePlace(world: VinylWorld, ship: number, other: number, dv: Place, clear: number): void {
  const { slot } = world.tables.things
  const [own, theirs] = [bodyOf(world, ship), bodyOf(world, other)]
  const [v1, v2] = [toPlane(own.velocity), toPlane(theirs.velocity)]
  const squared = dv.x * dv.x + dv.y * dv.y
  let angle: number
  if (squared > EPSILON) {
    const total = own.mass + theirs.mass
    const exchange = (mine: number, other: number) =>
      ((own.mass - theirs.mass) * mine + 2 * theirs.mass * other) / total
    setVelocity(world, ship, limitSpeed(toPolar({ x: exchange(v1.x, v2.x), y: exchange(v1.y, v2.y) }), MAX_SPEED))
    const length = Math.sqrt(squared)
    angle = atan2(dv.y / length, dv.x / length)
  } else {
    // The original goes by addresses in memory: who moves forward, and where when nobody moves at all.
    const isMoving = v1.x * v1.x + v1.y * v1.y > EPSILON
    const forward = isMoving ? atan2(v1.y, v1.x) : range(world.random.ties, -PI, PI)
    angle = slot[ship] < slot[other] ? forward : forward + PI
  }
  setPlace(world, ship, shift(placeOf(world, ship), toPlane(polar(clear, angle))))
}

/** From `from` to `to`, but not across the seam. */
function plainWay({ tables: { things } }: VinylWorld, from: number, to: number): Place {
  return { x: things.x[to] - things.x[from], y: things.y[to] - things.y[from] }
}
