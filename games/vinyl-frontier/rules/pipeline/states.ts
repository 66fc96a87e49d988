/**
 * Stages 1 and 2 of the document's pipeline: frozen states of everything that is there, and the pairs of them that overlap.
 *
 * Nothing later in the frame reads a thing again before the commands are applied, so no pair can see what another one did.
 */

import { KIND, massOf, type VinylThing } from '../declaration.ts'
import type { Body } from '../physics.ts'
import { velocityOf } from '../setup.ts'
import { distance, type Place } from '../torus.ts'

/** The document's `CollisionState`: a thing as it was when the frame began. */
export type State = Body &
  Readonly<{
    thing: VinylThing
    kind: number
    team: number
    /** Its place in the list of things, by which pairs and commands are ordered. */
    index: number
    place: Place
    radius: number
    shield: number
    docked: boolean
    cargo: number
    /** Tons that still fit into the hold and into the tank. */
    cargoRoom: number
    fuelRoom: number
    material: number
  }>

/** Stage 1. The dead are not there. */
export function takeSnapshots(listed: Iterable<VinylThing>): readonly State[] {
  const states: State[] = []
  for (const thing of listed) if (thing.dead === 0) states.push(freeze(thing))
  return states
}

function freeze(thing: VinylThing): State {
  const { kind, team, slot, radius, shield, docked, cargo, material } = thing
  return Object.freeze({
    thing,
    kind,
    team,
    index: slot,
    place: Object.freeze({ x: thing.x, y: thing.y }),
    velocity: Object.freeze(velocityOf(thing)),
    mass: massOf(thing),
    radius,
    shield,
    docked: docked === 1,
    cargo,
    cargoRoom: thing.cargoCapacity - cargo,
    fuelRoom: thing.fuelCapacity - thing.fuel,
    material,
  })
}

export type Pair = Readonly<{ first: State; second: State; overlap: number }>

/**
 * Stage 2: each thing of a team with each thing of the world. The lower index stands first, each pair once. Ships in a dock
 * meet nothing, and circles that only touch do not overlap.
 */
export function findPairs(states: readonly State[]): readonly Pair[] {
  const found = new Set<string>()
  const pairs: Pair[] = []
  for (const owned of states) {
    if (owned.team === 0 || owned.docked) continue
    for (const other of states) {
      if (other === owned || other.docked) continue
      const [first, second] = owned.index < other.index ? [owned, other] : [other, owned]
      const overlap = first.radius + second.radius - distance(first.place, second.place)
      const key = `${first.index} ${second.index}`
      if (overlap <= 0 || found.has(key)) continue
      found.add(key)
      pairs.push({ first, second, overlap })
    }
  }
  return pairs
}

/** A laser that was aimed in this frame: the document's GENTHING, which comes behind everything in the list. */
export type Light = Readonly<{ shooter: State; target: State; length: number }>

/** The lasers of this frame, by the age of who fires. */
export function findLights(states: readonly State[]): readonly Light[] {
  return states.flatMap((shooter) => {
    const { aim, beamLength } = shooter.thing
    const target = shooter.kind === KIND.ship && aim !== 0 ? states.find(({ thing }) => thing.id === aim) : undefined
    return target === undefined ? [] : [{ shooter, target, length: beamLength }]
  })
}
