/** Events about impacts: contacts, momentum before and after, fragments. For logs; no rule reads them. */

import { emit, exists } from 'hurtbox'
import { massOf, type VinylRuleWorld, type VinylThing } from './declaration.ts'
import type { Body } from './physics.ts'
import { velocityOf } from './setup.ts'
import { type Named, nameBytes, nextOrder } from './text.ts'
import { type Place, type Polar, toPlane } from './torus.ts'

/** Kinds of impact in `momentum` events; `limit`: the speed limit, which is the only one to take momentum away. */
export const IMPACT = { elastic: 0, inelastic: 1, split: 2, limit: 3 } as const
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

/** Momentum, in tons times units per second. */
export type Momentum = { x: number; y: number }

/** The momentum of things as they are now, and of light that they swallow. Reads the world, not the formulas of an impact. */
export function momentumOf(things: readonly VinylThing[], light?: Body): Momentum {
  const sum = { x: 0, y: 0 }
  for (const thing of things) {
    const mass = massOf(thing)
    sum.x += mass * thing.vx
    sum.y += mass * thing.vy
  }
  if (light === undefined) return sum
  const { x, y } = toPlane(light.velocity)
  sum.x += light.mass * x
  sum.y += light.mass * y
  return sum
}

export function reportMomentum(world: VinylRuleWorld, impact: number, before: Momentum, after: Momentum): void {
  const { x: beforeX, y: beforeY } = before
  emit(world, 'momentum', { ...now(world), impact, beforeX, beforeY, afterX: after.x, afterY: after.y })
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
