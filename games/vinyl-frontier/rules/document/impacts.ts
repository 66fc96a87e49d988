/**
 * What contacts mean: the document's engine, as rules of `collide`.
 *
 * Where things are and how they move is frozen while the rules decide; what they have left is not. So a rock is eaten or
 * broken once however many ships touch it, a hold never takes more than fits, and what several impacts do to one ship adds
 * up: impulses are measured on the frozen velocities, so that every pair exchanges exactly as much as it gives.
 */

import { type Contact, emit, type Outcome, rule } from 'hurtbox'
import { purposeOf, unitVectorAt } from 'hurtbox/math'
import {
  DAMAGE_DIVISOR,
  DT,
  declaration,
  legacy,
  MATERIAL,
  massOf,
  SHIP_CLEARANCE,
  type VinylView,
} from '../declaration.ts'
import { rockFits } from '../hold.ts'
import { type Body, fragmentMass, inelastic } from '../physics.ts'
import { bodyOf, DOCKING, IMPACT, reportContact, reportMomentum, seen } from '../report.ts'
import { placeOf } from '../setup.ts'
import { hypot, type Place, toPlane, toPolar, wayTo } from '../torus.ts'
import { shatter } from './fragments.ts'
import { absence, wound } from './wounds.ts'

/** A ship that touches a station is in its dock; whatever it carries stays there, at the enemy's too. */
export const shipDocks = rule(declaration, {
  name: 'ship-docks',
  attacker: 'ship',
  victim: 'station',
  decide(view, { attacker: ship, victim: station }, outcome) {
    const { things } = view.tables
    const absent = absence(view, ship)
    if (absent !== '') return absent
    report(view, station, ship)
    outcome.priority('dock')
    outcome.put(things.docked, ship, 1)
    outcome.put(things.x, ship, things.x[station])
    outcome.put(things.y, ship, things.y[station])
    outcome.put(things.vx, ship, 0)
    outcome.put(things.vy, ship, 0)
    outcome.put(things.spinRate, ship, 0)
    outcome.put(things.teleports, ship, (things.teleports[ship] + 1) & 255)
    const tons = things.cargo[ship]
    if (tons <= 0) return 'hit'
    outcome.priority('cargo')
    outcome.put(things.cargo, ship, 0)
    outcome.add(things.vinyl, station, tons)
    const isHome = things.team[ship] === things.team[station] ? 1 : 0
    emit(view.events.delivered, { ship: things.id[ship], station: things.id[station], tons, isHome })
    return 'hit'
  },
})

/** A rock that fits is swallowed; one that does not breaks, or bounces off when its pieces would be dust. */
export const shipMeetsRock = rule(declaration, {
  name: 'ship-meets-rock',
  attacker: 'ship',
  victim: 'asteroid',
  decide(view, contact, outcome) {
    const { attacker: ship, victim: rock } = contact
    const absent = absence(view, ship)
    if (absent !== '') return absent
    if (rockFits(view, ship, rock)) return eat(view, ship, rock, outcome)
    return legacy(view.options).physics ? crashOld(view, ship, rock, outcome) : crash(view, contact, outcome)
  },
})

/** Ships bounce off each other, both hurt alike, and are moved apart. */
export const shipMeetsShip = rule(declaration, {
  name: 'ship-meets-ship',
  attacker: 'ship',
  victim: 'ship',
  decide(view, contact, outcome) {
    const { attacker: a, victim: b } = contact
    const absent = absence(view, a) || absence(view, b)
    if (absent !== '') return absent
    report(view, a, b)
    const normal = normalOf(view, contact)
    if (legacy(view.options).physics) bumpOld(view, a, b, normal, outcome)
    else bump(view, contact, normal, outcome)
    return 'hit'
  },
})

/** A station does not move: what hits it is reflected and put outside. */
export const rockBounces = rule(declaration, {
  name: 'rock-bounces',
  attacker: 'asteroid',
  victim: 'station',
  decide(view, contact, outcome) {
    const { attacker: rock, victim: station } = contact
    const { things } = view.tables
    report(view, rock, station)
    const { x, y } = normalOf(view, contact)
    const v = toPlane(bodyOf(view, rock).velocity)
    const closing = v.x * x + v.y * y
    if (closing > 0) accelerate(view, rock, -2 * closing * x, -2 * closing * y, outcome)
    const way = wayTo(placeOf(view, rock), placeOf(view, station))
    const clear = things.radius[rock] + things.radius[station] + 1
    outcome.priority('position')
    outcome.push(rock, way.x - x * clear, way.y - y * clear)
    return 'hit'
  },
})

/** The rock becomes part of the ship, its momentum too. What earlier rocks did to the ship counts already. */
function eat(view: VinylView, ship: number, rock: number, outcome: Outcome): 'hit' {
  const { things } = view.tables
  report(view, ship, rock)
  const before = { mass: massOf(view, ship), velocity: toPolar({ x: things.vx[ship], y: things.vy[ship] }) }
  const eaten = bodyOf(view, rock)
  const w = toPlane(eaten.velocity)
  const share = eaten.mass / (before.mass + eaten.mass)
  const { eatDamage } = legacy(view.options)
  if (eatDamage)
    wound(view, outcome, ship, things.id[rock], (eaten.mass * relativeSpeed(before, eaten)) / DAMAGE_DIVISOR)
  accelerate(view, ship, share * (w.x - things.vx[ship]), share * (w.y - things.vy[ship]), outcome)
  outcome.priority('cargo')
  outcome.add(things.material[rock] === MATERIAL.vinyl ? things.cargo : things.fuel, ship, eaten.mass)
  outcome.priority('kill')
  outcome.put(things.eatenBy, rock, things.id[ship])
  outcome.despawn(rock)
  const after = { mass: before.mass + eaten.mass, velocity: inelastic(before, eaten) }
  reportMomentum(view, IMPACT.inelastic, [before, eaten], [after])
  return 'hit'
}

/** Elastic for the ship; the rock flies apart around what it would have done whole. */
function crash(view: VinylView, contact: Contact, outcome: Outcome): 'hit' | 'receding' {
  const { attacker: ship, victim: rock } = contact
  const { things } = view.tables
  const normal = normalOf(view, contact)
  const [own, other] = [bodyOf(view, ship), bodyOf(view, rock)]
  const impulse = impulseOf(own, other, normal)
  if (impulse === 0) return 'receding'
  report(view, ship, rock)
  wound(view, outcome, ship, things.id[rock], damageOf(view, impulse, own, other, normal))
  accelerate(view, ship, -(impulse / own.mass) * normal.x, -(impulse / own.mass) * normal.y, outcome)
  const v = toPlane(other.velocity)
  const base = toPolar({ x: v.x + (impulse / other.mass) * normal.x, y: v.y + (impulse / other.mass) * normal.y })
  if (fragmentMass(other.mass) > 0) {
    shatter(view, outcome, rock, base, relativeSpeed(own, other))
  } else {
    accelerate(view, rock, (impulse / other.mass) * normal.x, (impulse / other.mass) * normal.y, outcome)
    rub(view, contact, normal, own, other, outcome)
  }
  reportElastic(view, own, other, normal, impulse)
  return 'hit'
}

/** The old way: the ship takes the common velocity, and the pieces forget how the rock moved. */
function crashOld(view: VinylView, ship: number, rock: number, outcome: Outcome): 'hit' {
  const { things } = view.tables
  const [own, other] = [bodyOf(view, ship), bodyOf(view, rock)]
  report(view, ship, rock)
  wound(view, outcome, ship, things.id[rock], (other.mass * relativeSpeed(own, other)) / DAMAGE_DIVISOR)
  const v = toPlane(own.velocity)
  const common = toPlane(inelastic(own, other))
  accelerate(view, ship, common.x - v.x, common.y - v.y, outcome)
  shatter(view, outcome, rock, undefined, relativeSpeed(own, other), own.velocity)
  return 'hit'
}

function bump(view: VinylView, contact: Contact, normal: Place, outcome: Outcome): void {
  const { attacker: a, victim: b } = contact
  const { things } = view.tables
  const [first, second] = [bodyOf(view, a), bodyOf(view, b)]
  const impulse = impulseOf(first, second, normal)
  if (impulse > 0) {
    const damage = damageOf(view, impulse, first, second, normal)
    wound(view, outcome, a, things.id[b], damage)
    wound(view, outcome, b, things.id[a], damage)
    accelerate(view, a, -(impulse / first.mass) * normal.x, -(impulse / first.mass) * normal.y, outcome)
    accelerate(view, b, (impulse / second.mass) * normal.x, (impulse / second.mass) * normal.y, outcome)
    rub(view, contact, normal, first, second, outcome)
    reportElastic(view, first, second, normal, impulse)
  }
  part(view, a, b, normal, outcome)
}

/** The old way: an impulse out of nowhere, and the lighter ship hurt more. */
function bumpOld(view: VinylView, a: number, b: number, normal: Place, outcome: Outcome): void {
  const { things } = view.tables
  const [first, second] = [bodyOf(view, a), bodyOf(view, b)]
  const speed = relativeSpeed(first, second)
  wound(view, outcome, a, things.id[b], (second.mass * speed) / DAMAGE_DIVISOR)
  wound(view, outcome, b, things.id[a], (first.mass * speed) / DAMAGE_DIVISOR)
  const pushA = ((things.radius[b] + SHIP_CLEARANCE) * second.mass) / first.mass
  const pushB = ((things.radius[a] + SHIP_CLEARANCE) * first.mass) / second.mass
  accelerate(view, a, -pushA * normal.x, -pushA * normal.y, outcome)
  accelerate(view, b, pushB * normal.x, pushB * normal.y, outcome)
  part(view, a, b, normal, outcome)
}

/** Each moves its own radius and a little more away from the other. */
function part(view: VinylView, a: number, b: number, { x, y }: Place, outcome: Outcome): void {
  const { radius } = view.tables.things
  outcome.priority('position')
  outcome.push(a, -(radius[a] + SHIP_CLEARANCE) * x, -(radius[a] + SHIP_CLEARANCE) * y)
  outcome.push(b, (radius[b] + SHIP_CLEARANCE) * x, (radius[b] + SHIP_CLEARANCE) * y)
}

const PARTING = purposeOf('the direction in which coincident things part')
const COINCIDENT = 1e-9
const scratch = { x: 0, y: 0 }

/**
 * From the attacker to the victim, of length 1. Two in the same place have no such direction: chance gives them one,
 * turned so that they are on their way towards each other.
 */
function normalOf(view: VinylView, { attacker, victim, time }: Contact): Place {
  const { things } = view.tables
  const [v, w] = [toPlane(bodyOf(view, attacker).velocity), toPlane(bodyOf(view, victim).velocity)]
  // Swept contacts happened earlier in the tick, where both were then.
  const back = view.options.swept ? (1 - time) * DT : 0
  const way = wayTo(placeOf(view, attacker), placeOf(view, victim))
  const x = way.x - (w.x - v.x) * back
  const y = way.y - (w.y - v.y) * back
  const length = hypot(x, y)
  if (length > COINCIDENT) return { x: x / length, y: y / length }
  unitVectorAt(view.seed, view.tick, things.id[attacker], things.id[victim], PARTING, scratch)
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
function damageOf(view: VinylView, impulse: number, first: Body, second: Body, normal: Place): number {
  const speed = relativeSpeed(first, second)
  const cosine = view.options.glancing && speed > 0 ? Math.min(1, closingSpeed(first, second, normal) / speed) : 1
  return (impulse / DAMAGE_DIVISOR) * cosine
}

/** Part of the sideways speed that a rubbing impact takes away. */
const GRIP = 0.5

/**
 * Spin: surfaces that slide along each other pull sideways. The pull changes both velocities by equal and opposite
 * momentum and, at the arm of the radius, turns both discs (½ m r²) the same way round.
 */
function rub(
  view: VinylView,
  { attacker: a, victim: b }: Contact,
  normal: Place,
  first: Body,
  second: Body,
  outcome: Outcome,
): void {
  if (!view.options.spin) return
  const { things } = view.tables
  const [v, w] = [toPlane(first.velocity), toPlane(second.velocity)]
  const sliding = (w.x - v.x) * -normal.y + (w.y - v.y) * normal.x
  const pull = GRIP * ((first.mass * second.mass) / (first.mass + second.mass)) * sliding
  accelerate(view, a, (pull / first.mass) * -normal.y, (pull / first.mass) * normal.x, outcome)
  accelerate(view, b, (pull / second.mass) * normal.y, (pull / second.mass) * -normal.x, outcome)
  outcome.add(things.spinRate, a, (2 * pull) / (first.mass * things.radius[a]))
  outcome.add(things.spinRate, b, (2 * pull) / (second.mass * things.radius[b]))
}

function accelerate(view: VinylView, row: number, dx: number, dy: number, outcome: Outcome): void {
  const { vx, vy } = view.tables.things
  outcome.priority('velocity')
  outcome.add(vx, row, dx)
  outcome.add(vy, row, dy)
}

function report(view: VinylView, a: number, b: number): void {
  const way = wayTo(placeOf(view, a), placeOf(view, b))
  reportContact(view, seen(view, a), seen(view, b), hypot(way.x, way.y), DOCKING.none)
}

function reportElastic(view: VinylView, first: Body, second: Body, normal: Place, impulse: number): void {
  const after = (body: Body, sign: number): Body => {
    const v = toPlane(body.velocity)
    const change = (sign * impulse) / body.mass
    return { mass: body.mass, velocity: toPolar({ x: v.x + change * normal.x, y: v.y + change * normal.y }) }
  }
  reportMomentum(view, IMPACT.elastic, [first, second], [after(first, -1), after(second, 1)])
}
