/** Small worlds for tests: two stations, and what a test adds. */

import { each, step } from 'hurtbox'
import { createEmptyWorld } from 'hurtbox/tools'
import { massOf, ORDER, type VinylOptions, type VinylThing, type VinylWorld } from '../rules/declaration.ts'
import { vinylFrontier } from '../rules/index.ts'
import { addAsteroid, addShip, addStation, setVelocity, TEAMS } from '../rules/setup.ts'
import { type Place, polar, toPolar } from '../rules/torus.ts'

export type Moving = Place & { readonly vx?: number; readonly vy?: number }

export function emptyWorld(options: Partial<VinylOptions> = {}, seed = 1, game = vinylFrontier): VinylWorld {
  const world = createEmptyWorld(game, { seed, options })
  for (let team = 0; team < world.options.teams; team++) addStation(world, team, TEAMS[team].station, TEAMS[team].home)
  return world
}

/** A ship under way. */
export function ship(
  world: VinylWorld,
  team: number,
  at: Moving,
  load: { fuel?: number; cargo?: number } = {},
): VinylThing {
  const number = [...each(world, 'ship')].filter((other) => other.team === team + 1).length
  const added = addShip(world, team, number, `S${team}-${number}`, at)
  added.docked = added.wasDocked = 0
  added.fuel = load.fuel ?? 30
  added.cargo = load.cargo ?? 0
  setVelocity(added, toPolar({ x: at.vx ?? 0, y: at.vy ?? 0 }))
  return added
}

export function rock(world: VinylWorld, material: number, mass: number, at: Moving): VinylThing {
  return addAsteroid(world, mass, material, at, toPolar({ x: at.vx ?? 0, y: at.vy ?? 0 }))
}

/** A ship that looks along `angle` and will fire a laser of `length` in the next tick, which is the last of its turn. */
export function gunner(world: VinylWorld, team: number, at: Moving, angle: number, length: number): VinylThing {
  const added = ship(world, team, at)
  added.orient = polar(1, angle).heading
  added.orders.set(ORDER.laser, length)
  world.globals.step = 4
  world.globals.ordersTaken = 1
  return added
}

/** Runs one tick without orders. */
export function tick(world: VinylWorld): void {
  world.globals.ordersTaken = 1
  step(world)
}

export type Totals = { readonly mass: number; readonly px: number; readonly py: number; readonly energy: number }

/** Mass, momentum and energy of everything that moves. */
export function totals(world: VinylWorld): Totals {
  let [mass, px, py, energy] = [0, 0, 0, 0]
  for (const thing of each(world)) {
    if (thing.layer === 'station') continue
    const { vx, vy } = thing
    const tons = massOf(thing)
    mass += tons
    px += tons * vx
    py += tons * vy
    energy += (tons * (vx ** 2 + vy ** 2)) / 2
  }
  return { mass, px, py, energy }
}

export function rocks(world: VinylWorld): VinylThing[] {
  return [...each(world, 'asteroid')]
}

/** Numbers from 0 to 1 that are the same in every run. */
export function seeded(seed: number): (min?: number, max?: number) => number {
  let state = seed >>> 0
  return (min = 0, max = 1) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return min + (max - min) * (((t ^ (t >>> 14)) >>> 0) / 4294967296)
  }
}
