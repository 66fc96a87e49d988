/** What impacts tell the outside: contacts, momentum before and after, fragments. For logs; no rule reads it back. */

import { emit } from 'hurtbox'
import { KIND, massOf, type Readable, type VinylWorld } from './declaration.ts'
import type { Body } from './physics.ts'
import { placeOf, velocityOf } from './setup.ts'
import { nameBytes, nextOrder } from './text.ts'
import { type Place, type Polar, toPlane } from './torus.ts'

/** Kinds of impact in `momentum` events. */
export const IMPACT = { elastic: 0, inelastic: 1, split: 2 } as const
export const DOCKING = { none: 0, justDocked: 1, alreadyDocked: 2 } as const

/** What a log says of one side of a contact. */
export type Seen = {
  readonly label: readonly number[]
  readonly kind: number
  readonly place: Place
  readonly velocity: Polar
  readonly radius: number
}

export function seen(world: Readable, row: number): Seen {
  const { kind, radius } = world.tables.things
  return {
    label: nameBytes(world, row),
    kind: kind[row],
    place: placeOf(world, row),
    velocity: velocityOf(world, row),
    radius: radius[row],
  }
}

export function reportContact(world: Readable, a: Seen, b: Seen, distance: number, docking: number): void {
  emit(world.events.contact, {
    order: nextOrder(world),
    turn: world.globals.turn,
    nameA: a.label,
    nameB: b.label,
    kindA: a.kind,
    kindB: b.kind,
    a: [a.place.x, a.place.y, a.velocity.speed, a.velocity.heading, a.radius],
    b: [b.place.x, b.place.y, b.velocity.speed, b.velocity.heading, b.radius],
    distance,
    overlap: a.radius + b.radius - distance,
    docking,
  })
}

/** Whether a contact of ship and station is news. */
export function dockingOf(world: Readable, a: number, b: number): number {
  const { kind, docked, wasDocked } = world.tables.things
  if (kind[a] + kind[b] !== KIND.ship + KIND.station) return DOCKING.none
  const ship = kind[a] === KIND.ship ? a : b
  if (docked[ship] === 0) return DOCKING.none
  return wasDocked[ship] === 1 ? DOCKING.alreadyDocked : DOCKING.justDocked
}

export function reportMomentum(world: Readable, impact: number, before: readonly Body[], after: readonly Body[]): void {
  const [b, a] = [momentumOf(before), momentumOf(after)]
  emit(world.events.momentum, {
    order: nextOrder(world),
    turn: world.globals.turn,
    impact,
    beforeX: b.x,
    beforeY: b.y,
    afterX: a.x,
    afterY: a.y,
  })
}

function momentumOf(bodies: readonly Body[]): Place {
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
export function bodyOf(world: Readable, row: number): Body {
  return { mass: massOf(world, row), velocity: velocityOf(world, row) }
}
