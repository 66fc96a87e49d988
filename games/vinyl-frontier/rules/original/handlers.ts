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
  type VinylWorld,
} from '../declaration.ts'
import { rockFits } from '../hold.ts'
import {
  absorbed,
  type Body,
  directionOf,
  elastic,
  FORWARD,
  fan,
  fragmentMass,
  fullDamage,
  inelastic,
  legacyDamage,
} from '../physics.ts'
import { placeOf, velocityOf } from '../setup.ts'
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

/** A thing as it was when the frame's collisions began. */
export type Snapshot = Body & {
  readonly row: number
  readonly kind: number
  readonly team: number
  readonly place: Place
  readonly radius: number
  readonly docked: boolean
  readonly shield: number
  readonly cargo: number
  readonly material: number
}

export function snapshotOf(world: VinylWorld, row: number): Snapshot {
  const { things } = world.tables
  return {
    row,
    kind: things.kind[row],
    team: things.team[row],
    place: placeOf(world, row),
    velocity: velocityOf(world, row),
    mass: massOf(world, row),
    radius: things.radius[row],
    docked: things.docked[row] === 1,
    shield: things.shield[row],
    cargo: things.cargo[row],
    material: things.material[row],
  }
}

/** What `self` asks for when it meets `other`. `angle`: chance, for ships that nothing else can part. */
export function onContact(world: VinylWorld, self: Snapshot, other: Snapshot, angle: number, old: Legacy): Outcome {
  const outcome: Outcome = { commands: [], fragments: [] }
  if (self.kind === KIND.ship && !self.docked) shipMeets(world, self, other, angle, old, outcome)
  if (self.kind === KIND.asteroid) rockMeets(world, self, other, old, outcome)
  return outcome
}

/** What a thing asks for when a laser hits it. */
export function onLaser(world: VinylWorld, self: Snapshot, beam: Body, old: Legacy): Outcome {
  const outcome: Outcome = { commands: [], fragments: [] }
  if (self.kind === KIND.station) stationIsShot(world, self, beam, outcome.commands)
  else if (self.kind === KIND.asteroid) rockIsShot(self, beam, old, outcome)
  else if (!self.docked) shipIsShot(world, self, beam, old, outcome.commands)
  return outcome
}

function shipMeets(
  world: VinylWorld,
  self: Snapshot,
  other: Snapshot,
  angle: number,
  old: Legacy,
  outcome: Outcome,
): void {
  const { commands } = outcome
  if (other.kind === KIND.station) dock(world, self, other, commands)
  else if (other.kind === KIND.ship) shipMeetsShip(world, self, other, angle, old, commands)
  else if (rockFits(world, self.row, other.row)) eat(self, other, old, commands)
  else shipMeetsRock(world, self, other, old, commands)
}

/** Any station takes any cargo, the enemy's too. */
function dock(world: VinylWorld, self: Snapshot, station: Snapshot, commands: Command[]): void {
  const { row, cargo } = self
  commands.push({ kind: 'place', target: row, place: station.place })
  commands.push({ kind: 'velocity', target: row, velocity: STANDING })
  commands.push({ kind: 'dock', target: row })
  if (cargo <= 0.01) return
  commands.push({ kind: 'vinyl', target: station.row, amount: cargo })
  commands.push({ kind: 'cargo', target: row, amount: -cargo })
  const isHome = self.team === station.team
  const told = `${readName(world, row)} delivered ${oneDecimal(cargo)} vinyl to`
  const name = readName(world, station.row)
  commands.push({ kind: 'announce', text: isHome ? `${told} ${name}` : `[ENEMY DELIVERY] ${told} enemy ${name}` })
}

function eat(self: Snapshot, rock: Snapshot, old: Legacy, commands: Command[]): void {
  const { row } = self
  if (old.eatDamage) {
    const damage = (rock.mass * subtractPolar(self.velocity, rock.velocity).speed) / DAMAGE_DIVISOR
    commands.push({ kind: 'shield', target: row, amount: -damage })
  }
  commands.push({ kind: 'velocity', target: row, velocity: limitSpeed(inelastic(self, rock), MAX_SPEED) })
  commands.push({ kind: rock.material === MATERIAL.vinyl ? 'cargo' : 'fuel', target: row, amount: rock.mass })
  commands.push({ kind: 'eaten', target: rock.row, by: row })
  commands.push({ kind: 'kill', target: rock.row })
}

function shipMeetsRock(world: VinylWorld, self: Snapshot, rock: Snapshot, old: Legacy, commands: Command[]): void {
  hurt(
    world,
    self,
    old.physics ? legacyDamage(self, rock) : fullDamage(self, rock),
    readName(world, rock.row),
    commands,
  )
  const velocity = old.physics ? inelastic(self, rock) : elastic(self, rock, plainWay(self, rock)).first
  commands.push({ kind: 'velocity', target: self.row, velocity: limitSpeed(velocity, MAX_SPEED) })
}

function shipMeetsShip(
  world: VinylWorld,
  self: Snapshot,
  other: Snapshot,
  angle: number,
  old: Legacy,
  commands: Command[],
): void {
  const damage = old.physics ? legacyDamage(self, other) : fullDamage(self, other)
  const name = readName(world, self.row)
  const otherName = readName(world, other.row)
  commands.push({ kind: 'shield', target: self.row, amount: -damage })
  if (damage > 0.1) commands.push({ kind: 'announce', text: `${name} hit ${otherName}, ${oneDecimal(damage)} damage` })
  if (self.shield - damage <= 0) commands.push({ kind: 'announce', text: `${name} destroyed by ${otherName}` })

  if (old.physics) {
    // The old way: pushed off by force, and the push added to the velocity as well.
    const push = polar(other.radius + SHIP_CLEARANCE, angleTo(other.place, self.place))
    const velocity = addPolar(self.velocity, scalePolar(push, other.mass / self.mass))
    commands.push({ kind: 'place', target: self.row, place: shift(self.place, toPlane(push)) })
    commands.push({ kind: 'velocity', target: self.row, velocity: limitSpeed(velocity, MAX_SPEED) })
    return
  }
  const velocity = elastic(self, other, plainWay(self, other)).first
  const apart = polar(self.radius + SHIP_CLEARANCE, partingAngle(world, self, other, angle))
  commands.push({ kind: 'velocity', target: self.row, velocity: limitSpeed(velocity, MAX_SPEED) })
  commands.push({ kind: 'place', target: self.row, place: shift(self.place, toPlane(apart)) })
}

/** Where a ship is moved: the way the other came from, else away from it, else by chance, opposite for the other. */
function partingAngle(world: VinylWorld, self: Snapshot, other: Snapshot, angle: number): number {
  const relative = subtractPolar(other.velocity, self.velocity)
  if (relative.speed > EPSILON) return relative.heading
  const way = plainWay(self, other)
  if (way.x * way.x + way.y * way.y > EPSILON) return angleTo(other.place, self.place)
  const { slot } = world.tables.things
  // The original decides by memory address who takes the angle itself.
  return slot[self.row] < slot[other.row] ? angle : wrapHeading(angle + PI)
}

function hurt(world: VinylWorld, self: Snapshot, damage: number, by: string, commands: Command[]): void {
  commands.push({ kind: 'shield', target: self.row, amount: -damage })
  if (self.shield - damage > 0) return
  commands.push({ kind: 'announce', text: `${readName(world, self.row)} destroyed by ${by}` })
}

/** The way between two places as the original's formula has it: not across the seam. */
function plainWay(from: Snapshot, to: Snapshot): Place {
  return { x: to.place.x - from.place.x, y: to.place.y - from.place.y }
}

function rockMeets(world: VinylWorld, self: Snapshot, other: Snapshot, old: Legacy, outcome: Outcome): void {
  const { commands, fragments } = outcome
  if (other.kind === KIND.station) bounce(self, other, commands)
  if (other.kind !== KIND.ship) return
  commands.push({ kind: 'kill', target: self.row })
  if (rockFits(world, other.row, self.row)) {
    commands.push({ kind: 'eaten', target: self.row, by: other.row })
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
  commands.push({ kind: 'velocity', target: self.row, velocity })
  commands.push({ kind: 'place', target: self.row, place: shift(station.place, toPlane(away)) })
}

function rockIsShot(self: Snapshot, beam: Body, old: Legacy, { commands, fragments }: Outcome): void {
  const base = absorbed(self, beam)
  if (beam.mass < LASER.shatterMass) {
    if (!old.physics) commands.push({ kind: 'velocity', target: self.row, velocity: limitSpeed(base, MAX_SPEED) })
    return
  }
  commands.push({ kind: 'kill', target: self.row })
  const spread = subtractPolar(beam.velocity, self.velocity)
  if (old.physics) split(self, undefined, spread, fragments)
  else split(self, base, { speed: spread.speed, heading: directionOf(base, self.velocity) }, fragments)
}

function split(self: Snapshot, base: Polar | undefined, spread: Polar, fragments: Fragment[]): void {
  const mass = fragmentMass(self.mass)
  if (mass === 0) return
  fan(base, spread.speed, spread.heading, FORWARD).forEach((velocity, number) => {
    fragments.push({ parent: self.row, number, mass, material: self.material, place: self.place, velocity })
  })
}

function shipIsShot(world: VinylWorld, self: Snapshot, beam: Body, old: Legacy, commands: Command[]): void {
  hurt(world, self, beam.mass / DAMAGE_DIVISOR, 'laser', commands)
  if (old.physics) return
  commands.push({ kind: 'velocity', target: self.row, velocity: limitSpeed(absorbed(self, beam), MAX_SPEED) })
}

function stationIsShot(world: VinylWorld, self: Snapshot, beam: Body, commands: Command[]): void {
  const damage = beam.mass / DAMAGE_DIVISOR
  commands.push({ kind: 'vinyl', target: self.row, amount: -damage })
  if (damage <= 0.01) return
  const text = `${readName(world, self.row)} hit by laser, ${oneDecimal(damage)} vinyl lost`
  commands.push({ kind: 'announce', text })
}
