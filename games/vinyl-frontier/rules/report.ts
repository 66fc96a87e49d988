/** What impacts tell the outside: contacts, momentum before and after, fragments. For logs; no rule reads it back. */

import { emit } from 'hurtbox'
import { KIND, massOf, type VinylWorld } from './declaration.ts'
import type { Body } from './physics.ts'
import { nameBytes, nextOrder } from './text.ts'
import { type Place, type Polar, toPlane } from './torus.ts'

/** Kinds of impact in `momentum` events. */
export const IMPACT = { elastic: 0, inelastic: 1, split: 2 } as const
export const DOCKING = { none: 0, justDocked: 1, alreadyDocked: 2 } as const

export function reportContact(world: VinylWorld, a: number, b: number, distance: number): void {
  const { things } = world.tables
  emit(world.events.contact, {
    order: nextOrder(world),
    turn: world.globals.turn,
    nameA: nameBytes(world, a),
    nameB: nameBytes(world, b),
    kindA: things.kind[a],
    kindB: things.kind[b],
    a: [things.x[a], things.y[a], things.speed[a], things.heading[a], things.radius[a]],
    b: [things.x[b], things.y[b], things.speed[b], things.heading[b], things.radius[b]],
    distance,
    overlap: things.radius[a] + things.radius[b] - distance,
    docking: dockingOf(world, a, b),
  })
}

function dockingOf(world: VinylWorld, a: number, b: number): number {
  const { kind, docked, wasDocked } = world.tables.things
  if (kind[a] + kind[b] !== KIND.ship + KIND.station) return DOCKING.none
  const ship = kind[a] === KIND.ship ? a : b
  if (docked[ship] === 0) return DOCKING.none
  return wasDocked[ship] === 1 ? DOCKING.alreadyDocked : DOCKING.justDocked
}

export function reportMomentum(
  world: Reporting,
  impact: number,
  before: readonly Body[],
  after: readonly Body[],
): void {
  const [b, a] = [momentumOf(before), momentumOf(after)]
  emit(world.events.momentum, {
    order: nextOrder(world as never),
    turn: world.globals.turn,
    impact,
    beforeX: b.x,
    beforeY: b.y,
    afterX: a.x,
    afterY: a.y,
  })
}

/** What a report needs; a rule has its view, everybody else the world. */
type Reporting = Pick<VinylWorld, 'events' | 'globals'>

export function momentumOf(bodies: readonly Body[]): Place {
  let [x, y] = [0, 0]
  for (const { mass, velocity } of bodies) {
    const v = toPlane(velocity)
    x += mass * v.x
    y += mass * v.y
  }
  return { x, y }
}

export function reportFragment(world: VinylWorld, parent: number, row: number, number: number, velocity: Polar): void {
  const { things } = world.tables
  if (row < 0) return
  emit(world.events.fragment, {
    order: nextOrder(world),
    turn: world.globals.turn,
    parent: nameBytes(world, parent),
    fragment: nameBytes(world, row),
    number,
    mass: things.mass[row],
    x: things.x[row],
    y: things.y[row],
    speed: velocity.speed,
    heading: velocity.heading,
  })
}

/** A thing as a body of the physics. */
export function bodyOf(world: VinylWorld, row: number): Body {
  const { speed, heading } = world.tables.things
  return { mass: massOf(world, row), velocity: { speed: speed[row], heading: heading[row] } }
}
