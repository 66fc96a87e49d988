/** Small worlds for tests: two stations, and whatever the test puts beside them. */

import { createEmptyWorld, step } from 'hurtbox'
import { KIND, massOf, ORDERS, type VinylOptions, type VinylWorld } from '../rules/declaration.ts'
import { vinylFrontier } from '../rules/index.ts'
import { addAsteroid, addShip, addStation, setVelocity, TEAMS } from '../rules/setup.ts'
import { type Place, polar, toPolar } from '../rules/torus.ts'

export type Moving = Place & { readonly vx?: number; readonly vy?: number }

export function emptyWorld(options: Partial<VinylOptions> = {}, seed = 1): VinylWorld {
  const world = createEmptyWorld(vinylFrontier, { seed, options })
  for (let team = 0; team < world.options.teams; team++) addStation(world, team, TEAMS[team].station, TEAMS[team].home)
  return world
}

/** A ship under way. */
export function ship(
  world: VinylWorld,
  team: number,
  at: Moving,
  load: { fuel?: number; cargo?: number } = {},
): number {
  const { things } = world.tables
  let number = 0
  for (let row = 0; row < things.count; row++)
    if (things.kind[row] === KIND.ship && things.team[row] === team + 1) number++
  const row = addShip(world, team, number, `S${team}-${number}`, at)
  things.docked[row] = things.wasDocked[row] = 0
  things.fuel[row] = load.fuel ?? 30
  things.cargo[row] = load.cargo ?? 0
  setVelocity(world, row, toPolar({ x: at.vx ?? 0, y: at.vy ?? 0 }))
  return row
}

export function rock(world: VinylWorld, material: number, mass: number, at: Moving): number {
  return addAsteroid(world, mass, material, at, toPolar({ x: at.vx ?? 0, y: at.vy ?? 0 }))
}

/** A ship that looks along `angle` and will fire a laser of `length` in the next tick, which is the last of its turn. */
export function gunner(world: VinylWorld, team: number, at: Moving, angle: number, length: number): number {
  const row = ship(world, team, at)
  const { things } = world.tables
  things.orient[row] = polar(1, angle).heading
  things.orders[row * ORDERS + 1] = length
  world.globals.step = 4
  world.globals.ordersTaken = 1
  return row
}

/** Runs one tick in which nobody gives orders. */
export function tick(world: VinylWorld): void {
  world.globals.ordersTaken = 1
  step(world)
}

export type Totals = { readonly mass: number; readonly px: number; readonly py: number; readonly energy: number }

/** Mass, momentum and energy of everything that moves. */
export function totals(world: VinylWorld): Totals {
  const { things } = world.tables
  let [mass, px, py, energy] = [0, 0, 0, 0]
  for (let row = 0; row < things.count; row++) {
    if (things.kind[row] === KIND.station || things.leaving[row] !== 0) continue
    const m = massOf(world, row)
    mass += m
    px += m * things.vx[row]
    py += m * things.vy[row]
    energy += (m * (things.vx[row] ** 2 + things.vy[row] ** 2)) / 2
  }
  return { mass, px, py, energy }
}

export function rocks(world: VinylWorld): number[] {
  const { things } = world.tables
  return Array.from({ length: things.count }, (_, row) => row).filter((row) => things.kind[row] === KIND.asteroid)
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
