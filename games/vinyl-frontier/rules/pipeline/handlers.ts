/**
 * Stage 3 of the document's pipeline: what a thing asks for when it meets another. Each side of a pair is asked by itself,
 * reads frozen states only and changes nothing.
 */

import { DAMAGE_DIVISOR, KIND, LASER, type Legacy, MATERIAL, MAX_SPEED, SHIP_CLEARANCE } from '../declaration.ts'
import { elastic } from '../original/impacts.ts'
import { AROUND, absorbed, type Body, directionOf, fan, fragmentMass, inelastic, legacyDamage } from '../physics.ts'
import { oneDecimal, readName } from '../text.ts'
import { hypot, type Place, type Polar, shift, subtractPolar, toPlane, toPolar, wayTo } from '../torus.ts'
import type { Command, Spawn } from './commands.ts'
import type { State } from './states.ts'

/** The document's `CollisionContext`: what a side may know. */
export type Context = Readonly<{
  self: State
  other: State
  /** From self to the other, of length 1. */
  normal: Place
  old: Legacy
}>

/** The document's `CollisionOutcome`. */
export type Outcome = { readonly commands: Command[]; readonly spawns: Spawn[] }

export function respond(context: Context): Outcome {
  const outcome: Outcome = { commands: [], spawns: [] }
  const { self, other } = context
  if (self.kind === KIND.ship) {
    if (other.kind === KIND.station) dock(context, outcome)
    else if (other.kind === KIND.ship) bump(context, outcome)
    else if (fits(self, other)) eat(context, outcome)
    else if (isClosing(context)) crash(context, outcome)
  } else if (self.kind === KIND.asteroid) {
    if (other.kind === KIND.station) reflect(context, outcome)
    else if (fits(other, self)) outcome.commands.push({ kind: 'KillSelf', target: self.thing, by: other.thing })
    else if (isClosing(context)) shatter(context, outcome)
  }
  return outcome
}

/** What a thing asks for when light arrives. Stations are immune. */
export function absorbLight(self: State, light: Body, old: Legacy): Outcome {
  const outcome: Outcome = { commands: [], spawns: [] }
  const { commands } = outcome
  const pushed: Command = { kind: 'SetVelocity', target: self.thing, by: undefined, velocity: absorbed(self, light) }
  if (self.kind === KIND.ship) {
    hurt(self, light.mass / DAMAGE_DIVISOR, undefined, commands)
    if (!old.physics) commands.push(pushed)
  } else if (self.kind === KIND.asteroid) {
    const isStrong = light.mass >= LASER.shatterMass && (old.physics || fragmentMass(self.mass) > 0)
    if (isStrong) {
      commands.push({ kind: 'KillSelf', target: self.thing, by: undefined })
      const speed = old.physics
        ? light.mass / (LASER.impulseDivisor * self.mass)
        : subtractPolar(light.velocity, self.velocity).speed
      addPieces(self, light, absorbed(self, light), speed, old, outcome)
    } else if (!old.physics) commands.push(pushed)
  }
  return outcome
}

/** All cargo stays, the enemy's station takes it, too. */
function dock({ self, other: station }: Context, { commands }: Outcome): void {
  const { thing: target, cargo } = self
  const by = station.thing
  commands.push({ kind: 'SetDocked', target, by, place: station.place })
  if (cargo <= 0) return
  commands.push({ kind: 'AdjustCargo', target, by, value: -cargo, into: 'station' })
  const delivery = `${readName(target)} delivered ${oneDecimal(cargo)} vinyl to`
  const text =
    self.team === station.team ? `${delivery} ${readName(by)}` : `[ENEMY DELIVERY] ${delivery} enemy ${readName(by)}`
  commands.push({ kind: 'Announce', target, by, text, isAlways: false })
}

function eat({ self, other: rock, old }: Context, { commands }: Outcome): void {
  const [target, by] = [self.thing, rock.thing]
  if (old.eatDamage) {
    hurt(self, (rock.mass * subtractPolar(self.velocity, rock.velocity).speed) / DAMAGE_DIVISOR, rock, commands)
  }
  commands.push({ kind: 'SetVelocity', target, by, velocity: inelastic(self, rock) })
  const into = rock.material === MATERIAL.vinyl ? 'hold' : 'tank'
  commands.push({ kind: 'AdjustCargo', target, by, value: rock.mass, into })
}

/** A ship and a rock that does not fit. */
function crash(context: Context, { commands }: Outcome): void {
  const { self, other, old } = context
  hurt(self, damageOf(context), other, commands)
  const velocity = old.physics ? inelastic(self, other) : elastic(self, other, context.normal).first
  commands.push({ kind: 'SetVelocity', target: self.thing, by: other.thing, velocity })
}

/** Two ships: elastic, both hurt alike, and each is moved away from the other. */
function bump(context: Context, { commands }: Outcome): void {
  const { self, other, normal, old } = context
  const [target, by] = [self.thing, other.thing]
  if (isClosing(context)) {
    const damage = damageOf(context)
    hurt(self, damage, other, commands)
    if (damage > 0.1) {
      const text = `${readName(target)} hit ${readName(by)}, ${oneDecimal(damage)} damage`
      commands.push({ kind: 'Announce', target, by, text, isAlways: true })
    }
    commands.push({
      kind: 'SetVelocity',
      target,
      by,
      velocity: old.physics ? pushed(context) : elastic(self, other, normal).first,
    })
  }
  const away = self.radius + SHIP_CLEARANCE
  commands.push({
    kind: 'SetPosition',
    target,
    by,
    place: shift(self.place, { x: -away * normal.x, y: -away * normal.y }),
  })
}

/** The old way: a push out of nowhere. */
function pushed({ self, other, normal }: Context): Polar {
  const v = toPlane(self.velocity)
  const speed = ((other.radius + SHIP_CLEARANCE) * other.mass) / self.mass
  return toPolar({ x: v.x - speed * normal.x, y: v.y - speed * normal.y })
}

/** A rock at a station: reflected, and put outside. */
function reflect({ self, other: station, normal }: Context, { commands }: Outcome): void {
  const [target, by] = [self.thing, station.thing]
  const v = toPlane(self.velocity)
  const closing = v.x * normal.x + v.y * normal.y
  if (closing > 0) {
    const velocity = toPolar({ x: v.x - 2 * closing * normal.x, y: v.y - 2 * closing * normal.y })
    commands.push({ kind: 'SetVelocity', target, by, velocity })
  }
  const clear = self.radius + station.radius + 1
  const place = shift(station.place, { x: -clear * normal.x, y: -clear * normal.y })
  commands.push({ kind: 'SetPosition', target, by, place })
}

/** A rock that a ship has hit: three pieces around what it would do whole. One whose pieces would be dust bounces off. */
function shatter(context: Context, outcome: Outcome): void {
  const { self, other: ship, normal, old } = context
  const whole = elastic(self, ship, normal).first
  if (fragmentMass(self.mass) === 0 && !old.physics) {
    outcome.commands.push({ kind: 'SetVelocity', target: self.thing, by: ship.thing, velocity: whole })
    return
  }
  outcome.commands.push({ kind: 'KillSelf', target: self.thing, by: ship.thing })
  addPieces(self, ship, whole, subtractPolar(self.velocity, ship.velocity).speed, old, outcome)
}

function addPieces(rock: State, by: Body, whole: Polar, speed: number, old: Legacy, { spawns }: Outcome): void {
  const mass = fragmentMass(rock.mass)
  if (mass === 0) return
  const velocities = old.physics
    ? fan(undefined, Math.min(speed, MAX_SPEED), subtractPolar(by.velocity, rock.velocity).heading, AROUND)
    : fan(whole, speed, directionOf(whole, rock.velocity), AROUND)
  const { thing: parent, material, place } = rock
  spawns.push(...velocities.map((velocity, number) => ({ parent, number, mass, material, place, velocity })))
}

/** Points of shield. What takes the last is a kill, which is told. */
function hurt(self: State, points: number, by: State | undefined, commands: Command[]): void {
  const target = self.thing
  commands.push({ kind: 'AdjustShield', target, by: by?.thing, value: -points })
  if (self.shield - points > 0) return
  commands.push({ kind: 'KillSelf', target, by: by?.thing })
  const text = `${readName(target)} destroyed by ${by === undefined ? 'laser' : readName(by.thing)}`
  commands.push({ kind: 'Announce', target, by: by?.thing, text, isAlways: true })
}

function fits(ship: State, { mass, material }: State): boolean {
  if (material === MATERIAL.vinyl) return mass <= ship.cargoRoom
  return material === MATERIAL.uranium && mass <= ship.fuelRoom
}

function closingSpeed({ self, other, normal }: Context): number {
  const [v, w] = [toPlane(self.velocity), toPlane(other.velocity)]
  return (v.x - w.x) * normal.x + (v.y - w.y) * normal.y
}

/** Things that part already have had their impact. In the old physics they have it again. */
function isClosing(context: Context): boolean {
  return context.old.physics || closingSpeed(context) > 0
}

/** The change of momentum along the normal, alike for both; the old way what the other brings, so that the lighter suffers more. */
function damageOf(context: Context): number {
  const { self, other, old } = context
  if (old.physics) return legacyDamage(self, other)
  return (((2 * self.mass * other.mass) / (self.mass + other.mass)) * closingSpeed(context)) / DAMAGE_DIVISOR
}

/** The way from one to the other, of length 1; two in the same place part along `chance`, so that they close in. */
export function normalOf(self: State, other: State, chance: Place): Place {
  const way = wayTo(self.place, other.place)
  const length = hypot(way.x, way.y)
  if (length > 0) return { x: way.x / length, y: way.y / length }
  const relative = toPlane(subtractPolar(self.velocity, other.velocity))
  const isParting = relative.x * chance.x + relative.y * chance.y < 0
  return isParting ? { x: -chance.x, y: -chance.y } : chance
}
