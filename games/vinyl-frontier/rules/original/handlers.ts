/**
 * What each thing asks for when it meets another, as the original's new engine was measured: from frame-start snapshots,
 * one side at a time.
 */

import { PI } from 'hurtbox/math'
import {
  DAMAGE_DIVISOR,
  EPSILON,
  KIND,
  LASER,
  type Legacy,
  MATERIAL,
  MAX_SPEED,
  massOf,
  SHIP_CLEARANCE,
  type VinylThing,
} from '../declaration.ts'
import { rockFits } from '../hold.ts'
import { absorbed, type Body, directionOf, fan, fragmentMass, inelastic, legacyDamage } from '../physics.ts'
import { velocityOf } from '../setup.ts'
import { oneDecimal, readName } from '../text.ts'
import {
  addPolar,
  angleTo,
  limitSpeed,
  type Place,
  type Polar,
  polar,
  STANDING,
  scalePolar,
  shift,
  subtractPolar,
  toPlane,
  wrapHeading,
} from '../torus.ts'
import type { Command, Fragment, Outcome } from './commands.ts'
import { elastic, FORWARD, fullDamage } from './impacts.ts'

/** A thing as it was when the frame's collisions began. */
export type Snapshot = Body & {
  readonly thing: VinylThing
  readonly kind: number
  readonly team: number
  readonly place: Place
  readonly radius: number
  readonly docked: boolean
  readonly shield: number
  readonly cargo: number
  readonly material: number
}

export function snapshotOf(thing: VinylThing): Snapshot {
  return {
    thing,
    kind: thing.kind,
    team: thing.team,
    place: { x: thing.x, y: thing.y },
    velocity: velocityOf(thing),
    mass: massOf(thing),
    radius: thing.radius,
    docked: thing.docked === 1,
    shield: thing.shield,
    cargo: thing.cargo,
    material: thing.material,
  }
}

/** What `self` asks for when it meets `other`. `angle`: chance, for ships that nothing else can part. */
export function onContact(self: Snapshot, other: Snapshot, angle: number, old: Legacy): Outcome {
  const outcome: Outcome = { commands: [], fragments: [] }
  if (self.kind === KIND.ship && !self.docked) shipMeets(self, other, angle, old, outcome)
  if (self.kind === KIND.asteroid) rockMeets(self, other, old, outcome)
  return outcome
}

/** What a thing asks for when a laser hits it. */
export function onLaser(self: Snapshot, beam: Body, old: Legacy): Outcome {
  const outcome: Outcome = { commands: [], fragments: [] }
  if (self.kind === KIND.station) stationIsShot(self, beam, outcome.commands)
  else if (self.kind === KIND.asteroid) rockIsShot(self, beam, old, outcome)
  else if (!self.docked) shipIsShot(self, beam, old, outcome.commands)
  return outcome
}

function shipMeets(self: Snapshot, other: Snapshot, angle: number, old: Legacy, outcome: Outcome): void {
  const { commands } = outcome
  if (other.kind === KIND.station) dock(self, other, commands)
  else if (other.kind === KIND.ship) shipMeetsShip(self, other, angle, old, commands)
  else if (rockFits(self.thing, other.thing)) eat(self, other, old, commands)
  else shipMeetsRock(self, other, old, commands)
}

/** Any station takes any cargo, the enemy's too. */
function dock(self: Snapshot, station: Snapshot, commands: Command[]): void {
  const { thing, cargo } = self
  commands.push({ kind: 'place', target: thing, place: station.place })
  commands.push({ kind: 'velocity', target: thing, velocity: STANDING })
  commands.push({ kind: 'dock', target: thing })
  if (cargo <= 0.01) return
  commands.push({ kind: 'vinyl', target: station.thing, amount: cargo })
  commands.push({ kind: 'cargo', target: thing, amount: -cargo })
  const isHome = self.team === station.team
  const delivery = `${readName(thing)} delivered ${oneDecimal(cargo)} vinyl to`
  const name = readName(station.thing)
  commands.push({
    kind: 'announce',
    text: isHome ? `${delivery} ${name}` : `[ENEMY DELIVERY] ${delivery} enemy ${name}`,
  })
}

function eat(self: Snapshot, rock: Snapshot, old: Legacy, commands: Command[]): void {
  const { thing } = self
  if (old.eatDamage) {
    const damage = (rock.mass * subtractPolar(self.velocity, rock.velocity).speed) / DAMAGE_DIVISOR
    commands.push({ kind: 'shield', target: thing, amount: -damage })
  }
  commands.push({ kind: 'velocity', target: thing, velocity: limitSpeed(inelastic(self, rock), MAX_SPEED) })
  commands.push({ kind: rock.material === MATERIAL.vinyl ? 'cargo' : 'fuel', target: thing, amount: rock.mass })
  commands.push({ kind: 'eaten', target: rock.thing, by: thing })
  commands.push({ kind: 'kill', target: rock.thing })
}

function shipMeetsRock(self: Snapshot, rock: Snapshot, old: Legacy, commands: Command[]): void {
  hurt(self, old.physics ? legacyDamage(self, rock) : fullDamage(self, rock), readName(rock.thing), commands)
  const velocity = old.physics ? inelastic(self, rock) : elastic(self, rock, plainWay(self, rock)).first
  commands.push({ kind: 'velocity', target: self.thing, velocity: limitSpeed(velocity, MAX_SPEED) })
}

function shipMeetsShip(self: Snapshot, other: Snapshot, angle: number, old: Legacy, commands: Command[]): void {
  const damage = old.physics ? legacyDamage(self, other) : fullDamage(self, other)
  const name = readName(self.thing)
  const otherName = readName(other.thing)
  commands.push({ kind: 'shield', target: self.thing, amount: -damage })
  if (damage > 0.1) commands.push({ kind: 'announce', text: `${name} hit ${otherName}, ${oneDecimal(damage)} damage` })
  if (self.shield - damage <= 0) commands.push({ kind: 'announce', text: `${name} destroyed by ${otherName}` })

  if (old.physics) {
    // The old way: pushed off by force, and the push added to the velocity as well.
    const push = polar(other.radius + SHIP_CLEARANCE, angleTo(other.place, self.place))
    const velocity = addPolar(self.velocity, scalePolar(push, other.mass / self.mass))
    commands.push({ kind: 'place', target: self.thing, place: shift(self.place, toPlane(push)) })
    commands.push({ kind: 'velocity', target: self.thing, velocity: limitSpeed(velocity, MAX_SPEED) })
    return
  }
  const velocity = elastic(self, other, plainWay(self, other)).first
  const apart = polar(self.radius + SHIP_CLEARANCE, partingAngle(self, other, angle))
  commands.push({ kind: 'velocity', target: self.thing, velocity: limitSpeed(velocity, MAX_SPEED) })
  commands.push({ kind: 'place', target: self.thing, place: shift(self.place, toPlane(apart)) })
}

/** Where a ship is moved: the way the other came from, else away from it, else by chance, opposite for the other. */
function partingAngle(self: Snapshot, other: Snapshot, angle: number): number {
  const relative = subtractPolar(other.velocity, self.velocity)
  if (relative.speed > EPSILON) return relative.heading
  const way = plainWay(self, other)
  if (way.x * way.x + way.y * way.y > EPSILON) return angleTo(other.place, self.place)
  // The original decides by memory address which one takes the angle itself.
  return self.thing.slot < other.thing.slot ? angle : wrapHeading(angle + PI)
}

function hurt(self: Snapshot, damage: number, by: string, commands: Command[]): void {
  commands.push({ kind: 'shield', target: self.thing, amount: -damage })
  if (self.shield - damage > 0) return
  commands.push({ kind: 'announce', text: `${readName(self.thing)} destroyed by ${by}` })
}

/** The way between two places as the original's formula has it: not across the seam. */
function plainWay(from: Snapshot, to: Snapshot): Place {
  return { x: to.place.x - from.place.x, y: to.place.y - from.place.y }
}

function rockMeets(self: Snapshot, other: Snapshot, old: Legacy, outcome: Outcome): void {
  const { commands, fragments } = outcome
  if (other.kind === KIND.station) bounce(self, other, commands)
  if (other.kind !== KIND.ship) return
  commands.push({ kind: 'kill', target: self.thing })
  if (rockFits(other.thing, self.thing)) {
    commands.push({ kind: 'eaten', target: self.thing, by: other.thing })
  } else if (old.physics) {
    split(self, undefined, inelastic(self, other), fragments)
  } else {
    const base = elastic(other, self, plainWay(other, self)).second
    const { speed } = subtractPolar(self.velocity, other.velocity)
    split(self, base, { speed, heading: directionOf(base, self.velocity) }, fragments)
  }
}

/** Reflected at the station's edge and put just outside. */
function bounce(self: Snapshot, station: Snapshot, commands: Command[]): void {
  const outward = angleTo(station.place, self.place)
  const velocity = polar(self.velocity.speed, 2 * outward - self.velocity.heading - PI)
  const away = polar(self.radius + station.radius + 1, outward)
  commands.push({ kind: 'velocity', target: self.thing, velocity })
  commands.push({ kind: 'place', target: self.thing, place: shift(station.place, toPlane(away)) })
}

function rockIsShot(self: Snapshot, beam: Body, old: Legacy, { commands, fragments }: Outcome): void {
  const base = absorbed(self, beam)
  if (beam.mass < LASER.shatterMass) {
    if (!old.physics) commands.push({ kind: 'velocity', target: self.thing, velocity: limitSpeed(base, MAX_SPEED) })
    return
  }
  commands.push({ kind: 'kill', target: self.thing })
  const spread = subtractPolar(beam.velocity, self.velocity)
  if (old.physics) split(self, undefined, spread, fragments)
  else split(self, base, { speed: spread.speed, heading: directionOf(base, self.velocity) }, fragments)
}

function split(self: Snapshot, base: Polar | undefined, spread: Polar, fragments: Fragment[]): void {
  const mass = fragmentMass(self.mass)
  if (mass === 0) return
  fan(base, spread.speed, spread.heading, FORWARD).forEach((velocity, number) => {
    fragments.push({ parent: self.thing, number, mass, material: self.material, place: self.place, velocity })
  })
}

function shipIsShot(self: Snapshot, beam: Body, old: Legacy, commands: Command[]): void {
  hurt(self, beam.mass / DAMAGE_DIVISOR, 'laser', commands)
  if (old.physics) return
  commands.push({ kind: 'velocity', target: self.thing, velocity: limitSpeed(absorbed(self, beam), MAX_SPEED) })
}

function stationIsShot(self: Snapshot, beam: Body, commands: Command[]): void {
  const damage = beam.mass / DAMAGE_DIVISOR
  commands.push({ kind: 'vinyl', target: self.thing, amount: -damage })
  if (damage <= 0.01) return
  const text = `${readName(self.thing)} hit by laser, ${oneDecimal(damage)} vinyl lost`
  commands.push({ kind: 'announce', text })
}
