/** Events about impacts: contacts, momentum before and after, fragments. For logs; no rule reads them. */

import { emit, exists } from 'hurtbox'
import { massOf, type VinylRuleWorld, type VinylThing } from './declaration.ts'
import type { Body } from './physics.ts'
import { velocityOf } from './setup.ts'
import { type Named, nameBytes, nextOrder } from './text.ts'
import { type Place, type Polar, toPlane } from './torus.ts'

/** Kinds of impact in `momentum` events. */
export const IMPACT = { elastic: 0, inelastic: 1, split: 2 } as const
export const DOCKING = { none: 0, justDocked: 1, alreadyDocked: 2 } as const

const nameA: number[] = []
const nameB: number[] = []
const sideA = [0.5]
const sideB = [0.5]

/** What a log needs of one side of a contact. */
type Side = Named & Place & Polar & { readonly kind: number; readonly radius: number }

export function reportContact(world: VinylRuleWorld, a: Side, b: Side, distance: number, docking: number): void {
  emit(world, 'contact', {
    ...now(world),
    nameA: nameBytes(a, nameA),
    nameB: nameBytes(b, nameB),
    kindA: a.kind,
    kindB: b.kind,
    a: figures(a, sideA),
    b: figures(b, sideB),
    distance,
    overlap: a.radius + b.radius - distance,
    docking,
  })
}

function figures({ x, y, speed, heading, radius }: Side, out: number[]): number[] {
  out[0] = x
  out[1] = y
  out[2] = speed
  out[3] = heading
  out[4] = radius
  return out
}

export function reportMomentum(
  world: VinylRuleWorld,
  impact: number,
  before: readonly Body[],
  after: readonly Body[],
): void {
  addMomenta(before, b)
  addMomenta(after, a)
  emit(world, 'momentum', { ...now(world), impact, beforeX: b.x, beforeY: b.y, afterX: a.x, afterY: a.y })
}

const a = { x: 0.5, y: 0.5 }
const b = { x: 0.5, y: 0.5 }
const v = { x: 0.5, y: 0.5 }

function addMomenta(bodies: readonly Body[], out: typeof a): void {
  out.x = 0
  out.y = 0
  for (const { mass, velocity } of bodies) {
    toPlane(velocity, v)
    out.x += mass * v.x
    out.y += mass * v.y
  }
}

export function reportFragment(world: VinylRuleWorld, parent: VinylThing, piece: VinylThing, number: number): void {
  if (!exists(piece)) return
  const { mass, x, y, speed, heading } = piece
  const names = { parent: nameBytes(parent, nameA), fragment: nameBytes(piece, nameB) }
  emit(world, 'fragment', { ...now(world), ...names, number, mass, x, y, speed, heading })
}

/** Where an event stands among all events of the match. */
export function now(world: VinylRuleWorld): { order: number; turn: number } {
  return { order: nextOrder(world), turn: world.globals.turn }
}

/** A thing as a body of the physics. */
export function bodyOf(thing: VinylThing): Body {
  return { mass: massOf(thing), velocity: velocityOf(thing) }
}
